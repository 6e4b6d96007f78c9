"""Comparisons of balls: what is proved, and what is not.

``<`` of two balls is true where every number of one lies below every number of the other. Its ``False`` may
mean "not less" or "unknown", and reading it as "not less" is how a verifier lies. So only this file compares:
elsewhere mypy, which reads ``typings/flint``, refuses ``<``, ``min``, ``max`` and ``sorted`` of balls.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import TypeVar

from pldverify.balls import arb, fmpz
from pldverify.errors import NoConvergence

Real = arb | int | fmpz
Item = TypeVar("Item")


def surely_less(a: Real, b: Real) -> bool:
    """Whether a < b is proved. False says nothing: neither NaN nor overlapping balls prove anything."""
    return bool(a < b)  # type: ignore[operator]


def surely_at_most(a: Real, b: Real) -> bool:
    """Whether a ≤ b is proved. False says nothing."""
    return bool(a <= b)  # type: ignore[operator]


def surely_above(value: Fraction | arb, floor: int) -> bool:
    """Whether a rational or a ball is proved to be > ``floor``."""
    return value > floor if isinstance(value, Fraction) else surely_less(floor, value)


def surely_from(value: Fraction | arb, floor: int) -> bool:
    """Whether a rational or a ball is proved to be ≥ ``floor``."""
    return value >= floor if isinstance(value, Fraction) else surely_at_most(floor, value)


def less(a: Real, b: Real) -> bool | None:
    """Whether a < b: yes, no, or None for unknown."""
    return True if surely_less(a, b) else False if surely_at_most(b, a) else None


def at_most(a: Real, b: Real) -> bool | None:
    """Whether a ≤ b: yes, no, or None for unknown."""
    return True if surely_at_most(a, b) else False if surely_less(b, a) else None


def by_points(items: Iterable[Item], key: Callable[[Item], arb]) -> list[Item]:
    """``items`` in the order of their points: finite balls of radius 0, of which < decides.

    Raises NoConvergence where a key is no point.
    """
    rows = [(key(item), item) for item in items]
    if not all(point.is_exact() and point.is_finite() for point, _ in rows):
        raise NoConvergence("a ball that is no point has no place in an order")
    return [item for _, item in sorted(rows, key=lambda row: row[0])]  # type: ignore[arg-type,return-value]


def first_from(points: Sequence[arb], at: arb) -> int:
    """How many of the ordered ``points`` are below the point ``at``."""
    return bisect_left(points, at)  # type: ignore[call-overload,no-any-return]


def first_beyond(points: Sequence[arb], at: arb) -> int:
    """How many of the ordered ``points`` are at most the point ``at``."""
    return bisect_right(points, at)  # type: ignore[call-overload,no-any-return]
