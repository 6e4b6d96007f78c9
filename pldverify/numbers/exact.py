"""Numbers at the door: whatever a user gives becomes an exact rational, once.

A decimal string means that decimal, a float means that double: ``"0.1"`` is 1/10 and ``0.1`` is
3602879701896397/36028797018963968, and δ at 1e-20 feels the difference. Other libraries' numbers mean what
they hold, to the last bit; a type whose exact value is unknown is refused. A string may be an expression,
such as ``256/60000`` or ``1/(50000*ln(50000))``; what is irrational is enclosed where :func:`real` reads it,
and refused by all others.
"""

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from numbers import Integral, Rational, Real
from typing import Any, TypeVar

from pldverify.errors import InvalidInput
from pldverify.numbers.arithmetic import evaluate, without_groups
from pldverify.numbers.irrational import Irrational
from pldverify.numbers.literal import MAX_BITS as MAX_BITS
from pldverify.numbers.literal import MAX_EXPONENT, bounded, literal, short

Number = int | float | str | Fraction | Decimal | Irrational

MAX_COUNT = 10**12
"""Largest count that is read, unless a caller has a cap of its own."""
Read = TypeVar("Read", Fraction, Fraction | Irrational)


def real(value: object, name: str, *, groups: bool = False) -> Fraction | Irrational:
    """The number that ``value`` denotes: exact where it is rational, else enclosed.

    Args:
        value: any number, or an expression in a string: ``256/60000``, ``1%``, ``sqrt(2)``, ``10_000``,
            ``2^10``, ``1/(50000*ln(50000))``; logarithms are natural. See ``arithmetic.py``.
        name: of the argument, for error messages.
        groups: whether commas may group digits, as in ``60,000``.

    Raises InvalidInput for NaN, infinities, booleans, strings that denote no number, and numbers whose
    numerator or denominator has more than 14000 bits (4200 digits), which no privacy parameter needs and
    which could exhaust memory.

    >>> real("256/60_000", "q"), real("60,000", "dataset_size", groups=True)
    (Fraction(8, 1875), Fraction(60000, 1))
    >>> root = real("sqrt(2)", "sigma")
    >>> root.lower < root.upper and root.lower**2 < 2 < root.upper**2
    True
    """
    if isinstance(value, Irrational):
        return value
    if not isinstance(value, str):
        return _exact(value, name)
    text = value.strip()
    if text.lower().lstrip("+-") in {"nan", "inf", "infinity", "snan"}:
        raise InvalidInput(f"{name} must be finite, got {name}={text}")
    return evaluate(without_groups(text) if groups else text, name)


def rational(value: object, name: str) -> Fraction:
    """Return ``value`` as the exact rational that it denotes, as :func:`real` does.

    Raises InvalidInput where :func:`real` does, and for an expression that is not known to be rational.
    """
    number = real(value, name)
    if isinstance(number, Irrational):
        raise InvalidInput(f"{name} must be rational, got {name}={short(number.text)}")
    return number


def nearest(value: object, name: str) -> Fraction:
    """:func:`real`, or a fraction next to it: for estimates, which prove nothing."""
    number = real(value, name)
    return number.middle if isinstance(number, Irrational) else number


def _exact(value: object, name: str) -> Fraction:
    """A number of any library as a fraction. Raises InvalidInput."""
    if isinstance(value, Decimal):
        if not value.is_finite():
            raise InvalidInput(f"{name} must be finite, got {name}={value}")
        return literal(str(value), name)
    if isinstance(value, bool):
        raise InvalidInput(f"{name} must be a number, got {name}={value!r}")
    if isinstance(value, Integral):
        return bounded(Fraction(int(value)), name)
    if isinstance(value, Rational):
        return bounded(Fraction(int(value.numerator), int(value.denominator)), name)
    number = _binary(value)
    if number is None:
        allowed = "finite" if isinstance(value, Real) else "a number or a decimal string"
        raise InvalidInput(f"{name} must be {allowed}, got {name}={brief(value)}")
    return bounded(number, name)


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


def brief(value: object) -> str:
    """``repr`` for an error message: its beginning, or the type where numbers are too long to be printed."""
    try:
        text = repr(value)
    except ValueError:
        return f"a {type(value).__name__} of too many digits"
    return text if len(text) <= 100 else text[:100] + "…"


def positive(value: object, name: str, read: Callable[[object, str], Read] = rational) -> Read:
    """A number that must be > 0, as ``read`` reads it."""
    number = read(value, name)
    if number <= 0:
        raise InvalidInput(f"{name} must be > 0, got {name}={show(number)}")
    return number


def nonnegative(value: object, name: str, read: Callable[[object, str], Read] = rational) -> Read:
    """A number that must be >= 0, as ``read`` reads it."""
    number = read(value, name)
    if number < 0:
        raise InvalidInput(f"{name} must be >= 0, got {name}={show(number)}")
    return number


def probability(
    value: object,
    name: str,
    read: Callable[[object, str], Read] = rational,
    *,
    zero: bool = True,
    one: bool = True,
) -> Read:
    """A number in [0, 1], as ``read`` reads it; ``zero`` and ``one`` say whether 0 and 1 are allowed."""
    number = read(value, name)
    if not 0 <= number <= 1 or (number == 0 and not zero) or (number == 1 and not one):
        interval = f"{'[' if zero else '('}0, 1{']' if one else ')'}"
        raise InvalidInput(f"{name} must be in {interval}, got {name}={show(number)}")
    return number


def count(value: object, name: str, *, least: int = 1, cap: int = MAX_COUNT) -> int:
    """An integer between ``least`` (1) and ``cap`` (10**12 unless said otherwise)."""
    number = rational(value, name)
    if number.denominator != 1 or not least <= number <= cap:
        raise InvalidInput(f"{name} must be an integer from {least} to {cap}, got {name}={show(number)}")
    return int(number)


def show(number: Fraction | Irrational) -> str:
    """The shortest text that :func:`real` reads back as ``number``: a finite decimal, else a fraction, else
    the expression that it was given by.
    """
    if isinstance(number, Irrational):
        return number.text
    denominator, twos, fives = number.denominator, 0, 0
    while denominator % 2 == 0:
        denominator //= 2
        twos += 1
    while denominator % 5 == 0:
        denominator //= 5
        fives += 1
    places = max(twos, fives)
    if denominator != 1 or places > MAX_EXPONENT:
        return _fraction(number)
    digits = number.numerator * 10**places // number.denominator
    if digits.bit_length() > MAX_BITS:
        return _fraction(number)
    sign, text = ("-" if digits < 0 else ""), str(abs(digits))
    if places > len(text) + 3 or len(text) - places > 15:
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
