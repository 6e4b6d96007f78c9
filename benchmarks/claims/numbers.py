"""Numbers of claims, as they are written: exact, or in 60 digits."""

import re
from fractions import Fraction
from typing import Any

from mpmath import mp

Real = Any
"""Fraction, mpf, or ∞ of either kind."""
SLACK = mp.mpf(10) ** -30
"""Relative error of what 60 digits say."""


def number(text: Any) -> mp.mpf:
    """The value of a decimal, a fraction, a percentage, or of ``a*sqrt(b)``, ``sqrt(b)/a``, ``log(a)``."""
    exact = rational(text)
    if exact is not None:
        return real(exact)
    factor, function, inner = _irrational(str(text))
    return real(factor) * (mp.sqrt if function == "sqrt" else mp.log)(real(inner))


def rational(text: Any) -> Fraction | None:
    """The same, where it is rational by its form."""
    words = str(text).strip()
    try:
        return Fraction(words[:-1]) / 100 if words.endswith("%") else Fraction(words)
    except ValueError:
        return None


_FORM = re.compile(r"(?:([\d./]+)\*)?(sqrt|log)\(([\d./]+)\)(?:/([\d.]+))?")
"""Of irrational numbers that are drawn."""


def _irrational(text: str) -> tuple[Fraction, str, Fraction]:
    """(factor, function, argument)."""
    found = _FORM.fullmatch(text)
    assert found is not None, text
    return Fraction(found[1] or 1) / Fraction(found[4] or 1), found[2], Fraction(found[3])


def square(text: Any) -> Fraction | mp.mpf:
    """The square of a number, exact for roots of rationals."""
    exact = rational(text)
    if exact is not None:
        return exact**2
    factor, function, inner = _irrational(str(text))
    return factor**2 * inner if function == "sqrt" else number(text) ** 2


def real(x: Any) -> mp.mpf:
    return mp.mpf(x.numerator) / x.denominator if isinstance(x, Fraction) else mp.mpf(x)
