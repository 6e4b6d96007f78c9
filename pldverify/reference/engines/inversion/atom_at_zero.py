r"""The engine of an atom at 0: few steps of a fixed-size batch, whose loss is often 0, by how many losses
are not.

With m = P(S = 0) and F the rest of the measure of one loss,
:math:`\delta(\epsilon) = \sum_i \binom ki m^{k-i} \delta_{F^i}(\epsilon)`, ε ≥ 0, where

* i = 0 adds nothing: the loss is 0;
* :math:`\delta_F = \delta` of one step, whose atom adds nothing either: two tails;
* :math:`\delta_{F^2}(\epsilon) = \int D(\epsilon - s) F(ds)` with D the profile :math:`\delta_F` at any real
  ε: an analytic integral in x on both sides of where the first loss is ε;
* i ≥ 3 comes from the contour engine, whose integrand decays like :math:`u^{-8}`
  (``laws/nonzero_losses.py``).

Notation as in ``laws/shifted_gaussian.py``: T(x) and :math:`\bar\Phi(x)` are the masses of :math:`\varphi w`
and φ beyond x, :math:`x_\ell(e)` the point with :math:`w_\ell = e^e`, and C the total mass of F, that of T
and
:math:`\bar\Phi` beyond c_ℓ/2. Then, for e ≥ 0,

.. math:: D(e) = \sum_\ell v_\ell [T_\ell(x_\ell(e)) - e^e \bar\Phi(x_\ell(e))],\quad
          D(-e) = C (1 - e^{-e}) - \sum_\ell v_\ell [\bar\Phi(x_\ell(e)) - e^{-e} T_\ell(x_\ell(e))] .

**Cut** at X: as D ≤ 1, at most :math:`T_\ell(X) + \bar\Phi(X)`.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from pldverify.balls import acb, arb
from pldverify.balls.ball import ball, working
from pldverify.balls.integral import integral
from pldverify.errors import NoConvergence, NotSupported
from pldverify.reference.engines.evaluator import Evaluator, Quantity
from pldverify.reference.engines.inversion import contour
from pldverify.reference.engines.inversion.split import Split
from pldverify.reference.laws.composed_loss import ComposedLoss
from pldverify.reference.laws.nonzero_losses import LEAST, NonzeroLosses, terms
from pldverify.reference.laws.shifted_gaussian import ShiftedGaussianLaw


@dataclass(frozen=True)
class Parameters:
    """What the search chooses.

    Attributes:
        many: the contour for three and more losses that are not 0; None for two steps.
        reach: how far beyond c the integral over one loss goes, in units of the noise.
        tolerance: absolute error that the integral may have.
        bits: precision.
    """

    many: contour.Parameters | None
    reach: Fraction
    tolerance: Fraction
    bits: int


class AtomAtZero(Evaluator):
    """δ of k ≥ 2 equal losses of one fixed-size batch."""

    engine = "atom at zero"
    quantities = ("delta",)
    parameters: Parameters

    def __init__(self, loss: ComposedLoss, quantity: Quantity, parameters: Parameters) -> None:
        super().__init__(loss, quantity, parameters)
        self.law, self.steps = equal_batches(loss)
        if (self.steps >= LEAST) != (parameters.many is not None):
            raise NoConvergence(f"atom at zero: unusable parameters {parameters}")
        many = parameters.many
        self.many = None if many is None else contour.Contour(nonzero(loss), "delta", many)

    def value(self, epsilon: Fraction) -> arb:
        """Raises NoConvergence for ε < 0."""
        if epsilon < 0:
            raise NoConvergence(f"atom at zero: ε must be ≥ 0, got ε={float(epsilon):.6g}")
        with working(self.parameters.bits):
            if not self.law.components()[1].is_zero():
                raise NoConvergence("atom at zero: components of the mixture are left out")
            factors = [factor for _, factor in terms(self.law, self.steps)]
            profile = _Profile(self.law)
            closed = factors[1] * profile.one(epsilon) + factors[2] * self._two(profile, epsilon)
            many = arb(0) if self.many is None else self.many.value(epsilon)
            return Split(many, closed, arb(0), arb(1)).value()

    def _two(self, profile: "_Profile", epsilon: Fraction) -> arb:
        """δ of two losses that are not 0."""
        total = arb(0)
        between = partial(integral, size=ball(self.parameters.tolerance), engine=self.engine)
        for c, share in profile.components:
            end = c + ball(self.parameters.reach)
            middle = profile.outcome(c, acb(ball(epsilon).exp())).real
            cut = end.max(middle.upper()).upper()
            first = between(partial(profile.up, c, epsilon, 1), c / 2, middle)
            second = between(partial(profile.up, c, epsilon, -1), middle, cut)
            third = between(partial(profile.down, c, epsilon), c / 2, cut)
            beyond = (profile.mixed(c, acb(cut)) + _upper(acb(cut))).real
            total += share * (first + second + third + arb(0).union(beyond.upper()))
        return total

    def errors(self, epsilon: Fraction) -> dict[str, arb]:
        many = {} if self.many is None else self.many.errors(epsilon)
        return {"integrals and rounding": self.value(epsilon).rad(), **many}


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


def equal_batches(loss: ComposedLoss) -> tuple[ShiftedGaussianLaw, int]:
    """The only law, and how many losses. Raises NotSupported unless it is one of a fixed-size batch."""
    (law, k), *others = loss.factors
    if others or not isinstance(law, ShiftedGaussianLaw) or k < 2:
        raise NotSupported("atom at zero: not two or more equal steps with a batch of fixed size")
    return law, k


def nonzero(loss: ComposedLoss) -> ComposedLoss:
    """The measure of three and more losses that are not 0, as one loss."""
    law, k = equal_batches(loss)
    return ComposedLoss(((NonzeroLosses(law, k), 1),))
