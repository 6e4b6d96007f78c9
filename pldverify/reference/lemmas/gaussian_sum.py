r"""Densities of mixtures of Gaussians of one variance relative to one of them, on and off the real axis.

In units of the noise, with the levels j ≥ 0 and weights w_j > 0 of sum 1, for a side σ = ±1,

.. math:: f(x) = \sum_j w_j e^{\sigma jcx - j^2c^2/2}

is the density of :math:`\sum_j w_j N(\sigma jc)` relative to N(0). Let a be the first level and n the last
one less a. With y = σx − ac, :math:`X = e^{cy}` and :math:`d_i = w_{a+i} e^{-i^2c^2/2}`

.. math:: f = e^{\sigma acx - a^2c^2/2} F(X),\quad F(X) = \sum_i d_i X^i = 1 + (X - 1) G(X) - K,\quad
          G(X) = \sum_{i<n} X^i \sum_{j>i} d_j,\quad K = \sum_i w_{a+i} (1 - e^{-i^2c^2/2}) ,

a form that is accurate also where f hardly differs from 1, as all coefficients are ≥ 0. log f is convex (a
cumulant), with slopes between σac and σ(a + n)c.

**Off the axis**: at x + ib, t = nc|b| < π, the terms of F have arguments in an interval of length t. So
:math:`|f(x+ib)| \le f(x)`, f has no zero, its logarithm is the principal one of F and the linear part, and
for every angle ψ

.. math:: |F(X e^{icb})| \ge \mathrm{Re}(e^{-i\psi} F(X e^{icb}))
          = \sum_i d_i \cos(icb - \psi) X^i =: F_b(X) .

With ψ = 0 for t < π/2, and ψ = t/2 otherwise, all coefficients are > 0: log F_b is convex in x, too, with
slopes in the same interval. Arguments of f have the sign of σb, or are 0.
"""

from collections.abc import Sequence

from pldverify.balls import acb, acb_poly, arb, arb_poly
from pldverify.balls.compare import surely_at_most, surely_less

Levels = Sequence[tuple[int, arb]]
"""(level, weight), rising, with weights > 0 of sum 1."""


class GaussianSum:
    """f for one c > 0, :data:`Levels` and side; all of it at the working precision.

    Attributes:
        first: a.
        span: n.
    """

    def __init__(self, c: arb, levels: Levels, side: int) -> None:
        self.c, self.side = c, side
        self.first, self.span = levels[0][0], levels[-1][0] - levels[0][0]
        terms, rise = [arb(0)] * (self.span + 1), [arb(0)] * self.span
        self._lost = arb(0)
        for level, weight in levels:
            i = level - self.first
            exponent = -c * c * (i * i) / 2
            terms[i] = weight * exponent.exp()
            self._lost -= weight * exponent.expm1()
        for i in reversed(range(self.span)):
            rise[i] = terms[i + 1] + (rise[i + 1] if i + 1 < self.span else 0)
        self._terms, self._rise = arb_poly(terms), acb_poly(rise)
        self._derivative = self._terms.derivative()

    def log(self, x: acb) -> acb:
        """log f at a point or on a box, the logarithm of F being the principal one."""
        if not (self.first or self.span):
            return acb(0)
        shift = self.first * self.c
        z = self.c * (self.side * x - shift)
        linear = self.first * z + shift * shift / 2
        if not self.span:
            return acb(linear)
        up = z.expm1()
        return acb(linear) + (up * self._rise(up + 1) - self._lost).log1p()

    def slope(self, x: arb) -> arb:
        """(log f)'."""
        return self._slope(self._terms, self._derivative, x)

    def _slope(self, terms: arb_poly, derivative: arb_poly, x: arb) -> arb:
        up = (self.c * (self.side * x - self.first * self.c)).exp()
        return self.side * self.c * (self.first + up * derivative(up) / terms(up))

    def edge(self, power: arb, x: arb, way: int, height: arb) -> tuple[arb, arb]:
        r"""(A, s) with |f^p(x + way·t + ib)| ≤ e^{A + st} for all t ≥ 0, p = ``power`` and b = ``height``.

        Proof: for p ≥ 0 the modulus is at most f^p, whose logarithm has slopes of at most p times the
        largest of log f that way; for p < 0 that of F^p is at most :math:`F_b^p`, whose logarithm is concave:
        below its tangent. Infinite outside of t < π, and where the sign of p is not known.
        """
        shift = self.first * self.c
        linear = shift * (self.side * x - shift / 2)
        up = (self.c * (self.side * x - shift)).exp()
        if surely_at_most(0, power):
            steepest = self.first + self.span if way == self.side else self.first
            return power * (linear + self._terms(up).log()), power * way * self.side * steepest * self.c
        turn = self.c * abs(height)
        if not (surely_less(self.span * turn, arb.pi()) and surely_less(power, 0)):
            return arb.pos_inf(), arb(0)
        psi = arb(0) if surely_less(self.span * turn, arb.pi() / 2) else self.span * turn / 2
        turned = arb_poly([d * (i * turn - psi).cos() for i, d in enumerate(self._terms.coeffs())])
        return power * (linear + turned(up).log()), power * way * self._slope(turned, turned.derivative(), x)


def beyond(factors: Sequence[tuple[GaussianSum, arb]], edge: arb, way: int, height: arb) -> arb:
    r"""Upper bound of :math:`\int_0^\infty |\varphi \prod f^p|(X + \mathrm{way}\,t + ib)\,dt`, X = ``edge``.

    ``factors``: f and p; ``way`` = ±1, b = ``height``. With A and s the sums of their ``edge``, and
    Y = way·X, the integrand is at most :math:`\varphi(X) e^{b^2/2 + A - (Y-s)t - t^2/2}`, whose integral is
    at most φ(X) e^{b²/2 + A} min(1/(Y − s), √(π/2)). +∞ unless s < Y is proved.
    """
    size, slope = (height * height - edge * edge) / 2, arb(0)
    for f, power in factors:
        log, rate = f.edge(power, edge, way, height)
        size, slope = size + log, slope + rate
    fall = way * edge - slope
    if not (surely_less(0, fall) and size.is_finite()):
        return arb.pos_inf()
    return (size.exp() * (1 / fall).min((arb.pi() / 2).sqrt()) / (2 * arb.pi()).sqrt()).upper()
