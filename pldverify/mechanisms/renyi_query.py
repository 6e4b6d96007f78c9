"""RenyiQuery: the question for a Rényi divergence, which is neither ε nor δ."""

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

from pldverify.errors import InvalidInput
from pldverify.mechanisms.as_composition import as_composition
from pldverify.mechanisms.mechanism import Composition, Mechanism
from pldverify.mechanisms.query import Query
from pldverify.mechanisms.relations import Adjacency
from pldverify.numbers.exact import Number, show
from pldverify.numbers.order import renyi_order


@dataclass(frozen=True)
class RenyiQuery(Query):
    """The Rényi divergence of ``order`` of a composition, in nats, the larger of its directions.

    ``order`` > 0 may be infinite. Only accountants whose ``asks`` has this class are asked it. Raises
    InvalidInput as :class:`~pldverify.mechanisms.query.Query`, and for no order or one that is none.

    >>> import pldverify as pv
    >>> from pldverify.mechanisms.renyi_query import RenyiQuery
    >>> str(RenyiQuery(10 * pv.Gaussian(4), order="3/2"))
    'D of order 1.5 of 10 * gaussian(sigma=4) [add-or-remove]'
    """

    order: Fraction | float = None  # type: ignore[assignment]  # required, as __post_init__ says

    if TYPE_CHECKING:  # any number is taken; the fields hold exact ones

        def __init__(
            self, composition: Composition | Mechanism, *, order: Number, adjacency: Adjacency | None = None
        ) -> None: ...

    def __post_init__(self) -> None:
        if self.epsilon is not None or self.delta is not None:
            raise InvalidInput("query of a Rényi divergence must have an order, and no epsilon or delta")
        object.__setattr__(self, "composition", as_composition(self.composition))
        if self.adjacency is None:
            object.__setattr__(self, "adjacency", self.composition.adjacency)
        self.composition.directions(self.adjacency)
        object.__setattr__(self, "order", renyi_order(self.order))

    @property
    def quantity(self) -> Literal["delta", "epsilon", "rdp", "noise"]:
        """What is asked for."""
        return "rdp"

    def __str__(self) -> str:
        order = show(self.order) if isinstance(self.order, Fraction) else "∞"
        return f"D of order {order} of {self.composition} [{self.adjacency}]"
