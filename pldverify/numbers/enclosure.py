"""Enclosure: a proved interval around the true value.

Only ``reference/engines/conclude.py`` makes one, from a statement that ball arithmetic or exact rationals
prove; nothing else in the package converts into it.
"""

import math
from dataclasses import dataclass, field
from fractions import Fraction

from pldverify.errors import OracleDisagreement
from pldverify.numbers.scientific import order, scientific
from pldverify.numbers.witness import Bound, Witness

_MOST_SHOWN = 1000
_ENDS = 6
"""Digits of ends that are shown by themselves."""

__all__ = ["Bound", "Enclosure", "scientific"]


@dataclass(frozen=True, repr=False)
class Enclosure:
    """The true value lies in [lower, upper]: a theorem, up to bugs.

    Attributes:
        lower, upper: exact Fractions; ``math.inf`` stands for +∞.
        engine: the engine that proved it.
        witness: the exact parameters and error terms of the proof, for :func:`pldverify.prove_again`.
        provenance: why this engine and not the others, and which direction, to read; no part of the proof.
    """

    lower: Bound
    upper: Bound
    engine: str
    witness: Witness | None = field(default=None, compare=False)
    provenance: tuple[tuple[str, str], ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        if not self.lower <= self.upper:
            raise OracleDisagreement(f"empty enclosure: lower={self.lower} > upper={self.upper}")

    @property
    def width(self) -> Bound:
        """``upper - lower``: 0 where both are +∞, +∞ where only one is."""
        if self.lower == self.upper:
            return Fraction(0)
        return self.upper - self.lower

    @property
    def digits(self) -> int | float:
        """Proved significant decimal digits: floor(−log10(radius / |midpoint|)), ∞ if exact, ≥ 0."""
        if self.lower == self.upper:
            return math.inf
        if math.inf in (self.lower, self.upper):
            return 0
        middle = abs(Fraction(self.lower) + Fraction(self.upper)) / 2
        radius = Fraction(self.width) / 2
        return max(0, order(middle / radius)) if middle else 0

    def __float__(self) -> float:
        if math.inf in (self.lower, self.upper):
            return math.inf
        try:
            return float((Fraction(self.lower) + Fraction(self.upper)) / 2)
        except OverflowError:
            return math.inf if self.lower > 0 else -math.inf

    def __contains__(self, value: Fraction | int | float) -> bool:
        return bool(self.lower <= value <= self.upper)

    def overlaps(self, other: "Enclosure") -> bool:
        """Whether both can be true of one number."""
        return bool(self.lower <= other.upper and other.lower <= self.upper)

    def decimal(self) -> str:
        """Decimal text whose interval contains [lower, upper]: ``m ± r`` with the proved digits, 1000 at
        most; both ends where none is proved.
        """
        if self.lower == math.inf:
            return "inf"
        if self.upper == math.inf or (self.digits == 0 and self.lower >= 0):
            low = scientific(Fraction(self.lower), _ENDS, down=True)
            high = "inf" if self.upper == math.inf else scientific(Fraction(self.upper), _ENDS, up=True)
            return f"[{low}, {high}]"
        lower, upper = Fraction(self.lower), Fraction(self.upper)
        middle = (lower + upper) / 2
        if middle == 0 and self.width == 0:
            return "0"
        shown = 30 if math.isinf(self.digits) else min(max(1, int(self.digits)), _MOST_SHOWN)
        text = scientific(middle, shown)
        centre = Fraction(text)
        radius = max(upper - centre, centre - lower)
        return text if radius == 0 else f"{text} ± {scientific(radius, 2, up=True)}"

    def explain(self) -> str:
        """Lines to read: the interval, who proved it and why that engine, its parameters and error terms."""
        digits = "exact" if math.isinf(self.digits) else f"{self.digits} proved digits"
        return "\n".join([self.decimal(), f"{digits}, engine: {self.engine}", *self.details()])

    def details(self) -> list[str]:
        """What :meth:`explain` says after the interval and the engine."""
        lines = [f"{name}: {text}" for name, text in self.notes()]
        if self.upper == math.inf or not self.width:
            return lines
        radius = scientific(Fraction(self.width) / 2, 2, up=True)
        return [f"all errors together: at most ±{radius}", *lines]

    def notes(self) -> list[tuple[str, str]]:
        """The provenance, then the parameters and error terms of the witness, by name, to read."""
        return [*self.provenance, *(self.witness.rows() if self.witness is not None else ())]

    def __str__(self) -> str:
        return self.decimal()

    def __repr__(self) -> str:
        return f"Enclosure({self.decimal()}, digits={self.digits}, engine={self.engine!r})"
