"""Golden section, in floats."""

import math
from collections.abc import Callable

_RATIO = (math.sqrt(5) - 1) / 2
"""Part of an interval that is left after a step."""


def golden_section(value: Callable[[float], float], low: float, high: float, width: float) -> float:
    """Where a function that falls and then rises is least, to about ``width``.

    Where it is +∞ at both points inside, the least is looked for on the left.
    """
    left, right = high - _RATIO * (high - low), low + _RATIO * (high - low)
    at_left, at_right = value(left), value(right)
    while high - low > width:
        if at_left <= at_right:
            high, right, at_right = right, left, at_left
            left = high - _RATIO * (high - low)
            at_left = value(left)
        else:
            low, left, at_left = left, right, at_right
            right = low + _RATIO * (high - low)
            at_right = value(right)
    return left if at_left <= at_right else right
