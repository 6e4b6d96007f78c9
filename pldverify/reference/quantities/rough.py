r"""Rough bounds, which take milliseconds: Markov's inequality, one step alone, basic composition.

What they say is proved in ``engines/derived/rough.py``; here their parameters are found, in floats.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from typing import Literal

from pldverify.balls import arb
from pldverify.balls.ball import ball, rounded, short, upper, working
from pldverify.balls.clock import allowance, spend
from pldverify.balls.compare import surely_less
from pldverify.errors import NoConvergence, NotSupported
from pldverify.reference.choice import settle
from pldverify.reference.engines.derived.between import Between, between
from pldverify.reference.engines.derived.dominated import Dominated
from pldverify.reference.engines.derived.evaluated import Evaluated
from pldverify.reference.engines.derived.inverse import Inverse
from pldverify.reference.engines.derived.question import Proved
from pldverify.reference.engines.derived.rough import Basic, Markov, Part
from pldverify.reference.engines.derived.support import Support
from pldverify.reference.engines.evaluator import Quantity
from pldverify.reference.laws.allocation import AllocationLaw
from pldverify.reference.laws.composed_loss import ComposedLoss
from pldverify.reference.laws.gaussian import GaussianLaw
from pldverify.reference.lemmas.kernel import Kernel
from pldverify.reference.quantities.looks import BITS, COARSE, LOOK
from pldverify.reference.quantities.root import Sides, place
from pldverify.reference.search.closed_forms import plan_threshold
from pldverify.reference.search.cumulant import cumulant
from pldverify.reference.search.epsilon import saddle_guess
from pldverify.reference.search.golden import golden_section
from pldverify.reference.search.grouped import grouped
from pldverify.reference.search.halved import halved
from pldverify.reference.search.tilt import saddle

_SHRINK = tuple(2**i for i in range(11))
"""Divisors of the best tilt λ, tried in turn where M(λ) takes too many nodes."""
_NARROW = Fraction(1, 1000)
"""Relative width at which the bisection for ε of one step ends."""
_TURNS = 60
"""Cap on the points of that bisection."""
_AROUND = 3.0
"""Largest change of log λ from the saddle point in the search for a better λ."""
_CLOSE = 0.01
"""Width in log λ at which that search ends."""
_WORK = 0.01
"""Counted seconds allowed to one bound, times 5 + the number of laws."""
_FEW = 20
"""Cap on the laws that are bounded one by one; more of them are grouped."""
_SPARE = Fraction(1, 2**24)
"""Share of a target that is left for roundings; any value is right."""
_TINY = Fraction(1, 2**60)
"""An ε that is as good as 0, in nats."""
_FAILURES = (NoConvergence, NotSupported, ArithmeticError, ValueError)
"""Errors at which a bound is left out: those of an engine, and of a search in floats."""


Bound = Callable[[ComposedLoss, Fraction], Sequence[Proved]]
Side = Literal["upper", "lower"]


def rough(loss: ComposedLoss, quantity: Quantity, at: Fraction) -> Proved:
    """δ(``at``), ``at`` ≥ 0, or P(S ≥ ``at``) between all rough bounds; [0, 1] where there are none."""
    return between(*rough_values(loss, quantity, at))


def rough_values(loss: ComposedLoss, quantity: Quantity, at: Fraction) -> Iterator[Proved]:
    """The rough bounds of :func:`rough`, each computed when it is asked for; at least one."""
    support = Support(loss, at, quantity, BITS)
    with working(BITS):
        known = support.known() is not None
    if known:
        yield support
        return
    told = False
    for bound in (bare, markov, steps) if quantity == "delta" else (markov,):
        found: Proved | None = None
        with suppress(*_FAILURES), allowance(_WORK * (5 + len(loss.factors))):
            found = bound(loss, at, quantity)
        if found is not None:
            told = True
            yield found
    if not told:
        yield Markov(loss, at, None, None, quantity)


def bare(loss: ComposedLoss, at: Fraction, quantity: Quantity = "delta") -> Dominated:
    """δ with steps of random allocation revealed, from above. Raises NoConvergence where there are none."""
    if (known := revealed(loss)) is None:
        raise NoConvergence("no step of random allocation")
    other, places = known
    with allowance(LOOK):
        return Dominated(loss, at, places, settle(other, quantity, at, COARSE).statement, "upper")


def markov(loss: ComposedLoss, at: Fraction, quantity: Quantity = "delta") -> Markov:
    """Bounds of δ or the tail by Markov's inequality, from above and from below."""
    if not loss.factors:
        return Markov(loss, at, None, None, quantity)
    return Markov(
        loss,
        at,
        _tilt(loss, Kernel(quantity, "upper"), at),
        _tilt(loss, Kernel(quantity, "lower"), at),
        quantity,
    )


