r"""Masses on an equidistant grid in fixed point: integers, tilted, each rounded to its safe side.

The mass at index g, tilted by :math:`e^{\tau g}` so that a far tail keeps its relative accuracy, is stored as
an integer in units of 2^{−B}: exact under convolution, rounded up or down by the engine that convolves.
"""

from dataclasses import dataclass
from typing import Literal

from pldverify.balls import arb, arb_poly, fmpz, fmpz_poly
from pldverify.balls.memory import remembered
from pldverify.errors import NoConvergence

_MAX_EXPONENT = 10_000
Rounding = Literal["up", "down"]


@dataclass(frozen=True)
class Masses:
    """Coefficient i of ``values``, in units of 2^{−B} and tilted, stands at index first + i."""

    first: int
    values: fmpz_poly

    def after(self, start: int) -> "Masses":
        """The part from index ``start`` on."""
        cut = max(0, start - self.first)
        return Masses(self.first + cut, self.values.right_shift(cut) if cut else self.values)

    def before(self, end: int) -> "Masses":
        """The part up to index ``end`` − 1."""
        return Masses(self.first, self.values.truncate(max(0, end - self.first)))

    def __getitem__(self, index: int) -> fmpz:
        return self.values[index - self.first] if index >= self.first else fmpz(0)

    def weigh(self, exponent: arb) -> arb:
        """Σ_g mass(g) e^{exponent · g}."""
        return arb_poly(self.values)(exponent.exp()) * (exponent * self.first).exp()


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
