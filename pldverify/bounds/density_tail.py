r"""Density of the Poisson-subsampled Gaussian's loss far to the right (KJH19 Lemma 13, KJH20s Lemma D.3)."""

from pldverify.balls import arb
from pldverify.balls.ball import Real, ball
from pldverify.balls.compare import surely_at_most, surely_less
from pldverify.bounds.upper_end import upper


def density_tail(sigma: Real, q: Real, s: Real) -> arb:
    r"""Upper bound on ω(s) at one s, direction ``remove``.

    .. math:: \omega(s) \le \sigma\sqrt{2/\pi}\; e^{-(\sigma^2 s + C)^2/2\sigma^2}, \qquad
              C = \sigma^2\log\tfrac1{2q} - \tfrac12.

    Printed: exponent :math:`-\frac{-(\sigma^2 s + C)^2}{2\sigma^2}`, a sign too many. With it the right
    side is ≥ σ√(2/π) in Lemma 13 and ≥ σ in D.3, which drops the factor √(2/π) < 1 and needs q ≤ 1/2: both
    hold, and say nothing.
    Proof: with t = g(s), t₀ = σ²s + C + 1 and d = t − t₀, g'(s) = 2σ²e^{−d/σ²}. For s ≥ 0, t ≥ 1/2 and
    f(t) is at most the density of N(1, σ²) at t. What is left is (1 − t₀)² − (1 − t)² = d(2 − t₀ − t) ≤
    2d, true where d ≥ 0 and t₀ + t ≥ 0. (The papers use that f decreases from t₀ on, which needs t₀ ≥ 1
    and can fail.) Assumes: σ > 0, 0 < q ≤ 1, s ≥ 0, d ≥ 0, that is e^s ≥ 2(1 − q), and t₀ + t ≥ 0.
    Rounds: up; a failed hypothesis gives +∞.
    """
    width, p, point = ball(sigma), ball(q), ball(s)
    if not (
        surely_less(0, width) and surely_less(0, p) and surely_at_most(p, 1) and surely_at_most(0, point)
    ):
        return arb.pos_inf()
    v = width * width
    start = v * (point - (2 * p).log()) + arb(1) / 2
    end = v * ((point.expm1() + p) / p).log() + arb(1) / 2
    value = width * (2 / arb.pi()).sqrt() * (-((start - 1) ** 2) / (2 * v)).exp()
    return upper(value, bool(surely_at_most(2 * (1 - p), point.exp())), bool(surely_at_most(0, start + end)))
