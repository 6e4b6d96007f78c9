r"""Derivatives of the density of the Poisson-subsampled Gaussian's loss, ``remove`` (KJH20s D.4).

With the notation of :mod:`pldverify.bounds.density`, :math:`d/ds = (\sigma^2/q)\,((1-q)y^{-1} + q)\,d/dt` and
:math:`d(\mu_0y^m)/dt = \mu_0y^m (m-t)/\sigma^2`. With weights a₋₁, a₀, a₁ = (1−q)², 2q(1−q), q² and c₀, c₁
= q, 1−q,

.. math:: \omega' = \tfrac{\sigma^2}{q^2}\sum_{m,j} a_m c_j\,(m-t)\,\mu_0y^{m-j}, \qquad
          \omega'' = \tfrac{\sigma^4}{q^3}\sum_{m,j,i} a_m c_j c_i
          \Big[\tfrac{(m-t)(m-j-t)}{\sigma^2} - 1\Big]\mu_0y^{m-j-i}.

Both sums are bounded term by term, each normal density at its own worst t.
"""

from pldverify.balls import arb
from pldverify.balls.ball import Real, ball
from pldverify.balls.compare import surely_at_most, surely_less
from pldverify.bounds.upper_end import upper


def first_derivative(sigma: Real, q: Real) -> arb:
    r"""Upper bound on :math:`\sup_s |\omega'(s)|`.

    .. math:: \frac{\sigma^2}{q^2\sqrt{2\pi}} \sum_{m,j} a_m c_j\, e^{(m-j)(m-j-1)/2\sigma^2}
              \Big(\frac1{\sqrt e} + \frac j\sigma\Big).

    Printed: :math:`4e^{3/\sigma^2}\sigma^3/q^2` for σ ≥ 1, true there, as it is larger than this.
    Proof: |t − r| φ_r ≤ 1/√(2πe) and φ_r ≤ 1/√(2πσ²), with r = m − j and |m − t| ≤ |t − r| + j.
    Assumes: σ > 0, 0 < q ≤ 1. Rounds: up; a failed hypothesis gives +∞.
    """
    s, p = ball(sigma), ball(q)
    if not (surely_less(0, s) and surely_less(0, p) and surely_at_most(p, 1)):
        return arb.pos_inf()
    root, total = arb(1).exp().sqrt(), arb(0)
    for m, a in _outer(p):
        for j, c in enumerate((p, 1 - p)):
            total += a * c * _peak(m - j, s) * (1 / root + j / s)
    return upper(s * s / (p * p * (2 * arb.pi()).sqrt()) * total)


def second_derivative(sigma: Real, q: Real) -> arb:
    r"""Upper bound on :math:`\sup_s |\omega''(s)|`.

    .. math:: \frac{\sigma^3}{q^3\sqrt{2\pi}} \sum_{m,j,i} a_m c_j c_i\, e^{r(r-1)/2\sigma^2}
              \Big(1 + \frac{j+2i}{\sigma\sqrt e} + \frac{i(i+j)}{\sigma^2}\Big), \qquad r = m-j-i.

    Printed: :math:`11e^{9/2\sigma^2}\sigma^3/q^3` for σ ≥ 1. It is true there, as it is larger than this:
    the exponent here is up to 6/σ², and :math:`e^{3/2\sigma^2}(1 + 3/(\sigma\sqrt e) +
    2/\sigma^2)/\sqrt{2\pi} < 11`. For small σ it is false: the hypothesis σ ≥ 1 is needed.
    Proof: with z = (t − r)/σ the bracket is z² − 1 − z(j + 2i)/σ + i(i + j)/σ²; |z² − 1|e^{−z²/2} ≤ 1 and
    |z|e^{−z²/2} ≤ 1/√e.
    Assumes: σ > 0, 0 < q ≤ 1. Rounds: up; a failed hypothesis gives +∞.
    """
    s, p = ball(sigma), ball(q)
    if not (surely_less(0, s) and surely_less(0, p) and surely_at_most(p, 1)):
        return arb.pos_inf()
    root, total = arb(1).exp().sqrt(), arb(0)
    inner = (p, 1 - p)
    for m, a in _outer(p):
        for j in (0, 1):
            for i in (0, 1):
                size = 1 + (j + 2 * i) / (s * root) + i * (i + j) / (s * s)
                total += a * inner[j] * inner[i] * _peak(m - j - i, s) * size
    return upper(s**3 / (p**3 * (2 * arb.pi()).sqrt()) * total)


def _outer(q: arb) -> tuple[tuple[int, arb], ...]:
    return (-1, (1 - q) ** 2), (0, 2 * q * (1 - q)), (1, q * q)


def _peak(r: int, sigma: arb) -> arb:
    """μ₀y^r is this times N(r, σ²)."""
    return (arb(r * (r - 1)) / (2 * sigma * sigma)).exp()
