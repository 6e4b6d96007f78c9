"""Bisection: where a falling function crosses a target, if no more than the side of a point is told."""

from collections.abc import Callable
from fractions import Fraction
from typing import TypeVar

Point = TypeVar("Point", int, float, Fraction)
TURNS = 24
"""Halvings in floats: what is left is less than counts."""


def halved(
    low: Point,
    high: Point,
    falls_below: Callable[[Point], bool | None],
    between: Callable[[Point, Point], Point | None],
    turns: int,
) -> tuple[Point, Point]:
    """Ends with the root between them, after at most ``turns`` bisections.

    Args:
        falls_below: whether f(x) ≤ t is proved, or f(x) > t; None for neither, which ends the search.
        between: the next point; None where the ends are near enough.
    """
    for _ in range(turns):
        if (point := between(low, high)) is None or (side := falls_below(point)) is None:
            break
        low, high = (low, point) if side else (point, high)
    return low, high


def middle(low: float, high: float) -> float:
    """The point between two floats."""
    return (low + high) / 2
