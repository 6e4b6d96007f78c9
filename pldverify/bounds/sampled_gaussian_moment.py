r"""Moments of the Poisson-subsampled Gaussian's loss, closed (KJH20s C.2-C.4, MTZ19 Theorem 11)."""

from pldverify.balls import arb
from pldverify.balls.ball import Real, ball
from pldverify.balls.compare import surely_at_most, surely_less
from pldverify.bounds.chernoff import chernoff_tail
from pldverify.bounds.upper_end import upper


def log_moment(sigma: Real, q: Real, lam: Real) -> arb:
    r"""Upper bound on :math:`\log E[e^{\lambda S}]` of one step, direction ``remove``.

    .. math:: E[e^{\lambda S}] \le e^{\lambda(\lambda+1)/2\sigma^2}, \qquad
              E[e^{\lambda S}] \le (1-q) + q\, e^{\lambda(\lambda+1)/2\sigma^2}, \qquad \lambda \ge 0.

    Printed (KJH20s Lemma C.2): :math:`E[e^{\lambda S}] \le 1 + 2q^2\lambda(\lambda+1)/\sigma^2` under
    hypotheses that copy those of MTZ19 Theorem 11 with λ in the place of α = λ + 1 and with the square of ℓ
    lost: see :func:`printed_log_moment`, on which no function here relies. A random search found no violation
    of either.
    Proof of the bound above: with :math:`\alpha = \lambda + 1 \ge 1` and :math:`y = \mu_1/\mu_0`,
    :math:`E_{\mu_0}[(1-q+qy)^\alpha] \le (1-q) + q\,E_{\mu_0}[y^\alpha]` (Jensen), and
    :math:`E_{\mu_0}[y^\alpha] = e^{\alpha(\alpha-1)/2\sigma^2}`.
    Assumes: σ > 0, 0 ≤ q ≤ 1, λ ≥ 0. Rounds: up; a failed hypothesis gives +∞.
    """
    s, p, tilt = ball(sigma), ball(q), ball(lam)
    value = (p * (tilt * (tilt + 1) / (2 * s * s)).expm1()).log1p()
    return upper(
        value,
        bool(surely_less(0, s)),
        bool(surely_at_most(0, p)),
        bool(surely_at_most(p, 1)),
        bool(surely_at_most(0, tilt)),
    )


def printed_log_moment(sigma: Real, q: Real, lam: Real) -> arb:
    r"""KJH20s Lemma C.2's bound on :math:`\log E[e^{\lambda S}]`, with the hypotheses of MTZ19 Theorem 11.

    .. math:: E[e^{\lambda S}] \le 1 + 2q^2\lambda(\lambda+1)/\sigma^2.

    Printed, MTZ19 Theorem 11: a Rényi divergence of at most 2q²α/σ², α = λ + 1, which is the larger
    :math:`E[e^{\lambda S}] \le e^{2q^2\lambda(\lambda+1)/\sigma^2}`.
    Proof: none here. Lemma C.2 names MTZ19 for it; nothing but a comparison with the print rests on it.
    Assumes: 0 < q ≤ 1/5, σ ≥ 4, λ > 0 and, with ℓ = log(1 + 1/(q(α − 1))), α ≤ σ²ℓ/2 − 2 log σ and
    α ≤ (σ²ℓ²/2 − log 5 − 2 log σ)/(ℓ + log(qα) + 1/2σ²), the divisor > 0. Rounds: up; a failed hypothesis
    gives +∞.
    """
    s, p, tilt = ball(sigma), ball(q), ball(lam)
    inside = (
        bool(surely_less(0, p))
        and bool(surely_at_most(5 * p, 1))
        and bool(surely_at_most(4, s))
        and bool(surely_less(0, tilt))
    )
    if not inside:
        return arb.pos_inf()
    alpha, ell = tilt + 1, (1 / (p * tilt)).log1p()
    first = s * s * ell / 2 - 2 * s.log()
    slope = ell + (p * alpha).log() + 1 / (2 * s * s)
    second = s * s * ell * ell / 2 - arb(5).log() - 2 * s.log()
    value = (2 * p * p * tilt * alpha / (s * s)).log1p()
    return upper(
        value,
        bool(surely_at_most(alpha, first)),
        bool(surely_less(0, slope)),
        bool(surely_at_most(alpha * slope, second)),
    )


def tail(sigma: Real, q: Real, k: int, threshold: Real, lam: Real) -> arb:
    r"""Upper bound on :math:`\Pr[S_1 + \dots + S_k \ge T]`: :func:`log_moment` in Chernoff's bound.

    .. math:: \Pr[S_1 + \dots + S_k \ge T] \le \big(1 - q + q\,e^{\lambda(\lambda+1)/2\sigma^2}\big)^k
              e^{-\lambda T}.

    Printed (KJH20s Theorem C.3, Corollary C.4 with λ = L/2): the same with Lemma C.2.
    Proof: the losses are independent, so their log moments add up.
    Assumes: as :func:`log_moment`, λ > 0. Rounds: up; a failed hypothesis gives +∞.
    """
    return chernoff_tail(k * log_moment(sigma, q, lam), lam, threshold)
