"""Decimals and fractions as text, read exactly, and how large an exact number may be."""

import re
from fractions import Fraction

from pldverify.errors import InvalidInput

MAX_BITS = 14_000
"""Bits of a numerator or a denominator: 4200 digits, more than any privacy parameter needs."""
MAX_LENGTH = 9_000
"""Characters of a number at most: two numbers of 4200 digits, and room."""
MAX_EXPONENT = 10_000
"""Largest exponent of ten in size: it bounds the integers that are formed before their bits are counted."""
_EXPONENT = re.compile(r"[eE]([+-]?\d+)$")


def literal(text: str, name: str) -> Fraction:
    """A decimal or a fraction, exactly. Raises InvalidInput, which names the argument."""
    exponent = _EXPONENT.search(text)
    if len(text) > MAX_LENGTH or (
        exponent and (len(exponent[1]) > 6 or abs(int(exponent[1])) > MAX_EXPONENT)
    ):
        raise InvalidInput(
            f"{name} must have at most {MAX_LENGTH} characters and an exponent within "
            f"±{MAX_EXPONENT}, got {name}={short(text)}"
        )
    try:
        return bounded(Fraction(text), name)
    except (ValueError, ZeroDivisionError) as error:
        if isinstance(error, InvalidInput):
            raise
        raise InvalidInput(
            f"{name} must be a decimal or a fraction such as 0.01, 1e-6 or 1/250, got {name}={short(text)!r}"
        ) from None


def bounded(number: Fraction, name: str) -> Fraction:
    """``number``. Raises InvalidInput where it has more than :data:`MAX_BITS`."""
    if max(number.numerator.bit_length(), number.denominator.bit_length()) > MAX_BITS:
        raise InvalidInput(f"{name} must be a ratio of integers of at most {MAX_BITS} bits, got more")
    return number


def short(text: str) -> str:
    """The beginning of a text, for an error message."""
    return text if len(text) <= 40 else text[:40] + "…"
