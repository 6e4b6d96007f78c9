"""ε(δ) = inf{ε ≥ 0 : δ(ε) ≤ δ}: a float search finds ε*; the proof is δ(ε* − w) > δ ≥ δ(ε* + w).

ε(δ) = 0 where δ(0) ≤ δ, and +∞ where δ < δ_∞, or δ = δ_∞ and the finite losses are unbounded. What is proved:
``engines/derived/inverse.py``.
"""

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from fractions import Fraction

from pldverify.balls import arb, ctx
from pldverify.balls.ball import LOG2_10, ball, dyadic, rounded, upper, working
from pldverify.balls.clock import allowance, overtime
from pldverify.balls.compare import surely_less
from pldverify.errors import NoConvergence
from pldverify.numbers.enclosure import Enclosure
from pldverify.reference.choice import ENGINES, Settled, choose, settle
from pldverify.reference.engines.conclude import look
from pldverify.reference.engines.derived.inverse import AtInfiniteMass, BelowInfiniteMass, Inverse
from pldverify.reference.engines.derived.question import Proved
from pldverify.reference.engines.derived.support import Support
from pldverify.reference.engines.evaluator import Work
from pldverify.reference.laws.composed_loss import ComposedLoss
from pldverify.reference.quantities.directions import Found
from pldverify.reference.quantities.looks import COARSE, LOOK, MOST, SOME
from pldverify.reference.quantities.rising import CAP
from pldverify.reference.quantities.root import FAR, Search, Sides, gap, log_of, proved_around, secant
from pldverify.reference.quantities.rough import rough
from pldverify.reference.search.epsilon import highest_loss, in_floats, saddle_guess
from pldverify.reference.search.size import has_atoms

_FLAT = 1e-9
"""Slope −d log δ/d log ε up to which it is taken again, from finer values: coarse ones show noise."""
_NEIGHBOUR = Fraction(1, 2**10)
"""Distance from ε, relative to it, of each of the two points for such a slope."""
_NEAR_ZERO = 0.01
"""First guess of ε, in nats, below which δ(0) is asked, as the root may be 0."""
_ABOUT = Fraction(1, 64)
"""Distance from ε, relative to it, at which a side that is still unknown is tried before giving up."""
_BRACKETS = (*(Fraction(1, 1000**i) for i in range(5)), Fraction(29, 10))
"""Half widths of brackets tried, in thirds of a unit of the last digit; the largest just keeps that digit."""
_WIDER = tuple(Fraction(3**i) for i in range(2, 10))
"""Half widths tried after these where an engine has fewer digits than asked."""
_AT_ONCE = 128
"""Bits with which P(S = ∞) is compared before anything is searched."""
_TURNS = 6
"""Cap on the rounds; in each δ has half as many digits again."""
_MOVES = 2
"""Cap on the times that a round is repeated at a better point."""
_FAR_OFF = 10
"""Least distance of such a point from the one before, in thirds of a unit of the last digit."""
_SAFE = -0.06
"""Added to the digits of δ that a bracket of one unit of the last digit of ε needs (tuned)."""
_DO = 0.92
"""Error of δ that will do, as a part of the change of δ over half the widest bracket."""


def never_finite(law: ComposedLoss, target: Fraction) -> Proved | None:
    """The proof that ε(``target``) of one direction is infinite, δ < P(S = ∞); None where that is not so, or
    not told at once.
    """
    with working(_AT_ONCE):
        room, told = _room(law, target)
        return BelowInfiniteMass(law, target, told) if surely_less(room, 0) else None


