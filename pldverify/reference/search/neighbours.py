r"""Which neighbours tell most, of mechanisms that leave a choice: any prove, and these were found by looking.

By a ``share`` from 1/2, which loses most in many steps, to 1, whose outcomes are rarer and have larger
losses. Made on graphs of δ(ε) and ε(δ).

**Two candidates** lead by the share itself. **Votes**: the lead rises by 12 (s − 1/2) deviations.

**Noisy max**: from 2 against 2 at a tie to 1 against 8: 92 % or more of the best δ of ten pairs (n, m) up to
(1, 16) and all leads, for c from 0.05 to 6.

**Sparse vectors with Laplace noise.** Up to 3/4 there are 4 to 20 levels, which rise from below the threshold
to above it as far as its noise goes: whatever that is, one of them is next to it, where an answer tells most.
A larger share has more queries that rise. Beyond 3/4 it is many that rise and one that falls: who survived
the first stands at a high threshold. Where v is low the ratio tends to the largest loss c.

**With Gaussian noise** neighbours are looked for (:mod:`pldverify.reference.search.halting`), for the ε or δ
that is asked. That begins at these, which are tried as they are, too, where they may be as good, and wherever
neither is given. Up to 9/16 one rises, one falls, and so on, as often as there are queries for at up to 8
levels, again as far apart as the threshold's noise goes, and lower the more queries there are, so that each
is as likely to be the end. What rises stands higher than what falls: the rarer end is the one that is rarer
still under Q. Above, n = k − 1 or 1,024 rise and one falls, once: that end is rare, and rarer under Q.
:math:`w = -\sigma_q`, and v is by s above the value at which n answers stay below as likely as not. Of one
query w is so far below. Where a record is added alone, P and Q may be exchanged: either data set may be the
larger one.

**The best of several runs.** Thresholds are evenly apart, or between losses, where they are few: outcomes are
cut at halves of halves then. At 1/2 the best begin where f'(y)/f'(x) is largest: there the loss of the first
outcomes tends to the one of the base and that ratio, where log r of the bound is attained. At 1 all outcomes
compete, and a small δ lies in between.
"""

import math
from collections.abc import Iterable, Iterator
from contextlib import suppress
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from time import thread_time
from typing import TypeVar

from pldverify.balls.ball import ball, lower, near, working
from pldverify.balls.clock import clock
from pldverify.balls.compare import surely_less
from pldverify.errors import InvalidInput, NoConvergence, NotSupported
from pldverify.mechanisms.above_threshold import AboveThreshold
from pldverify.mechanisms.attained import Choice, Chosen, attained, one_run
from pldverify.mechanisms.exponential import Exponential
from pldverify.mechanisms.gaussian_above_threshold import GaussianAboveThreshold
from pldverify.mechanisms.gnmax import GNMax
from pldverify.mechanisms.halting import Halting, Level
from pldverify.mechanisms.mechanism import Composition, Mechanism
from pldverify.mechanisms.noisy_max import NoisyMax
from pldverify.mechanisms.permute_and_flip import PermuteAndFlip
from pldverify.mechanisms.query import Query
from pldverify.mechanisms.ranked import Ranked
from pldverify.mechanisms.relations import Adjacency, relation
from pldverify.mechanisms.repeat_and_select import RepeatAndSelect
from pldverify.mechanisms.selection import Selection
from pldverify.mechanisms.thresholded_histogram import ThresholdedHistogram
from pldverify.mechanisms.winning import Winning
from pldverify.reference.laws.composed_loss import of_one
from pldverify.reference.laws.gaussian import GaussianLaw
from pldverify.reference.laws.law import HasFiniteAtoms, Law, with_tails
from pldverify.reference.laws.ranked import events, ranked
from pldverify.reference.search.float_range import float_range

Item = TypeVar("Item")

