"""TailQuery: the question for a tail of the privacy loss."""

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

from pldverify.mechanisms.mechanism import Composition, Mechanism
from pldverify.mechanisms.point_query import PointQuery
from pldverify.mechanisms.query import Quantity
from pldverify.mechanisms.relations import Adjacency
from pldverify.numbers.exact import Number, rational, show


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

    of: ClassVar[str] = "a tail"
    at: ClassVar[str] = "loss"
    kind: ClassVar[Quantity] = "tail"

    loss: Fraction = None  # type: ignore[assignment]  # required, as __post_init__ says

    if TYPE_CHECKING:  # any number is taken; the fields hold exact ones

        def __init__(
            self, composition: Composition | Mechanism, *, loss: Number, adjacency: Adjacency | None = None
        ) -> None: ...

    def __post_init__(self) -> None:
        super().__post_init__()
        self._require_rational()

    @classmethod
    def _door(cls, value: object) -> Fraction:
        """The loss, exactly."""
        return rational(value, "loss")

    @property
    def rises(self) -> bool | None:
        """None: a dominated pair's tail may be either."""
        return None

    def __str__(self) -> str:
        return f"P(S ≥ {show(self.loss)}) of {self.composition} [{self.adjacency}]"
