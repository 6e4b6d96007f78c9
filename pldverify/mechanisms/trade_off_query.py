"""TradeOffQuery: the question for a point of the trade-off function."""

from dataclasses import dataclass
from fractions import Fraction

from pldverify.mechanisms.as_composition import Composed
from pldverify.mechanisms.point_query import PointQuery
from pldverify.mechanisms.query import Shown
from pldverify.mechanisms.relations import Adjacency
from pldverify.numbers.exact import Number, probability


@dataclass(frozen=True)
class TradeOffQuery(PointQuery):
    """f(``alpha``): the least type II error of a test of two neighbours whose type I error is ``alpha``.

    A guarantee, "the type II error is at least β", is a ``lower`` claim: the more private, the greater is f.
    The truth is that of ``pv.trade_off``, the smaller of the directions. Numbers must be rational. Only
    accountants whose ``asks`` has this class are asked it. Raises InvalidInput as
    :class:`~pldverify.mechanisms.query.Query`, and for no alpha, or one outside of [0, 1].

    >>> import pldverify as pv
    >>> query = pv.TradeOffQuery(10 * pv.Gaussian(4), alpha="0.05")
    >>> str(query)
    'type II error at α=0.05 of 10 * gaussian(sigma=4) [add-or-remove]'
    >>> class Half(pv.Accountant):
    ...     direction, asks = "lower", (pv.TradeOffQuery,)
    ...     def claim(self, query):
    ...         return 0.5
    >>> finding = pv.check(Half(), query)
    >>> finding.verdict, round(float(finding.slack), 3)
    ('SOUND', 0.304)
    """

    alpha: Fraction

    of = "a trade-off"
    given = "alpha"
    quantity = "trade-off"
    rises = False  # what is dominated has the greater type II error

    def __init__(
        self,
        composition: Composed,
        epsilon: None = None,
        delta: None = None,
        adjacency: Adjacency | None = None,
        alpha: Number | None = None,
    ) -> None:
        self._point(composition, epsilon, delta, adjacency)
        vars(self).update(alpha=probability(alpha, "alpha"))
        self._require_rational()

    @property
    def of_whole_pair(self) -> bool:
        """Whether the pair's tests are split between those of pairs that different neighbours have."""
        return not self.composition.tight_rates

    def _asked(self, text: Shown) -> str:
        return f"type II error at α={text(self.alpha)}"
