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
from pldverify.balls.ball import LOG2_10, ball, dyadic, rounded, short, upper, working
from pldverify.balls.clock import allowance, overtime
from pldverify.balls.compare import surely_less
from pldverify.errors import NoConvergence
from pldverify.mechanisms.mechanism import Composition, Mechanism
from pldverify.mechanisms.relations import Adjacency
from pldverify.numbers.enclosure import Bound, Enclosure
from pldverify.numbers.exact import probability
from pldverify.reference.choice import ENGINES, choose, named, settle
from pldverify.reference.engines.conclude import look
from pldverify.reference.engines.derived.evaluated import Evaluated
from pldverify.reference.engines.derived.inverse import AtInfiniteMass, BelowInfiniteMass, Inverse
from pldverify.reference.engines.derived.question import Proved
from pldverify.reference.engines.derived.support import Support
from pldverify.reference.engines.evaluator import Work
from pldverify.reference.laws.composed_loss import ComposedLoss, product
from pldverify.reference.quantities.delta import maximum
from pldverify.reference.quantities.rough import at_most, rough, rough_inverse
from pldverify.reference.quantities.told import Found
from pldverify.reference.search.epsilon import highest_loss, in_floats, saddle_guess
from pldverify.reference.search.size import has_atoms

_COARSE = 3
"""Digits of δ while ε is looked for, and of ε while a direction may be ruled out."""
_FINE = 15
"""Digits of δ(0) where three do not tell it from the target."""
_MAX_BITS = 20_000
"""Precision up to which δ is told from δ_∞."""
_FLAT = 1e-9
"""Slopes of log δ against log ε below that were lost in noise."""
_LEVEL, _NEIGHBOUR = 6, Fraction(1, 2**10)
"""Digits of δ, and the relative distance of two points, that tell a slope which coarse values lost."""
_NEAR_ZERO = 0.01
"""Where a first guess of ε lies below that, or no value of δ has exceeded the target, δ(0) is asked."""
_FAR = 0.7
"""Nats by which log δ may differ from its goal for ends to be looked for."""
_GUESSED = 0.5
"""Counted seconds for all digits at the first guess, which may be absurd."""
_ABOUT = Fraction(1, 64)
"""Relative distance at which a coarse δ tells a side of the target, where the search gives up."""
_CONCLUDING = 0.3
"""Seconds for what is known where the time is up: most of it is remembered."""
_POLISH = 60
"""Steps to the last digit."""
_SLOW = 2
"""Steps that don't halve the bracket, after which it is bisected."""
_LEAP = 5.0
"""Nats by which one step may change the distance from the largest loss."""
_APART = Fraction(1, 2**14)
"""Distance of the first two points of a secant, relative to :func:`_scale`: a coarse δ tells them apart."""
_BRACKETS = (*(Fraction(1, 1000**i) for i in range(5)), Fraction(29, 10))
"""Half widths that are tried, in thirds of the last digit: the last one just keeps it."""
_WIDER = tuple(Fraction(3**i) for i in range(2, 10))
"""Others, where an engine has fewer digits than asked."""
_TURNS, _MOVES, _FAR_OFF = 6, 2, 10
"""How often more digits are asked for, and the same at a better point; and by how much it is another one, in
thirds of the last digit.
"""
_SAFE, _DO = -0.06, 0.92
"""Decimals of δ that are more than the widest bracket needs, and the part of its half width that will do."""


def epsilon(
    composition: Composition | Mechanism,
    *,
    delta: object,
    adjacency: Adjacency | None = None,
    digits: int = 15,
    engine: str | None = None,
) -> Enclosure:
    """The true ε(δ) in nats of a composition in rational numbers at one rational δ; +∞ is possible.

    As every δ(ε) decreases, the maximum over directions of δ(ε) has as its inverse the maximum of the
    inverses. Arguments and errors as of :func:`pldverify.reference.quantities.questions.epsilon`.
    """
    target, names = probability(delta, "delta"), named(engine)
    return maximum(
        composition,
        adjacency,
        digits,
        lambda c, d, n: epsilon_one_way(product(c, d), target, n, names),
        question=("epsilon", target),
        rough=lambda c, d: rough_inverse(product(c, d), target),
        at_most=lambda c, d, floor: _at_most(product(c, d), target, floor, names),
    )