HALF = Fraction(1, 2)
"""The share of what loses most in many steps."""
SHARES = tuple(Fraction(j, 16) for j in (8, 9, 10, 11, 12, 13, 14, 15))
"""Those that are tried."""
_OF_ONE = tuple(Fraction(j, 32) for j in range(18, 32))
"""Those of one Gaussian sparse vector, whose rare ends lose most just before they are too rare."""
_OF_MANY = tuple(Fraction(j, 32) for j in (16, 17, 18, 19, 21, 23, 25))
"""Those of several."""
_NARROW = tuple(Fraction(j, 64) for j in range(32, 63))
"""Those of votes alone: each is cheap, and the best is a peak."""
_CHOOSING = Exponential | GaussianAboveThreshold | GNMax | RepeatAndSelect | Selection | ThresholdedHistogram
_OLD = Fraction(7, 8)
"""Share up to which a record's key is an old one."""
_LEAST = Fraction(1, 10**12)
"""Loss of a whole step, in nats, from which on a choice is worth its digits."""
_MOST = 10**3
"""Loss of a whole step, in nats, up to which it is."""
_LEAD = Fraction(12)
"""How far the lead of a vote rises with the share, in deviations of the difference."""
_TRIED = (
    (2, 2, Fraction(0)),
    (2, 3, Fraction(0)),
    (2, 3, Fraction(1, 10)),
    (1, 3, Fraction(-1, 16)),
    (1, 5, Fraction(-1, 5)),
    (1, 5, Fraction(-1, 16)),
    (1, 5, Fraction(1, 8)),
    (1, 8, Fraction(0)),
)
"""n, m and the lead of the m halfway between P and Q at small c, by sixteenths of the share from 1/2 on."""
_DRIFT = Fraction(5, 6)
"""How far that lead grows with the share, in units of c."""
_FEWEST = 4
"""Least number of queries that rise before a rare end."""
_MANY = 32
"""Their greatest number, a power of two times the least."""
_LOG_2 = Fraction(69, 100)
"""Next to log 2."""
_LOWEST = Fraction(-9, 4)
"""Where the values before a rare end would stand at the share 1/2, in units of b_q."""
_STEEP = Fraction(12)
"""How far they rise with the share, in units of b_q."""
_LATE = Fraction(1, 4)
"""How far above the threshold the query at a rare end is, in units of b_q."""
_TURNS = 4
"""Least number of levels in turn, with two more for every half unit of b_q that b has."""
_MOST_TURNS = 20
"""Their greatest number."""
_IN_TURN = (
    (1, Fraction(2), Fraction(3, 10)),
    (2, Fraction(3, 2), Fraction(3, 10)),
    (4, Fraction(3, 2), Fraction(3, 10)),
    (4, Fraction(1), Fraction(7, 10)),
    (8, Fraction(1), Fraction(7, 10)),
)
"""n, the farthest value in units of b, and by how much all are raised in units of b_q, by sixteenths of the
share."""
_FEW = 3
"""Turns up to which it is told whether none was above or one that rises."""
_RISING = 1024
"""Cap on the queries that rise before one that falls."""
_HALF = tuple(Fraction(x, 100) for x in (0, 54, 99, 138, 172, 202, 230, 255, 278, 300, 320))
"""About how many deviations 2^j normal answers all stay below, as likely as not."""
_APART = (Fraction(7, 10), Fraction(3, 10), Fraction(3, 2))
"""By how much a query that rises is above the one that falls next, in units of σ_q, by thirty-seconds of
the share.
"""
_WIDEST = Fraction(6, 5)
"""How far levels reach at most, in units of σ."""
_RARE = Fraction(19, 32)
"""The share from which one end is rare, and v rises."""
_WIDTH = 8
"""How far v rises with the share, in deviations of both noises."""
_LEVELS = 8
"""Cap on the levels, a power of two."""
_TIMES = 4096
"""Cap on how often queries of a level come in turn, a power of two."""
_BITS = 320
"""Working precision of events."""
_RAREST = Fraction(1, 2**100)
"""Chance of the least likely threshold of a loss without bounds."""
_FARTHEST = 24
"""Thresholds on each side."""
_FINE = 40
"""About how many outcomes there are."""


