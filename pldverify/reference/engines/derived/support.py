"""δ(ε) and P(S ≥ ε) outside of the support of the finite losses."""

from dataclasses import dataclass
from fractions import Fraction

from pldverify.balls import arb
from pldverify.balls.ball import ball, working
from pldverify.errors import NoConvergence
from pldverify.numbers.witness import Bound
from pldverify.reference.engines.derived.question import OfDirection, OfLoss, probability
from pldverify.reference.engines.evaluator import Quantity


@dataclass(frozen=True)
class Support(OfLoss):
    """ε lies beyond the finite losses, or there are none, or all are 0; or ε = 0 and all masses are rational.
    ``bits`` of precision.
    """

    quantity: Quantity
    bits: int

    engine = "support"

    @property
    def question(self) -> tuple[str, Bound]:
        return self.quantity, self.at

    def prove(self) -> tuple[Bound, Bound]:
        with working(self.bits):
            known = self.known() if self.quantity in ("delta", "tail") else None
            if known is None:
                raise NoConvergence(f"support: ε={float(self.at):.6g} is not proved to lie outside of it")
            value = known[0]
            return (value, value) if isinstance(value, Fraction) else probability(value)

    def known(self) -> tuple[arb | Fraction, str] | None:
        """The value, exact or at the working precision, and why; None inside the support."""
        loss, epsilon = self.loss, self.at
        if loss.finite_mass().is_zero():
            return arb(1), "the loss is always infinite"
        if not loss.factors:
            tail, delta = arb(int(epsilon <= 0)), -ball(epsilon).expm1() if epsilon < 0 else arb(0)
            return (tail if self.quantity == "tail" else delta), "the loss is always 0"
        if self.quantity == "delta" and loss.ends_by(epsilon):
            return self._infinite_mass(), "no finite loss exceeds ε"
        if self.quantity == "delta" and epsilon == 0 and (distance := loss.exact_distance()) is not None:
            return distance, "δ(0) is a sum of few rational masses"
        if self.quantity == "tail" and loss.ends_before(epsilon):
            return self._infinite_mass(), "no finite loss reaches ε"
        return None

    def _infinite_mass(self) -> arb | Fraction:
        exact = self.loss.exact_infinite_mass()
        return self.loss.infinite_mass() if exact is None else exact


@dataclass(frozen=True)
class AllAbove(OfDirection):
    """P(S ≥ ε) = 1 in one direction: the finite losses of the other one, these negated, end by −ε."""

    bits: int

    asks = "tail"
    engine = "support"

    def prove(self) -> tuple[Bound, Bound]:
        backward = self.back
        with working(self.bits):
            if backward.finite_mass().is_zero() or not backward.ends_by(-self.at):
                raise NoConvergence(f"support: not all losses are proved to reach ε={float(self.at):.6g}")
        return Fraction(1), Fraction(1)
