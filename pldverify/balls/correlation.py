r"""Sums :math:`\sum_m w_m x_{i+m}` for all i at once, as one product of polynomials in fixed point.

All numbers are rounded to multiples of 2^−bits, and these are multiplied exactly. If no x errs by more than
e, and all w together by at most f, in modulus, a sum errs by at most

.. math:: \Big|\sum wx - \sum \hat w \hat x\Big| \le e \sum |w| + f (\max |x| + e) .
"""

from collections.abc import Sequence

from pldverify.balls import acb, arb, fmpz, fmpz_poly
from pldverify.balls.ball import biggest
from pldverify.balls.clock import reserve, spend
from pldverify.errors import NoConvergence

MAX_BITS = 300_000_000
"""Cap on the bits of one factor: some 500 MiB with what the multiplication needs."""
_PER_BIT = 8e-9
"""Seconds of a product per bit of its factors: it can't be stopped, so it asks before it begins."""


def correlated(weights: Sequence[acb], rows: Sequence[Sequence[acb]], bits: int) -> list[list[acb]]:
    """Of each row of values, the sums for i = 0 … len(values) − len(weights), in fixed point.

    Raises NoConvergence at the cap, and for what is no number.
    """
    a, b, _, off = _fixed(weights[::-1], bits)
    size = sum((abs(w) for w in weights), arb(0))
    found = []
    for values in rows:
        c, d, wrong, _ = _fixed(values, bits)
        reserve(_PER_BIT * bits * (len(weights) + len(values)))
        error = wrong * size + off * (biggest(abs(x) for x in values) + wrong)
        unit, wobble = arb(2) ** (-2 * bits), arb(0, error.upper())
        real, imag = (_inner(x, len(weights) - 1, len(values)) for x in (a * c - b * d, a * d + b * c))
        found.append([acb(x * unit + wobble, y * unit + wobble) for x, y in zip(real, imag, strict=True)])
    return found


def _inner(product: fmpz_poly, first: int, last: int) -> list[fmpz]:
    """The coefficients from ``first`` up to but not including ``last``."""
    return [product[i] for i in range(first, last)]


def _fixed(numbers: Sequence[acb], bits: int) -> tuple[fmpz_poly, fmpz_poly, arb, arb]:
    """Real and imaginary parts in units of 2^−bits; what no number is further off than, nor all together."""
    if bits * len(numbers) > MAX_BITS:
        raise NoConvergence(f"sums of {len(numbers)} terms of {bits} bits (cap {MAX_BITS} bits in all)")
    spend(5e-6 * len(numbers))
    rows: tuple[list[int], list[int]] = ([], [])
    worst, total, rounding = arb(0), arb(0), arb(2) ** (1 - bits)
    for number in numbers:
        if not number.is_finite():
            raise NoConvergence("a term of a sum could not be evaluated")
        for part, row in zip((number.real, number.imag), rows, strict=True):
            mantissa, exponent = (int(x) for x in part.mid().man_exp())
            shift = exponent + bits
            row.append(mantissa << shift if shift >= 0 else mantissa >> -shift)
        off = number.real.rad() + number.imag.rad() + rounding
        worst, total = worst.max(off), total + off
    return fmpz_poly(rows[0]), fmpz_poly(rows[1]), worst.upper(), total.upper()