def epsilon_one_way(
    law: ComposedLoss, target: Fraction, digits: int, names: Sequence[str] = tuple(ENGINES)
) -> Found:
    """ε(``target``) of one direction, and its statement.

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
    if (near := in_floats(law, goal, *start)) is not None:
        if not has_atoms(law) and (found := _proved_near(law, target, near, digits, names, told)) is not None:
            return found  # atoms between the points of a grid are not quite where they should be
        start = near if near[0] else start
    return _solve(law, target, start, digits, names, told)


def _proved_near(
    law: ComposedLoss,
    target: Fraction,
    near: tuple[Fraction, float],
    digits: int,
    names: Sequence[str],
    told: int,
) -> Found | None:
    """Both ends, proved where floats have found them; None where that fails."""
    if near[0] == 0:
        return _zero(law, target) or _at_most(law, target, near[0], names)
    with suppress(NoConvergence):
        return _refined(law, target, _bracket(law, digits, *near, told), digits, names, [], told)
    return None


def _zero(law: ComposedLoss, target: Fraction) -> Found | None:
    """That ε(δ) = 0, if a rough bound of δ(0) tells."""
    below = rough(law, "delta", Fraction(0))
    if below.prove()[1] > target:
        return None
    proof = Inverse(law, target, None, below)
    return look(proof), proof


def _at_most(law: ComposedLoss, target: Fraction, floor: Fraction, names: Sequence[str]) -> Found | None:
    """That ε(δ) is at most ``floor``, if Markov's inequality or a coarse δ tells."""
    proof: Proved | None = at_most(law, "delta", floor, target) if names == tuple(ENGINES) else None
    if proof is not None:
        proof = Inverse(law, target, None, proof)
        return look(proof), proof
    try:
        found = settle(law, "delta", floor, _COARSE, names=names, excludes=target)
    except NoConvergence:
        return None
    if found.enclosure.upper > target:
        return None
    proof = Inverse(law, target, None, found.statement)
    return look(proof), proof


def _room(law: ComposedLoss, target: Fraction) -> tuple[arb, int]:
    """δ − δ_∞ at the first precision, from the present one on, that tells its sign, if there is one."""
    bits = ctx.prec
    if target == law.exact_infinite_mass():
        return arb(0), bits
    while True:
        with working(bits):
            room = ball(target) - law.infinite_mass()
        if surely_less(room, 0) or surely_less(0, room) or bits > _MAX_BITS:
            return room, bits
        bits *= 2


@dataclass
class Bracket:
    """Where ε(δ) seems to be, below the largest loss ``top`` (search only), and what is proved of it.

    ``proofs`` say that δ exceeds the target at one end and does not at the other one. At ``point`` log δ
    falls with slope ``rate``.
    """

    low: Fraction
    high: Fraction | None
    point: Fraction
    top: Fraction | None
    proofs: tuple[Proved | None, Proved | None] = (None, None)
    rate: float | None = None

    @property
    def above(self) -> Fraction:
        """A proved lower end of ε(δ)."""
        return _place(self.proofs[0], Fraction(0))

    @property
    def below(self) -> Bound:
        """A proved upper end of ε(δ)."""
        return self.proofs[1].question[1] if self.proofs[1] is not None else math.inf

    def learn(self, proof: Proved, target: Fraction) -> None:
        """What a statement about δ at a point proves."""
        (low, high), point = proof.prove(), _place(proof, Fraction(0))
        if low > target and point > self.above:
            self.proofs = proof, self.proofs[1]
        elif high <= target and point < self.below:
            self.proofs = self.proofs[0], proof

    def settled(self, digits: int) -> bool:
        """Whether what is proved is as narrow as asked."""
        return not math.isinf(self.below) and self.below - self.above <= self.below / Fraction(10) ** digits

    def clamp(self, candidate: Fraction) -> Fraction:
        """``candidate`` if it is inside; else a point that makes progress."""
        if self.high is None:
            return min(max(candidate, self.point * Fraction(9, 8)), 4 * self.point)
        if self.low < candidate < self.high:
            return candidate
        return (self.low + self.high) / 2 if 16 * self.low > self.high else max(self.high / 16, 4 * self.low)


def _place(proof: Proved | None, default: Fraction) -> Fraction:
    return Fraction(proof.question[1]) if proof is not None else default


