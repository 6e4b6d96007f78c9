r"""Where a falling function f crosses a target: searched in floats, proved by statements.

The root is :math:`x^* = \inf\{x : f(x) \le t\}`. Two things are to be proved, and nothing else ever is:

* f(a) > t, so a ≤ x*: every x with f(x) ≤ t is larger, as f falls.
* f(b) ≤ t, so x* ≤ b, by definition.

An enclosure of f at a point proves one of them or, where it contains t, neither. :class:`Sides` keeps what is
proved, and ``engines/derived/inverse.py`` proves it again for δ(ε). Where to look is no part of a proof: a
poor point costs width or time. Points are chosen in three ways:

* ``search/halved.py``, where only the side of a point is known: calibration, one step alone, conversions.
* :meth:`Search.move`, a guarded secant on log f from values of few digits, any of which may mislead.
* :func:`secant`, to all digits, where one evaluator knows f; then :func:`proved_around` steps aside from the
  root, first so little that both sides are as near as the evaluator tells them apart.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from pldverify.balls import arb, ctx
from pldverify.balls.ball import ball, dyadic, rounded, short
from pldverify.balls.compare import surely_less
from pldverify.numbers.enclosure import Bound, Enclosure
from pldverify.reference.engines.derived.evaluated import Evaluated
from pldverify.reference.engines.derived.inverse import Inverse
from pldverify.reference.engines.derived.question import Proved
from pldverify.reference.engines.derived.support import Support
from pldverify.reference.engines.evaluator import Work
from pldverify.reference.laws.composed_loss import ComposedLoss

FAR = 0.7
"""Nats by which log f may differ from log t at the end of the search."""
_NEAR = 1e-4
"""Step, relative to :func:`scale`, that ends the search; the secant does the rest."""
_SLOW = 2
"""Steps in a row that may fail to halve the bracket before it is bisected."""
_LEAP = 5.0
"""Largest change of the log of the distance from the largest loss in one step."""
_APART = Fraction(1, 2**14)
"""Distance of the first two points of a secant, relative to :func:`scale`: few digits separate them."""
_FLATTEST = 1e-290
"""Least slope −d log f/dx that is used: with a gap within ±1e9 a step stays a double."""
_POLISH = 60
"""Cap on the steps of a secant."""


def place(proof: Proved) -> Fraction:
    """The ε of a statement about δ(ε)."""
    return Fraction(proof.question[1])


def log_of(value: Fraction) -> float:
    """log of a rational of any size; a floor of −1e9 stands for log 0."""
    return math.log(value.numerator) - math.log(value.denominator) if value > 0 else -1e9


def gap(value: Fraction, target: Fraction) -> float:
    """log δ minus log of the target; for a target above 1/2 the difference of −log(1 − ·) instead."""
    if 2 * target > 1:
        return log_of(1 - target) - log_of(1 - value)
    return log_of(value) - log_of(target)


def scale(point: Fraction, top: Fraction | None) -> Fraction:
    """Scale on which δ changes: ``point``, or its distance from the largest loss if that is smaller."""
    return point if top is None else max(min(point, top - point), point / 2**40)


@dataclass
class Sides:
    """Proofs about ε(``target``): δ exceeds the target at the ε of ``above``, not at that of ``below``."""

    loss: ComposedLoss
    target: Fraction
    above: Proved | None = None
    below: Proved | None = None

    @property
    def least(self) -> Fraction:
        """A proved lower end of ε(δ)."""
        return place(self.above) if self.above is not None else Fraction(0)

    @property
    def most(self) -> Bound:
        """A proved upper end of ε(δ)."""
        return place(self.below) if self.below is not None else math.inf

    def learn(self, proof: Proved) -> bool | None:
        """Keep a statement that narrows the bracket. Whether it proves δ ≤ target there; None if neither."""
        (low, high), point = proof.prove(), place(proof)
        if low > self.target:
            self.above = proof if point > self.least else self.above
            return False
        if high <= self.target:
            self.below = proof if point < self.most else self.below
            return True
        return None

    def settled(self, digits: int) -> bool:
        """Whether what is proved is as narrow as asked."""
        return not math.isinf(self.most) and self.most - self.least <= self.most / Fraction(10) ** digits

    @property
    def inverse(self) -> Inverse:
        """The statement."""
        return Inverse(self.loss, self.target, self.above, self.below)


@dataclass
class Search(Sides):
    """A search for ε(δ): it is expected in [``low``, ``high``], below the largest loss ``top``.

    ``point`` is the next ε to try, ``rate`` about −d log δ/dε there.
    """

    low: Fraction = Fraction(0)
    high: Fraction | None = None
    point: Fraction = Fraction(1)
    top: Fraction | None = None
    rate: float | None = None
    last: tuple[Fraction, float] | None = None
    """The point before, and its :func:`gap`."""
    width: Fraction = Fraction(0)
    """Of the bracket at the step before."""
    slow: int = 0
    """Steps that did not halve the bracket, one after the other."""

    def move(self, value: Enclosure, digits: float) -> bool:
        """Choose the next ``point`` by δ at this one; False where the search has come to rest.

        ``digits``: those that tell how far the target is; with fewer, only the side of the point is known.
        """
        here, point = gap((Fraction(value.lower) + Fraction(value.upper)) / 2, self.target), self.point
        self.low, self.high = (point, self.high) if here > 0 else (self.low, point)
        size = scale(point, self.top)
        narrow = self.high is not None and self.high - self.low <= size / 10**4
        if value.digits < digits and not narrow:
            self.last = self.rate = None
            return self._to(Fraction(0) if self.high else 2 * point)
        rate = self._slope(value, here)
        self.last, step = (point, here), here / rate
        near = abs(here) <= FAR or self.top is not None  # next to an atom δ falls by orders of magnitude
        if (abs(step) <= _NEAR * float(size) and abs(here) <= FAR) or (narrow and near):
            return False
        if self.top is not None:
            if self.target in value:  # a coarse δ tells no more
                return False
            room = float(max(self.top - point, size))  # Newton's method in the logarithm of the distance
            step = -room * math.expm1(max(-_LEAP, min(_LEAP, -step / room)))
        self._to(point + short(step))
        if self.high is not None:
            before, self.width = self.width, self.high - self.low
            self.slow = self.slow + 1 if 2 * self.width > before else 0
            if self.slow > _SLOW and abs(here) > FAR:  # between a cliff and where δ hardly falls
                self.point, self.slow = rounded((self.low + self.high) / 2, 60), 0
        return True

    def _slope(self, value: Enclosure, here: float) -> float:
        """−d log δ/dε here: from the last point, if both values are sharp enough; else as it was."""
        if self.last is not None and self.last[0] != self.point:
            before = self.last[1]
            unknown = gap(Fraction(value.upper), self.target) - gap(Fraction(value.lower), self.target)
            if abs(before - here) > 2 * unknown:
                self.rate = (before - here) / float(self.point - self.last[0])
            elif self.top is None or self.rate is None:
                self.rate = _FLATTEST
        elif self.rate is None:
            self.rate = max(1.0, abs(here) / max(1e-9, float(self.point)))
        self.rate = max(self.rate, _FLATTEST)
        return self.rate

    def _to(self, candidate: Fraction) -> bool:
        """Go to ``candidate`` if it is inside; else to a point that makes progress."""
        if self.high is None:
            candidate = min(max(candidate, self.point * Fraction(9, 8)), 4 * self.point)
        elif not self.low < candidate < self.high:
            wide = 16 * self.low <= self.high
            candidate = max(self.high / 16, 4 * self.low) if wide else (self.low + self.high) / 2
        self.point = rounded(candidate, 60)
        return True


def secant(
    work: Work,
    room: arb,
    found: Search,
    close: Fraction,
    *,
    mass: arb | None = None,
) -> Fraction:
    """ε to all digits that an evaluator has, from ``found.point`` on.

    Args:
        room: the target without δ_∞, as the evaluator's values are.
        close: a step that is so small beside ε is the last one.
        mass: that of finite losses, for a target next to 1: on −log(mass − δ) then, else on log δ.
    """

    def missing(value: arb) -> arb:
        if mass is not None:
            rest = (mass - value).mid()
            return ((mass - room).mid() / rest).log() if surely_less(0, rest) else arb.pos_inf()
        middle = value.mid()
        return (middle / room.mid()).log() if surely_less(0, middle) else arb.neg_inf()

    behind = found.point
    point = behind - scale(behind, found.top) * _APART
    before, here = missing(work.value(behind)), missing(work.value(point))
    stride, low, high = point, found.least, found.most
    for _ in range(_POLISH):
        rate = (here - before) / ball(point - behind) if point != behind else arb(0)
        if not (here.is_finite() and surely_less(rate, 0)):
            break
        low, high = (max(low, point), high) if surely_less(0, here) else (low, min(high, point))
        behind, before = point, here
        limit = found.top - point if found.top is not None else max(point, Fraction(1))
        step = dyadic((-here / rate).mid())
        step = max(-point / 2, min(step, limit / 2))  # never reaches the largest loss
        if not low <= point + step <= high:  # over a cliff
            step = ((low if point + step < low else Fraction(high)) - point) / 2
        point = rounded(point + step, ctx.prec)
        if abs(step) <= point * close:
            break
        value = work.value(point)
        if abs(step) > stride / 2 and value.overlaps(room):
            break  # steps no longer shrink: the engine knows δ no better
        stride, here = abs(step), missing(value)
    return point


def proved_around(
    work: Work, sides: Sides, point: Fraction, widths: Iterable[Fraction], bits: int, told: int = 0
) -> bool:
    """Prove both sides of ``point`` by one evaluator, at the first of the ``widths`` from it that lets it.

    ``told``: bits that tell the target from δ_∞, for the support of the losses.
    """
    for width in widths:
        low, high = max(Fraction(0), point - width), point + width
        above = Evaluated(work, low, bits) if low else None
        if above is None or above.prove()[0] > sides.target:
            below: Proved = Evaluated(work, high, bits)
            if sides.loss.ends_by(high):
                below = Support(sides.loss, high, "delta", max(bits, told))
            if below.prove()[1] <= sides.target:
                sides.above, sides.below = above, below
                return True
    return False
