"""Balls: the only doorway between exact rationals and python-flint's interval arithmetic.

The working precision is flint's global context; :func:`working` sets it and restores it. Not thread-safe.
"""

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction

from flint import arb, ctx, fmpq

from pldverify.balls.clock import spend
from pldverify.errors import NoConvergence, OracleDisagreement
from pldverify.numbers.enclosure import Bound, Enclosure

LOG2_10 = 3.3219280948873626
_MAX_PREC = 2_000_000
_MAX_EXPONENT = 20_000
"""Rationals reach from 2^−20000 to 2^20000: a δ of e^{−13863} is as good as a proof of 0."""
SMALLEST = Fraction(1, 2 ** (_MAX_EXPONENT - 1))
"""An upper bound below this says that the value is too small to be enclosed with digits."""


@contextmanager
def working(prec: int) -> Iterator[None]:
    """Run the block at ``prec`` bits. Raises NoConvergence unless 2 ≤ prec ≤ 2,000,000."""
    if not 2 <= prec <= _MAX_PREC:
        raise NoConvergence(f"{prec:.3g} bits of precision were asked for (from 2 to {_MAX_PREC})")
    before = ctx.prec
    ctx.prec = prec
    try:
        yield
    finally:
        ctx.prec = before


def ball(value: Fraction | int) -> arb:
    """A ball around an exact rational, at the working precision."""
    exact = Fraction(value)
    return arb(fmpq(exact.numerator, exact.denominator))


def clamped(value: arb, most: arb | int = 1) -> arb:
    """What of the ball lies in [0, ``most``], as a probability does.

    Raises OracleDisagreement where nothing does: what encloses no probability is a bug.
    """
    if value < 0 or value > most:
        raise OracleDisagreement(f"a probability in [0, {most}] was enclosed by {value}")
    return value.max(arb(0)).min(arb(most))


def dyadic(value: arb) -> Fraction:
    """The exact value of a ball of radius zero."""
    mantissa, exponent = value.man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


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
    parts = value.mid().man_exp(), value.rad().man_exp()
    sizes = [abs(int(mantissa)).bit_length() + int(exponent) for mantissa, exponent in parts if mantissa != 0]
    if all(abs(size) <= _MAX_EXPONENT for size in sizes):
        return dyadic(value.mid()) + side * dyadic(value.rad())
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


def enclose(
    evaluate: Callable[[], arb],
    *,
    digits: int,
    engine: str,
    low: Bound = -math.inf,
    high: Bound = math.inf,
    cap: int = 20_000,
) -> Enclosure:
    """Evaluate a closed form at rising precision until ``digits`` significant digits are proved.

    ``low`` and ``high`` are proved bounds from outside (0 ≤ δ ≤ 1), with which the result is intersected.
    Raises NoConvergence at ``cap`` bits.
    """
    prec = int(digits * LOG2_10) + 64
    while True:
        spend()
        with working(prec):
            value = evaluate()
        enclosure = Enclosure(
            min(high, max(low, lower(value))),
            max(low, min(high, upper(value))),
            engine,
            {"precision": f"{prec} bits"},
        )
        if enclosure.digits >= digits:
            return enclosure
        prec *= 2
        if prec > cap:
            raise NoConvergence(
                f"{engine}: wanted {digits} digits, reached {enclosure.digits} at the cap of {cap} bits"
            )
