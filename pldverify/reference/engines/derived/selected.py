r"""δ(ε) or ε(δ) of a composition with the best of several runs, from above, by that of its bases.

:mod:`pldverify.mechanisms.repeat_and_select` proves, with its notation: each of these mechanisms is its base,
beside a factor F on δ and log r on ε, where r rests on the δ(ε̂) of its base. So ε(δ) is at most
:math:`\sum \log r_i` more than that of the bases at :math:`\delta/\prod F_i`. And its moment M(λ), λ > 0, is
at most :math:`\mu r_\lambda^\lambda` times that of its base, of Poisson runs :math:`e^{-\mu}` more: by
Markov's inequality (:mod:`pldverify.reference.lemmas.kernel`) a bound of δ(ε), if no loss is infinite.
Nothing but 0 is a lower bound.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from pldverify.balls import arb
from pldverify.balls.ball import BOUND_BITS, ball, upper, working
from pldverify.balls.compare import surely_at_most
from pldverify.balls.memory import remembered
from pldverify.errors import NoConvergence
from pldverify.mechanisms.mechanism import Composition
from pldverify.mechanisms.relations import Direction, relation, reverse
from pldverify.mechanisms.repeat_and_select import RepeatAndSelect
from pldverify.numbers.witness import Bound
from pldverify.reference.engines.derived.question import OfAll, OfLargest
from pldverify.reference.laws.composed_loss import with_gaussians
from pldverify.reference.lemmas.kernel import Kernel

_BITS = 4000
"""Cap on the bits of ΠF: beyond, nothing is told."""


@dataclass(frozen=True)
class Shift:
    """``size`` is at least log r of a ``mechanism``, or the log r_λ of λ = ``lam``, as ``part`` proves its
    base's δ at ε̂ = ``at``.
    """

    mechanism: RepeatAndSelect
    at: Fraction
    size: Fraction
    part: OfAll
    lam: Fraction | None = None

    def prove(self, adjacency: str) -> None:
        """Raises NoConvergence where it isn't so for both directions."""
        whose = self.part.composition, self.part.adjacency, self.part.question
        if self.at < 0 or whose != (self.mechanism.base, relation(adjacency), ("largest of delta", self.at)):
            raise NoConvergence("selected: not δ of the base in both directions")
        with working(BOUND_BITS):
            if not surely_at_most(log_ratio(self), ball(self.size)):
                raise NoConvergence("selected: a shift is not proved to be as large as log r")


@remembered(64)
def log_ratio(shift: Shift) -> arb:
    """log r or log r_λ, by the δ that is proved; remembered, as each look at a composition asks for it."""
    mechanism, spare = shift.mechanism, 1 if shift.lam is None else 1 + 1 / shift.lam
    delta = Fraction(shift.part.prove()[1])
    if mechanism.poisson:
        return ball(mechanism.mean) * (ball(delta) + (ball(shift.at).exp() - ball(spare)).max(arb(0)))
    gamma = mechanism.gamma[0]
    more = ball(1 + delta * (1 - gamma) / gamma).log()
    return ball(1 + Fraction(mechanism.shape)) * (ball(shift.at) - ball(spare).log()).max(more)


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


@dataclass(frozen=True)
class SelectedMoments(OfLargest):
    """``quantity`` at ``at``, by Markov's inequality with λ = ``lam`` at ``epsilon``; each shift has a λ of
    its own.
    """

    shifts: tuple[Shift, ...]
    lam: Fraction
    epsilon: Fraction

    engine = "markov"

    def prove(self) -> tuple[Bound, Bound]:
        if [shift.mechanism for shift in self.shifts] != [m for m, _ in repeated(self.composition)]:
            raise NoConvergence("selected: not a shift of each mechanism")
        for shift in self.shifts:
            shift.prove(self.adjacency)
        with working(BOUND_BITS):
            log = log_moment(self.composition, self.adjacency, self.lam, self.shifts)
            constant = Kernel("delta", "upper").chernoff(self.lam)
            most = upper(constant * (log - ball(self.lam * self.epsilon)).exp())
        if self.quantity == "delta" and self.at == self.epsilon:
            return Fraction(0), min(Fraction(1), most)
        if self.quantity == "epsilon" and most <= self.at and self.epsilon >= 0:
            return Fraction(0), self.epsilon
        raise NoConvergence("selected: moments do not prove what is asked")


def log_moment(composition: Composition, adjacency: str, lam: Fraction, shifts: Sequence[Shift]) -> arb:
    """Upper bound of log M(``lam``) in all directions. Raises NoConvergence where a loss is infinite."""
    ways = composition.directions(adjacency)
    others = tuple((m, k) for m, k in composition.parts if not isinstance(m, RepeatAndSelect))
    total = _largest(Composition(others), ways, lam) if others else arb(0)
    for shift, (_, k) in zip(shifts, repeated(composition), strict=True):
        total += k * ball(lam) * divergence(shift, ways, lam)
    return total


def divergence(shift: Shift, ways: Sequence[Direction], lam: Fraction) -> arb:
    """Upper bound of log M(``lam``)/``lam``, by that of the shift's own λ, not below it, as it rises with λ
    (Jensen's inequality); or by the largest loss.
    """
    mechanism, own = shift.mechanism, shift.lam
    if own is None or not 0 < lam <= own:
        raise NoConvergence("selected: not a shift of moments, or of lower ones")
    log = ball(mechanism.mean).log() + ball(own * shift.size) + _largest(mechanism.base, ways, own)
    if mechanism.poisson:
        log = (log.exp() + ball(-mechanism.mean).exp()).log()
    return (log / ball(own)).min(_of_bounded(mechanism, ways, lam))


def _of_bounded(mechanism: RepeatAndSelect, ways: Sequence[Direction], lam: Fraction) -> arb:
    """That of randomised response with the largest loss there is; +∞ where it isn't bounded in both
    directions of the relation.
    """
    most = arb(0)
    for way in (*ways, *map(reverse, ways)):
        loss = with_gaussians(mechanism.base, way)
        top = loss.largest_finite_loss()
        if top is None or not loss.infinite_mass().is_zero():
            return arb.pos_inf()
        most = most.max(top)
    if mechanism.poisson:
        half = (most + ball(mechanism.mean) * (most / 2).tanh()) / 2
    else:
        half = most * ball(1 + Fraction(mechanism.shape) / 2)
    return ((ball(2 * lam + 1) * half).cosh() / half.cosh()).log() / ball(lam)


def _largest(composition: Composition, ways: Sequence[Direction], lam: Fraction) -> arb:
    """log M(``lam``), of the worst of the directions."""
    worst = arb(0)  # no M(λ), λ > 0, is below 1
    for way in ways:
        loss = with_gaussians(composition, way)
        if not loss.infinite_mass().is_zero():
            raise NoConvergence("selected: an infinite loss has no moments")
        worst = worst.max(loss.log_moment(lam))
    return worst
