r"""δ(ε) or ε(δ) of a composition with the best of several runs, from above, by that of its bases.

:mod:`pldverify.mechanisms.repeat_and_select` proves, with its notation: each of these mechanisms is its base,
beside a factor F on δ and log r on ε, where r rests on the δ(ε̂) of its base. So ε(δ) is at most
:math:`\sum \log r_i` more than that of the bases at :math:`\delta/\prod F_i`. Nothing but 0 is a lower bound.
"""

import math
from dataclasses import dataclass
from fractions import Fraction

from pldverify.balls import arb
from pldverify.balls.ball import BOUND_BITS, ball, working
from pldverify.balls.compare import surely_at_most
from pldverify.balls.memory import remembered
from pldverify.errors import NoConvergence
from pldverify.mechanisms.mechanism import Composition
from pldverify.mechanisms.relations import relation
from pldverify.mechanisms.repeat_and_select import RepeatAndSelect
from pldverify.numbers.witness import Bound
from pldverify.reference.engines.derived.question import OfAll, OfLargest

_BITS = 4000
"""Cap on the bits of ΠF: beyond, nothing is told."""


@dataclass(frozen=True)
class Shift:
    """``size`` is at least log r of a ``mechanism``, as ``part`` proves its base's δ at ε̂ = ``at``."""

    mechanism: RepeatAndSelect
    at: Fraction
    size: Fraction
    part: OfAll

    def prove(self, adjacency: str) -> None:
        """Raises NoConvergence where it isn't so for both directions."""
        whose = self.part.composition, self.part.adjacency, self.part.question
        if self.at < 0 or whose != (self.mechanism.base, relation(adjacency), ("largest of delta", self.at)):
            raise NoConvergence("selected: not δ of the base in both directions")
        with working(BOUND_BITS):
            if not surely_at_most(_log_ratio(self), ball(self.size)):
                raise NoConvergence("selected: a shift is not proved to be as large as log r")


@remembered(16)
def _log_ratio(shift: Shift) -> arb:
    """That of the δ that is proved; remembered, as each look at a composition asks for it."""
    return log_ratio(shift.mechanism, shift.at, Fraction(shift.part.prove()[1]))


def log_ratio(mechanism: RepeatAndSelect, at: Fraction, delta: Fraction) -> arb:
    """log r, where the base's δ(``at``) is at most ``delta``; of Poisson runs at must be 0. Raises
    NoConvergence.
    """
    if mechanism.poisson:
        if at:
            raise NoConvergence("selected: Poisson runs take δ(0)")
        return ball(mechanism.mean * delta)
    gamma = mechanism.gamma[0]
    more = ball(1 + delta * (1 - gamma) / gamma).log()
    return ball(1 + Fraction(mechanism.shape)) * ball(at).max(more)


def of_bases(composition: Composition) -> Composition:
    """Each mechanism run once.

    >>> from pldverify.reference.engines.derived.selected import of_bases
    >>> print(of_bases(3 * pv.RepeatAndSelect(2 * pv.Gaussian(1), mean=10, shape=1) + pv.Laplace(1)))
    6 * gaussian(sigma=1) + laplace(b=1)
    """
    parts = [(m.base.parts if isinstance(m, RepeatAndSelect) else ((m, 1),), k) for m, k in composition.parts]
    return Composition.of(*((m, k * times) for rows, times in parts for m, k in rows))


def repeated(composition: Composition) -> list[tuple[RepeatAndSelect, int]]:
    """The mechanisms that are the best of several runs, with counts."""
    return [(m, k) for m, k in composition.parts if isinstance(m, RepeatAndSelect)]


def factor(composition: Composition) -> Fraction | None:
    """ΠF; None where it has too many digits."""
    rows = repeated(composition)
    bits = sum(k * max(m.factor.numerator.bit_length(), m.factor.denominator.bit_length()) for m, k in rows)
    return math.prod((m.factor**k for m, k in rows), start=Fraction(1)) if bits <= _BITS else None


@dataclass(frozen=True)
class Selected(OfLargest):
    """``quantity`` at ``at`` is at most what follows of ``above``, which is about the bases; None: nothing
    is known.
    """

    shifts: tuple[Shift, ...]
    above: OfAll | None

    @property
    def engine(self) -> str:
        """That of the bases."""
        return self.above.engine if self.above is not None else "selected"

    def prove(self) -> tuple[Bound, Bound]:
        if self.above is None:
            return self.unknown()
        rows, times = repeated(self.composition), factor(self.composition)
        if [shift.mechanism for shift in self.shifts] != [m for m, _ in rows] or times is None:
            raise NoConvergence("selected: not a shift of each mechanism")
        for shift in self.shifts:
            shift.prove(self.adjacency)
        moved = sum((k * shift.size for shift, (_, k) in zip(self.shifts, rows, strict=True)), Fraction(0))
        asked = self.at / times if self.quantity == "epsilon" else self.at - moved
        whose = self.above.composition, self.above.adjacency, self.above.question
        if whose != (of_bases(self.composition), self.adjacency, (f"largest of {self.quantity}", asked)):
            raise NoConvergence("selected: not the question of the bases")
        most = self.above.prove()[1]
        if self.quantity == "delta":
            return Fraction(0), min(Fraction(1), times * Fraction(most))
        return Fraction(0), math.inf if most == math.inf else moved + Fraction(most)
