r"""What truncated convolutions do to the density of a sum of losses (KJH20s Lemma C.5, KJH19 (10.9))."""

from pldverify.balls import arb
from pldverify.balls.ball import Real, ball
from pldverify.balls.compare import surely_at_most, surely_less
from pldverify.bounds.density_tail import density_tail
from pldverify.bounds.upper_end import upper


def pointwise_truncation(sigma: Real, q: Real, k: int, L: Real) -> arb:
    r"""Upper bound on :math:`|(\omega *^k \omega - \omega \circledast^k \omega)(x)|` for all x.

    .. math:: (k-1)\,\sup_{s \ge L}\omega(s) \le (k-1)\,\sigma\sqrt{2/\pi}\,
              e^{-(\sigma^2 L + C)^2/2\sigma^2}, \qquad C = \sigma^2\log(1/2q) - 1/2.

    Proof: :math:`\omega *^k \omega - \omega \circledast^k \omega = \omega \circledast (\omega *^{k-1} \omega
    - \omega \circledast^{k-1} \omega) + (\omega * - \omega \circledast)(\omega *^{k-1} \omega)`. The first
    term is an average, of weight ≤ 1, of the difference at k − 1; the second convolves
    :math:`\omega 1_{[L, \infty)}` with a density of mass ≤ 1. The recursions in print, KJH19 (10.6) and
    KJH20s (C.7), are another, and false.
    Printed: exponent :math:`-\frac{-(\sigma^2L+C)^2}{2\sigma^2}`, a sign too many, and no hypothesis on
    σ²L + C. Where that is negative the bound of Lemma D.3 at L is not the greatest beyond L, and the
    statement is false: q = 0.49, σ = 0.1, L = 1, k = 2.
    Assumes: direction ``remove``; as :func:`~pldverify.bounds.density_tail.density_tail` at L, −L < log(1
    − q), and σ²L + C ≥ 0. Rounds: up; a failed hypothesis gives +∞.
    """
    s, p, edge = ball(sigma), ball(q), ball(L)
    if not (surely_less(0, s) and surely_less(0, p) and surely_less(p, 1) and k >= 1):
        return arb.pos_inf()
    falling = surely_at_most(0, s * s * (edge + (1 / (2 * p)).log()) - arb(1) / 2)
    value = (k - 1) * density_tail(s, p, edge)
    return upper(value, bool(falling), bool(surely_less(-edge, (-p).log1p())))
