r"""What it costs to replace a density by its values on the grid, for a whole composition (KJH19 10.4)."""

from collections.abc import Sequence

from pldverify.balls import arb
from pldverify.balls.ball import Real, ball
from pldverify.balls.compare import surely_at_most, surely_less
from pldverify.bounds.upper_end import upper


def density_discretisation(parts: Sequence[tuple[Real, Real, int]], step: Real) -> arb:
    r"""Upper bound on |Δx-sum − integral| for the periodic k-fold convolution; ``parts`` are (Bᵢ, μᵢ, kᵢ).

    .. math:: \Big|\sum_{x_\ell > \varepsilon} (1 - e^{\varepsilon - x_\ell})\, b_\ell -
              \int_\varepsilon^L (1 - e^{\varepsilon-s})\,(\tilde\omega_1 \circledast \dots)(s)\,ds\Big| \le
              4\Delta x \sum_i k_i B_i \prod_j \max(1, \mu_j)^{k_j} .

    Bᵢ bounds ωᵢ, and 2Bᵢ its total variation (:mod:`pldverify.bounds.density`); μᵢ is the sum of the masses
    :math:`\Delta x\,\omega_i(x_\ell)`, which may exceed 1.
    Proof: change one factor after another. What stands beside it is an average, of total weight at most
    the product, of shifts of the 2L-periodic kernel F, 0 ≤ F ≤ 1, with variation at most 2 per period; and
    a sum over the grid differs from the integral of Fω by at most Δx times the variation of Fω, which is
    at most 2B + 2B. Printed, KJH19 (10.15): :func:`printed_riemann_sum`, which is wrong by a factor and
    leaves out that the inner integrals are sums as well.
    Assumes: Δx > 0; masses without rounding. Rounds: up; a failed hypothesis gives +∞.
    """
    h, total, weight = ball(step), arb(0), arb(1)
    for top, mass, k in parts:
        total += k * ball(top)
        weight *= ball(mass).max(arb(1)) ** k
    return upper(4 * h * total * weight, bool(surely_less(0, h)))


def riemann_sum(slope: Real, epsilon: Real, L: Real, n: int) -> arb:
    r"""Upper bound on :math:`|\int_\varepsilon^L h - \Delta x \sum_{x_\ell > \varepsilon} h(x_\ell)|`,
    h(ε) = 0.

    .. math:: \max|h'|\,\frac{\Delta x\,(L-\varepsilon)}2 = \max|h'|\,\frac{L(L-\varepsilon)}{n}.

    Proof: on each cell [x, x + Δx] of the left rule at most max|h'| Δx²/2, and η²/2 ≤ ηΔx/2 on the cut
    cell from ε to the first point after it, as h(ε) = 0.
    Printed, KJH19 (10.15): :math:`\max|h'|(L-\varepsilon)^2/2n`, smaller by the factor (L − ε)/2L: it
    counts n points in [ε, L] where the grid has n(L − ε)/2L. False for h(y) = y − ε.
    Assumes: h Lipschitz on [ε, L] with constant ``slope``, −L ≤ ε < L. Rounds: up; a failed hypothesis
    gives +∞.
    """
    eps, edge = ball(epsilon), ball(L)
    value = ball(slope) * edge * (edge - eps) / n
    return upper(value, bool(surely_less(eps, edge)), bool(surely_at_most(-edge, eps)), n >= 1)


def printed_riemann_sum(slope: Real, epsilon: Real, L: Real, n: int) -> arb:
    """KJH19 (10.15) as printed; refuted, see :func:`riemann_sum`."""
    eps, edge = ball(epsilon), ball(L)
    return upper(ball(slope) * (edge - eps) ** 2 / (2 * n), bool(surely_less(eps, edge)), n >= 1)
