"""Arithmetic, roots, logarithms and exponentials of the numbers in an expression.

An operation that is exact for rationals stays exact; all others are done in balls.
"""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Union

from pldverify.errors import InvalidInput
from pldverify.numbers.irrational import Irrational
from pldverify.numbers.literal import MAX_BITS, bounded, short
from pldverify.numbers.witness import Bound

if TYPE_CHECKING:
    from pldverify.balls import arb

Term = Union[Fraction, "arb"]
"""A number inside of an expression: exact, or a ball."""

_BITS = 320
"""Precision, in bits, of the balls in an expression."""
_LEAST = 200
"""Bits to which the ends of the result must agree, relative to its size: some 60 decimal digits."""


def settled(value: Term, text: str, name: str) -> Fraction | Irrational:
    """The number that an expression has come to. Raises InvalidInput where its digits have cancelled."""
    if isinstance(value, Fraction):
        return value
    low, high = ends(value)
    if not (isinstance(low, Fraction) and isinstance(high, Fraction)):
        raise InvalidInput(f"{name} must be of moderate size, got {name}={short(text)}")
    bounded(low, name), bounded(high, name)
    if low != high and (high - low) * 2**_LEAST > min(abs(low), abs(high)):
        raise InvalidInput(
            f"{name} must be told from 0 and known to 60 digits, which cancel in {name}={short(text)}"
        )
    return low if low == high else Irrational(low, high, text)


def ends(value: Term) -> tuple[Bound, Bound]:
    """Fractions around the number, or infinities where it is too large; itself twice, if it is one.

    The same at every working precision: a proof that is made again has to find the same numbers.
    """
    if isinstance(value, Fraction):
        return value, value
    from pldverify.balls.ball import lower, upper, working

    with working(_BITS):
        return lower(value), upper(value)


def add(a: Term, b: Term) -> Term:
    """a + b."""
    if isinstance(a, Fraction) and isinstance(b, Fraction):
        return a + b
    return _ball(lambda x, y: x + y, a, b)


def multiply(a: Term, b: Term) -> Term:
    """a · b."""
    if isinstance(a, Fraction) and isinstance(b, Fraction):
        return a * b
    return _ball(lambda x, y: x * y, a, b)


def divide(a: Term, b: Term) -> Term:
    """a / b. Raises InvalidInput where b is zero, or not told from it."""
    if isinstance(b, Fraction) and b == 0:
        raise InvalidInput("not divide by zero")
    if isinstance(a, Fraction) and isinstance(b, Fraction):
        return a / b
    return _ball(lambda x, y: x / y, a, b)


def power(a: Term, b: Term) -> Term:
    """a^b: exact for an integer b, and for a root that is; exp(b ln a) for other b and a > 0.

    Raises InvalidInput, before anything grows, where the result would be too large.
    """
    if isinstance(a, Fraction) and isinstance(b, Fraction) and b.denominator == 1:
        size = max(a.numerator.bit_length(), a.denominator.bit_length())
        if abs(b) * size > MAX_BITS or (a == 0 and b < 0):
            raise InvalidInput("have a moderate exponent")
        return a ** int(b)
    if isinstance(b, Fraction) and b.denominator == 1 and abs(b) <= MAX_BITS:
        return _ball(lambda x: x ** int(b), a)
    if isinstance(b, Fraction) and b == Fraction(1, 2):
        return root(a)
    return exp(multiply(b, log(a)))


def root(a: Term) -> Term:
    """√a: exact for squares of rationals. Raises InvalidInput unless a ≥ 0."""
    if isinstance(a, Fraction) and a >= 0:
        top, bottom = math.isqrt(a.numerator), math.isqrt(a.denominator)
        if (top * top, bottom * bottom) == (a.numerator, a.denominator):
            return Fraction(top, bottom)
    return _ball(lambda x: x.sqrt(), a)


def log(a: Term) -> Term:
    """ln a. Raises InvalidInput unless a > 0."""
    return Fraction(0) if isinstance(a, Fraction) and a == 1 else _ball(lambda x: x.log(), a)


def exp(a: Term) -> Term:
    """e^a. Raises InvalidInput where that is too large or too small."""
    from pldverify.balls.compare import surely_less

    if not surely_less(_ball(abs, a), MAX_BITS):
        raise InvalidInput("have a moderate exponent")
    return Fraction(1) if isinstance(a, Fraction) and a == 0 else _ball(lambda x: x.exp(), a)


def pi() -> Term:
    """π."""
    from pldverify.balls import arb

    return _ball(lambda x: x * arb.pi(), Fraction(1))


def convolve(first: Sequence[Term], second: Sequence[Term]) -> list[Term]:
    """Coefficients of the product of two polynomials, from the constant on."""
    from pldverify.balls import arb_poly
    from pldverify.balls.ball import ball, working

    with working(_BITS):
        product = arb_poly(list(map(ball, first))) * arb_poly(list(map(ball, second)))
    return [product[j] for j in range(len(first) + len(second) - 1)]


def exponentials(terms: Sequence[Term], rates: Sequence[Fraction], z: Fraction) -> Term:
    """Σ c e^{rz} of the ``terms`` c and ``rates`` r. Raises InvalidInput where one is too large."""
    most = max((abs(rate * z) for rate in rates), default=Fraction(0))
    exp(most)  # has a moderate exponent

    def total(*balls: "arb") -> "arb":
        pairs = zip(balls[: len(terms)], balls[len(terms) :], strict=True)
        return sum((c * x.exp() for c, x in pairs), 0 * balls[0])

    return _ball(total, *terms, *(rate * z for rate in rates)) if terms else Fraction(0)


def normal_tail(a: Term) -> Term:
    """Φ(−a)."""
    from pldverify.balls.normal import normal_tail as of_ball

    return _ball(of_ball, a)


def between(low: Fraction, high: Fraction) -> Term:
    """Some number between two; they may be equal."""
    return low if low == high else _ball(lambda x, y: x.union(y), low, high)


FUNCTIONS: dict[str, Callable[[Term], Term]] = {"exp": exp, "ln": log, "log": log, "sqrt": root}
"""By their names in an expression; logarithms are natural."""
CONSTANTS: dict[str, Callable[[], Term]] = {"pi": pi}


def _ball(function: Callable[..., "arb"], *arguments: Term) -> "arb":
    """The function in balls. Raises InvalidInput where it is not defined on all of them."""
    from pldverify.balls.ball import ball, working

    with working(_BITS):
        value = function(*map(ball, arguments))
    if not value.is_finite():
        raise InvalidInput("be defined: no division by 0, no root and no logarithm of a number below 0")
    return value
