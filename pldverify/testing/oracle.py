"""Oracle: the truth as an accountant, for tests of the kit itself, and for faulty accountants made of it."""

import math
from fractions import Fraction
from functools import lru_cache
from typing import ClassVar

from pldverify.accountants.accountant import Accountant
from pldverify.errors import NotSupported
from pldverify.mechanisms.noise_query import NoiseQuery
from pldverify.mechanisms.query import Query
from pldverify.mechanisms.renyi_query import RenyiQuery
from pldverify.mechanisms.trade_off_query import TradeOffQuery
from pldverify.numbers.claim import Claim, Direction
from pldverify.numbers.enclosure import Bound, Enclosure
from pldverify.testing.judged import judged
from pldverify.values.truth import bracket

_DIGITS = 12
"""Significant digits with which the truth is known well."""
_SECONDS = 5.0
"""Processor time for one question; it only decides what is refused."""
_MOST_NOISE = 2.0**40
"""Factor on the noise, up and down, beyond which none is searched for."""
_NOISE_WIDTH = 1e-11
"""Relative width of what is left of the search for noise: less than rounding level."""


class Oracle(Accountant):
    """An end of the proved enclosure, rounded outward to a double; it refuses where 12 digits take too long.

    Of noise it has an amount that is proved to be enough, and no lower end.

    >>> import pldverify as pv
    >>> from pldverify.testing import Oracle
    >>> pv.check(Oracle("upper"), pv.Query(pv.Gaussian(1), epsilon=1)).verdict
    'SOUND'
    """

    asks: ClassVar[tuple[type[Query], ...]] = (Query, RenyiQuery, TradeOffQuery, NoiseQuery)
    library = "pldverify"

    def __init__(self, direction: Direction = "upper") -> None:
        vars(self).update(direction=direction, name=f"oracle/{direction}")

    def claim(self, query: Query) -> Claim | float:
        """The upper or the lower end. Raises NotImplementedError where the truth is not known well."""
        return end(query, self.direction)


def end(query: Query, direction: Direction) -> float:
    """The end of the enclosure, a double on the safe side. Raises NotImplementedError."""
    if isinstance(query, NoiseQuery):
        if direction != "upper":
            raise NotImplementedError("only noise that is enough is judged")
        return _enough(query)
    found = _enclosed(query)
    if found is None:
        raise NotImplementedError("the truth is not known to 12 digits soon")
    return _above(found.upper) if direction == "upper" else max(0.0, -_above(-found.lower))


@lru_cache(maxsize=5_000)
def _enough(query: NoiseQuery) -> float:
    """Noise that is enough, where 1e-11 less is not proved to be. Raises NotImplementedError beyond 2^±40."""

    def is_enough(factor: float) -> bool:
        goal = Claim(query.epsilon or Fraction(0), "upper", "oracle")
        return judged(goal, query.at(Fraction(factor))).verdict == "SOUND"

    high = 1.0
    while not is_enough(high):
        high *= 2
        if high > _MOST_NOISE:
            raise NotImplementedError("more noise than any")
    while is_enough(high / 2):
        high /= 2
        if high < 1 / _MOST_NOISE:
            raise NotImplementedError("less noise than any")
    low = high / 2
    while high - low > _NOISE_WIDTH * high:
        middle = (low + high) / 2
        low, high = (low, middle) if is_enough(middle) else (middle, high)
    return high


@lru_cache(maxsize=50_000)
def _enclosed(query: Query) -> Enclosure | None:
    try:
        found = bracket(query, lambda known: known.digits >= _DIGITS, _SECONDS)
    except NotSupported:
        return None
    ends = (found.lower, found.upper)
    known = ends[0] == ends[1] or found.digits >= _DIGITS
    return found if known else None


def _above(value: Bound) -> float:
    """The least double that is not below."""
    if value == math.inf or value == -math.inf:
        return float(value)
    nearest = float(value)
    return nearest if Fraction(nearest) >= value else math.nextafter(nearest, math.inf)
