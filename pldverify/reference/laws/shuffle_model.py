r"""Loss of the shuffle model: mixtures of pair(c, λ), as :mod:`pldverify.mechanisms.shuffle_model` proves.

Given c reports in {0, 1}, a of them 0, and with e = p/r the odds of the randomiser,

.. math:: P(a) = B_c(a) \Big( 1 - \lambda + \frac{2\lambda}{c} \cdot \frac{e a + c - a}{e + 1} \Big),
    \qquad Q(a) = P(c - a),

as :math:`B_{c-1}(a-1) = \frac{2a}{c} B_c(a)`. Of t reports those of others in {0, 1} are C ~ Bin(t − 1, s),
and the one user's is with probability i: :math:`\lambda/(1-\lambda) = \frac{i}{1-i} \cdot
\frac{c\,(1-s)}{(t-c)\,s}`. Above, t = m and s = 2/k; below, t = n and s = 2r. Two categories, and clones,
have c = t.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt

from pldverify.balls import arb, ctx
from pldverify.balls.ball import ball, near, upper, working
from pldverify.balls.clock import paced
from pldverify.balls.compare import surely_less
from pldverify.balls.memory import remembered
from pldverify.errors import NoConvergence
from pldverify.mechanisms.pure_dp import PureDP
from pldverify.mechanisms.shuffle_model import Randomiser, ShuffleModel
from pldverify.reference.laws.atomic import AtomicLaw
from pldverify.reference.laws.outcome import Outcome

_FAR = 45
"""−log of what a tail has at most by Chernoff's bound; any value is right, a small one costs tightness."""
_FINE = 800
"""Ranges in the bulk times √n: then each is some percent of m or c wide; any value is right."""
_COARSE = 8
"""Parts of √c that are seen apart, a quarter of a standard deviation each; any value is right."""
_BULK = 3
"""Standard deviations to either side between which ranges are of one length; any value is right."""
_FEWEST = 4
"""Least number of ranges; any value is right."""
_SAME = 128
"""Bits by which windows are chosen, whatever the working precision is; any value is right."""
Chance = Callable[[], arb]
"""A probability, at the working precision."""
Range = tuple[int, int]
"""First and last of the numbers in it."""
Cell = tuple[arb, int, arb, arb]
"""Mass, c, λ and 1 − λ of a pair(c, λ)."""
Cells = tuple[list[Cell], arb, arb]
"""Pairs(c, λ), the mass of what is far out, and that of what has loss 0."""


@dataclass(frozen=True)
class _Tally:
    """Bin(N, s): its masses from ``low`` on, and what is below and above them; where it is, roughly."""

    mean: int
    spread: int
    low: int
    masses: list[arb]
    below: arb
    above: arb

    @property
    def high(self) -> int:
        return self.low + len(self.masses) - 1


@dataclass(frozen=True)
class ShuffleModelLaw(AtomicLaw):
    """``users`` as a mechanism; ``forward``: the ordered pair is (P, Q). Loses something, and never all."""

    users: ShuffleModel
    forward: bool
    infinite_mass = Fraction(0)

    def _outcomes(self) -> list[Outcome]:
        base, n, alike = self.users.base, self.users.n, self.users.alike
        k, odds = self.users.categories, _odds(base)
        if alike and k == 2:
            rows = list(_count(base, n))
        else:
            cells, lost, unseen = _below(base, n, k) if alike else _above(base, n, k)
            rows, far = _pairs(cells, odds, "lower" if alike else "upper", base)
            lost, unseen = (arb(0), unseen + lost + far) if alike else (lost + far, unseen)
            rows += [] if lost.is_zero() else _alone(lost, _loss(base))
            rows += [] if unseen.is_zero() else [Outcome(unseen, unseen, Fraction(0))]
        if self.forward:
            return rows
        return [Outcome(q, p, None if loss is None else -loss) for p, q, loss in rows]


def _odds(base: Randomiser) -> arb:
    return ball(base.epsilon).exp() if isinstance(base, PureDP) else ball(base.p / base.other)


@remembered(32)
def _loss(base: Randomiser) -> Fraction:
    """The largest loss of one user alone, or a little more: exact."""
    if isinstance(base, PureDP):
        return base.epsilon
    with working(64):
        return Fraction(upper(ball(base.p / base.other).log()))


def _alone(mass: arb, loss: Fraction) -> list[Outcome]:
    """The pair of ε-DP, on a part of both measures that has this mass."""
    more, less = mass / (1 + ball(-loss).exp()), mass / (1 + ball(loss).exp())
    return [Outcome(more, less, loss), Outcome(less, more, -loss)]