def _bracket(law: ComposedLoss, digits: int, point: Fraction, rate: float, told: int) -> Bracket:
    """All that the support tells, and the first point to look at: no nearer to the top than it takes."""
    wanted = int(digits * LOG2_10) + 64
    highest, bits = highest_loss(law, wanted)
    if highest is None:
        return Bracket(Fraction(0), None, point, None, rate=rate)
    top = rounded(dyadic(highest.mid()), wanted)
    nearest = top - top / 10**digits / 2  # where δ exceeds the target, that will do
    first, slope = (point, rate) if point < nearest else (nearest, None)
    end = upper(highest)
    beyond = (
        Support(law, max(Fraction(0), Fraction(end)), "delta", 2 * max(bits, told))
        if not math.isinf(end)
        else None
    )
    return Bracket(Fraction(0), top, first, top, (None, beyond), slope)


def _root(law: ComposedLoss, target: Fraction, found: Bracket, digits: int, names: Sequence[str]) -> None:
    """Bring ``found`` within some relative 1e-3, by a guarded secant method on coarse values of log δ."""
    coarse = _COARSE + _next_to_one(target)
    last: tuple[Fraction, float] | None = None
    work: Work | None = None
    at_zero, slow, width = False, 0, Fraction(0)
    for turn in range(100):
        point = found.point
        try:
            value, proof, work = _coarse(law, target, point, work, names)
        except NoConvergence:
            if turn or found.top is None:
                raise
            found.point, found.rate = found.top / 2, None  # too near to it for any engine
            continue
        found.learn(proof, target)
        if found.above == 0 and not at_zero and (turn > 1 or (point < _NEAR_ZERO and found.rate is None)):
            at_zero = True
            with suppress(NoConvergence):
                found.learn(_at_zero(law, target, names), target)
        if found.settled(digits):
            break
        gap = _gap((Fraction(value.lower) + Fraction(value.upper)) / 2, target)
        found.low, found.high = (point, found.high) if gap > 0 else (found.low, point)
        scale = _scale(point, found.top)
        narrow = found.high is not None and found.high - found.low <= scale / 10**4
        if value.digits < coarse - 1 and not narrow:  # only its side of the target is known
            last = found.rate = None
            found.point = rounded(found.clamp(Fraction(0) if found.high else 2 * point), 60)
            continue
        if last is not None and last[0] != point:
            fall = (last[1] - gap) / float(point - last[0])
            unknown = _gap(Fraction(value.upper), target) - _gap(Fraction(value.lower), target)
            if abs(last[1] - gap) > 2 * unknown:
                found.rate = max(1e-300, fall)
            elif found.top is None or found.rate is None:
                found.rate = 1e-300
        elif found.rate is None:
            found.rate = max(1.0, abs(gap) / max(1e-9, float(point)))
        last = point, gap
        step = gap / found.rate
        near = abs(gap) <= _FAR or found.top is not None  # next to an atom δ falls by orders of magnitude
        if (abs(step) <= 1e-4 * float(scale) and abs(gap) <= _FAR) or (narrow and near):
            break
        if found.top is not None and target in value:  # a coarse δ tells no more
            break
        if found.top is not None:  # Newton's method in the logarithm of the distance from there
            room = float(max(found.top - point, scale))
            step = -room * math.expm1(max(-_LEAP, min(_LEAP, -step / room)))
        found.point = rounded(found.clamp(point + short(step)), 60)
        if found.high is not None:
            before, width = width, found.high - found.low
            slow = slow + 1 if 2 * width > before else 0
            if slow > _SLOW and abs(gap) > _FAR:  # between a cliff and where δ hardly falls
                found.point, slow = rounded((found.low + found.high) / 2, 60), 0


def _scale(point: Fraction, top: Fraction | None) -> Fraction:
    """What changes δ by much: ``point`` itself, or its distance from the largest loss, if bits tell it."""
    return point if top is None else max(min(point, top - point), point / 2**40)


def _at_zero(law: ComposedLoss, target: Fraction, names: Sequence[str]) -> Proved:
    """δ(0), roughly if that tells it from the target, or with more digits."""
    below = rough(law, "delta", Fraction(0))
    if below.prove()[1] <= target:
        return below
    found = settle(law, "delta", Fraction(0), _COARSE, names=names)
    if target in found.enclosure:
        found = settle(law, "delta", Fraction(0), _FINE, names=names)
    return found.statement


