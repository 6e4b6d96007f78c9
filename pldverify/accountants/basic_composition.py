r"""Basic composition (GLW21 Proposition 1.2): :math:`(\sum\varepsilon_i, \sum\delta_i)`-DP, with ε shared
equally among the steps.
"""

from dataclasses import dataclass
from typing import ClassVar

from pldverify.accountants import single_step
from pldverify.accountants.printed import Printed, Said
from pldverify.accountants.refusals import without_known_losses
from pldverify.mechanisms.mechanism import Composition
from pldverify.mechanisms.query import Query


def delta(composition: Composition, epsilon: float) -> float:
    """min(1, Σ kᵢ δᵢ(ε/k)), k the number of steps."""
    each = epsilon / composition.steps
    return min(1.0, sum(k * single_step.delta(mechanism, each) for mechanism, k in composition.parts))


def epsilon(composition: Composition, delta: float) -> float:
    """Σ kᵢ εᵢ(δ/k), k the number of steps."""
    each = delta / composition.steps
    return sum(k * single_step.epsilon(mechanism, each) for mechanism, k in composition.parts)


@dataclass(frozen=True)
class BasicComposition(Printed):
    """Basic composition: ε and δ are added up (GLW21 Proposition 1.2)."""

    name: ClassVar[str] = "basic-composition"

    def supports(self, query: Query) -> str | None:
        """None, or one line: an unknown loss, ε < 0, δ outside (0, 1)."""
        return without_known_losses(query)

    def answer(self, query: Query) -> Said:
        """δ is shared equally where δ is given, ε where ε is."""
        if query.epsilon is not None:
            value, split = delta(query.composition, float(query.epsilon)), "epsilon"
        else:
            value, split = epsilon(query.composition, float(query.delta or 0)), "delta"
        return value, {"shared equally": split}, None
