"""RenyiQuery: the question for a Rényi divergence, which is neither ε nor δ."""

from dataclasses import dataclass
from fractions import Fraction

from pldverify.mechanisms.as_composition import Composed
from pldverify.mechanisms.point_query import PointQuery
from pldverify.mechanisms.query import Shown
from pldverify.mechanisms.relations import Adjacency
from pldverify.numbers.exact import Number
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

    order: Fraction | float

    of = "a Rényi divergence"
    given = "order"
    quantity = "rdp"
    of_whole_pair = True

    def __init__(
        self,
        composition: Composed,
        epsilon: None = None,
        delta: None = None,
        adjacency: Adjacency | None = None,
        order: Number | None = None,
    ) -> None:
        self._point(composition, epsilon, delta, adjacency)
        vars(self).update(order=renyi_order(order))

    def _asked(self, text: Shown) -> str:
        return f"D of order {text(self.order) if isinstance(self.order, Fraction) else '∞'}"
