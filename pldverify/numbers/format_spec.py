r"""``f"{x:.5g}"`` of an interval: the true value, correctly rounded, in no more digits than are proved.

The specification is that of a ``Decimal``: fill, alignment, sign, ``0``, width, ``,`` or ``_``, precision (6
if none is given, 1000 at most) and ``e``, ``f``, ``g`` or ``%`` (``g`` if none is given). What is shown:

* One decimal where both ends round to it, half to even: then so does every number between, as rounding
  increases. With the precision that is asked for if both ends agree in it, else with the largest below it in
  which they do. All its digits are proved; a zero at the end is a digit, and stays.
* ``[lower, upper]``, both rounded outward to the precision asked for, where the ends agree in no digit, or
  in zeros alone and fewer than asked for: wide intervals, with ``e`` and ``g`` those that contain 0, those
  with one infinite end, and those around a tie such as 1.5 at ``.0f``.
* ``inf`` or ``-inf`` where both ends are.

>>> from pldverify.numbers.interval import Interval
>>> x = Interval("1.23456", "1.23459")
>>> f"{x:.3g} {x:.5g} {x:.9g} {x:.2f} {x:.10f} {x:.2e} {x:>8.1f}|"
'1.23 1.2346 1.2346 1.23 1.2346 1.23e+0      1.2|'
>>> tiny = Interval(0, "1e-9")
>>> f"{Interval(1, 2):.3g} {tiny:.3g} {tiny:.3f} {Interval(2, float('inf')):.3g}"
'[1.00, 2.00] [0, 1.00e-9] 0.000 [2.00, inf]'
"""

import re
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from math import ceil, floor

from pldverify.errors import InvalidInput
from pldverify.numbers.ends import Ends, infinite, width
from pldverify.numbers.exact import brief
from pldverify.numbers.presentation import digits
from pldverify.numbers.scientific import order
from pldverify.numbers.witness import Bound

_SPEC = re.compile(
    r"(?:(?P<fill>.)?(?P<align>[<>=^]))?(?P<sign>[-+ ]?)(?P<zero>0?)(?P<width>\d*)(?P<group>[,_]?)"
    r"(?:\.(?P<precision>\d+))?(?P<kind>[eEfFgG%]?)",
    re.DOTALL,
)
_PRECISION = 6
"""Precision, in digits, if none is given: as for a float."""
_MOST = 1_000
"""Cap on the precision, in digits."""


def formatted(ends: Ends, spec: str) -> str:
    """Raises InvalidInput, a ValueError, for a specification that is none."""
    match = _SPEC.fullmatch(spec)
    precision = int((match and match["precision"]) or _PRECISION)
    if match is None or precision > _MOST:
        raise InvalidInput(
            f"format must be like .5g, .3e, .10f or .2% (at most {_MOST} digits), got {brief(spec)}"
        )
    fill, align, zero, width = (match[name] or "" for name in ("fill", "align", "zero", "width"))
    kind = match["kind"] or "g"
    number = f"{match['sign']}{{}}{match['group']}{kind}"
    shared = _shared(ends, kind, precision)
    if shared is not None:
        return format(shared, f"{fill}{align}{number.format(zero + width)}")
    low, high = (_rounded(end, kind, precision, way) for end, way in zip(ends, (floor, ceil), strict=True))
    text = f"[{format(low, number.format(''))}, {format(high, number.format(''))}]"
    return format(text, f"{fill if align else ''}{align.replace('=', '>') or '>'}{width}")


def _shared(ends: Ends, kind: str, precision: int) -> Decimal | float | None:
    """The decimal that both ends round to, with as many digits as they share; None if there is none."""
    gap = width(ends)
    if gap and infinite(gap):
        return None
    most = precision if not gap else min(precision, _useful(ends, kind))
    for fewer in range(most, -1, -1):
        low, high = (_rounded(end, kind, fewer, round) for end in ends)
        if str(low) == str(high):
            return low if low or fewer == precision else None
    return None


def _useful(ends: Ends, kind: str) -> int:
    """No greater precision can be shared: a unit of its last digit is less than the width."""
    return -order(Fraction(width(ends))) if kind in "fF%" else int(digits(ends)) + 2


def _rounded(end: Bound, kind: str, precision: int, way: Callable[[Fraction], int]) -> Decimal | float:
    """``end`` rounded to ``precision`` places (``f``, ``%``) or digits (one more for ``e``)."""
    if infinite(end):
        return float(end)
    exact = Fraction(end)
    if kind in "fF%":
        return _at(exact, -precision - 2 * (kind == "%"), way)
    if exact == 0:
        return Decimal(0)
    last = order(abs(exact)) + 1 - max(1, precision + (kind in "eE"))
    found = _at(exact, last, way)
    return found if found.adjusted() == order(abs(exact)) else _at(exact, last + 1, way)


def _at(value: Fraction, exponent: int, way: Callable[[Fraction], int]) -> Decimal:
    """A multiple of 10^exponent with all its digits."""
    sign, figures, _ = Decimal(way(value / Fraction(10) ** exponent)).as_tuple()
    return Decimal((sign, figures, exponent))
