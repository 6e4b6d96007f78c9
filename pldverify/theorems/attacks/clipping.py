"""Clipped vectors."""

from collections.abc import Iterator
from fractions import Fraction as F

from pldverify.balls import arb
from pldverify.balls.ball import ball
from pldverify.theorems.evidence import Case

VECTORS = ((F(0), F(0)), (F(1, 2), F(-1, 3)), (F(3), F(4)), (F(-5), F(1, 10)), (F(30), F(41)))
"""Vectors inside and outside of the unit ball."""


def _clip(v: tuple[F, F]) -> tuple[arb, arb]:
    norm = ball(v[0] ** 2 + v[1] ** 2).sqrt().max(arb(1))
    return ball(v[0]) / norm, ball(v[1]) / norm


def projection() -> Iterator[Case]:
    """‖clip(x) − clip(y)‖ ≤ ‖x − y‖, c = 1."""
    for x in VECTORS:
        for y in VECTORS:
            if x != y:
                a, b = _clip(x), _clip(y)
                near = (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2
                far = (x[0] - y[0]) ** 2 + (x[1] - y[1]) ** 2
                label = f"({x[0]}, {x[1]}) and ({y[0]}, {y[1]})"
                yield Case(label, near, ball(far) * (1 + ball(F(1, 10**40))))
