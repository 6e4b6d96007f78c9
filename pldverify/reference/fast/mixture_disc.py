r"""How large the transform of the Poisson-subsampled Gaussian may be at a complex variance, or a complex q.

With c = 1/σ, τ = σ² and y the odds, log y is N(log q − c²/2, c²), so that in the coordinate e = log y

.. math:: \int \varphi w^{p+iv} dx = \int \sqrt{\frac{\tau}{2\pi}}\,
          \exp\Bigl(-\frac{\tau}{2}\Bigl(e - \log q + \frac{1}{2\tau}\Bigr)^2\Bigr)\, (1-q+e^e)^{p+iv} de .

**Complex τ**, Re τ > 0, q real: the last factor does not depend on τ, and with e' = e − log q the exponent
is :math:`-\tau e'^2/2 - e'/2 - 1/(8\tau)`. The modulus of the integrand is that for the variance Re τ times
:math:`\sqrt{|\tau|/\mathrm{Re}\,\tau}\; e^{(1/\mathrm{Re}\,\tau - \mathrm{Re}(1/\tau))/8}`.

**Complex q**, Re q > 0, |q| < 1, τ real: the normal density is that for |q| times
:math:`e^{\tau (\arg q)^2/2}`, and w = 1 − q + e^e has a positive real part and |arg w| ≤ |arg(1 − q)|. With
Q ≥ |Im q|: :math:`|w| \le |1-q| + e^e` is :math:`\kappa` times the odds w for :math:`|q|/\kappa`,
:math:`1 \le \kappa = |1-q| + |q| \le 1 + 2Q`; and :math:`|w| \ge \mathrm{Re}\,w = 1 - \mathrm{Re}\,q + e^e`
is :math:`\kappa' = 1 - \mathrm{Re}\,q + |q| \ge 1` times those for :math:`|q|/\kappa'`. So
:math:`|w^{p+iv}| \le (1+2Q)^{\max(p,0)} e^{|v||\arg(1-q)|}` times the power for some real parameter ≤ |q|.

Both integrals converge locally uniformly, so they are analytic in τ or q. For real parameters and p ≥ 1 or
p ≤ 0, :math:`E[w^p]` is an f-divergence, f(w) = w^p convex: it falls with σ, as more noise is
post-processing, and grows with q, as it is convex in q and least at q = 0; for 0 < p < 1 it
is at most 1, and as −w^p is convex there it is monotone too, the other way round.

**Discs.** For a > 0 the disc |ζ| < R < 1 of :math:`\zeta = (t-a)/(t+a)` is one of t around a point > 0, on
which Re t, |t| and 1/Re(1/t) lie between a/k and ak, k = (1 + R)/(1 − R), |arg t| ≤ arcsin(2R/(1 + R²)) and
|Im t| ≤ 2aR/(1 − R²).
"""

from pldverify.balls import arb
from pldverify.balls.compare import surely_less


def growth_in_variance(a: arb, radius: arb) -> arb:
    """Upper bound of |∫ φ w^{p+iv}| for τ in the disc, relative to max(1, E[w^p]) at the variance a/k."""
    k = (1 + radius) / (1 - radius)
    cosine = (1 - radius * radius) / (1 + radius * radius)
    return ((k - 1 / k) / (8 * a)).exp() / cosine.sqrt() if _inside(a, radius) else arb.pos_inf()


def growth_in_q(a: arb, radius: arb, variance: arb, p: arb, reach: arb) -> arb:
    """Upper bound of |∫ φ w^{p+iv}| for q in the disc and |v| ≤ ``reach``, relative to max(1, E[w^p]) at
    q = ak; +∞ unless ak < 1.
    """
    top, height = a * (1 + radius) / (1 - radius), 2 * a * radius / (1 - radius * radius)
    if not (_inside(a, radius) and surely_less(top, 1)):
        return arb.pos_inf()
    angle = (2 * radius / (1 + radius * radius)).asin()
    turn = (height / (1 - top)).atan()
    return (variance * angle * angle / 2 + reach * turn).exp() * (1 + 2 * height) ** p.max(arb(0))


def _inside(a: arb, radius: arb) -> bool:
    return surely_less(0, a) and surely_less(0, radius) and surely_less(radius, 1)
