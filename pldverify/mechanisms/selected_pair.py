r"""What some neighbours of the best of several runs have: ranks by which the largest losses win.

Notation of :mod:`pldverify.mechanisms.repeat_and_select`. Let points (x_j, y_j), j = 0 to n, rise from (0, 0)
to (1, 1) with falling slopes, none above the power function of ``base``'s pair, y of P against x of Q: the
base, post-processed, has n outcomes of probabilities y_j − y_{j−1} under P and x_j − x_{j−1} under Q
(Blackwell's theorem). Outcomes beyond m < n are best, all alike; then comes outcome 1, then 2, to m. That
wins the jth with probability

.. math:: f(x_m - x_{j-1}) - f(x_m - x_j)

under Q, with y in the place of x under P, the best with 1 − f(x_m), and nothing is shown with f(0). Under P
the best are rarer, so fewer runs are beaten by them, and those that P has more often win more often still. At
the m with the largest ratio f'(y_m)/f'(x_m) the loss of the first outcomes tends to the one of the base and
that ratio: where log r of the bound is attained. Any m proves.

**Points** are rational: x above, y below what a threshold on the base's loss has. Of Gaussian noise, or what
is promised to be ρ-zCDP or to have Rényi divergences, which Gaussian noise has; of one Laplace mechanism, of
its own; of ε- and (ε, δ)-DP, randomised response and finite pairs, on the line between corners.
For all other bases this gives none.
"""

import math
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise

from pldverify.errors import InvalidInput
from pldverify.mechanisms.approximate_dp import ApproximateDP
from pldverify.mechanisms.finite_pair import FinitePair
from pldverify.mechanisms.gaussian import Gaussian
from pldverify.mechanisms.gdp import GDP
from pldverify.mechanisms.halting_pair import inward
from pldverify.mechanisms.laplace import Laplace
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.mechanisms.pure_dp import PureDP
from pldverify.mechanisms.randomized_response import RandomizedResponse
from pldverify.mechanisms.renyi_dp import RenyiDP
from pldverify.mechanisms.repeat_and_select import RepeatAndSelect
from pldverify.mechanisms.zcdp import ZCDP
from pldverify.numbers.functions import Term, add, divide, ends, exp, multiply, normal_tail, root

Point = tuple[Fraction, Fraction]
"""(x, y): of an event, at least its probability under Q, at most that under P."""
_LESS = Fraction(-1)
"""For differences."""
_BITS = 320
"""To which points are rounded."""
_STEP = Fraction(1, 2)
"""Between thresholds, in deviations of the noise; any is right."""
_FARTHEST = 24
"""Thresholds on each side; any number is right."""
_FINE = 40
"""About how many outcomes there are; any number is right."""


@lru_cache(maxsize=64)
def selected_pair(asked: RepeatAndSelect, moved: int, share: Fraction = Fraction(1, 2)) -> FinitePair | None:
    """Who wins, of the outcomes told above, rounded inward; None where nothing is known or nothing is lost.

    ``moved``: how far noise sees the query move, in sensitivities: 1, or 2 for a replaced record. ``share``,
    1/2 to 1: at 1/2 m has the largest ratio, at 1 all outcomes compete, and a small δ lies in between.

    >>> from pldverify.mechanisms.selected_pair import selected_pair
    >>> tuned = pv.RepeatAndSelect(pv.PureDP(epsilon=1), mean=100, shape=1)
    >>> float(pv.epsilon(selected_pair(tuned, 1), delta=0))
    2.95...
    """
    try:
        known = _points(asked, moved)
        if known is None:
            return None
        points = list(_split(list(_hull(known))))
        best = max(range(1, len(points)), key=lambda j: _gain(asked, points[j]))
        cut = best + round((2 * share - 1) * (len(points) - 1 - best))
        first, second = (_winners(asked, [point[side] for point in points[: cut + 1]]) for side in (1, 0))
        return inward(first, second)
    except InvalidInput:  # an exponent is too large
        return None


def _winners(asked: RepeatAndSelect, events: list[Fraction]) -> list[Term]:
    """The probabilities of who wins, last the best, and, where that may be, that nothing is shown."""
    worse = [asked.generating(events[-1] - x) for x in events]
    each = [add(high, multiply(_LESS, low)) for high, low in pairwise(worse)]
    shown = [*each, add(Fraction(1), multiply(_LESS, worse[0]))]
    return [*shown, worse[-1]] if asked.poisson else shown


def _gain(asked: RepeatAndSelect, point: Point) -> Fraction:
    """What rises with f'(y)/f'(x)."""
    x, y = point
    if asked.poisson:
        return y - x
    gamma = asked.gamma[0]
    return (1 - (1 - gamma) * x) / (1 - (1 - gamma) * y)


