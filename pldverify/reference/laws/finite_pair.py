"""Loss of a pair of probability vectors: log(p_i/q_i) with probability p_i."""

from dataclasses import dataclass
from fractions import Fraction

from pldverify.balls import arb
from pldverify.balls.ball import ball
from pldverify.reference.laws.atomic import AtomicLaw
from pldverify.reference.laws.lattice import Lattice
from pldverify.reference.laws.outcome import Outcome

_EUCLID = 1000
"""Cap on the steps of Euclid's algorithm."""
_EUCLID_BITS = 10_000
"""Cap on the bits of its numbers, which grow only without a common root."""


@dataclass(frozen=True)
class FinitePairLaw(AtomicLaw):
    """``first`` = P and ``second`` = Q, exact."""

    first: tuple[Fraction, ...]
    second: tuple[Fraction, ...]

    @property
    def infinite_mass(self) -> Fraction:
        return sum((p for p, q in zip(self.first, self.second, strict=True) if q == 0), Fraction(0))

    def lattice(self) -> Lattice | None:
        return self._powers() or super().lattice()

    def _powers(self) -> Lattice | None:
        """The lattice if the ratios p/q are the least one times powers of one rational; any for a loss of 0.

        Each index is that of the power that equals the ratio exactly. No float and no hint takes part: ratios
        may be closer to each other than logarithms in doubles can tell.
        """
        masses: dict[Fraction, Fraction] = {}
        for p, q in zip(self.first, self.second, strict=True):
            if p and q:
                masses[p / q] = masses.get(p / q, Fraction(0)) + p
        if list(masses) == [1]:
            return Lattice(Fraction(1), Fraction(0), 0, [ball(masses[Fraction(1)])])
        lowest = min(masses, default=Fraction(1))
        root: Fraction | None = Fraction(1)
        for ratio in masses:
            root = root and _common_root(root, ratio / lowest)
        if root is None or root == 1:
            return None
        values: list[arb] = []
        ratio, highest = lowest, max(masses)
        while masses:
            if ratio > highest:
                return None
            values.append(ball(masses.pop(ratio, Fraction(0))))
            ratio *= root
        spacing = ball(root).log()
        offset: Fraction | arb = ball(lowest).log() / spacing
        if (unit := _common_root(max(lowest, 1 / lowest), root)) is not None:
            start, step = (_exponent(power, unit) for power in (max(lowest, 1 / lowest), root))
            offset = Fraction(start if lowest >= 1 else -start, step)
        return Lattice(spacing, offset, 0, values)

    def masses(self) -> list[tuple[Fraction, Fraction]]:
        return list(zip(self.first, self.second, strict=True))

    def _outcomes(self) -> list[Outcome]:
        """Those of one ratio are one: balls can't tell that their losses are equal."""
        shares: dict[Fraction, tuple[Fraction, Fraction]] = {}
        for p, q in zip(self.first, self.second, strict=True):
            if p or q:
                known = shares.get(p / (p + q), (Fraction(0), Fraction(0)))
                shares[p / (p + q)] = known[0] + p, known[1] + q
        return [Outcome(ball(p), ball(q), Fraction(0) if p == q else None) for p, q in shares.values()]


def _common_root(a: Fraction, b: Fraction) -> Fraction | None:
    """The largest g of which a, b ≥ 1 are powers, by Euclid's algorithm; None if none is found soon."""
    for _ in range(_EUCLID):
        if a == 1 or b == 1:
            return max(a, b)
        a, b = (a / b, b) if a > b else (a, b / a)
        if max(a.numerator, b.numerator).bit_length() > _EUCLID_BITS:
            return None
    return None


def _exponent(power: Fraction, root: Fraction) -> int:
    """The j ≥ 0 with root^j = ``power``; Euclid's algorithm has found that it is a power of ``root`` > 1."""
    found, reached = 0, Fraction(1)
    while reached < power:
        found, reached = found + 1, reached * root
    return found
