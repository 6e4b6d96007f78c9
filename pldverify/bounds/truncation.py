r"""What is lost by keeping single losses in [−L, L) only (KH21 D.4, Theorem 3)."""

from collections.abc import Sequence

from pldverify.balls import arb
from pldverify.balls.ball import Real, ball
from pldverify.balls.compare import surely_less
from pldverify.bounds.upper_end import upper


def truncation(parts: Sequence[tuple[Real, Real, int]], lam: Real, L: Real) -> arb:
    r"""Upper bound on :math:`\Pr[\text{some } S_i \notin [-L, L)]`; ``parts`` are
    (α⁺ᵢ(λ), α⁻ᵢ(λ), kᵢ).

    .. math:: \sum_i k_i\,(e^{\alpha_i^+(\lambda)} + e^{\alpha_i^-(\lambda)})\, e^{-\lambda L}.

    It bounds what the FFT accountants lose, because their periodic continuation drops every single loss
    outside [−L, L). Proof: the union bound and Chernoff's.
    Printed, KH21 D.4, Theorem 3: :func:`printed_truncation`, true of its own I₂(L), the loss from truncated
    partial sums of the first 1, …, k − 1 losses. What the accountants drop is another quantity: at k = 1 they
    drop mass and I₂ is 0. So it is not refuted by them, and does not replace this.
    Assumes: λ > 0; α⁺ = log E[e^{λS}], α⁻ = log E[e^{−λS}]. Rounds: up; a failed hypothesis gives +∞.
    """
    tilt, edge = ball(lam), ball(L)
    total = arb(0)
    for up, down, k in parts:
        total += k * ((ball(up) - tilt * edge).exp() + (ball(down) - tilt * edge).exp())
    return upper(total, bool(surely_less(0, tilt)), bool(surely_less(0, edge)))


def printed_truncation(up: Real, down: Real, k: int, lam: Real, L: Real) -> arb:
    r"""Theorem 3 of KH21 D.4: :math:`I_2(L) \le \sum_\pm \sum_{\ell=1}^{k-1}
    e^{\ell\alpha^\pm}\,e^{-\lambda L}`.

    Bounds: :math:`\int_\varepsilon^L (\omega_1 * \dots * \omega_k - \omega_1 \circledast \dots \circledast
    \omega_k)`, where ⊛ keeps partial sums in [−L, L); α± are the greatest of the parts.
    The print has the geometric sum in closed form, which is 0/0 for α = 0 (λ = 1 has α⁻ = 0 wherever P and
    Q have one support); the sum is meant. Proof: KH21 (D.7)-(D.10).
    Assumes: λ > 0, k ≥ 1. Rounds: up; a failed hypothesis gives +∞.
    """
    tilt, total = ball(lam), arb(0)
    for alpha in (ball(up), ball(down)):
        ratio = alpha.exp()
        if surely_less(ratio, 1) or surely_less(1, ratio):
            total += (ratio**k - ratio) / (ratio - 1)
        else:
            total += (k - 1) * ratio.max(arb(1)) ** (k - 1)
    return upper(total * (-tilt * ball(L)).exp(), bool(surely_less(0, tilt)), k >= 1)
