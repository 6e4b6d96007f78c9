"""The order of a Rényi divergence: a positive rational, or +∞."""

import math
from fractions import Fraction

from pldverify.errors import InvalidInput
from pldverify.numbers.exact import brief, rational, show

_INFINITE = {"inf", "infinity", "∞"}


def renyi_order(value: object) -> Fraction | float:
    """``value`` as an exact order α > 0; ``math.inf`` for infinity, as a number or as the text ``inf``.

    Raises InvalidInput for anything else.
    """
    if _infinite(value):
        return math.inf
    try:
        order = rational(value, "order")
    except InvalidInput:
        raise InvalidInput(
            f"order must be a decimal or a fraction > 0, or inf, got order={brief(value)}"
        ) from None
    if order <= 0:
        raise InvalidInput(f"order must be > 0 (a number, or inf), got order={show(order)}")
    return order


def _infinite(value: object) -> bool:
    if isinstance(value, str):
        return value.strip().lower().removeprefix("+") in _INFINITE
    try:
        return bool(value == math.inf)
    except (TypeError, ValueError):  # arrays, and types without an order
        return False