def shares(composition: Composition) -> tuple[Fraction, ...]:
    """The shares that are worth a look, best tried in turn; one where none matters.

    >>> from pldverify.reference.search.neighbours import shares
    >>> len(shares(2 * pv.Exponential(1))), len(shares(2 * pv.Gaussian(1)))
    (8, 1)
    """
    if halting := sum(k for m, k in composition.parts if isinstance(m, GaussianAboveThreshold)):
        return _OF_ONE if halting == 1 else _OF_MANY
    if all(isinstance(m, GNMax) for m, _ in composition.parts):
        return _NARROW
    return SHARES if any(isinstance(m, _CHOOSING) for m, _ in composition.parts) else (HALF,)


def attained_by(
    composition: Composition, adjacency: Adjacency, share: Fraction = HALF, lost: Fraction = Fraction(0)
) -> tuple[Composition, Adjacency] | None:
    """What is attained by the neighbours of a share."""
    return attained(composition, adjacency, chosen(composition, adjacency, share), lost)


def chosen(composition: Composition, adjacency: Adjacency, share: Fraction = HALF) -> Chosen:
    """The neighbours of a share, of all mechanisms that leave a choice, those inside of others, too.

    >>> from pldverify.reference.search.neighbours import chosen
    >>> print(chosen(pv.Composition.of((pv.PermuteAndFlip(1), 2)), "add-or-remove")[0][1])
    1/2
    """
    moves = 2 if relation(adjacency) == "replace-one" else 1
    found: dict[Mechanism, Choice] = {}
    for mechanism, _ in composition.parts:
        choice: Choice | None
        if isinstance(mechanism, RepeatAndSelect):
            inside = chosen(mechanism.base, adjacency, share)
            found |= dict(inside)
            choice = _ranked(mechanism, moves, share, inside)
        else:
            choice = _choice(mechanism, moves, share)
        if choice is not None:
            found[mechanism] = choice
    return tuple(found.items())


def in_time(items: Iterable[Item], seconds: float) -> Iterator[Item]:
    """The items until so many seconds of processor time are up; the first one in any case.

    >>> from pldverify.reference.search.neighbours import in_time
    >>> list(in_time("abc", 0))
    ['a']
    """
    end = thread_time() + seconds
    for item in items:
        yield item
        if thread_time() >= end:
            return


def looked_at(query: Query, seconds: float = math.inf) -> tuple[Chosen, ...]:
    """The neighbours that are worth a look for a query, best tried in turn. Those of Gaussian sparse vectors
    are searched for, where ε or δ is given, and are those that are known where the search leaves its range.
    Of what is not found within some ``seconds`` there are fewer.

    >>> from pldverify.reference.search.neighbours import looked_at
    >>> len(looked_at(pv.Query(2 * pv.Exponential(1), delta="1e-6")))
    8
    """
    whole, adjacency, epsilon = query.composition, query.adjacency, query.epsilon
    known = tuple(in_time((chosen(whole, adjacency, share) for share in shares(whole)), seconds))
    halting = {m: k for m, k in whole.parts if isinstance(m, GaussianAboveThreshold)}
    contests = {m: k for m, k in whole.parts if isinstance(dict(known[0]).get(m), Winning)}
    if not (halting or contests) or not query.is_exact or (epsilon is None and query.delta is None):
        return known
    from pldverify.reference.search import contest  # these load numpy
    from pldverify.reference.search.halting import best

    way = {"remove": 1, "add": -1}.get(adjacency, 0) * (-1 if epsilon is not None and epsilon < 0 else 1)
    size, steps = None if epsilon is None else abs(epsilon), sum(halting.values())
    found: dict[Mechanism, tuple[Choice, ...]] = {}
    for asked in halting:
        starts = tuple(seen for each in known if isinstance(seen := dict(each).get(asked), Halting))
        with suppress(NoConvergence), float_range("sparse vectors"), clock(seconds):
            found[asked] = best(asked, starts, steps, size, query.delta, way)
    for noisy, times in contests.items():
        moves = 2 if relation(adjacency) == "replace-one" else 1
        with suppress(NoConvergence), float_range("noisy max"):
            found[noisy] = (contest.best(noisy, moves, times, size, query.delta, way),)
    if not found:
        return known
    if len(whole.parts) == 1 and halting:
        return tuple(((asked, seen),) for asked, tried in found.items() for seen in tried)
    first = {asked: tried[0] for asked, tried in found.items()}
    return tuple((dict(chosen(whole, adjacency)) | first).items()), *known


