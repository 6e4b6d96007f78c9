r"""Periodisation of a continuous loss with a tilt for every period (KJH20s Lemma C.6)."""

from collections.abc import Callable

from pldverify.balls import arb
from pldverify.balls.ball import Real, ball
from pldverify.balls.compare import surely_less
from pldverify.bounds.upper_end import upper

Moment = Callable[[arb], arb]
"""λ ↦ a ball around α(λ) = log E[e^{λS}] of one step, λ > 0."""


def kjh20_periodisation(alpha: Moment, k: int, L: Real, *, terms: int) -> arb:
    r"""Upper bound on :math:`\int_\varepsilon^L |\omega \circledast^k \omega - \tilde\omega \circledast^k
    \tilde\omega|`.

    .. math:: e^{\alpha(L/2) - L^2/2} + \sum_{n\ge1} \big(e^{k\alpha(nL) - 2n^2L^2} + e^{k\alpha(nL) -
              (nL+1)(2n-1)L}\big).

    Printed: :math:`e^{\alpha(L/2) - L^2/2} + 2\sum_n e^{k\alpha(nL) - 2n^2L^2}`. In (C.20) λ = nL + 1 is
    put into :math:`e^{k\alpha(\lambda-1)}e^{-\lambda(2n-1)L}`, which is the second term here; it is at
    most the printed one only for L ≤ (2n−1)/n. The printed statement is false where its series converges: q =
    0.7, k = 360, σ = 10, L = 7; for k > 4σ² it diverges, as :math:`E[e^{\lambda S}] \ge q^{\lambda+1}
    e^{\lambda(\lambda+1)/2\sigma^2}`. Proof: KJH20s, with (C.20) as it stands. From n = ``terms`` on both
    series are summed with the tilt of the last term, as geometric series.
    Assumes: ε ≥ 0, L > 0, direction ``remove``, for which :math:`E[e^{-\lambda S}] \le
    E[e^{(\lambda-1)S}]` (MTZ19 Corollary 7). Rounds: up; a failed hypothesis gives +∞.
    """
    edge = ball(L)
    if not (surely_less(0, edge) and k >= 1 and terms >= 1):
        return arb.pos_inf()
    total = (alpha(edge / 2) - edge * edge / 2).exp()
    for n in range(1, terms + 1):
        lam = n * edge
        moment = k * alpha(lam)
        first, second = (moment - 2 * lam * lam).exp(), (moment - (lam + 1) * (2 * n - 1) * edge).exp()
        if n == terms:  # one tilt for all later periods: each is smaller by e^{−2λL}, e^{−2(λ+1)L}
            first /= -(-2 * lam * edge).expm1()
            second /= -(-2 * (lam + 1) * edge).expm1()
        total += first + second
    return upper(total)


def printed_kjh20_periodisation(alpha: Moment, k: int, L: Real, *, terms: int) -> arb:
    """Lemma C.6 as printed, its series cut after ``terms``; refuted, see :func:`kjh20_periodisation`."""
    edge = ball(L)
    total = (alpha(edge / 2) - edge * edge / 2).exp()
    for n in range(1, terms + 1):
        total += 2 * (k * alpha(n * edge) - 2 * (n * edge) ** 2).exp()
    return upper(total)
