"""Numbers at the door: whatever a user gives becomes an exact rational, once.

A decimal string means that decimal, a float means that double: ``"0.1"`` is 1/10 and ``0.1`` is
3602879701896397/36028797018963968, and δ at 1e-20 feels the difference. Other libraries' numbers mean what
they hold, to the last bit; a type whose exact value is unknown is refused.
"""

import re
from decimal import Decimal
from fractions import Fraction
from numbers import Integral, Rational, Real
from typing import Any

from pldverify.errors import InvalidInput

Number = int | float | str | Fraction | Decimal

MAX_COUNT = 10**12
MAX_BITS = 14_000
_MAX_LENGTH = 9_000
_MAX_EXPONENT = 10_000
_EXPONENT = re.compile(r"[eE]([+-]?\d+)$")


def rational(value: object, name: str) -> Fraction:
    """Return ``value`` as the exact rational that it denotes.

    Raises InvalidInput (naming the argument ``name``) for NaN, infinities, booleans, strings that
    are not a decimal or a fraction, and numbers whose numerator or denominator has more than 14000
    bits (4200 digits), which no privacy parameter needs and which could exhaust memory.
    """
    if isinstance(value, str):
        return _bounded(_parse(value.strip(), name), name)
    if isinstance(value, Decimal):
        return _bounded(_parse(str(value), name), name)
    if isinstance(value, bool):
        raise InvalidInput(f"{name} must be a number, got {name}={value!r}")
    if isinstance(value, Integral):
        return _bounded(Fraction(int(value)), name)
    if isinstance(value, Rational):
        return _bounded(Fraction(int(value.numerator), int(value.denominator)), name)
    number = _binary(value)
    if number is None:
        allowed = "finite" if isinstance(value, Real) else "a number or a decimal string"
        raise InvalidInput(f"{name} must be {allowed}, got {name}={brief(value)}")
    return _bounded(number, name)


def _binary(value: Any) -> Fraction | None:
    """The exact value of a float or of a numpy, mpmath, sympy or flint number; None if it has none.

    Nothing is rounded: mpmath and sympy numbers are mantissa · 2^exponent, however long the mantissa.
    """
    library = type(value).__module__.partition(".")[0]
    try:
        if library == "flint":
            if hasattr(value, "man_exp"):  # a ball must be a point
                return _scaled(*value.man_exp()) if value.is_finite() else None
            return Fraction(int(value.p), int(value.q)) if hasattr(value, "p") else Fraction(int(value))
        if isinstance(value, Real) and hasattr(value, "as_integer_ratio"):
            return Fraction(*map(int, value.as_integer_ratio()))
        if library in ("mpmath", "sympy") and hasattr(value, "_mpf_"):
            sign, mantissa, exponent, _ = value._mpf_
            finite = mantissa or not exponent
            return _scaled(-mantissa if sign else mantissa, exponent) if finite else None
    except (OverflowError, TypeError, ValueError):  # infinities, NaN, a ball with a radius, another type
        return None
    return None


def _scaled(mantissa: Any, exponent: Any) -> Fraction:
    """mantissa · 2^exponent. Raises OverflowError for an exponent that no privacy parameter needs."""
    whole, shift = int(mantissa), int(exponent)
    if abs(shift) > MAX_BITS:
        raise OverflowError
    return Fraction(whole << shift) if shift >= 0 else Fraction(whole, 1 << -shift)


def _bounded(number: Fraction, name: str) -> Fraction:
    if max(number.numerator.bit_length(), number.denominator.bit_length()) > MAX_BITS:
        raise InvalidInput(f"{name} must be a ratio of integers of at most {MAX_BITS} bits, got more")
    return number


def _parse(text: str, name: str) -> Fraction:
    if text.lower().lstrip("+-") in {"nan", "inf", "infinity", "snan"}:
        raise InvalidInput(f"{name} must be finite, got {name}={text}")
    exponent = _EXPONENT.search(text)
    if len(text) > _MAX_LENGTH or (
        exponent and (len(exponent[1]) > 6 or abs(int(exponent[1])) > _MAX_EXPONENT)
    ):
        raise InvalidInput(
            f"{name} must have at most {_MAX_LENGTH} characters and an exponent within "
            f"±{_MAX_EXPONENT}, got {name}={_short(text)}"
        )
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise InvalidInput(
            f"{name} must be a decimal or a fraction such as 0.01, 1e-6 or 1/250, got {name}={_short(text)!r}"
        ) from None


def _short(text: str) -> str:
    return text if len(text) <= 40 else text[:40] + "…"


def brief(value: object) -> str:
    """``repr`` for an error message: its beginning, or the type where numbers are too long to be printed."""
    try:
        text = repr(value)
    except ValueError:
        return f"a {type(value).__name__} of too many digits"
    return text if len(text) <= 100 else text[:100] + "…"


def positive(value: object, name: str) -> Fraction:
    """:func:`rational` that must be > 0."""
    number = rational(value, name)
    if number <= 0:
        raise InvalidInput(f"{name} must be > 0, got {name}={show(number)}")
    return number


def nonnegative(value: object, name: str) -> Fraction:
    """:func:`rational` that must be >= 0."""
    number = rational(value, name)
    if number < 0:
        raise InvalidInput(f"{name} must be >= 0, got {name}={show(number)}")
    return number


def probability(value: object, name: str, *, zero: bool = True, one: bool = True) -> Fraction:
    """:func:`rational` in [0, 1]; ``zero`` and ``one`` say whether the end points are allowed."""
    number = rational(value, name)
    if not 0 <= number <= 1 or (number == 0 and not zero) or (number == 1 and not one):
        interval = f"{'[' if zero else '('}0, 1{']' if one else ')'}"
        raise InvalidInput(f"{name} must be in {interval}, got {name}={show(number)}")
    return number


def count(value: object, name: str, *, cap: int = MAX_COUNT) -> int:
    """An integer between 1 and ``cap`` (10**12 unless said otherwise)."""
    number = rational(value, name)
    if number.denominator != 1 or not 1 <= number <= cap:
        raise InvalidInput(f"{name} must be an integer from 1 to {cap}, got {name}={show(number)}")
    return int(number)


def show(number: Fraction) -> str:
    """The shortest text that :func:`rational` reads back as ``number``: a finite decimal, else a fraction."""
    denominator, twos, fives = number.denominator, 0, 0
    while denominator % 2 == 0:
        denominator //= 2
        twos += 1
    while denominator % 5 == 0:
        denominator //= 5
        fives += 1
    places = max(twos, fives)
    if denominator != 1 or places > _MAX_EXPONENT:
        return _fraction(number)
    digits = number.numerator * 10**places // number.denominator
    if digits.bit_length() > MAX_BITS:
        return _fraction(number)
    sign, text = ("-" if digits < 0 else ""), str(abs(digits))
    if places > len(text) + 4 or len(text) - places > 15:
        stripped = text.rstrip("0") or "0"
        exponent = len(text) - 1 - places
        mantissa = stripped[0] + ("." + stripped[1:] if len(stripped) > 1 else "")
        return f"{sign}{mantissa}e{exponent}" if digits else "0"
    text = text.rjust(places + 1, "0")
    whole, part = (text[:-places], text[-places:].rstrip("0")) if places else (text, "")
    return f"{sign}{whole}{'.' + part if part else ''}"


def _fraction(number: Fraction) -> str:
    """``numerator/denominator`` of any size: ``str`` of an int stops at 4300 digits, of a Decimal never."""
    return f"{Decimal(number.numerator)}/{Decimal(number.denominator)}"
