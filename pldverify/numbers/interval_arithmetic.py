r"""Arithmetic and order of intervals, exact in rationals.

For x in [a, b] and y in [c, d] the value of x ∘ y lies in the result, wherever it is defined. Proofs: ``+``
increases in both numbers. A product is monotone in each, so its extremes are among the products of ends;
0 · ±∞ is no number and bounds nothing. 1/x decreases on either side of 0. x^n with n > 0 increases for odd n,
and for even n in |x|.
"""

import math
from fractions import Fraction
from itertools import product

from pldverify.errors import InvalidInput, Undecided
from pldverify.numbers.ends import Ends, infinite
from pldverify.numbers.exact import brief
from pldverify.numbers.presentation import brief_interval
from pldverify.numbers.witness import Bound

MOST_POWER = 1_000
"""Largest exponent in size: an exact power has up to 1,000 times the digits of its base."""


def operate(sign: str, a: Ends, b: Ends) -> Ends:
    """a ∘ b for ``+ - * /``. Raises InvalidInput for what is not defined."""
    match sign:
        case "+":
            return _sum(a[0], b[0], -math.inf), _sum(a[1], b[1], math.inf)
        case "-":
            return operate("+", a, (-b[1], -b[0]))
        case "*":
            return _product(a, b)
        case _:
            return _product(a, _inverse(b))


def to_the(a: Ends, power: object) -> Ends | None:
    """a^power for an integer of either sign, 1 for 0; None for what is no integer. Raises InvalidInput."""
    if isinstance(power, bool) or not isinstance(power, int):
        return None
    if abs(power) > MOST_POWER:
        raise InvalidInput(f"power must be an integer from -{MOST_POWER} to {MOST_POWER}, got {brief(power)}")
    if power < 0:
        a, power = _inverse(a), -power
    low, high = size(a) if power % 2 == 0 else a
    return low**power, high**power


def size(a: Ends) -> Ends:
    """|a|."""
    return max(Fraction(0), a[0], -a[1]), max(-a[0], a[1])


def ordered(sign: str, a: Ends, b: Ends) -> bool:
    """Whether a ∘ b for ``< <= > >=``. Raises Undecided where it holds for some of the numbers only."""
    left, right = (a, b) if sign in ("<", "<=") else (b, a)
    if left[1] < right[0] or (sign in ("<=", ">=") and left[1] == right[0]):
        return True
    if left[0] > right[1] or (sign in ("<", ">") and left[0] == right[1]):
        return False
    raise Undecided(
        f"{brief_interval(a)} {sign} {brief_interval(b)} holds for some of the numbers only: "
        "compare .lower or .upper, or ask for more digits"
    )


def _sum(x: Bound, y: Bound, undefined: float) -> Bound:
    """x + y; ``undefined`` for ∞ − ∞."""
    if infinite(x) or infinite(y):
        return undefined if x == -y else x if infinite(x) else y
    return x + y


def _product(a: Ends, b: Ends) -> Ends:
    corners = [value for x, y in product(a, b) if (value := _times(x, y)) is not None]
    if not corners:
        raise InvalidInput("0 · ∞ is not defined")
    return min(corners), max(corners)


def _times(x: Bound, y: Bound) -> Bound | None:
    """x · y; None for 0 · ±∞."""
    if not (infinite(x) or infinite(y)):
        return x * y
    if x == 0 or y == 0:
        return None
    return math.inf if (x > 0) == (y > 0) else -math.inf


def _inverse(a: Ends) -> Ends:
    """1/a. Raises InvalidInput where a contains 0."""
    if a[0] <= 0 <= a[1]:
        raise InvalidInput(f"divisor must not contain 0, got {brief_interval(a)}")
    low, high = (Fraction(0) if infinite(end) else 1 / Fraction(end) for end in reversed(a))
    return low, high