def _coarse(
    law: ComposedLoss, target: Fraction, point: Fraction, work: Work | None, names: Sequence[str]
) -> tuple[Enclosure, Proved, Work | None]:
    """A coarse δ(point), from the engine set up for the last point if that is good enough."""
    digits = _COARSE + _next_to_one(target)
    if work is not None:
        with suppress(NoConvergence):  # it may be good for larger ε only
            proof = Evaluated(work, point, int(digits * LOG2_10) + 64)
            old = look(proof)
            if old.digits >= digits - 1 or target not in old:
                return old, proof, work
    found = settle(law, "delta", point, digits, names=names, excludes=target)
    return found.enclosure, found.statement, found.work


def _gap(value: Fraction, target: Fraction) -> float:
    """By what log δ exceeds the target's; next to 1, where it hardly changes, by what −log(1 − δ) does."""
    if 2 * target > 1:
        return log_of(1 - target) - log_of(1 - value)
    return log_of(value) - log_of(target)


def _next_to_one(target: Fraction) -> int:
    """Digits of δ that are nines."""
    return max(0, math.ceil(-log_of(1 - target) / math.log(10))) if 2 * target > 1 else 0


def log_of(value: Fraction) -> float:
    """log of a rational of any size; a floor of −1e9 stands for log 0."""
    return math.log(value.numerator) - math.log(value.denominator) if value > 0 else -1e9


def _solve(
    law: ComposedLoss,
    target: Fraction,
    start: tuple[Fraction, float],
    digits: int,
    names: Sequence[str],
    told: int,
) -> Found:
    """Refine near the root and prove both sides, as narrowly as asked or as an engine can.

    ``told``: bits that tell the target from δ_∞.
    """
    reasons: list[str] = []
    found = _bracket(law, digits, *start, told)
    with suppress(NoConvergence), allowance(_GUESSED):  # a guess that is near needs no search
        if found.top is None and (answer := _refined(law, target, found, digits, names, [], told)):
            return answer
    with _noted(reasons):
        if not found.settled(digits):
            _root(law, target, found, digits, names)
        if not found.settled(digits) and (
            answer := _refined(law, target, found, digits, names, reasons, told)
        ):
            return answer
    point, width = found.point, found.point / 10**digits / 3
    for end in (point - width, point + width):  # next to the top δ differs too much for one setup
        if not found.settled(digits):
            found.point = max(Fraction(0), end)
            with _noted(reasons):
                found.learn(_coarse(law, target, found.point, None, names)[1], target)
    for end, proof in zip((point * (1 - _ABOUT), point * (1 + _ABOUT)), found.proofs, strict=True):
        if proof is None:  # a side of which nothing is known yet
            with _noted(reasons):
                found.learn(_coarse(law, target, end, None, names)[1], target)
    engines = [proof.engine if proof is not None else "support" for proof in found.proofs]
    limit = min(ENGINES[name].limit for name in (*engines, "contour") if name in ENGINES)
    if not found.settled(int(min(digits, limit))):
        raise NoConvergence("; ".join(dict.fromkeys(reasons)), _as_far(law, target, found))
    return _proved(law, target, *found.proofs, {})


def _as_far(law: ComposedLoss, target: Fraction, found: Bracket) -> Enclosure | None:
    """What is proved where the search gives up."""
    with suppress(NoConvergence), overtime(_CONCLUDING):
        return _proved(law, target, *found.proofs, {})[0]
    return None


def _proved(
    law: ComposedLoss, target: Fraction, above: Proved | None, below: Proved | None, notes: dict[str, str]
) -> Found:
    """The enclosure between two statements, and what they say."""
    ends = {
        "lower end": f"{above.engine}: δ(ε) exceeds the target there" if above else "no ε is less than 0",
        "upper end": f"{below.engine}: δ(ε) does not exceed the target there" if below else "none",
    }
    proof = Inverse(law, target, above, below)
    return look(proof, {**notes, **ends}), proof


@contextmanager
def _noted(reasons: list[str]) -> Iterator[None]:
    """Keep the reason why a part of the search failed, and go on."""
    try:
        yield
    except NoConvergence as reason:
        reasons.append(str(reason))


