r"""Basic composition (GLW21 Proposition 1.2): :math:`(\sum\varepsilon_i, \sum\delta_i)`-DP, with ε shared
equally among the steps.
"""

from dataclasses import dataclass
from typing import ClassVar

from pldverify import __version__
from pldverify.accountants import single_step
from pldverify.mechanisms.mechanism import Composition
from pldverify.mechanisms.query import Query
from pldverify.numbers.claim import Claim, claimed_number
from pldverify.numbers.claim import Direction as ClaimDirection


def delta(composition: Composition, epsilon: float) -> float:
    """min(1, Σ kᵢ δᵢ(ε/k)), k the number of steps."""
    each = epsilon / composition.steps
    return min(1.0, sum(k * single_step.delta(mechanism, each) for mechanism, k in composition.parts))


def epsilon(composition: Composition, delta: float) -> float:
    """Σ kᵢ εᵢ(δ/k), k the number of steps."""
    each = delta / composition.steps
    return sum(k * single_step.epsilon(mechanism, each) for mechanism, k in composition.parts)


@dataclass(frozen=True)
class BasicComposition:
    """The baseline that every other upper bound should beat."""

    name: ClassVar[str] = "basic-composition"
    library: ClassVar[str] = "pldverify"
    direction: ClassVar[ClaimDirection] = "upper"

    def version(self) -> str:
        """pldverify's version."""
        return __version__

    def supports(self, query: Query) -> str | None:
        """None, or one line: an unknown loss, ε < 0, δ outside (0, 1)."""
        return single_step.refusal(query)

    def claim(self, query: Query) -> Claim:
        """δ is shared equally where δ is given, ε where ε is. Raises SubjectFailure."""
        if query.epsilon is not None:
            value, split = delta(query.composition, float(query.epsilon)), "epsilon"
        else:
            value, split = epsilon(query.composition, float(query.delta or 0)), "delta"
        source = f"{self.name} {self.version()}"
        return Claim(claimed_number(value, source), self.direction, source, {"shared equally": split})
