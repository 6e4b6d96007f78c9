r"""Two steps of the Poisson-subsampled Gaussian: one analytic integral, to any number of digits.

With x, x' the outcomes in units of σ, c = 1/σ and :math:`w(x) = 1 - q + q e^{cx - c^2/2}`, the composed loss
exceeds ε where w(x)w(x') is above :math:`E = e^\epsilon` (``remove``), or below :math:`E = e^{-\epsilon}`
(``add``). The curve w(x)w(x') = E is symmetric about x = x' = m, w(m) = √E, and for x < m it is the graph of

.. math:: X(x) = \frac1c\Bigl(\log\frac{E/w(x) - (1-q)}{q} + \frac{c^2}{2}\Bigr) > m,

analytic also as x → −∞. With Φ the normal distribution, F = (1−q)Φ(x) + qΦ(x−c) the mixture's, and bars for
upper tails, cutting the set at x = m and x' = m gives

.. math:: \delta_{remove} &= \bar F(m)^2 - E \bar\Phi(m)^2
             + 2\int_{-\infty}^m \varphi(x)\,[w(x) \bar F(X) - E \bar\Phi(X)]\, dx \\
          \delta_{add} &= e^\epsilon F(m)^2 - \Phi(m)^2
             + 2\int_{-\infty}^m \varphi(x)\,[\Phi(X) - e^\epsilon w(x) F(X)]\, dx

and the tail of the loss is the first term of each bracket alone. The integral is enclosed from −L on; what is
left of −L, where both integrands are ≥ 0, is at most :math:`F(-L)\bar F(X(-L))`, for ``add`` at most
:math:`\Phi(-L)\Phi(X(-\infty))`.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

from pldverify.balls import acb, arb
from pldverify.balls.ball import ball, clamped, working
from pldverify.balls.compare import surely_less
from pldverify.balls.integral import integral
from pldverify.errors import NoConvergence, NotSupported
from pldverify.reference.engines.evaluator import Evaluator, Quantity
from pldverify.reference.laws.composed_loss import ComposedLoss
from pldverify.reference.laws.gaussian_mixture import GaussianMixtureLaw

Number = TypeVar("Number", arb, acb)
_NONE = arb(2) ** -20_000


@dataclass(frozen=True)
class Parameters:
    """``left`` is L, where the integral begins at −L; ``bits`` of precision."""

    left: Fraction
    bits: int


class TwoSteps(Evaluator):
    """δ or the tail of two equal losses."""

    engine = "two steps"
    parameters: Parameters

    def __init__(self, loss: ComposedLoss, quantity: Quantity, parameters: Parameters) -> None:
        super().__init__(loss, quantity, parameters)
        self.law = repeated(loss)

    def value(self, epsilon: Fraction) -> arb:
        with working(self.parameters.bits):
            return clamped(self._value(epsilon)[0])

    def errors(self, epsilon: Fraction) -> dict[str, arb]:
        with working(self.parameters.bits):
            value, rest = self._value(epsilon)
        return {"left of the interval": rest, "integral and rounding": value.rad()}

    def _value(self, epsilon: Fraction) -> tuple[arb, arb]:
        """The value, and the bound of what is left of −L, which it contains."""
        c, q, growth = 1 / ball(self.law.noise_multiplier), ball(self.law.q), ball(epsilon).exp()
        remove, delta = self.law.direction == "remove", self.quantity == "delta"
        product = growth if remove else 1 / growth
        if not surely_less((1 - q) ** 2, product):
            raise NoConvergence(f"two steps: ε={float(epsilon):.6g} is at or beyond the end of the losses")
        weight = growth * (1 if delta else 0)

        def ratio(x: acb) -> acb:
            return 1 - q + q * (c * x - c * c / 2).exp()

        def turn(w: acb, analytic: bool) -> acb:
            return ((product / w - (1 - q)).log(analytic=analytic) - q.log() + c * c / 2) / c

        def integrand(x: acb, analytic: bool) -> acb:
            w = ratio(x)
            far = turn(w, analytic)
            if remove:
                value = w * _mixture(q, c, -far, -1) - weight * _normal(-far)
            else:
                value = _normal(far) - weight * w * _mixture(q, c, far, 1)
            return (-x * x / 2).exp() * value

        middle = turn(acb(product.sqrt()), False).real
        left = -ball(self.parameters.left)
        if not surely_less(left, middle):
            raise NoConvergence(f"two steps: set up for another ε than ε={float(epsilon):.6g}")
        first, second = _mixture(q, c, middle, 1), _normal(middle)
        if remove:
            first, second = _mixture(q, c, -middle, -1), _normal(-middle)
            rest = _mixture(q, c, left, 1) * _mixture(q, c, -turn(ratio(acb(left)), False).real, -1)
            square = first * first - weight * second * second
        else:
            rest = _normal(left) * _normal(turn(acb(1 - q), False).real)
            square = weight * first * first - second * second
        whole = integral(integrand, left, middle, size=_NONE, engine=self.engine) / (2 * arb.pi()).sqrt()
        rest = rest.upper()
        return square + 2 * (whole + arb(0).union(rest)), rest


def _normal(x: Number) -> Number:
    """Φ(x)."""
    return (-x / arb(2).sqrt()).erfc() / 2


def _mixture(q: arb, c: arb, x: Number, side: int) -> Number:
    """F(x), or the upper tail at −x for ``side`` −1."""
    return (1 - q) * _normal(x) + q * _normal(x - side * c)


def repeated(loss: ComposedLoss) -> GaussianMixtureLaw:
    """The law of both losses. Raises NotSupported unless they are of one Poisson-subsampled Gaussian."""
    (law, k), *others = loss.factors
    if others or k != 2 or not isinstance(law, GaussianMixtureLaw):
        raise NotSupported("two steps: not two equal steps of a Poisson-subsampled Gaussian")
    return law
