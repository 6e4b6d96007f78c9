"""Balls: the only doorway between exact rationals and python-flint's interval arithmetic.

The working precision is flint's global context; :func:`working` sets it and restores it, one thread at a
time.
"""

import math
from collections.abc import Iterable
from fractions import Fraction
from numbers import Rational

from pldverify.balls import arb, ctx, fmpq
from pldverify.balls.clock import TURN
from pldverify.balls.compare import surely_less
from pldverify.errors import InvalidInput, NoConvergence, OracleDisagreement
from pldverify.numbers.witness import Bound

Real = arb | Fraction | int | float
"""An exact rational, a float for the double that it is, or a ball."""
BOUND_BITS = 64
"""Precision of error bounds: they need size, not digits."""
LOG2_10 = 3.3219280948873626
"""log₂ 10, rounded up: the bits of a decimal digit. It chooses precisions, so any value is right."""
_MAX_PREC = 2_000_000
"""Cap on the precision, in bits; it bounds time and memory."""
_MAX_EXPONENT = 20_000
"""Rationals reach from 2^−20000 to 2^20000: a δ of e^{−13863} is as good as a proof of 0."""
SMALLEST = Fraction(1, 2 ** (_MAX_EXPONENT - 1))
"""An upper bound below this says that the value is too small to be enclosed with digits."""


class working:
    """Run the block at ``prec`` bits. Raises NoConvergence unless 2 ≤ prec ≤ 2,000,000."""

    __slots__ = ("_before", "_prec")

    def __init__(self, prec: int) -> None:
        if not 2 <= prec <= _MAX_PREC:
            raise NoConvergence(f"{prec:.3g} bits of precision were asked for (from 2 to {_MAX_PREC})")
        self._prec = prec

    def __enter__(self) -> None:
        TURN.acquire()
        self._before = ctx.prec
        ctx.prec = self._prec

    def __exit__(self, *trouble: object) -> None:
        ctx.prec = self._before
        TURN.release()


def ball(value: Real) -> arb:
    """A ball around an exact rational of any library or a float, at the working precision; a ball is itself.

    Raises InvalidInput for anything else, infinities, NaN and strings included.
    """
    if isinstance(value, arb):
        return value
    if isinstance(value, float) and math.isfinite(value):
        value = Fraction(value)
    if not isinstance(value, (Fraction, int, Rational)):
        raise InvalidInput(f"a ball must be made from an exact rational, got {type(value).__name__}")
    return arb(fmpq(int(value.numerator), int(value.denominator)))


def clamped(value: arb, most: arb | int = 1) -> arb:
    """The part of the ball in [0, ``most``], for a value that is a probability.

    All of [0, ``most``] if the ball is not finite. Raises OracleDisagreement if the part is empty: that is a
    bug.
    """
    if not value.is_finite():
        return arb(0).union(arb(most))
    if surely_less(value, 0) or surely_less(most, value):
        raise OracleDisagreement(f"a probability in [0, {most}] was enclosed by {value}")
    return value.max(arb(0)).min(arb(most))


def biggest(values: Iterable[arb]) -> arb:
    """A ball that contains the largest of the numbers, at least one; NaN if one is."""
    first, *others = values
    for value in others:
        first = first.max(value)
    return first


def smallest(values: Iterable[arb]) -> arb:
    """A ball that contains the smallest of the numbers, at least one; NaN if one is."""
    return -biggest(-value for value in values)


def dyadic(value: arb) -> Fraction:
    """The exact value of a ball of radius zero."""
    mantissa, exponent = (int(part) for part in value.man_exp())
    return Fraction(mantissa << exponent) if exponent >= 0 else Fraction(mantissa, 1 << -exponent)


def nearest(value: arb) -> int:
    """The integer nearest to the midpoint; 0 if that is not finite."""
    if not value.is_finite():
        return 0
    found = (value.mid() + arb(1) / 2).floor().unique_fmpz()
    return round(dyadic(value.mid())) if found is None else int(found)  # None beyond the working precision


def off_integers(value: arb) -> arb:
    """A ball around the distance of the number from the integers."""
    gap = abs(value - (value.mid() + arb(1) / 2).floor())
    return gap.min(1 - gap)  # for |x| ≤ 1 it is just that; a wide ball has values around it


def lower(value: arb) -> Bound:
    """The lower end of the ball, exactly (but see :data:`SMALLEST`); −∞ if there is none."""
    return _end(value, -1)


def upper(value: arb) -> Bound:
    """The upper end of the ball, exactly (but see :data:`SMALLEST`); +∞ if there is none."""
    return _end(value, 1)


def _end(value: arb, side: int) -> Bound:
    """mid + side · rad, rounded outward to a rational of bounded size."""
    if not value.is_finite():
        return side * math.inf
    parts = [(int(m), int(e)) for m, e in (value.mid().man_exp(), value.rad().man_exp())]
    if all(abs(m.bit_length() + e) <= _MAX_EXPONENT for m, e in parts if m):
        (mid, low), (rad, fine) = parts
        least = min(low, fine, 0)
        return Fraction((mid << (low - least)) + side * (rad << (fine - least)), 1 << -least)
    end = value.upper() if side > 0 else value.lower()
    mantissa, exponent = end.man_exp()
    size = abs(int(mantissa)).bit_length() + int(exponent)
    sign = (mantissa > 0) - (mantissa < 0)
    if abs(size) <= _MAX_EXPONENT:
        return dyadic(end)
    if size < 0:
        return sign * Fraction(1, 2**_MAX_EXPONENT) if sign == side else Fraction(0)
    return sign * math.inf if sign == side else Fraction(sign * 2**_MAX_EXPONENT)


def rounded(value: Fraction, bits: int = 24) -> Fraction:
    """A dyadic of at most ``bits`` bits near ``value``: parameters need no more, and stay cheap in balls."""
    if value == 0:
        return value
    shift = bits - (abs(value.numerator).bit_length() - value.denominator.bit_length())
    return Fraction(round(value * Fraction(2) ** shift)) / Fraction(2) ** shift


def short(value: float, bits: int = 24) -> Fraction:
    """:func:`rounded` for a float that a search has found."""
    return rounded(Fraction(value), bits)


def near(value: arb, bits: int = 24) -> Fraction:
    """:func:`rounded` for a choice that was made in balls. Raises NoConvergence for what is no number, or one
    beyond the range of rationals.
    """
    if value.is_finite():
        mantissa, exponent = (int(part) for part in value.mid().man_exp())
    if not value.is_finite() or abs(exponent) > _MAX_EXPONENT:
        raise NoConvergence("a choice for a proof is no number, or far too large or small")
    excess = max(0, abs(mantissa).bit_length() - bits)
    mantissa, exponent = round(Fraction(mantissa, 1 << excess)), exponent + excess
    return Fraction(mantissa << exponent) if exponent >= 0 else Fraction(mantissa, 1 << -exponent)


def hull(low: Bound, high: Bound) -> arb:
    """A ball that contains [low, high]; not finite where an end is."""
    if math.inf in (abs(low), abs(high)):
        return arb.neg_inf().union(arb.pos_inf())
    return ball(Fraction(low)).union(ball(Fraction(high)))
