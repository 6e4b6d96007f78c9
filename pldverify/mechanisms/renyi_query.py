"""RenyiQuery: the question for a Rényi divergence, which is neither ε nor δ."""

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

from pldverify.mechanisms.mechanism import Composition, Mechanism
from pldverify.mechanisms.point_query import PointQuery
from pldverify.mechanisms.query import Quantity
from pldverify.mechanisms.relations import Adjacency
from pldverify.numbers.exact import Number, show
from pldverify.numbers.order import renyi_order


@dataclass(frozen=True)
class RenyiQuery(PointQuery):
    """The Rényi divergence of ``order`` of a composition, in nats, the larger of its directions.

    ``order`` > 0 may be infinite. Only accountants whose ``asks`` has this class are asked it. Raises
    InvalidInput as :class:`~pldverify.mechanisms.query.Query`, and for no order or one that is none.

    >>> import pldverify as pv
    >>> str(pv.RenyiQuery(10 * pv.Gaussian(4), order="3/2"))
    'D of order 1.5 of 10 * gaussian(sigma=4) [add-or-remove]'
    """

    of: ClassVar[str] = "a Rényi divergence"
    at: ClassVar[str] = "order"
    kind: ClassVar[Quantity] = "rdp"

    order: Fraction | float = None  # type: ignore[assignment]  # required, as __post_init__ says

    if TYPE_CHECKING:  # any number is taken; the fields hold exact ones

        def __init__(
            self, composition: Composition | Mechanism, *, order: Number, adjacency: Adjacency | None = None
        ) -> None: ...

    @classmethod
    def _door(cls, value: object) -> Fraction | float:
        """The order, exactly."""
        return renyi_order(value)

    def __str__(self) -> str:
        order = show(self.order) if isinstance(self.order, Fraction) else "∞"
        return f"D of order {order} of {self.composition} [{self.adjacency}]"
