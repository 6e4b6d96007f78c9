"""Balls: the only doorway between exact rationals and python-flint's interval arithmetic.

The working precision is flint's global context; :func:`working` sets it and restores it. Not thread-safe.
"""

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction

from flint import arb, ctx, fmpq

from pldverify.errors import NoConvergence
from pldverify.numbers.enclosure import Bound, Enclosure

LOG2_10 = 3.3219280948873626


@contextmanager
def working(prec: int) -> Iterator[None]:
    """Run the block at ``prec`` bits."""
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


def dyadic(value: arb) -> Fraction:
    """The exact value of a ball of radius zero."""
    mantissa, exponent = value.man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


def lower(value: arb) -> Bound:
    """Greatest lower bound that the ball gives; −∞ if it gives none."""
    if not value.is_finite():
        return -math.inf
    return dyadic(value.mid()) - dyadic(value.rad())


def upper(value: arb) -> Bound:
    """Least upper bound that the ball gives; +∞ if it gives none."""
    if not value.is_finite():
        return math.inf
    return dyadic(value.mid()) + dyadic(value.rad())


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