def _points(asked: RepeatAndSelect, moved: int) -> list[Point] | None:
    """From rare events to all, (0, 0) and (1, 1) among them."""
    kinds = [mechanism for mechanism, _ in asked.base.parts]
    if all(isinstance(m, Gaussian | GDP | ZCDP | RenyiDP) for m in kinds):
        square = sum((k * _square(m, moved) for m, k in asked.base.parts), Fraction(0))
        return _rounded(_of_gaussian(root(square))) if square else None
    if asked.base.steps > 1:
        return None
    match kinds[0]:
        case Laplace() as noise:
            return _rounded(_of_laplace(moved / noise.noise_multiplier))
        case PureDP() | ApproximateDP() as promise:
            delta = promise.delta if isinstance(promise, ApproximateDP) else Fraction(0)
            low = divide(1 - delta, add(Fraction(1), exp(promise.epsilon)))
            high = add(1 - delta, multiply(_LESS, low))
            return _rounded([(Fraction(0), delta), (low, add(delta, high)), (1 - delta, Fraction(1))])
        case RandomizedResponse() as answer:
            high, low = max(answer.p, answer.other), min(answer.p, answer.other)
            return _rounded([(low, high), (1 - high, 1 - low)])
        case FinitePair(p, q):
            return list(_corners(p, q))
    return None


def _square(mechanism: Mechanism, moved: int) -> Fraction:
    """μ² of Gaussian noise that the mechanism is, or may be."""
    match mechanism:
        case Gaussian():
            return (moved / mechanism.noise_multiplier) ** 2
        case GDP():
            return Fraction(mechanism.mu) ** 2
        case ZCDP() | RenyiDP():
            return 2 * mechanism.rho
    raise TypeError(mechanism)


def _thresholds() -> Iterator[Fraction]:
    return (-j * _STEP for j in range(-_FARTHEST, _FARTHEST + 1))


def _of_gaussian(mu: Term) -> Iterator[tuple[Term, Term]]:
    """N(μ, 1) and N(0, 1) beyond thresholds around μ/2."""
    half = multiply(Fraction(1, 2), mu)
    for t in _thresholds():
        yield normal_tail(add(t, half)), normal_tail(add(t, multiply(_LESS, half)))


def _of_laplace(c: Fraction) -> Iterator[tuple[Term, Term]]:
    """Lap(c) and Lap(0) of scale 1 beyond thresholds around c/2."""
    for t in _thresholds():
        yield _laplace_tail(t + c / 2), _laplace_tail(t - c / 2)


def _laplace_tail(x: Fraction) -> Term:
    half = multiply(Fraction(1, 2), exp(-abs(x)))
    return half if x >= 0 else add(Fraction(1), multiply(_LESS, half))


def _corners(p: tuple[Fraction, ...], q: tuple[Fraction, ...]) -> Iterator[Point]:
    """Of the power function of a finite pair, by outcomes of falling p/q."""
    x = y = Fraction(0)
    for y_more, x_more in sorted(zip(p, q, strict=True), key=lambda row: row[0] / (row[0] + row[1] or 1))[
        ::-1
    ]:
        x, y = x + x_more, y + y_more
        yield x, y


def _rounded(events: Iterable[tuple[Term, Term]]) -> list[Point]:
    scale = 2**_BITS
    return [
        (
            Fraction(math.ceil(Fraction(ends(x)[1]) * scale), scale),
            Fraction(math.floor(Fraction(ends(y)[0]) * scale), scale),
        )
        for x, y in events
    ]


def _split(corners: list[Point]) -> Iterator[Point]:
    """The corners, and points of the edges between them, if these are few: halfway, halfway again towards
    the former corner, and so on.
    """
    halves = _FINE // len(corners)
    for (x, y), (right, top) in pairwise(corners):
        yield x, y
        for share in (Fraction(1, 2**j) for j in range(halves, 0, -1)):
            yield x + share * (right - x), y + share * (top - y)
    yield corners[-1]


def _hull(points: list[Point]) -> Iterator[Point]:
    """The upper hull of points and the two ends, by rising x: what lies under it costs nothing."""
    kept: list[Point] = []
    for x, y in sorted({(Fraction(0), Fraction(0)), *points, (Fraction(1), Fraction(1))}):
        if len(kept) > 1 and x == kept[-1][0]:
            kept.pop()
        while len(kept) > 1 and _under(kept[-2], kept[-1], (x, y)):
            kept.pop()
        kept.append((x, y))
    yield from kept


def _under(a: Point, b: Point, c: Point) -> bool:
    return (b[1] - a[1]) * (c[0] - b[0]) <= (c[1] - b[1]) * (b[0] - a[0])