def at_most(loss: ComposedLoss, quantity: Quantity, at: Fraction, most: Fraction) -> Markov | None:
    """Proof by Markov's inequality that the quantity is at most ``most``; None if there is none.

    Floats predict first whether there will be one. None, too, where the support of the loss decides.
    """
    kernel = Kernel(quantity, "upper")
    with suppress(*_FAILURES), allowance(_WORK * (5 + len(loss.factors))), working(BITS):
        if Support(loss, at, quantity, BITS).known() is not None:
            return None
        lam = short(saddle(loss, kernel, float(at))[0])
        log_bound = cumulant(loss, float(lam))[0] + float(kernel.chernoff(lam).log() - ball(lam * at))
        if log_bound <= math.log(most):
            found = Markov(loss, at, lam, None, quantity)
            return found if found.prove()[1] <= most else None
    return None


def _tilt(loss: ComposedLoss, kernel: Kernel, at: Fraction) -> Fraction | None:
    """The best λ, or a smaller one where M(λ) takes too many nodes; None if no bound is below 1."""
    try:
        with working(BITS):
            tilts = list(_smaller(saddle(loss, kernel, float(at))[0]))
    except _FAILURES:
        return None
    for lam in tilts:
        try:
            with working(BITS):
                size: arb = kernel.chernoff(lam) * (loss.log_moment(lam) - ball(lam * at)).exp()
        except _FAILURES:
            continue
        if surely_less(size, 1):
            return lam
    return None


def _smaller(best: float) -> Iterator[Fraction]:
    """The best λ, then smaller ones, whole if large: such moments of random allocation are cheap."""
    for shrink in _SHRINK:
        lam = short(best / shrink)
        yield Fraction(math.floor(lam)) if shrink > 1 and lam > 1 else lam


def steps(loss: ComposedLoss, at: Fraction, quantity: Quantity = "delta") -> Proved:
    """δ(ε) of a composition from its steps alone. Raises NoConvergence where one has none, or is all."""
    if loss.steps < 2:
        raise NoConvergence("one step is all")
    singles = [ComposedLoss(((law, 1),)) for law, _ in loss.factors]
    shares = [settle(one, "delta", at / loss.steps, COARSE).statement for one in singles]
    wholes = [settle(one, "delta", at, COARSE) for one in singles]
    most = max(wholes, key=lambda found: found.enclosure.lower)
    return Between((Part(loss, at, most.statement), Basic(loss, at, tuple(shares))))


def rough_inverse(loss: ComposedLoss, target: Fraction) -> Inverse:
    """ε(``target``) between all rough bounds; [0, ∞) where there are none."""
    found = Sides(loss, target)
    for part in rough_points(loss, target):
        found.learn(part)
    return found.inverse


def rough_points(loss: ComposedLoss, target: Fraction) -> Iterator[Proved]:
    """Statements about δ at ε that may exclude the target; each is computed when it is asked for.

    Many laws are replaced by few that dominate them, or are dominated.
    """
    yield from _tried(_top, loss, target)
    if (known := revealed(loss)) is not None:
        for part in _tried(chernoff, known[0], target):
            yield Dominated(loss, place(part), known[1], part, "upper")
    for bound, side in _BOUNDS:
        other, places = grouped(loss, _FEW, side)
        for part in _tried(bound, other, target):
            yield part if other is loss else Dominated(loss, place(part), places, part, side)


def revealed(loss: ComposedLoss) -> tuple[ComposedLoss, tuple[int, ...]] | None:
    """The loss with steps of random allocation revealed, which dominates, and the place of each law in it;
    None where there is none.
    """
    laws = [
        GaussianLaw(1 / law.noise_multiplier**2) if isinstance(law, AllocationLaw) else law
        for law, _ in loss.factors
    ]
    if not any(isinstance(law, AllocationLaw) for law, _ in loss.factors):
        return None
    other = ComposedLoss.of(tuple((law, k) for law, (_, k) in zip(laws, loss.factors, strict=True)))
    index = {law: i for i, (law, _) in enumerate(other.factors)}
    return other, tuple(index[law] for law in laws)


def _tried(bound: Bound, loss: ComposedLoss, target: Fraction) -> list[Proved]:
    """The statements of one bound; none where it fails."""
    with suppress(*_FAILURES), allowance(_WORK * (5 + len(loss.factors))):
        found = bound(loss, target)
        for part in found:
            part.prove()
        return list(found)
    return []