def _count(base: Randomiser, n: int) -> Iterator[Outcome]:
    """Two categories, where all others have the value 1: the number of reports 0, merged where it is far out,
    and where many are in a quarter of a standard deviation.
    """
    odds = _odds(base)
    true, other = odds / (odds + 1), 1 / (odds + 1)
    tally = _tally(n - 1, lambda: 1 / (_odds(base) + 1))
    own = [tally.below, *tally.masses[:-1], tally.masses[-1] + tally.above]
    others = [tally.below + tally.masses[0], *tally.masses[1:], tally.above]
    step = 1 + len(own) // (2 * isqrt(2 * _FAR) * _COARSE)
    for start in range(0, len(own), step):
        with_one, without = (sum(part[start : start + step], arb(0)) for part in (own, others))
        yield Outcome(true * with_one + other * without, other * with_one + true * without)


def _below(base: Randomiser, n: int, k: int) -> Cells:
    """All others have a third value."""

    def other() -> arb:
        return 1 / (_odds(base) + k - 1)

    one = ((_odds(base) + 1) * other(), (k - 2) * other())
    return _cells(n, lambda: 2 * other(), one, arb(1), "lower", _each(n, 2))


def _above(base: Randomiser, n: int, k: int) -> Cells:
    """The others who drew a uniform report, or clones; for each range of their number the least."""

    def drawn() -> arb:
        return 1 / _odds(base) if isinstance(base, PureDP) else k / (_odds(base) + k - 1)

    tally, odds = _tally(n - 1, drawn), _odds(base)
    one = ((odds + 1) / (odds + k - 1), (k - 2) / (odds + k - 1))
    cells: list[Cell] = []
    lost, unseen = tally.below + tally.above, arb(0)
    for first, last in _ranges(tally, _each(n, k)):
        mass = sum(tally.masses[first - tally.low : last - tally.low + 1], arb(0))
        if k == 2:
            cells.append((mass, first + 1, arb(1), arb(0)))
            continue
        more, far, none = _cells(first + 1, lambda: ball(Fraction(2, k)), one, mass, "upper", _each(n, k))
        cells += more
        lost, unseen = lost + far, unseen + none
    return cells, lost, unseen


def _each(n: int, k: int) -> int:
    """Ranges of a number: of one number alone, or of two, m and c."""
    most = _FEWEST + _FINE // isqrt(n)
    return most if k == 2 else isqrt(most)


def _cells(total: int, chance: Chance, one: tuple[arb, arb], mass: arb, end: str, ranges: int) -> Cells:
    """The pairs of ``total`` reports, of which the others' are in {0, 1} with probability ``chance``, and the
    one user's is or is not with those of ``one``.
    """
    tally, share, (inside, outside) = _tally(total - 1, chance), chance(), one
    rate = inside / outside * (1 - share) / share
    lost = mass * (tally.below + tally.above)
    cells: list[Cell] = []
    edge = mass * outside * tally.masses[0]  # of c = low, whose other part is below it
    lost, unseen = (lost + edge, arb(0)) if tally.low else (lost, edge)
    if tally.high == total - 1:
        cells.append((mass * inside * tally.masses[-1], total, arb(1), arb(0)))
    else:
        lost += mass * inside * tally.masses[-1]
    for first, last in _ranges(tally, ranges, tally.low + 1):
        shown = range(first - tally.low, last - tally.low + 1)
        weight = sum((inside * tally.masses[j - 1] + outside * tally.masses[j] for j in shown), arb(0))
        c, other = (first, last) if end == "upper" else (last, first)
        odds = rate * other / (total - other)
        cells.append((mass * weight, c, odds / (1 + odds), 1 / (1 + odds)))
    return cells, lost, unseen


