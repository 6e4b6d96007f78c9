r"""What an adversary sees who looks at the T batch sums through finitely many events, by their exact chances.

The pair is (P, Q) = (P_a, P_b) of :mod:`pldverify.mechanisms.hidden_batch`: k of T normal sums have mean a,
or b, all others 0, and which ones is drawn. Two families of events:

* **Sums of steps.** A step function n on the line, with integer values, gives :math:`S = \sum_t n(x_t)`. It
  does not change with the order of the sums; so, whichever are the k that have mean a, S is a sum of T − k
  independent terms n(x), x of mean 0, and of k, x of mean a. With the masses Z_j, A_j, B_j that x of mean
  0, a, b has in cell j, :math:`n_j \approx (A_j - c B_j)/(Z_j h)` makes {S > 0} about {dP/dQ > c} for k = 1,
  as :math:`dP_a/dP_0 = \frac1T \sum_t (dN(a)/dN(0))(x_t)`. For k > 1 they are :math:`n_j \approx
  \log((c Z_j + A_j)/(c Z_j + B_j))/h`, at c = T/k − 1 the losses of Poisson samples. But any integers n_j do,
  and any first value s, as the event is :math:`s \le S < s + N/2` with just these. Its chances come from
  convolutions on a circle of N = 2^m points, in doubles with a proved error, of masses tilted by
  :math:`e^{\theta n}`, so that small ones are known relatively. Where the record is in no batch with
  probability 1 − ρ (then k = 1), N(a) is :math:`\rho N(a) + (1-\rho) N(0)` in the place of the one term: the
  mean of both laws of S, and all of the above holds.
  Q's are rounded up, and what comes back on the circle adds to them. P's are rounded
  down, and what comes back is taken off again: the index i, s ≤ i < s + N/2, gets :math:`\sum_j e^{\theta
  (j-i)} P(S=j)` of the j ≡ i. The j ≠ i are ≥ s + N or < s − N/2, each counts for one i, and j − i ≤ j − s:
  Markov's inequality with tilts λ below and κ above θ bounds what they add to all i by :math:`e^{-\theta s}
  (e^{(\theta-\kappa)(s+N)} M(\kappa) + e^{(\theta-\lambda)(s-N/2)} M(\lambda))`, M the moments of S under P.
* **The largest sum**: :mod:`pldverify.reference.laws.largest_batch`, where few sums tell all.

**The law.** Every event A gives a point with q ≥ Q(A), p ≤ P(A); (0, 0) and (1, 1) are points, too. The edges
of their upper hull, which is made of exact rationals, have rises p' and runs q': they are the outcomes of the
law, a finite pair. For every growth g = e^ε > 0 the sum of (p' − g q')_+ is the largest p − g q of a corner,
as the slopes fall; so it is at most the largest P(A) − g Q(A), and at most δ_{P‖Q}(ε). A pair whose δ is at
most another one's, at every ε, has at most its δ in every composition (Zhu, Dong, Wang 2022, Theorem 10; it
is Blackwell's theorem), each time and beside any other mechanism. Rounding moves points to where there is
less; a poor point is not on the hull, and costs nothing but time.

The points are found at one precision; they are the law from there on, whatever the working precision is.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise

from pldverify.balls import arb
from pldverify.balls.ball import ball, lower, nearest, upper, working
from pldverify.balls.clock import spend
from pldverify.balls.compare import surely_less
from pldverify.balls.integers import MAX_LOG_SIZE, Rounding
from pldverify.balls.memory import remembered
from pldverify.balls.normal import normal_tail
from pldverify.errors import NoConvergence, OracleDisagreement
from pldverify.mechanisms.attained import Chosen, attained
from pldverify.mechanisms.hidden_batch import drawn
from pldverify.mechanisms.mechanism import Composition
from pldverify.mechanisms.relations import Adjacency, Direction, Relation
from pldverify.reference.laws.atomic import AtomicLaw
from pldverify.reference.laws.composed_loss import ComposedLoss, product
from pldverify.reference.laws.largest_batch import sides
from pldverify.reference.laws.outcome import Outcome

_PREC = 120
"""Working precision, in bits, of the masses and of the points; any is right, few bits cost width."""
_MOST_CELLS = 4_000
"""Cap on the cells of the line."""
_MOST_LOOKS = 2_000
"""Cap on the events of each family: bounds the work and memory of one law."""
_PER_CELL = 3e-5
"""Counted seconds of the chances of one event, per cell of the line (estimate)."""
_STEEPEST = 500
"""Cap on the tilts |λ|, θ, κ of an event, per unit of S."""
_FARTHEST = 2**60
"""Cap on the absolute first value |s| of an event."""
Masses = dict[int, arb]
"""The mass of each value n of a term of S."""
Point = tuple[Fraction, Fraction]
"""(q, p) of an event A: q ≥ Q(A) and p ≤ P(A)."""


@dataclass(frozen=True)
class Cells:
    """Cells of the line with the edges ``start`` + i · ``width``, 0 ≤ i ≤ ``number`` (unit: the sensitivity).

    There are two more, which reach from the first and the last edge to ∓∞.
    """

    start: Fraction
    width: Fraction
    number: int


@dataclass(frozen=True)
class Look:
    """The event s ≤ S < s + N/2 of a sum S of steps, near {dP/dQ > c}.

    Attributes:
        threshold: c > 0, which gives the steps.
        step: h > 0, the unit of the steps n.
        most: bound on |n|, from 1 to N.
        first: s.
        log_size: log₂ of N, the number of points of the circle.
        tilts: λ < θ < κ with θ > 0, per unit of S.

    Raises:
        NoConvergence: one of these is out of range.
    """

    threshold: Fraction
    step: Fraction
    most: int
    first: int
    log_size: int
    tilts: tuple[Fraction, Fraction, Fraction]

    def __post_init__(self) -> None:
        below, theta, above = self.tilts
        good = self.threshold > 0 and self.step > 0 and 1 <= self.log_size <= MAX_LOG_SIZE
        good = good and 1 <= self.most <= 2**self.log_size and below < theta < above and theta > 0
        if not good or max(abs(below), above) > _STEEPEST or abs(self.first) > _FARTHEST:
            raise NoConvergence(f"batch sums: {self} is no event that could be looked at")


@dataclass(frozen=True)
class Events:
    """The events that an adversary looks at.

    Attributes:
        cuts: each gives the event that the largest batch sum exceeds it, in units of the sensitivity, and its
            complement.
        cells: cells of the line, on which the steps of the ``looks`` are constant.
        looks: events of sums of steps.

    Raises:
        NoConvergence: there are too many of them, or the cells have no width.
    """

    cuts: tuple[Fraction, ...] = ()
    cells: Cells = Cells(Fraction(0), Fraction(1), 1)
    looks: tuple[Look, ...] = ()

    def __post_init__(self) -> None:
        if max(len(self.cuts), len(self.looks)) > _MOST_LOOKS or not 1 <= self.cells.number <= _MOST_CELLS:
            raise NoConvergence("batch sums: too many events, or cells")
        if self.cells.width <= 0:
            raise NoConvergence("batch sums: cells must have a width")


@dataclass(frozen=True)
class BatchSumsLaw(AtomicLaw):
    """The law of P = P_a against Q = P_b as far as ``events`` tell them apart.

    Attributes:
        first: a, in units of the sensitivity.
        second: b, likewise.
        batches: T, the number of batch sums.
        variance: σ², of each sum, in squared units of the sensitivity.
        events: those whose chances make the law.
        participations: k, how many of the sums have mean a, or b.
        kept: ρ, the probability that any has; 1 where k > 1.

    Raises:
        NoConvergence: k is not from 1 to T, or ρ is less than 1 and k is not 1.
    """

    first: int
    second: int
    batches: int
    variance: Fraction
    events: Events
    participations: int = 1
    kept: Fraction = Fraction(1)
    infinite_mass = Fraction(0)
    _hash: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        single = self.participations == 1 and 0 < self.kept <= 1
        if not single and (self.kept != 1 or not 1 <= self.participations <= self.batches):
            raise NoConvergence(f"batch sums: {self.participations} of {self.batches} sums, kept {self.kept}")
        row = self.first, self.second, self.batches, self.variance, self.participations, self.kept
        object.__setattr__(self, "_hash", hash((*row, self.events)))

    def __hash__(self) -> int:
        """The hash taken when the law was made: caches ask for it often, and fractions hash slowly."""
        return self._hash

    def _outcomes(self) -> list[Outcome]:
        steps = ((q - old_q, p - old_p) for (old_q, old_p), (q, p) in pairwise(corners(self)))
        return [Outcome(ball(p), ball(q)) for q, p in steps]


@remembered(16)
def corners(law: BatchSumsLaw) -> tuple[Point, ...]:
    """Corners of the upper hull of the points of all events, from (0, 0) to (1, 1)."""
    with working(_PREC):
        points = [point for cut in law.events.cuts for point in _largest(law, cut)]
        if law.events.looks:
            masses = _three_masses(law)
            points += [_looked(law, look, *masses) for look in law.events.looks]
    return tuple(upper_hull(points))


def upper_hull(points: list[Point]) -> list[Point]:
    """Corners of the upper hull of points, (0, 0) and (1, 1): its slopes fall, and no point lies above it."""
    found: list[Point] = []
    for x, y in sorted({(Fraction(0), Fraction(0)), (Fraction(1), Fraction(1)), *points}):
        while len(found) > 1 and _turns_left(found[-2], found[-1], (x, y)):
            found.pop()
        found.append((x, y))
    return found


def _turns_left(one: Point, two: Point, three: Point) -> bool:
    """Whether ``two`` is on or below the line from ``one`` to ``three``."""
    return (two[1] - one[1]) * (three[0] - two[0]) <= (three[1] - two[1]) * (two[0] - one[0])


def _point(p: arb, q: arb) -> Point:
    """The point (q, p) of an event with these chances: Q(A) rounded up, P(A) down, so the event tells less.

    A ball that is not finite counts as 1 for Q, and as 0 for P. Raises OracleDisagreement if a ball holds no
    chance.
    """
    most, least = upper(q), lower(p)
    if most < 0 or least > 1:
        raise OracleDisagreement(f"chances of an event were enclosed by {p} and {q}")
    return Fraction(min(most, Fraction(1))), Fraction(max(least, Fraction(0)))


def _largest(law: BatchSumsLaw, cut: Fraction) -> list[Point]:
    """Points of two events: the largest sum is at most the cut, and it is above."""
    none, *pairs = (
        sides(mean, cut, law.batches, law.variance, law.participations) for mean in (0, law.first, law.second)
    )
    chances = (_kept(law, none, pair) for pair in pairs)
    return [_point(p, q) for p, q in zip(*chances, strict=True)]


def _kept(law: BatchSumsLaw, none: Sequence[arb], some: Sequence[arb]) -> list[arb]:
    """ρ of ``some`` and 1 − ρ of ``none``."""
    rho, rest = ball(law.kept), ball(1 - law.kept)
    return [rest * x + rho * y for x, y in zip(none, some, strict=True)]


def _cell_masses(law: BatchSumsLaw, mean: int) -> list[arb]:
    """Masses of N(``mean``, σ²) below all cells, in each, and above all.

    Each is a difference of the tails of one side, the one where they are small.
    """
    cells, sigma = law.events.cells, ball(law.variance).sqrt()
    ends = [(ball(cells.start + i * cells.width) - mean) / sigma for i in range(cells.number + 1)]
    rows = [(arb(0), arb(1)), *((normal_tail(-x), normal_tail(x)) for x in ends), (arb(1), arb(0))]
    found = []
    for (below, above), (next_below, next_above) in pairwise(rows):
        rising = surely_less(next_below, arb(1) / 2)
        found.append(next_below - below if rising else above - next_above)
    return found


def _three_masses(law: BatchSumsLaw) -> list[list[arb]]:
    """Masses of the cells of a term of mean 0, and of those that may have mean a, or b."""
    none, *some = (_cell_masses(law, mean) for mean in (0, law.first, law.second))
    return [none, *(_kept(law, none, masses) for masses in some)]


def _looked(law: BatchSumsLaw, look: Look, others: list[arb], one: list[arb], other: list[arb]) -> Point:
    """The point of a look; ``others``, ``one``, ``other`` are the masses of cells for the means 0, a, b."""
    spend(_PER_CELL * len(others))
    values = _values(law, look, others, one, other)
    zero, first, second = (_by_value(values, masses) for masses in (others, one, other))
    counts = law.batches - law.participations, law.participations
    q = _chance(look, counts, zero, second, "up")
    p = _chance(look, counts, zero, first, "down") - _come_back(look, counts, zero, first)
    return _point(p, q)


def _values(law: BatchSumsLaw, look: Look, others: list[arb], one: list[arb], other: list[arb]) -> list[int]:
    """The steps n_j, between ∓``most``. Any integers would do, but small ones keep the sum on the circle."""
    c, h, most = ball(look.threshold), ball(look.step), arb(look.most)
    rows = zip(others, one, other, strict=True)
    if law.participations == 1:
        ratios = [(a - c * b) / (z * h) for z, a, b in rows]
    else:
        ratios = [((c * z + a) / (c * z + b)).log() / h for z, a, b in rows]
    return [nearest(x.mid().min(most).max(-most)) if x.is_finite() else 0 for x in ratios]


def _by_value(values: list[int], masses: list[arb]) -> Masses:
    """The mass of each value of n, summed over the cells where n has it."""
    found: Masses = {}
    for value, mass in zip(values, masses, strict=True):
        found[value] = found[value] + mass if value in found else mass
    return found


def _moment(masses: Masses, tilt: Fraction) -> arb:
    """E[e^{tilt · n}] of a term n with these masses."""
    rate = ball(tilt)
    return sum((mass * (rate * n).exp() for n, mass in masses.items()), arb(0))


def _chance(look: Look, counts: tuple[int, int], zero: Masses, one: Masses, rounding: Rounding) -> arb:
    """Bound of the chance of the event, up or down, with what comes back on the circle.

    ``counts`` are T − k and k; ``zero`` are the masses of the terms of mean 0, ``one`` those of the others.
    """
    from pldverify.balls.doubles import Row, convolved, placed

    theta, rows, scale = ball(look.tilts[1]), [], arb(1)
    for masses, count in zip((zero, one), counts, strict=True):
        if count:
            tilted = [(n, mass * (theta * n).exp()) for n, mass in masses.items()]
            moment = sum((mass for _, mass in tilted), arb(0))
            ones = ((n, mass / moment) for n, mass in tilted)
            rows.append(Row(placed(ones, look.log_size, rounding), count))
            scale *= moment**count
    end = look.first + 2**look.log_size // 2
    return scale * (-theta * look.first).exp() * convolved(rows).weigh(look.first, end, theta)


def _come_back(look: Look, counts: tuple[int, int], zero: Masses, one: Masses) -> arb:
    """Upper bound of what comes back on the circle under P: Markov's inequality above, with κ and with λ."""
    below, theta, above = look.tilts
    n, s, total = 2**look.log_size, look.first, arb(0)
    for tilt, nearest_one in ((above, s + n), (below, s - n // 2)):
        moment = _moment(zero, tilt) ** counts[0] * _moment(one, tilt) ** counts[1]
        total += moment * ball((theta - tilt) * nearest_one - theta * s).exp()
    return total.upper()


def attacked(
    composition: Composition,
    relation: Relation,
    direction: Direction,
    events: tuple[Events, ...],
    chosen: Chosen = (),
    lost: Fraction = Fraction(0),
) -> ComposedLoss:
    """A composed loss of which some neighbours have at least the δ(ε), in one direction.

    Each draw that is only bracketed counts through the events of an attack on it, one of ``events`` for each,
    in the order of :func:`~pldverify.mechanisms.hidden_batch.drawn`. All other mechanisms count with their
    whole laws if these are known to be attained; else with what is known to be, if anything, and the rest is
    not looked at. The same neighbours have all of it: an epoch's queries and those of the others are of the
    same record.

    Raises:
        NotSupported: as for :func:`~pldverify.reference.laws.composed_loss.product`.
        NoConvergence: there are not as many ``events`` as such draws.
    """
    hidden, rest = drawn(composition, relation)
    if len(events) != len(hidden):
        raise NoConvergence("batch sums: events for each draw are needed")
    forward = direction in ("remove", "replace")
    others: Composition | None = Composition(tuple(rest)) if rest else None
    if others is not None and not others.attained:
        adjacency: Adjacency = "replace-one" if "replace" in direction else "add-or-remove"
        known = attained(others, adjacency, chosen, lost)
        others = known and known[0]
        direction = "remove" if forward else "add"
    factors = product(others, direction).factors if others is not None else ()
    laws = []
    for (sums, k), seen in zip(hidden, events, strict=True):
        one = sums if forward else sums.reversed()
        whose = one.participations, one.kept
        laws.append((BatchSumsLaw(one.first, one.second, one.batches, one.variance, seen, *whose), k))
    return ComposedLoss.of((*factors, *laws))
