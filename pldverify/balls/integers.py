"""Convolutions on a circle of n points in fixed point: integers, rounded up or down after each product.

``doubles.py`` takes a fraction of the time, but does not see masses that are too small beside the others. All
that is rounded up is at least what is meant, and all that is rounded down at most.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from pldverify.balls import arb, arb_poly, fmpz, fmpz_poly
from pldverify.balls.clock import reserve
from pldverify.balls.memory import remembered
from pldverify.errors import InvalidInput, NoConvergence

MAX_LOG_SIZE = 22
"""Cap on m, of circles of 2^m points."""
MAX_BITS = 500_000_000
"""Cap on the bits of one product: some 1 GiB with what the multiplication needs, and other circles."""
_MAX_EXPONENT = 10_000
"""Cap on the binary exponent of a mass in units of 2^−bits; it bounds memory."""
_PER_BIT = 4e-9
"""Predicted seconds of a product per bit of its factors; a product can't be stopped once it has begun."""
Rounding = Literal["up", "down"]


@dataclass(frozen=True)
class IntegerCircle:
    """Integers in units of 2^−bits, at most or at least the vector meant, as they were rounded down or up."""

    integers: tuple[fmpz, ...]
    bits: int

    def weigh(self, first: int, last: int, rate: arb, less: tuple[arb, arb] | None = None) -> arb:
        r"""Ball around :math:`\sum x_i e^{-rate (i - first)}` over first ≤ i < last, i modulo n; each term
        times :math:`1 - part\, e^{-fall (i - first)}` if ``less`` = (part, fall) is given.
        """
        values = arb_poly(fmpz_poly(self._part(first, last)))
        total = values((-rate).exp())
        if less is not None:
            total -= less[0] * values((-rate - less[1]).exp())
        return total / fmpz(2) ** self.bits

    def less(self, other: "IntegerCircle") -> "IntegerCircle":
        """The difference of two vectors in the same units."""
        rows = zip(self.integers, other.integers, strict=True)
        return IntegerCircle(tuple(a - b for a, b in rows), self.bits)

    def floats(self, first: int, last: int) -> list[float]:
        """The same points as floats, with rounding errors: a hint."""
        part = self._part(first, last)
        spare = max(0, max((int(x).bit_length() for x in part), default=0) - self.bits - 1000)
        return [int(x) / (1 << self.bits + spare) for x in part]

    def _part(self, first: int, last: int) -> list[fmpz]:
        n = len(self.integers)
        return [self.integers[i % n] for i in range(first, last)]


def convolved_integers(
    rows: Sequence[tuple[Iterable[tuple[int, arb]], int]], log_size: int, bits: int, rounding: Rounding
) -> IntegerCircle:
    """The convolution of masses ≥ 0, given by index modulo n = 2^log_size, each as often as said.

    Raises NoConvergence at the caps, and for what is no number; InvalidInput for what is there less than
    once.
    """
    n, whole = 1 << log_size, fmpz_poly([fmpz(2) ** bits])
    for masses, k in rows:
        at_least_one(k)
        whole = _times(
            whole, _power(_placed(masses, n, bits, rounding), k, n, bits, rounding), n, bits, rounding
        )
    values = [*whole.coeffs(), *[fmpz(0)] * (n - whole.length())]
    return IntegerCircle(tuple(values), bits)


def at_least_one(k: int) -> None:
    """Raises InvalidInput unless k ≥ 1: powers are taken by halving k down to 1."""
    if k < 1:
        raise InvalidInput(f"count must be >= 1, got count={k}")


def _placed(masses: Iterable[tuple[int, arb]], n: int, bits: int, rounding: Rounding) -> fmpz_poly:
    values, scale = [fmpz(0)] * n, arb(2) ** bits
    for index, mass in masses:
        values[index % n] += fixed(mass * scale, rounding)
    return fmpz_poly(values)


def _power(x: fmpz_poly, k: int, n: int, bits: int, rounding: Rounding) -> fmpz_poly:
    if k == 1:
        return x
    half = _power(x, k // 2, n, bits, rounding)
    square = _times(half, half, n, bits, rounding)
    return _times(square, x, n, bits, rounding) if k % 2 else square


def _times(a: fmpz_poly, b: fmpz_poly, n: int, bits: int, rounding: Rounding) -> fmpz_poly:
    """``//`` rounds down; one more unit is above the truth."""
    size = (a.length() + b.length()) * (a.height_bits() + b.height_bits())
    if size > MAX_BITS:
        raise NoConvergence(f"masses of a sum of losses need {size} bits (cap {MAX_BITS})")
    reserve(_PER_BIT * size)
    product = a * b
    folded = product.truncate(n) + product.right_shift(n)
    quotient = folded // fmpz(2) ** bits
    return quotient + ones(n) if rounding == "up" else quotient


def fixed(value: arb, rounding: Rounding) -> fmpz:
    """An integer ≥ 0 on the safe side of a real ≥ 0. Raises NoConvergence if it is unknown or too large."""
    if not value.is_finite():
        raise NoConvergence("a mass could not be evaluated")
    end = value.upper().max(arb(0)).ceil() if rounding == "up" else value.lower().max(arb(0)).floor()
    mantissa, exponent = end.man_exp()  # end is an exact integer
    if not 0 <= exponent <= _MAX_EXPONENT:
        raise NoConvergence("the tilt is far from the loss, masses have no size that could be stored")
    return mantissa * fmpz(2) ** exponent


def ones(length: int) -> fmpz_poly:
    """1 + x + … + x^{length − 1}: one unit more at every index."""
    return _many_ones(1 << length.bit_length()).truncate(length)


@remembered(1)
def _many_ones(length: int) -> fmpz_poly:
    return fmpz_poly([1] * length)
