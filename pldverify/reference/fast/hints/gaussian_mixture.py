"""Nodes, strips and cells for the Poisson-subsampled Gaussian; notation as in its law."""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from pldverify.balls import arb
from pldverify.balls.ball import Real, ball, biggest, near, nearest, working
from pldverify.balls.compare import surely_less
from pldverify.errors import NoConvergence
from pldverify.reference.fast.hints.log_concave import BITS, Exponent
from pldverify.reference.lemmas.mixture_loss import mixture_loss, mixture_slope

MAX_NODES = 20_000
"""Cap on the nodes of a rough moment, of which a search asks dozens."""
_ROUNDS = 40
"""Rounds of the fixed-point iteration for the peaks."""
_STILL = arb(2) ** -8
"""A round that moves them by less is the last; they are below and above all peaks after each."""
_BISECTIONS = 8
"""Bisections by which an edge is looked for."""
_DOUBLINGS = 60
"""Cap on the doublings by which an edge is looked for."""
_SLACK = 3
"""Nats by which a cell that is left out may exceed the size below which nothing counts."""
_NARROWEST = Fraction(1, 1000)
"""Length below which a cell is not halved, in standard deviations of the noise."""
_MAX_CELLS = 400
"""Cap on the cells of what is left out."""
_HALVINGS = 12
"""Half-widths of the strip that are tried, each half as wide."""
NATS_TO_BITS = Fraction(1443, 1000)
"""1/log 2, rounded up."""
MOST_BITS = 20_000
"""Cap on bits that a sum may lose."""
HALF_LINE = Fraction(13, 2)
"""Distance, in standard deviations of the noise, beyond which a rough moment has nothing that counts."""


class Rule(NamedTuple):
    """Nodes η·first … η·last on Im x = ``shift``, the half-width of the strip around them, and the edges of
    cells below and above the nodes, outwards.
    """

    eta: Fraction
    first: int
    last: int
    strip: Fraction
    shift: Fraction
    below: tuple[Fraction, ...] = ()
    above: tuple[Fraction, ...] = ()


class Moment(NamedTuple):
    """Nodes eta·first … eta·last over the bulk of φw^p, and whether they cover that of φw as well."""

    eta: Fraction
    first: int
    last: int
    whole: bool


def trapezoid(c: Real, q: Real, p: Real, v: Real, bits: int) -> Rule:
    """A rule for ∫ φ w^{p + iv} whose proved error is small, on the real axis or where v does not count."""
    with working(BITS):
        here, height, goal = Exponent.of(c, q, p), ball(v), (bits + 8) * arb(2).log()
        found = _strip(here, height, goal, 0)
        if surely_less(0, height):  # twice as many nodes as v = 0 takes
            other = _strip(here, arb(0), goal, 1)
            found = other if surely_less(found[0], other[0]) else found
        eta, strip, shift = (near(x, 20) for x in found)
        goal += _growth(here, ball(shift))
        if not surely_less(here.p, 0):
            return _counting(here, goal, eta, strip, shift)
        excess = here.c * here.c * (here.p * here.p - here.p) / 2 + here.q.log()
        high = (2 * goal).sqrt()
        low = (-high).min(here.p * here.c - (2 * (goal + excess).max(arb(1))).sqrt())
        first, last = nearest(low / ball(eta)) - 3, nearest(high / ball(eta)) + 2
    return Rule(eta, first, last, strip, shift)


def _counting(here: Exponent, goal: arb, eta: Fraction, strip: Fraction, shift: Fraction) -> Rule:
    """Nodes around the peaks of φ w^p, p ≥ 0, that count, and cells towards 0 and towards pc, where no more
    are needed.
    """
    low, high = _peaks(here)
    powers = Powers.around(here, low if surely_less(here.value(high), here.value(low)) else high)
    floor, left, right = -goal, low - powers.peak, high - powers.peak
    start = powers.edge(right if surely_less(powers.value(left), floor) else left, floor, -1)
    stop = powers.edge(left if surely_less(powers.value(right), floor) else right, floor, 1)
    first, last = (nearest((powers.peak + end) / ball(eta)) + way for end, way in ((start, -1), (stop, 1)))
    end = near(here.p * here.c)
    below = powers.cells(first * eta, Fraction(0), floor + _SLACK) if first > 0 else []
    above = powers.cells(last * eta, end, floor + _SLACK) if last * eta < end else []
    return Rule(eta, first, last, strip, shift, tuple(below), tuple(above))