def epsilon_one_way(
    law: ComposedLoss,
    target: Fraction,
    digits: int,
    names: Sequence[str] = tuple(ENGINES),
    last: Work | None = None,
    spare: int = 0,
) -> Found:
    """ε(``target``) of one direction, and its statement; ``last``, of a root near by, is asked first.

    ``spare``: digits of δ beyond those needed, so that an evaluator serves roots near by.
    Raises NoConvergence with what is proved of that direction.
    """
    bits = int(digits * LOG2_10) + 64
    proof: Proved | None = None
    with working(bits):
        room, told = _room(law, target)  # what δ leaves to the finite losses
        if surely_less(room, 0) or (law.finite_mass().is_zero() and target < 1):
            proof, why = BelowInfiniteMass(law, target, told), "δ < P(S = ∞)"
        elif target == 1:
            proof, why = Inverse(law, target, None, None), "δ(0) ≤ δ"
        elif not law.factors or (surely_less(0, room) and law.ends_by(Fraction(0))):
            proof, why = (
                Inverse(law, target, None, Support(law, Fraction(0), "delta", told)),
                "no finite loss exceeds 0",
            )
        elif not surely_less(0, room):
            proof, why = AtInfiniteMass(law, target, bits), "δ = P(S = ∞), or not told from it"
        else:
            goal = float(room.mid().log())
            start = saddle_guess(law, goal)
    if proof is not None:
        return look(proof, {"both ends": why}), proof
    asked = _Asked(digits, names, told, last, spare)
    if (near := in_floats(law, goal, *start)) is not None:
        found = None if has_atoms(law) else _proved_near(law, target, near, asked)
        if found is not None:  # atoms between the points of a grid are not quite where they should be
            return found
        start = near if near[0] else start
    return _solve(law, target, start, asked)


@dataclass(frozen=True)
class _Asked:
    """What is asked of a search.

    Attributes:
        digits: significant digits of ε.
        names: the engines that may be taken.
        told: bits that separate the target from δ_∞.
        last: the evaluator of a root near by.
        spare: digits of δ beyond those needed, so that an evaluator serves roots near by.
    """

    digits: int
    names: Sequence[str]
    told: int
    last: Work | None
    spare: int


def _proved_near(
    law: ComposedLoss, target: Fraction, near: tuple[Fraction, float], asked: _Asked
) -> Found | None:
    """Both ends proved near the ε that floats have found; None where that fails."""
    with suppress(NoConvergence):
        if near[0]:
            return _refined(_search(law, target, asked, *near), asked, [], asked.last)
        found = Sides(law, target)
        if found.learn(_at_zero(law, target, asked.names)):
            return look(found.inverse), found.inverse
    return None


def _room(law: ComposedLoss, target: Fraction) -> tuple[arb, int]:
    """δ − δ_∞, and the precision: it rises from the present one until the sign is known, or to ``CAP``."""
    bits = ctx.prec
    if target == law.exact_infinite_mass():
        return arb(0), bits
    while True:
        with working(bits):
            room = ball(target) - law.infinite_mass()
        if surely_less(room, 0) or surely_less(0, room) or bits > CAP:
            return room, bits
        bits *= 2


def _search(law: ComposedLoss, target: Fraction, asked: _Asked, point: Fraction, rate: float) -> Search:
    """A search that knows what the support proves, and its first point, not too near to the largest loss."""
    wanted = int(asked.digits * LOG2_10) + 64
    highest, bits = highest_loss(law, wanted)
    if highest is None:
        return Search(law, target, point=point, rate=rate)
    top = rounded(dyadic(highest.mid()), wanted)
    nearest = top - top / 10**asked.digits / 2  # where δ exceeds the target, that will do
    first, slope = (point, rate) if point < nearest else (nearest, None)
    end = upper(highest)
    found = Search(law, target, high=top, point=first, top=top, rate=slope)
    if not math.isinf(end):
        found.below = Support(law, max(Fraction(0), Fraction(end)), "delta", 2 * max(bits, asked.told))
    return found


