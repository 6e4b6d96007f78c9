r"""The zeros engine: few steps of a fixed-size batch, whose loss is often 0, by how many losses are not.

With m = P(S = 0) and F the rest of the measure of one loss,
:math:`\delta(\epsilon) = \sum_i \binom ki m^{k-i} \delta_{F^i}(\epsilon)`, ε ≥ 0, where

* i = 0 adds nothing: the loss is 0;
* :math:`\delta_F = \delta` of one step, whose atom adds nothing either: two tails;
* :math:`\delta_{F^2}(\epsilon) = \int D(\epsilon - s) F(ds)` with D the profile :math:`\delta_F` at any real
  ε: an analytic integral in x on both sides of where the first loss is ε;
* i ≥ 3 comes from the contour engine, whose integrand decays like :math:`u^{-8}` (``nonzero_losses.py``).

Notation as in ``shifted_gaussian.py``: T(x) and :math:`\bar\Phi(x)` are the masses of :math:`\varphi w` and φ
beyond x, :math:`x_\ell(e)` the point with :math:`w_\ell = e^e`, and C the total mass of F, that of T and
:math:`\bar\Phi` beyond c_ℓ/2. Then, for e ≥ 0,

.. math:: D(e) = \sum_\ell v_\ell [T_\ell(x_\ell(e)) - e^e \bar\Phi(x_\ell(e))],\quad
          D(-e) = C (1 - e^{-e}) - \sum_\ell v_\ell [\bar\Phi(x_\ell(e)) - e^{-e} T_\ell(x_\ell(e))] .

**Cut** at X: as D ≤ 1, at most :math:`T_\ell(X) + \bar\Phi(X)`.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from flint import acb, arb

from pldverify.balls.ball import LOG2_10, ball, clamped, short, working
from pldverify.balls.integral import integral
from pldverify.errors import NoConvergence, NotSupported
from pldverify.reference.engines.inversion.contour import Contour
from pldverify.reference.laws.composed_loss import Product
from pldverify.reference.laws.nonzero_losses import LEAST, NonzeroLosses
from pldverify.reference.laws.shifted_gaussian import ShiftedGaussianLaw
from pldverify.reference.search.contour import offer_contour
from pldverify.reference.search.offer import Offer, Profile
from pldverify.reference.search.tilt import plan

MAX_STEPS = 100
"""Cap on the losses: with more, the atom is as good as nothing, and the contour engine does it alone."""
_MAX_COMPONENTS = 10


@dataclass(frozen=True)
class Zeros:
    """δ of ``steps`` ≥ 2 losses of ``law``; ``many`` answers for three and more that are not 0.

    Attributes:
        reach: how far beyond c the integral over one loss goes, in units of the noise.
        size: absolute error that the integral may have.
    """

    law: ShiftedGaussianLaw
    steps: int
    many: Profile | None
    bits: int
    reach: Fraction
    size: arb
    limit = math.inf
    engine = "zeros"

    def truth(self, epsilon: Fraction) -> arb:
        """Ball around δ(ε). Raises NoConvergence for ε < 0."""
        if epsilon < 0:
            raise NoConvergence(f"zeros: ε must be ≥ 0, got ε={float(epsilon):.6g}")
        with working(self.bits):
            factors = [factor for _, factor in NonzeroLosses(self.law, self.steps).terms()]
            profile = _Profile(self.law)
            value = factors[1] * profile.one(epsilon) + factors[2] * self._two(profile, epsilon)
            if self.many is not None:
                value += self.many.truth(epsilon) - self._missing(factors)
            return clamped(value)

    def _missing(self, factors: list[arb]) -> arb:
        """What M(0) = 1 counts too much where the contour gives 1 − f: it knows a part of the mass only."""
        if not isinstance(self.many, Contour) or self.many.kernel.side == "upper":
            return arb(0)
        ((_, atom),) = self.law.points()
        return sum((factors[i] * (1 - atom) ** i for i in range(LEAST)), arb(0))

    def _two(self, profile: "_Profile", epsilon: Fraction) -> arb:
        """δ of two losses that are not 0."""
        total, between = arb(0), partial(integral, size=self.size, engine=self.engine)
        for c, share in profile.components:
            end = c + ball(self.reach)
            middle = profile.outcome(c, acb(ball(epsilon).exp())).real
            cut = end.max(middle.upper()).upper()
            first = between(partial(profile.up, c, epsilon, 1), c / 2, middle)
            second = between(partial(profile.up, c, epsilon, -1), middle, cut)
            third = between(partial(profile.down, c, epsilon), c / 2, cut)
            beyond = (profile.mixed(c, acb(cut)) + _upper(acb(cut))).real
            total += share * (first + second + third + arb(0).union(beyond.upper()))
        return total

    def witness(self, epsilon: Fraction) -> dict[str, str]:
        """Parameters and error terms, for reading."""
        inner = {} if self.many is None else self.many.witness(epsilon)
        return {"losses that are not 0": f"one and two by integrals, {LEAST} and more by a contour", **inner}


class _Profile:
    """D and what it is made of, at the working precision."""

    def __init__(self, law: ShiftedGaussianLaw) -> None:
        rows, _ = law.components()
        self.q = law.drawn()
        self.components = [(ball(level), share) for level, share in rows]
        self.whole = sum(
            (share * (self.mixed(c, acb(c / 2)) + _upper(acb(c / 2))).real for c, share in self.components),
            arb(0),
        )

    def mixed(self, c: arb, x: acb) -> acb:
        """T(x) of one component."""
        return (1 - self.q) * _upper(x) + self.q * _upper(x - c)

    def outcome(self, c: arb, power: acb, analytic: bool = False) -> acb:
        """x with w(x) = ``power``."""
        return (((power - 1) / self.q + 1).log(analytic=analytic) + c * c / 2) / c

    def one(self, epsilon: Fraction) -> arb:
        """D(ε), ε ≥ 0."""
        return self._above(acb(ball(epsilon).exp()), False).real

    def _above(self, power: acb, analytic: bool) -> acb:
        """D(e), e = log ``power``."""
        total = acb(0)
        for c, share in self.components:
            x = self.outcome(c, power, analytic)
            total += share * (self.mixed(c, x) - power * _upper(x))
        return total

    def _below(self, power: acb, analytic: bool) -> acb:
        """D(−e), e = log ``power``."""
        total = self.whole * (1 - 1 / power)
        for c, share in self.components:
            x = self.outcome(c, power, analytic)
            total -= share * (_upper(x) - self.mixed(c, x) / power)
        return total

    def up(self, c: arb, epsilon: Fraction, side: int, x: acb, analytic: bool) -> acb:
        """φ w D(ε − log w), left of (side 1) or right of (side −1) where log w = ε."""
        w, power = self._ratio(c, x), ball(epsilon).exp()
        inner = self._above(power / w, analytic) if side == 1 else self._below(w / power, analytic)
        return _density(x) * w * inner

    def down(self, c: arb, epsilon: Fraction, x: acb, analytic: bool) -> acb:
        """φ D(ε + log w)."""
        return _density(x) * self._above(self._ratio(c, x) * ball(epsilon).exp(), analytic)

    def _ratio(self, c: arb, x: acb) -> acb:
        return 1 - self.q + self.q * (c * x - c * c / 2).exp()


def _upper(x: acb) -> acb:
    """Φ(−x)."""
    return (x / arb(2).sqrt()).erfc() / 2


def _density(x: acb) -> acb:
    return (-x * x / 2).exp() / (2 * arb.pi()).sqrt()


def offer_zeros(product: Product, quantity: str, epsilon: Fraction, *, digits: int) -> Offer:
    """Raises NotSupported unless it is the δ of 2 … MAX_STEPS losses of one fixed-size batch."""
    (law, k), *others = product.factors
    if others or not isinstance(law, ShiftedGaussianLaw) or quantity != "delta" or not 2 <= k <= MAX_STEPS:
        raise NotSupported(f"zeros: not the δ of 2 to {MAX_STEPS} equal steps with a batch of fixed size")
    with working(64):
        rows, rest = law.components()
    if not rest.is_zero() or len(rows) > _MAX_COMPONENTS:
        raise NoConvergence(f"zeros: a record drawn more than {_MAX_COMPONENTS} times")
    goal = plan(product, quantity, epsilon, digits=digits).log_goal - 3
    bits = int(digits * LOG2_10) + 64
    reach = short(math.sqrt(-2 * goal) + 2)
    many = None
    if k >= LEAST:
        rest_law = Product(((NonzeroLosses(law, k), 1),))
        many = offer_contour(rest_law, quantity, epsilon, digits=digits)
    seconds = 0.02 * len(rows) ** 3 * (digits / 12) ** 1.8 + (many.seconds if many is not None else 0.0)
    size = arb(goal).exp().mid()
    return Offer(
        seconds, lambda: Zeros(law, k, many.build() if many is not None else None, bits, reach, size)
    )
