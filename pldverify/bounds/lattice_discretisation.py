r"""What it costs to replace densities by their values on a grid, by Poisson summation: second order in Δx."""

from collections.abc import Sequence

from pldverify.balls import arb
from pldverify.balls.ball import Real, ball
from pldverify.balls.compare import surely_less
from pldverify.bounds.transform_decay import Decay
from pldverify.bounds.upper_end import upper

_RATIO = 8
"""Each end of a step of u is 1 + 1/8 times the one before; any value > 0 is right: few steps cost width."""
_BINS = 190
"""Steps of u besides the one at 0; any value is right."""
_NEGLIGIBLE = -40
"""log₂ of a part of the integral: a rest below it is bounded in one step. Any value is right."""


def lattice_discretisation(
    parts: Sequence[tuple[Real, Decay, int]], *, theta: Real, step: Real, epsilon: Real
) -> arb:
    r"""Upper bound on :math:`|\delta_h(\varepsilon) - \delta(\varepsilon)|`, ``parts`` are
    (Mᵢ(θ), decay of Mᵢ, kᵢ).

    δ_h has in the place of each density ω the masses hω(ih) at ih, i any integer (nothing dropped, nothing
    wrapped). With :math:`A_i \ge \sup_{|u| \le \pi/h} \sum_{m \ne 0} |M_i(\theta + iu + 2\pi im/h)|`,

    .. math:: |\delta_h - \delta| \le e^{-\theta\varepsilon} \Big\{ \big[\textstyle\prod (M_i + A_i)^{k_i} -
              \prod M_i^{k_i}\big] \Big(\frac1{2\sqrt{\theta(\theta+1)}} + \frac h4\Big)
              + \frac{h^2}{4}\, \frac1{2\pi} \int_{|u| < \pi/h} \prod |M_i(\theta + iu)|^{k_i} du
              + \frac{h}{\pi^2} \prod |M_i(\theta \pm i\pi/h)|^{k_i} \Big\},

    the last product by the decay's bound for all u ≥ π/h.
    Proof: :math:`\delta = \frac1{2\pi}\int M\hat K`, :math:`\hat K(z) = e^{-z\varepsilon}/(z(z+1))`, on Re z
    = θ, and :math:`\delta_h = \frac1{2\pi}\int_{|u|<\pi/h} M_h \hat K_h`, where Poisson summation makes the
    transforms of the grid values sums of shifts by 2πim/h, for each Mᵢ and for :math:`\hat K`. The shifts of
    :math:`\hat K` add up to at most :math:`e^{-\theta\varepsilon} \cdot 2\sum_m ((2m-1)\pi/h)^{-2} =
    e^{-\theta\varepsilon} h^2/4`. A product of k changed factors changes by at most
    :math:`\prod(|x_i| + |d_i|) - \prod|x_i|`, and :math:`\frac1{2\pi}\int |\hat K| \le
    e^{-\theta\varepsilon}/2\sqrt{\theta(\theta+1)}` by Cauchy-Schwarz. The middle integral is bounded by
    steps of u, as the decay's bound falls.
    No paper has it: KJH19 10.4 is of first order and grows with k, see
    :func:`~pldverify.bounds.density_discretisation.density_discretisation`.
    Assumes: θ > 0, Δx > 0, masses without rounding. Rounds: up; a failed hypothesis gives +∞.
    """
    tilt, h = ball(theta), ball(step)
    if not (surely_less(0, tilt) and surely_less(0, h)):
        return arb.pos_inf()
    edge = arb.pi() / h
    whole, grown, end = arb(1), arb(1), arb(1)
    for moment, decay, k in parts:
        m = ball(moment)
        whole *= m**k
        grown *= (m + decay.aliases(h)) ** k
        end *= m.min(decay.at(edge)) ** k
    middle = _integral(parts, edge)
    brace = (grown - whole) * (1 / (2 * (tilt * (tilt + 1)).sqrt()) + h / 4)
    brace += h * h / 4 * middle / arb.pi() + h / arb.pi() ** 2 * end
    return upper((-tilt * ball(epsilon)).exp() * brace)


def _integral(parts: Sequence[tuple[Real, Decay, int]], edge: arb) -> arb:
    """Upper bound on the integral of Π|M(θ + iu)|^k over 0 ≤ u ≤ edge, each step at its left end."""
    total, last = arb(0), arb(0)
    for i in range(_BINS, -1, -1):
        end = edge * (arb(_RATIO) / (_RATIO + 1)) ** i
        value = arb(1)
        for moment, decay, k in parts:
            value *= ball(moment).min(decay.at(last)) ** k if i < _BINS else ball(moment) ** k
        rest = (edge - last) * value
        if surely_less(rest, total * arb(2) ** _NEGLIGIBLE):
            return upper(total + rest)
        total += (end - last) * value
        last = end
    return upper(total)
