"""TailQuery: the question for a tail of the privacy loss."""

from dataclasses import dataclass
from fractions import Fraction

from pldverify.mechanisms.as_composition import Composed
from pldverify.mechanisms.point_query import PointQuery
from pldverify.mechanisms.query import Shown
from pldverify.mechanisms.relations import Adjacency
from pldverify.numbers.exact import Number, rational


@dataclass(frozen=True)
class TailQuery(PointQuery):
    """P(S ≥ ``loss``) of the privacy loss S of a composition's pairs, S = ∞ included, the larger direction.

    The truth is that of ``pv.tail``. Dominance does not order tails, so a claim is decided only where the
    pairs are the mechanism's own (``Composition.standing`` exact). Numbers must be rational. Only accountants
    whose ``asks`` has this class are asked it. Raises InvalidInput as
    :class:`~pldverify.mechanisms.query.Query`, and for no loss or one that is not finite.

    >>> import pldverify as pv
    >>> query = pv.TailQuery(pv.Gaussian(1), loss="1/2")
    >>> str(query)
    'P(S ≥ 0.5) of gaussian(sigma=1) [add-or-remove]'
    >>> class Half(pv.Accountant):
    ...     direction, asks = "upper", (pv.TailQuery,)
    ...     def claim(self, query):
    ...         return 0.5
    >>> pv.check(Half(), query).verdict
    'SOUND'
    """

    loss: Fraction

    of = "a tail"
    given = "loss"
    quantity = "tail"
    rises = None  # a dominated pair's tail may be either
    of_whole_pair = True

    def __init__(
        self,
        composition: Composed,
        epsilon: None = None,
        delta: None = None,
        adjacency: Adjacency | None = None,
        loss: Number | None = None,
    ) -> None:
        self._point(composition, epsilon, delta, adjacency)
        vars(self).update(loss=rational(loss, "loss"))
        self._require_rational()

    def _asked(self, text: Shown) -> str:
        return f"P(S ≥ {text(self.loss)})"
