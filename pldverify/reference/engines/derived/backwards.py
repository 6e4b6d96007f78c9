r"""δ at ε < 0 from the other direction: :math:`\int(p - e^\epsilon q)_+ = 1 - e^\epsilon + e^\epsilon \int(q
- e^{-\epsilon}p)_+`, a sum of terms ≥ 0."""

from dataclasses import dataclass

from pldverify.balls import arb
from pldverify.balls.ball import ball, hull, working
from pldverify.errors import NoConvergence
from pldverify.numbers.witness import Bound
from pldverify.reference.engines.derived.question import OfDirection, Proved, probability


@dataclass(frozen=True)
class Backwards(OfDirection):
    """δ(ε) of one direction from ``other``, δ(−ε) of the other one. ``bits`` of precision."""

    other: Proved
    bits: int

    asks = "delta"

    @property
    def engine(self) -> str:
        return self.other.engine

    def prove(self) -> tuple[Bound, Bound]:
        asked = self.back, ("delta", -self.at)
        if (self.other.about, self.other.question) != asked:
            raise NoConvergence("backwards: not δ(−ε) of the other direction")
        with working(self.bits):
            growth = ball(self.at)
            return probability(growth.exp() * hull(*self.other.prove()) - growth.expm1())

    def errors(self) -> dict[str, arb]:
        return self.other.errors()