def _choice(mechanism: Mechanism, moves: int, share: Fraction) -> Choice | None:
    """None where nothing is worth a look."""
    if isinstance(mechanism, Exponential | Selection):
        whole = mechanism.range if isinstance(mechanism, Exponential) else mechanism.loss(moves)
        if not _LEAST < whole < _MOST:
            return None
    match mechanism:
        case Exponential() | PermuteAndFlip():
            return share
        case NoisyMax():
            return _contest(mechanism, moves, share - HALF)
        case AboveThreshold():
            return _in_turn(mechanism, moves, share, _turns_or_one(mechanism.b, mechanism.query_b, share))
        case GaussianAboveThreshold():
            return (
                _turns(mechanism, moves, share)
                if share < _RARE and mechanism.queries > 1
                else _rare(mechanism, moves, share)
            )
        case GNMax():
            return 1 + round((share - HALF) * _LEAD * mechanism.sigma * Fraction(7, 5))
        case ThresholdedHistogram():
            return 1 if share > _OLD else None
    return None


def _contest(asked: NoisyMax, moves: int, past: Fraction) -> Winning:
    (n, m, lead), c = _TRIED[int(16 * past)], asked.loss(moves)
    return Winning(asked, moves, n, m, lead + _DRIFT * past * c - c / 2)


def _in_turn(
    asked: AboveThreshold | GaussianAboveThreshold,
    moves: int,
    share: Fraction,
    between: list[tuple[Fraction, int, Fraction]],
    times: int = 1,
) -> Halting:
    """n queries that rise and one that falls, in turn, moved so far from where they stand between P and Q."""
    one_way = asked.monotone and moves == 1
    rise = asked.sensitivity * (1 if asked.monotone else moves)
    falls = 0 if one_way and any(n for _, n, _ in between) else 1
    seen = 2 if times * len(between) <= _FEW else 0
    turns = (
        (
            *([Level(v - (1 - share) * rise, n, 1, seen)] if n else []),
            Level(w + falls * (1 - share) * rise, 1, -falls, 1),
        )
        for v, n, w in between
    )
    return Halting(asked, moves, tuple(turns), times)


def _turns_or_one(b: Fraction, unit: Fraction, share: Fraction) -> list[tuple[Fraction, int, Fraction]]:
    """Of Laplace noise."""
    ratio, turn = b / unit, int(16 * (share - HALF))
    if turn < len(_IN_TURN):
        (n, far, raised), last = _IN_TURN[turn], 2 * min(_MOST_TURNS, _TURNS + 2 * int(2 * ratio)) - 1
        rising = n if ratio < 1 else min(2 * n, 8)
        values = [far * b * Fraction(2 * j - last, last) + raised * unit for j in range(last + 1)]
        lower = _lower(rising) / 2 * unit
        return [(v - lower, rising, w) for v, w in zip(values[::2], values[1::2], strict=True)]
    n = _FEWEST
    while n * ratio < 3 and n < _MANY:
        n *= 2
    return [((_LOWEST + _STEEP * (share - HALF) - _lower(n)) * unit, n, _LATE * unit)]


def _lower(count: int) -> Fraction:
    """About by how much a power of two so many are lower, to be above as often as one."""
    return (count.bit_length() - 1) * _LOG_2