def _root(found: Search, asked: _Asked) -> Work | None:
    """Bring ``found`` within some relative 1e-3 of ε, by coarse values of δ; the engine of the last one."""
    law, target, names, at_zero = found.loss, found.target, asked.names, False
    work = asked.last
    for turn in range(100):
        try:
            coarse = _coarse(law, target, found.point, work, names)
        except NoConvergence:
            if turn or found.top is None:
                raise
            found.point, found.rate = found.top / 2, None  # too near to it for any engine
            continue
        work = coarse.work
        found.learn(coarse.statement)
        near_zero = turn > 1 or (found.point < _NEAR_ZERO and found.rate is None)
        if near_zero and found.least == 0 and not at_zero:
            at_zero = True
            with suppress(NoConvergence):
                found.learn(_at_zero(law, target, names))
        if found.settled(asked.digits) or not found.move(coarse.enclosure, COARSE + _next_to_one(target) - 1):
            break
    return work


def _at_zero(law: ComposedLoss, target: Fraction, names: Sequence[str]) -> Proved:
    """Enclosure of δ(0): rough if that decides against the target, else with more digits."""
    below = rough(law, "delta", Fraction(0))
    if below.prove()[1] <= target:
        return below
    found = settle(law, "delta", Fraction(0), COARSE, names=names)
    if target in found.enclosure:
        found = settle(law, "delta", Fraction(0), MOST, names=names)
    return found.statement


def _coarse(
    law: ComposedLoss, target: Fraction, point: Fraction, work: Work | None, names: Sequence[str]
) -> Settled:
    """A coarse δ(point), from the engine set up for the last point if that is good enough."""
    digits = COARSE + _next_to_one(target) - (work is not None)
    return settle(law, "delta", point, digits, names=names, excludes=target, last=work)


def _next_to_one(target: Fraction) -> int:
    """How many leading decimal digits of the target are nines."""
    return max(0, math.ceil(-log_of(1 - target) / math.log(10))) if 2 * target > 1 else 0


def _solve(law: ComposedLoss, target: Fraction, start: tuple[Fraction, float], asked: _Asked) -> Found:
    """Refine near the root and prove both sides, as narrowly as asked or as an engine can."""
    reasons: list[str] = []
    digits, names, found = asked.digits, asked.names, _search(law, target, asked, *start)
    with suppress(NoConvergence), allowance(LOOK):  # a guess that is near needs no search
        if found.top is None and (answer := _refined(found, asked, [], asked.last)):
            return answer
    with _noted(reasons):
        last = None if found.settled(digits) else _root(found, asked)
        if not found.settled(digits) and (answer := _refined(found, asked, reasons, last)):
            return answer
    point, width = found.point, found.point / 10**digits / 3
    for end in (point - width, point + width):  # next to the top δ differs too much for one setup
        if not found.settled(digits):
            found.point = max(Fraction(0), end)
            with _noted(reasons):
                found.learn(_coarse(law, target, found.point, None, names).statement)
    for end, proof in ((point * (1 - _ABOUT), found.above), (point * (1 + _ABOUT), found.below)):
        if proof is None:  # a side of which nothing is known yet
            with _noted(reasons):
                found.learn(_coarse(law, target, end, None, names).statement)
    engines = [proof.engine for proof in (found.above, found.below) if proof is not None]
    limit = min(ENGINES[name].limit for name in (*engines, "contour") if name in ENGINES)
    if not found.settled(int(min(digits, limit))):
        raise NoConvergence("; ".join(dict.fromkeys(reasons)), _as_far(found))
    return _proved(found, {})


def _as_far(found: Sides) -> Enclosure | None:
    """The enclosure proved when the search gives up; None if the time does not suffice to conclude it."""
    with suppress(NoConvergence), overtime(LOOK):
        return _proved(found, {})[0]
    return None


def _proved(found: Sides, notes: dict[str, str]) -> Found:
    """The enclosure between two statements, and what they say."""
    above, below = found.above, found.below
    ends = {
        "lower end": f"{above.engine}: δ(ε) exceeds the target there" if above else "no ε is less than 0",
        "upper end": f"{below.engine}: δ(ε) does not exceed the target there" if below else "none",
    }
    return look(found.inverse, {**notes, **ends}), found.inverse