def _top(loss: ComposedLoss, target: Fraction) -> list[Proved]:
    """δ at the largest finite loss."""
    with working(BITS):
        top = loss.largest_finite_loss()
    return [] if top is None else [Support(loss, max(Fraction(0), Fraction(upper(top))), "delta", 2 * BITS)]


def chernoff(loss: ComposedLoss, target: Fraction) -> list[Markov]:
    """δ at the ε where Markov's inequality meets the target, with the best λ whose M(λ) can be computed."""
    with working(BITS):
        room = ball(target) - loss.infinite_mass()
        goal = float(room.log().mid())

    def place(log_lam: float) -> float:
        spend()
        lam = math.exp(log_lam)
        try:
            bound = (cumulant(loss, lam)[0] + lam * math.log(lam) - (1 + lam) * math.log1p(lam) - goal) / lam
        except _FAILURES:
            return math.inf
        return bound if not math.isnan(bound) else math.inf

    middle = math.log(saddle_guess(loss, goal)[1])
    best = golden_section(place, middle - _AROUND, middle + _AROUND, _CLOSE)
    for lam in _smaller(math.exp(best)):
        if found := at_orders(loss, None, target, [lam + 1]):
            return found
    return []


def at_orders(
    loss: ComposedLoss, epsilon: Fraction | None, delta: Fraction | None, orders: Iterable[Fraction]
) -> list[Markov]:
    """The best of Markov's inequality with λ + 1 at one of the ``orders``: δ at ``epsilon``, or δ at the ε
    where it meets ``delta``; nothing where no order bounds it.
    """
    found: list[tuple[Fraction, Markov]] = []
    for lam in [order - 1 for order in orders]:
        spend()
        with suppress(*_FAILURES), working(BITS):
            at = _meets(loss, delta, lam) if epsilon is None else epsilon
            statement = Markov(loss, at, lam, None)
            most = Fraction(statement.prove()[1])
            if delta is None or most <= delta:
                found.append((most if delta is None else at, statement))
    return [min(found, key=lambda row: row[0])[1]] if found else []


def _meets(loss: ComposedLoss, target: Fraction | None, lam: Fraction) -> Fraction:
    """A little above the ε at which Markov's inequality with λ meets the target, at least 0."""
    room = (ball(target or 0) - loss.infinite_mass()) * ball(1 - _SPARE)
    log = loss.log_moment(lam) + Kernel("delta", "upper").chernoff(lam).log() - room.log()
    return max(Fraction(0), rounded(Fraction(upper(log / ball(lam))), BITS)) + _TINY


def _alone(loss: ComposedLoss, target: Fraction) -> list[Proved]:
    """δ of the step that loses most."""
    told = (_told(ComposedLoss(((law, 1),)), target).above for law, _ in loss.factors)
    most = max((part for part in told if part is not None), key=place, default=None)
    return [] if most is None else [Part(loss, place(most), most)]


def _shared(loss: ComposedLoss, target: Fraction) -> list[Proved]:
    """Basic composition, the target shared equally among the steps."""
    told = [_told(ComposedLoss(((law, 1),)), target / loss.steps).below for law, _ in loss.factors]
    singles = [part for part in told if part is not None]
    if len(singles) < len(told):
        return []
    total = sum((k * place(part) for (_, k), part in zip(loss.factors, singles, strict=True)), Fraction(0))
    return [Basic(loss, total, tuple(singles))]


def _told(one: ComposedLoss, target: Fraction) -> Sides:
    """Both sides of ε of one step, by bisection."""
    work = plan_threshold(one, "delta", Fraction(1), digits=COARSE).build()
    found = Sides(one, target)

    def falls_below(point: Fraction) -> bool | None:
        spend()
        return found.learn(Evaluated(work, point, BITS))

    halved(Fraction(0), Fraction(0), falls_below, _between, _TURNS)
    return found


def _between(low: Fraction, high: Fraction) -> Fraction | None:
    """The next point: far up or down where one end is unknown, then the middle of logarithms or numbers."""
    if not high:
        return 16 * low or Fraction(1)
    if high - low <= high * _NARROW:
        return None
    if not low:
        return high / 16 if high > _TINY else Fraction(0)
    return rounded((low + high) / 2 if high < 4 * low else Fraction(math.sqrt(low * high)), 53)


_BOUNDS: tuple[tuple[Bound, Side], ...] = ((chernoff, "upper"), (_alone, "lower"), (_shared, "upper"))
"""Each bound of ε, with the side on which a dominating or dominated loss may take the place of the loss."""