def _refined(
    law: ComposedLoss,
    target: Fraction,
    found: Bracket,
    digits: int,
    names: Sequence[str],
    reasons: list[str],
    told: int,
) -> Found | None:
    """Both ends by one engine, at rising precision; None, and ``reasons``, where it can't."""
    first, least, accuracy = digits + 4, _COARSE, 0.0
    if found.rate is not None and float(found.point) * found.rate <= _FLAT:
        found.rate, least = _slope(law, found.point, names), _LEVEL
    if found.rate is not None and (change := float(found.point) * found.rate) > _FLAT:
        first = max(least, math.ceil(digits + _SAFE - math.log10(change)))
        accuracy = _DO * change * 10.0**-digits  # what the width of ε changes δ by
    first += _next_to_one(target)
    turn, moves = 0, 0
    while turn < _TURNS:
        goal = first * 3**turn // 2**turn  # the search may have misjudged the size of δ
        bits = int(goal * LOG2_10) + 64
        settled = settle(law, "delta", found.point, goal, names=names, accuracy=accuracy)
        work = settled.work
        if abs(_gap(Fraction(settled.enclosure.upper), target)) > _FAR and found.top is None:
            raise NoConvergence(f"epsilon: {float(found.point):.10g} is far from ε(δ)")
        with working(bits):
            if work is None:  # the search has come to rest on the largest loss
                work, _ = choose(law, "delta", found.point, digits=goal, names=names)
            limit = ENGINES[work.name].limit if settled.enclosure.digits < goal else math.inf
            left = ball(target) - law.infinite_mass()
            point = _polish(work, left, law.finite_mass() if 2 * target > 1 else None, found, limit)
            width = rounded(point / 10 ** int(min(digits, limit)) / 3)
            # an engine knows δ best near its own ε, so narrower brackets come before wider ones
            for factor in _BRACKETS + _WIDER if limit < digits else _BRACKETS:
                low, high = max(Fraction(0), point - factor * width), point + factor * width
                above = Evaluated(work, low, bits) if low else None
                if above is None or above.prove()[0] > target:
                    kind = law.ends_by(high)
                    below: Proved = (
                        Support(law, high, "delta", max(bits, told)) if kind else Evaluated(work, high, bits)
                    )
                    if below.prove()[1] <= target:
                        return _proved(law, target, above, below, dict(settled.enclosure.provenance))
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
    """By what log δ falls at a point, from an engine that is set up there; None where that tells nothing."""
    with suppress(NoConvergence):
        work = settle(law, "delta", point, _LEVEL, names=names).work
        if work is not None and point > 0:
            near, far = (work.value(point * (1 + side * _NEIGHBOUR)) for side in (-1, 1))
            fall = float((near.mid() / far.mid()).log()) / float(2 * point * _NEIGHBOUR)
            return fall if fall > 0 else None
    return None


def _polish(work: Work, target: arb, mass: arb | None, found: Bracket, limit: float) -> Fraction:
    """Secant iterations, of up to ``limit`` digits, at full precision (search only).

    On log δ; with ``mass`` on −log(mass − δ).
    """

    def gap(value: arb) -> arb:
        if mass is not None:
            rest = (mass - value).mid()
            return ((mass - target).mid() / rest).log() if surely_less(0, rest) else arb.pos_inf()
        middle = value.mid()
        return (middle / target.mid()).log() if surely_less(0, middle) else arb.neg_inf()

    close = max(Fraction(1, 2 ** (ctx.prec - 40)), Fraction(1, 10 ** int(min(limit, 999) + 1)))
    last, point = found.point, found.point - _scale(found.point, found.top) * _APART
    here, before = gap(work.value(point)), gap(work.value(last))
    stride, low, high = point, found.above, found.below
    for _ in range(_POLISH):
        rate = (here - before) / ball(point - last) if point != last else arb(0)
        if not (here.is_finite() and surely_less(rate, 0)):
            return point
        low, high = (max(low, point), high) if surely_less(0, here) else (low, min(high, point))
        last, before = point, here
        room = found.top - point if found.top is not None else max(point, Fraction(1))
        step = dyadic((-here / rate).mid())
        step = max(-point / 2, min(step, room / 2))  # never reaches the largest loss
        if not low <= point + step <= high:  # over a cliff
            step = ((low if point + step < low else Fraction(high)) - point) / 2
        point = rounded(point + step, ctx.prec)
        if abs(step) <= point * close:
            return point
        value = work.value(point)
        if abs(step) > stride / 2 and value.overlaps(target):
            return point  # steps no longer shrink: the engine knows δ no better
        stride, here = abs(step), gap(value)
    return point
