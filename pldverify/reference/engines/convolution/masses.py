r"""Masses on an equidistant grid in fixed point: integers, tilted, each rounded to its safe side.

The mass at index g, tilted by :math:`e^{\tau g}` so that a far tail keeps its relative accuracy, is stored as
an integer in units of 2^{−B}: exact under convolution, rounded up or down by the engine that convolves.
"""

from dataclasses import dataclass

from pldverify.balls import arb, arb_poly, fmpz, fmpz_poly


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