def _peaks(here: Exponent) -> tuple[arb, arb]:
    """The lowest and the highest peak, or points below and above all: x = p (log w)'(x), iterated."""
    low, high = arb(0), (here.p * here.c).mid()
    for _ in range(_ROUNDS):
        before = low, high
        low, high = ((here.p * mixture_slope(here.c, here.q, x)).mid() for x in before)
        if surely_less((low - before[0]).max(before[1] - high), _STILL):
            break
    return low, high


class Powers(NamedTuple):
    """p log w(x) − x²/2, p ≥ 0, relative to its value at a ``peak``, as a function of d = x − peak.

    ``rest`` and ``share`` are the logarithms of (1 − q)/w and of y/w there: at large p differences of
    p log w have no digits.
    """

    c: arb
    p: arb
    peak: arb
    rest: arb
    share: arb

    @classmethod
    def around(cls, here: Exponent, peak: arb) -> "Powers":
        odds = (here.q / (1 - here.q)).log() + here.c * peak - here.c * here.c / 2
        if not surely_less(here.q, 1):
            return cls(here.c, here.p, peak, arb.neg_inf(), arb(0))
        return cls(here.c, here.p, peak, -odds.exp().log1p(), -(-odds).exp().log1p())

    def convex(self, d: arb) -> arb:
        """The same without −d²/2."""
        moved = self.share + self.c * d
        log = self.rest.max(moved) + (-abs(self.rest - moved)).exp().log1p()
        return self.p * log - self.peak * d

    def value(self, d: arb) -> arb:
        return self.convex(d) - d * d / 2

    def edge(self, start: arb, floor: arb, side: int) -> arb:
        """Where it falls below ``floor`` on one side of ``start``."""

        def counts(distance: arb) -> bool:
            return surely_less(floor, self.value(start + side * distance))

        inside, beyond = arb(0), arb(1)
        for _ in range(_DOUBLINGS):
            if not counts(beyond):
                break
            inside, beyond = beyond, 2 * beyond
        for _ in range(_BISECTIONS):
            middle = (inside + beyond) / 2
            inside, beyond = (middle, beyond) if counts(middle) else (inside, middle)
        return start + side * beyond

    def cells(self, start: Fraction, end: Fraction, floor: arb) -> list[Fraction]:
        """Edges from ``start``, left out, to ``end``, such that what the chords bound is below ``floor``."""
        edges: list[Fraction] = []
        waiting = [(start, end)]
        while waiting and len(edges) < _MAX_CELLS:
            x, y = waiting.pop()
            a, b = ball(x) - self.peak, ball(y) - self.peak
            left = self.convex(a)
            chord = (self.convex(b) - left) / (b - a)
            at = chord.max(a.min(b)).min(a.max(b))
            bound = left + chord * (at - a) - at * at / 2 + abs(b - a).log1p()
            if abs(y - x) < _NARROWEST or surely_less(bound, floor):
                edges.append(y)
            else:
                waiting += [((x + y) / 2, y), (x, (x + y) / 2)]
        return edges


def _strip(here: Exponent, height: arb, goal: arb, part: int) -> tuple[arb, arb, arb]:
    """The largest step for v up to ``height``, the half-width a of its strip, and its distance b = ``part``·a
    from the real axis.
    """
    far = 1 + part
    widest = (2 * goal).sqrt() / far
    if surely_less(here.q, 1):
        share = Fraction(60 if surely_less(here.p, 0) else 95, 100)
        widest = widest.min(ball(share) * arb.pi() / here.c / far)
    best, widest = (arb(0), widest.mid(), arb(0)), widest.mid()
    for a in (widest / 2**j for j in range(_HALVINGS)):
        growth = _growth(here, far * a) + height * here.c * a
        step = (2 * arb.pi() * a / (goal + growth)).mid()
        best = (step, a, part * a) if surely_less(best[0], step) else best
    return best