@contextmanager
def _noted(reasons: list[str]) -> Iterator[None]:
    """Keep the reason why a part of the search failed, and go on."""
    try:
        yield
    except NoConvergence as reason:
        reasons.append(str(reason))


def _refined(found: Search, asked: _Asked, reasons: list[str], last: Work | None) -> Found | None:
    """Both ends by one engine, at rising precision; None, and ``reasons``, where it can't. The ``last`` one
    is asked first.
    """
    law, target, digits, names = found.loss, found.target, asked.digits, asked.names
    first, least, accuracy = digits + 4, COARSE, 0.0
    if found.rate is not None and float(found.point) * found.rate <= _FLAT:
        found.rate, least = _slope(law, found.point, names), SOME
    if found.rate is not None and (change := float(found.point) * found.rate) > _FLAT:
        first = max(least, math.ceil(digits + _SAFE - math.log10(change)))
        accuracy = _DO * change * 10.0**-digits  # what the width of ε changes δ by
    first += _next_to_one(target) + asked.spare
    turn, moves = 0, 0
    while turn < _TURNS:
        goal = first * 3**turn // 2**turn  # the search may have misjudged the size of δ
        bits = int(goal * LOG2_10) + 64
        settled = settle(law, "delta", found.point, goal, names=names, accuracy=accuracy, last=last)
        work, last = settled.work, None
        if abs(gap(Fraction(settled.enclosure.upper), target)) > FAR and found.top is None:
            raise NoConvergence(f"epsilon: {float(found.point):.10g} is far from ε(δ)")
        with working(bits):
            if work is None:  # the search has come to rest on the largest loss
                work, _ = choose(law, "delta", found.point, digits=goal, names=names)
            limit = ENGINES[work.name].limit if settled.enclosure.digits < goal else math.inf
            left = ball(target) - law.infinite_mass()
            close = max(Fraction(1, 2 ** (bits - 40)), Fraction(1, 10 ** int(min(limit, 999) + 1)))
            mass = law.finite_mass() if 2 * target > 1 else None
            point = secant(work, left, found, close, mass=mass)
            width = rounded(point / 10 ** int(min(digits, limit)) / 3)
            # an engine knows δ best near its own ε, so narrower brackets come before wider ones
            widths = (factor * width for factor in (_BRACKETS + _WIDER if limit < digits else _BRACKETS))
            if proved_around(work, found, point, widths, bits, asked.told):
                return _proved(found, dict(settled.enclosure.provenance))
        reasons.append(
            f"{work.name}: ε(δ) near {float(point):.10g} could not be bracketed to {digits} digits"
        )
        others = tuple(name for name in names if name != work.name)
        off = (settled.enclosure.upper - settled.enclosure.lower) / 2
        if limit < math.inf and others and 0 < Fraction(accuracy) * settled.enclosure.lower < off:
            found.point, names = rounded(point, bits), others  # it knows δ no better anywhere near
        elif moves < _MOVES and _FAR_OFF * width < abs(point - found.point) < point * _ABOUT:
            found.point, moves = rounded(point, bits), moves + 1  # an engine may know δ there only
        elif limit < math.inf:  # more digits are not to be had
            break
        else:
            turn += 1
    return None


def _slope(law: ComposedLoss, point: Fraction, names: Sequence[str]) -> float | None:
    """−d log δ/dε at a point, by an engine set up there; None where it is not found or not > 0."""
    with suppress(NoConvergence):
        work = settle(law, "delta", point, SOME, names=names).work
        if work is not None and point > 0:
            near, far = (work.value(point * (1 + side * _NEIGHBOUR)) for side in (-1, 1))
            fall = float((near.mid() / far.mid()).log()) / float(2 * point * _NEIGHBOUR)
            return fall if fall > 0 else None
    return None