def _turns(asked: GaussianAboveThreshold, moves: int, share: Fraction) -> Halting:
    count = 1 << min(asked.queries // 2, _LEVELS).bit_length() - 1
    doublings = min(asked.queries // (2 * count), _TIMES).bit_length() - 1
    size = count.bit_length() + doublings  # how often the queries double from 1
    unit, apart = asked.query_sigma, _APART[int(32 * (share - HALF))] * asked.query_sigma / 2
    far = unit / 3 + asked.sigma * min(_WIDEST, (2 + size) / Fraction(6))
    places = (far * Fraction(2 * j + 1 - count, max(count - 1, 1)) - size * unit / 4 for j in range(count))
    return _in_turn(asked, moves, HALF, [(x + apart, 1, x - apart) for x in places], 1 << doublings)


def _rare(asked: GaussianAboveThreshold, moves: int, share: Fraction) -> Halting:
    n = min(asked.queries - 1, _RISING)
    half = _HALF[n.bit_length() - 1] if n else Fraction(0)
    wide, narrow = max(asked.sigma, asked.query_sigma), min(asked.sigma, asked.query_sigma)
    far = _WIDTH * max(share - _RARE, Fraction(0)) * (wide + narrow / 3)  # next to the root
    last = -asked.query_sigma if n else -far
    return _in_turn(asked, moves, HALF, [(far - asked.query_sigma * half, n, last)])


@lru_cache(maxsize=256)
def _ranked(asked: RepeatAndSelect, moves: int, share: Fraction, inside: Chosen) -> Ranked | None:
    """None where nothing is known, or gained."""
    base = one_run(asked, moves == 2, dict(inside))
    if base is None or (asked.mean == 1 and not asked.poisson):
        return None
    try:
        run = of_one(base)
        if run.infinite_mass != 0 and share == SHARES[-1] and not asked.poisson:  # a run may tell all
            return None
        cuts, never = _thresholds(run)
        places = tuple(_places(len(cuts), run.infinite_mass != 0))
        whole = Ranked(asked, base, cuts, places)
        with working(_BITS):
            second, first = ([Fraction(lower(x)) for x in side[1:]] for side in events(whole, run)[::-1])
        rarer = second if never else first
        count = next(j for j, x in enumerate([*rarer, Fraction(1)]) if x >= 1 - _RAREST)
        if count == 0:  # each event is all that there is
            return None
        best = max(range(count), key=lambda j: _gain(asked, second[j], first[j]))
        cut = best + round((2 * share - 1) * (count - best))
        found = Ranked(asked, base, cuts, places[: cut + 1])
        return found if ranked(found, run) is not None else None
    except (InvalidInput, NoConvergence, NotSupported):  # an exponent is too large, or a law has no tails
        return None


def _thresholds(run: Law) -> tuple[tuple[Fraction, ...], bool]:
    """Between losses, where they are few, and below them, if P never has some outcomes, and whether it never
    has; else evenly.
    """
    if isinstance(run, HasFiniteAtoms):
        with working(_BITS):
            losses = [near(atom.loss) for atom in run.atoms()]
            if not losses:
                return (), False
            below = losses[0] - 1
            never = surely_less(with_tails(run).tails(below)[1], 1 - ball(_RAREST))
        return (*[(a + b) / 2 for a, b in pairwise(losses[::-1])][:_FINE], *([below] if never else [])), never
    top = run.largest_finite_loss
    if top is not None:
        far = near(ball(top)) * (1 - Fraction(1, 2**20))
        inner = [j for j in range(-_FARTHEST, _FARTHEST + 1) if abs(j) < far]
        return (far, *(Fraction(j) for j in reversed(inner)), -far), False
    if isinstance(run, GaussianLaw):
        with working(_BITS):
            unit = near(ball(run.variance).sqrt()) / 2
        return tuple(unit * j for j in range(_FARTHEST, -_FARTHEST - 1, -1)), False
    far = Fraction(1)
    with working(_BITS):
        while surely_less(with_tails(run).tails(far)[0], ball(_RAREST)):
            far /= 2
        while surely_less(ball(_RAREST), with_tails(run).tails(far)[0]):
            far *= Fraction(17, 16)
    return tuple(far * Fraction(j, _FARTHEST) for j in range(_FARTHEST, -_FARTHEST - 1, -1)), False


def _places(cuts: int, infinite: bool) -> Iterator[Fraction]:
    """All events; if they are few, parts halfway between two, halfway again towards the former one, …"""
    halves = _FINE // (cuts + 2)
    for j in range(0 if infinite else 1, cuts + 2):
        yield from (j + Fraction(1, 2**i) for i in range(halves, -1, -1))


def _gain(asked: RepeatAndSelect, x: Fraction, y: Fraction) -> Fraction:
    """What rises with f'(y)/f'(x)."""
    if asked.poisson:
        return y - x
    gamma = asked.gamma[0]
    return (1 - (1 - gamma) * x) / (1 - (1 - gamma) * y)
