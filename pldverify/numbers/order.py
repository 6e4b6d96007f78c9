"""The order of a Rényi divergence: a positive rational, or +∞."""

import math
from collections.abc import Callable

from pldverify.errors import InvalidInput
from pldverify.numbers.exact import Read, brief, rational, show

_INFINITE = {"inf", "infinity", "∞"}


def renyi_order(value: object, read: Callable[[object, str], Read] = rational) -> Read | float:
    """``value`` as an exact order α > 0; ``math.inf`` for infinity, as a number or as the text ``inf``;
    other numbers as ``read`` reads them.

    Raises InvalidInput for anything else.
    """
    if infinite(value):
        return math.inf
    try:
        order = read(value, "order")
    except InvalidInput:
        raise InvalidInput(
            f"order must be a decimal or a fraction > 0, or inf, got order={brief(value)}"
        ) from None
    if order <= 0:
        raise InvalidInput(f"order must be > 0 (a number, or inf), got order={show(order)}")
    return order


def infinite(value: object) -> bool:
    """Whether ``value`` is +∞, or a text that says so."""
    if isinstance(value, str):
        return value.strip().lower().removeprefix("+") in _INFINITE
    try:
        return bool(value == math.inf)
    except (TypeError, ValueError):  # arrays, and types without an order
        return False
