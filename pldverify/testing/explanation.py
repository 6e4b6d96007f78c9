"""Explanation: what pytest shows of a comparison of enclosures or findings that failed."""

import gc
import math
from fractions import Fraction

from pldverify.errors import InvalidInput
from pldverify.numbers.exact import rational
from pldverify.numbers.interval import Interval
from pldverify.numbers.judged import Judged
from pldverify.numbers.scientific import outward
from pldverify.numbers.word import Word

_SAME = "equal are intervals of the same ends and engine; left.overlaps(right) asks whether both can be true"


def explanation(op: str, left: object, right: object) -> list[str] | None:
    """Lines for ``assert left op right``; None where neither side is an interval, a finding or its verdict.

    >>> from pldverify.testing.explanation import explanation
    >>> print("\\n".join(explanation("in", 0.2, pv.Interval("0.1", "0.15"))))
    0.2 in the interval
    the interval: [0.100000, 0.150000]
    0.2 is above its upper end, by 0.0500
    """
    sides = [_told(side) for side in (left, right)]
    sides = [side for side in sides if side is not None]
    if not sides:
        return None
    lines = [f"{_named(left)} {op} {_named(right)}"]
    for side in sides:
        shown = str(side).splitlines()
        lines += [f"{_named(side)}: {shown[0]}"] if len(shown) == 1 else [f"{_named(side)}:", *shown]
    if op == "==" and isinstance(left, Interval) and isinstance(right, Interval):
        lines.append(_SAME)
    if op == "in" and isinstance(right, Interval):
        lines.append(_outside(left, right))
    return list(filter(None, lines))


def _told(side: object) -> Interval | Judged | None:
    """What is shown of a side: itself, or what a verdict was read from."""
    if isinstance(side, Interval | Judged):
        return side
    return _owner(side) if isinstance(side, Word) else None


def _owner(verdict: Word) -> Judged | None:
    """Who has this verdict, as long as the test holds it."""
    holders = gc.get_referrers(verdict)
    holders += [owner for each in holders if isinstance(each, dict) for owner in gc.get_referrers(each)]
    found = (each for each in holders if isinstance(each, Judged) and each.verdict is verdict)
    return next(found, None)


def _named(side: object) -> str:
    if isinstance(side, Interval | Judged):
        return f"the {type(side).__name__.lower()}"
    if isinstance(side, Word):
        return str(side)
    return repr(side)


def _outside(value: object, interval: Interval) -> str:
    """On which side of the interval a number lies, and how far."""
    try:
        exact = math.inf if value == math.inf else rational(value, "value")
    except InvalidInput:
        return ""
    above = exact > interval.upper
    end = interval.upper if above else interval.lower
    far = math.inf if math.inf in (exact, abs(end)) else abs(Fraction(exact) - Fraction(end))
    side = "above its upper" if above else "below its lower"
    return f"{value!r} is {side} end, by {outward(far, 3, -1)}"
