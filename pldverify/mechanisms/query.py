"""Query: the question that both an accountant and the reference are asked."""

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

from pldverify.errors import InvalidInput
from pldverify.mechanisms.mechanism import Composition, Mechanism, as_composition
from pldverify.mechanisms.relations import Adjacency
from pldverify.numbers.exact import Number, probability, rational, show


@dataclass(frozen=True)
class Query:
    """δ(epsilon) or ε(delta) of a composition: exactly one of ``epsilon`` (nats) and ``delta`` is given.

    ``adjacency`` left out is the composition's own. Raises InvalidInput for both or neither, epsilon not
    finite, delta outside [0, 1], unknown adjacency or one that the composition has no pair for.
    """

    composition: Composition
    epsilon: Fraction | None = None
    delta: Fraction | None = None
    adjacency: Adjacency = None  # type: ignore[assignment]  # filled in below

    if TYPE_CHECKING:  # any number is taken; the fields hold exact ones

        def __init__(
            self,
            composition: Composition | Mechanism,
            epsilon: Number | None = None,
            delta: Number | None = None,
            adjacency: Adjacency | None = None,
        ) -> None: ...

    def __post_init__(self) -> None:
        object.__setattr__(self, "composition", as_composition(self.composition))
        if self.adjacency is None:
            object.__setattr__(self, "adjacency", self.composition.adjacency)
        self.composition.directions(self.adjacency)
        if (self.epsilon is None) == (self.delta is None):
            raise InvalidInput("query must have exactly one of epsilon and delta")
        if self.epsilon is not None:
            object.__setattr__(self, "epsilon", rational(self.epsilon, "epsilon"))
        if self.delta is not None:
            object.__setattr__(self, "delta", probability(self.delta, "delta"))

    @property
    def quantity(self) -> Literal["delta", "epsilon", "rdp", "noise"]:
        """What is asked for."""
        return "epsilon" if self.epsilon is None else "delta"

    def __str__(self) -> str:
        asked = (
            f"ε at δ={show(self.delta)}" if self.delta is not None else f"δ at ε={show(self.epsilon)}"  # type: ignore[arg-type]
        )
        return f"{asked} of {self.composition} [{self.adjacency}]"