def _ranges(tally: _Tally, number: int, start: int | None = None) -> list[Range]:
    """The numbers from ``start`` on in ranges: in the bulk of equal lengths, beyond each twice as long."""
    first, last = tally.low if start is None else start, tally.high
    step = max(1, 2 * _BULK * tally.spread // number)
    low, high = tally.mean - _BULK * tally.spread, tally.mean + _BULK * tally.spread
    starts = set(range(low, high, step))
    for away in (-1, 1):
        at, length = (low, step) if away < 0 else (high, step)
        while first < at < last:
            starts.add(at)
            at, length = at + away * length, 2 * length
    inside = sorted({first} | {x for x in starts if first < x <= last})
    return [(a, b - 1) for a, b in zip(inside, [*inside[1:], last + 1], strict=True)] if first <= last else []


def _pairs(cells: list[Cell], odds: arb, end: str, base: Randomiser) -> tuple[list[Outcome], arb]:
    """The outcomes of all pairs(c, λ), and the mass of what is far out in them."""
    rows: list[Outcome] = []
    far = arb(0)
    for mass, c, lam, rest in cells:
        low = max(0, c // 2 - isqrt(_FAR * c // 2))
        shares = _coin(c, low)
        far += 2 * mass * _tail_below(shares[0], c, low, arb(1))
        common, slope = mass * rest, mass * 2 * lam / (c * (odds + 1))
        for share, a in _nodes(shares, low, max(1, isqrt(c) // _COARSE), end):
            here, there = common + slope * (odds * a + c - a), common + slope * (odds * (c - a) + a)
            loss = _known(a, c, base if rest.is_zero() else None)
            rows.append(Outcome(share * here, share * there, loss))
    return rows, far


def _known(a: arb | int, c: int, alone: Randomiser | None) -> Fraction | None:
    """The loss of a of c, where it is rational: 0 of halves; of all or none, if it is of the one user
    ``alone`` that a promise is known, what that user may tell.
    """
    if isinstance(a, int) and 2 * a == c:
        return Fraction(0)
    if isinstance(a, int) and a in (0, c) and isinstance(alone, PureDP):
        return alone.epsilon if a else -alone.epsilon
    return None


def _coin(c: int, low: int) -> list[arb]:
    """B_c from ``low`` to c − low."""
    shares = [_mass(c, arb(1) / 2, low)]
    for a in paced(range(low, c // 2)):
        shares.append(shares[-1] * (c - a) / (a + 1))
    return shares + shares[::-1][1 - c % 2 :]


def _nodes(shares: list[arb], low: int, step: int, end: str) -> Iterator[tuple[arb, arb | int]]:
    """Masses at fewer places, between which P/B_c and Q/B_c are affine, and every δ convex: above, each mass
    goes to the two ends of its stretch, its mean kept; below, all of a stretch to its mean, which merges.
    """
    if step == 1:
        yield from ((share, low + j) for j, share in enumerate(shares))
        return
    carried = arb(0)
    last = len(shares) - 1
    for first in range(0, last + 1, step):
        stretch = shares[first : first + step]
        whole = sum(stretch, arb(0))
        moment = sum((j * share for j, share in enumerate(stretch)), arb(0))
        if end == "lower":
            yield whole, low + first + moment / whole
            continue
        length = min(step, last - first) or 1
        rest = sum(((length - j) * share for j, share in enumerate(stretch)), arb(0))
        yield carried + rest / length, low + first
        carried = moment / length
    if end == "upper":
        yield carried, low + last


def _tally(size: int, probability: Chance) -> _Tally:
    """Bin(size, chance), but for tails; whatever the window is, they are enclosed. It is that of one
    precision, as ranges are chosen by it: else the law would be another one at another precision.
    """
    with working(_SAME):
        middle = near(probability(), 64)
    chance = probability()
    if not 0 < middle < 1:
        raise NoConvergence(f"a probability of the shuffle model is next to 0 or 1: {chance}")
    mean = int(size * middle)
    variance = size * middle * (1 - middle)
    spread, half = isqrt(int(variance)) + 1, isqrt(int(2 * _FAR * variance)) + _FAR
    low, high = max(0, mean - half), min(size, mean + half)
    odds = chance / (1 - chance)
    masses = [_mass(size, chance, low)]
    for x in paced(range(low, high)):
        masses.append(masses[-1] * odds * (size - x) / (x + 1))
    below = _tail_below(masses[0], size, low, odds)
    above = _tail(masses[-1], lambda j: ball(Fraction(size - high - j, high + j + 1)) * odds)
    return _Tally(mean, spread, low, masses, below, above)


def _mass(size: int, chance: arb, x: int) -> arb:
    """The mass of Bin(size, chance) at x."""
    ways = arb(size + 1).lgamma() - arb(x + 1).lgamma() - arb(size - x + 1).lgamma()
    return (ways + x * chance.log() + (size - x) * (-chance).log1p()).exp()


def _tail_below(mass: arb, size: int, low: int, odds: arb) -> arb:
    """What a binomial law has below ``low``, where it has ``mass``."""
    return _tail(mass, lambda j: ball(Fraction(low - j, size - low + j + 1)) / odds)


def _tail(before: arb, ratio: Callable[[int], arb]) -> arb:
    """The sum of the terms that follow ``before``, each the one before it times ``ratio(j)``, j = 0, 1, …; as
    ratios of binomial masses fall, the rest is at most a geometric series. Raises NoConvergence unless it is
    one that falls.
    """
    total, j = arb(0), 0
    while True:
        now = ratio(j)
        before *= now
        total += before
        if before.is_zero():
            return total
        if surely_less(before, total * arb(2) ** -ctx.prec):
            break
        j += 1
    if not surely_less(now, 1):
        raise NoConvergence("a tail of the shuffle model does not fall")
    return total.union(total + before * now / (1 - now))
