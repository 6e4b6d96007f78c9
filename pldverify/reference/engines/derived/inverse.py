r"""ε(δ) = inf{ε ≥ 0 : δ(ε) ≤ δ} from values of δ(ε), which decreases and is continuous from the right.

δ(a) > δ proves ε(δ) ≥ a: every ε with δ(ε) ≤ δ is larger. δ(b) ≤ δ with b ≥ 0 proves ε(δ) ≤ b by definition.
"""

import math
from dataclasses import dataclass
from fractions import Fraction

from pldverify.balls import arb
from pldverify.balls.ball import ball, lower, upper, working
from pldverify.balls.compare import surely_less
from pldverify.errors import NoConvergence
from pldverify.numbers.witness import Bound
from pldverify.reference.engines.derived.question import OfLoss, Proved


@dataclass(frozen=True)
class Inverse(OfLoss):
    """ε(``at``) of ``loss``: at least where ``above`` is, 0 if None; at most where ``below`` is, +∞ if
    None.
    """

    above: Proved | None
    below: Proved | None

    asks = "epsilon"

    @property
    def engine(self) -> str:
        part = self.below or self.above
        return part.engine if part is not None else "support"

    def prove(self) -> tuple[Bound, Bound]:
        if self.at == 1:
            return Fraction(0), Fraction(0)
        low: Bound = Fraction(0)
        high: Bound = math.inf
        if self.above is not None:
            low = self._place(self.above)
            if not self.above.prove()[0] > self.at:
                raise NoConvergence(f"inverse: δ({float(low):.10g}) is not proved to exceed the target")
        if self.below is not None:
            high = self._place(self.below)
            if not self.below.prove()[1] <= self.at:
                raise NoConvergence(f"inverse: δ({float(high):.10g}) is not proved to be at most the target")
        return low, high

    def _place(self, part: Proved) -> Fraction:
        quantity, epsilon = part.question
        if part.about != self.loss or quantity != "delta" or epsilon < 0:
            raise NoConvergence("inverse: not a δ(ε) of the same loss at ε ≥ 0")
        return Fraction(epsilon)

    def errors(self) -> dict[str, arb]:
        return self.below.errors() if self.below is not None else {}


@dataclass(frozen=True)
class BelowInfiniteMass(OfLoss):
    """ε(``at``) = +∞, as δ(ε) ≥ δ_∞ > target for every ε; ``bits`` tell that."""

    bits: int

    asks = "epsilon"
    engine = "support"

    def prove(self) -> tuple[Bound, Bound]:
        with working(self.bits):
            certain = surely_less(ball(self.at), self.loss.infinite_mass())
        if not (certain or (self.loss.finite_mass().is_zero() and self.at < 1)):
            raise NoConvergence("inverse: the target is not proved to be below P(S = ∞)")
        return math.inf, math.inf


@dataclass(frozen=True)
class AtInfiniteMass(OfLoss):
    """ε(``at``) where it is δ_∞ exactly: the largest finite loss, or 0, or +∞ where that is unbounded.

    If they can't be told apart, nothing is known of it.
    """

    bits: int

    asks = "epsilon"
    engine = "support"

    def prove(self) -> tuple[Bound, Bound]:
        if self.at == 1:
            return Fraction(0), Fraction(0)
        if self.at != self.loss.exact_infinite_mass():
            return Fraction(0), math.inf
        with working(self.bits):
            gap = self.loss.gap(Fraction(0))
        if gap is None:
            return math.inf, math.inf
        low, high = (-gap, -gap) if isinstance(gap, Fraction) else (lower(-gap), upper(-gap))
        return max(Fraction(0), low), max(Fraction(0), high)
