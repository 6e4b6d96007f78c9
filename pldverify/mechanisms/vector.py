"""Vectors: the lists of numbers that mechanisms take; an error names the list, or the place in it."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any, TypeGuard

from pldverify.errors import InvalidInput
from pldverify.numbers.exact import brief

MOST = 10**5
"""Cap on the length where a mechanism has none of its own."""


def is_list(values: object) -> TypeGuard[Any]:
    """Whether something may be a list of numbers: a text is one number."""
    return hasattr(values, "__iter__") and not isinstance(values, str)


def vector(
    values: object, name: str, read: Callable[[object, str], Fraction], most: int = MOST
) -> tuple[Fraction, ...]:
    """The numbers of a list, each as ``read`` reads it. Raises InvalidInput, for an empty list too."""
    if not is_list(values):
        raise InvalidInput(f"{name} must be a list of numbers, got {name}={brief(values)}")
    found = list(values)
    if not 1 <= len(found) <= most:
        raise InvalidInput(f"{name} must have 1 to {most} numbers, got {len(found)}")
    return tuple(read(value, f"{name}[{i}]") for i, value in enumerate(found))