def _growth(here: Exponent, b: arb) -> arb:
    """log of how much φ |w|^p may exceed on Im x = b what it is on the real axis."""
    turned = surely_less(here.p, 0) and surely_less(here.q, 1)
    return b * b / 2 + (here.p * (here.c * b / 2).cos().log() if turned else 0)


def lost_bits(shift: Fraction) -> int:
    """What the sum on Im x = ``shift`` loses by cancellation."""
    return min(MOST_BITS, math.ceil(shift * shift / 2 * NATS_TO_BITS))


def bulk(c: Real, q: Real, p: Real) -> tuple[Fraction, Fraction]:
    """Mean and five-sigma radius in x of the law with density ∝ φ w^p."""
    with working(BITS):
        here = Exponent.of(c, q, p)
        nodes, _, weights = _tilted(here, moment_nodes(here))
        mean = _mean(weights, nodes)
        variance = _mean(weights, [(x - mean) * (x - mean) for x in nodes])
        least = 0 if surely_less(here.p, 0) else 1
        return near(mean), near(5 * variance.mid().max(arb(least)).sqrt())


def _tilted(here: Exponent, nodes: Moment) -> tuple[list[arb], list[arb], list[arb]]:
    """Nodes, losses there, and the weights of the law with density ∝ φ w^p."""
    eta = ball(nodes.eta)
    xs = [eta * i for i in range(nodes.first, nodes.last + 1)]
    losses = [mixture_loss(here.c, here.q, x) for x in xs]
    logs = [here.p * s - x * x / 2 for s, x in zip(losses, xs, strict=True)]
    peak = biggest(logs)
    weights = [(value - peak).exp() for value in logs]
    total = sum(weights, arb(0))
    return xs, losses, [w / total for w in weights]


def _mean(weights: Sequence[arb], values: Sequence[arb]) -> arb:
    return sum((w * x for w, x in zip(weights, values, strict=True)), arb(0))


def rough_log_moment(c: Real, q: Real, p: Real) -> arb:
    """log E[w^p], about. Raises NoConvergence."""
    with working(BITS):
        here = Exponent.of(c, q, p)
        nodes = moment_nodes(here)
        logs = [here.value(ball(nodes.eta) * i) for i in range(nodes.first, nodes.last + 1)]
        peak = biggest(logs)
        total = sum(((log - peak).exp() for log in logs), arb(0))
        return peak + (total * ball(nodes.eta) / (2 * arb.pi()).sqrt()).log()


def reach(c: Real, q: Real, p: Real) -> tuple[Fraction, Fraction]:
    """Ends in x of what counts of φ w^p."""
    with working(BITS):
        here = Exponent.of(c, q, p)
        if not surely_less(here.p, 0):
            return Fraction(-9), near(here.p * here.c + 9)
        mode = here.mode()
        floor = here.value(mode) - 40
        return near(here.edge(mode, floor, -1)), near(here.edge(mode, floor, 1))


def moment_nodes(here: Exponent) -> Moment:
    """A few equally spaced nodes, enough for a rough moment. Raises NoConvergence where these are many."""
    half = ball(HALF_LINE)
    low, high, whole = -half, here.c * here.p.max(arb(1)) + half, True
    eta = near((arb(9) / 10).min(arb(6) / 5 / here.c))
    if surely_less(here.p, 0):
        mode = here.mode()
        deviation = here.deviation(mode)
        while surely_less(deviation * 2 / 5, ball(eta)):
            eta /= 2  # nodes of all p are multiples of few distances
        if surely_less(arb(3) / 10, deviation):
            low = mode - half
        else:  # the cumulant is large
            floor, whole = here.value(mode) - 18, False
            low, high = here.edge(mode, floor, -1), here.edge(mode, floor, 1)
    first, last = nearest(low / ball(eta)) - 1, nearest(high / ball(eta)) + 1
    if last - first >= MAX_NODES:
        raise NoConvergence(
            f"a tilted moment of order {float(here.p):.3g} at noise multiplier {float(1 / here.c):.3g} "
            f"is too large"
        )
    return Moment(eta, first, last, whole)
