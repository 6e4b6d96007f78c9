"""Engine choice: what applies, cheapest first; and one question settled, engine after engine, at rising
precision.

The path is decided by predictions, counted work and what the clock was set to, so it is the same everywhere;
time only ends it.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from types import MappingProxyType

from pldverify.balls.ball import LOG2_10, SMALLEST, working
from pldverify.balls.clock import allowance, counted, limit, spend
from pldverify.errors import InvalidInput, NoConvergence, NotSupported, PldverifyError
from pldverify.numbers.enclosure import Enclosure
from pldverify.numbers.exact import brief
from pldverify.reference import engines, fast
from pldverify.reference.engines.conclude import look
from pldverify.reference.engines.derived.evaluated import Evaluated
from pldverify.reference.engines.derived.question import Proved
from pldverify.reference.engines.derived.support import Support
from pldverify.reference.engines.evaluator import Quantity, Work, evaluator
from pldverify.reference.laws.composed_loss import ComposedLoss
from pldverify.reference.search.closed_forms import (
    plan_atoms,
    plan_residues,
    plan_threshold,
)
from pldverify.reference.search.contour import plan_contour
from pldverify.reference.search.grid import plan_grid
from pldverify.reference.search.lattice import plan_lattice
from pldverify.reference.search.parts import plan_parts
from pldverify.reference.search.plan import Plan
from pldverify.reference.search.slope import plan_slope
from pldverify.reference.search.smoothing import MOST, plan_smoothing
from pldverify.reference.search.truncated import plan_truncated

engines.load()
fast.load()


@dataclass(frozen=True)
class Engine:
    """What the choice knows of an engine before it asks for a plan.

    Attributes:
        plan: its plan for (loss, quantity, ε, digits); NotSupported where it does not apply,
            NoConvergence where its search foresees too much work.
        least: seconds that any answer costs: below that it need not be asked.
        limit: digits that it can give at most, unless a plan says more.
        promised: digits that it promises where it gives fewer than ``limit``.
        planned: digits that a plan may say.
        a_law: seconds that a plan costs for each distinct law but one.
    """

    plan: Callable[..., Plan]
    least: float
    limit: float = math.inf
    promised: float = math.inf
    planned: float = 0.0
    a_law: float = 0.0

    @property
    def enough(self) -> float:
        """Digits that settle a question where more were asked for."""
        return min(self.limit, self.promised)


ENGINES: dict[str, Engine] = {
    "threshold": Engine(plan_threshold, 0.0),
    "residues": Engine(plan_residues, 2e-5),
    "atoms": Engine(plan_atoms, 5e-5),
    "parts": Engine(plan_parts, 3e-4, limit=6, promised=0, planned=math.inf),
    "lattice": Engine(plan_lattice, 0.001),
    "contour": Engine(plan_contour, 0.002),
    "truncated": Engine(plan_truncated, 0.2, a_law=0.06),
    "smoothing": Engine(plan_smoothing, 0.01, limit=6, planned=MOST),
    "contour slope": Engine(partial(plan_slope, plan_contour), 0.01),
    "truncated slope": Engine(partial(plan_slope, plan_truncated), 0.4, a_law=0.06),
    "grid": Engine(plan_grid, 0.01, limit=6),
    "grid slope": Engine(partial(plan_slope, plan_grid, most=6), 0.03, limit=3, promised=0),
}
"""Closed forms of one loss, of Laplace losses, of finitely many sums; sums over parts of the measure; one
period of a lattice; the whole line, with far losses set apart or not; the same with
noise added; convolution; and tails from the δ of those that have none."""

_PATIENCE = 2.0
"""Counted seconds that any engine may take before another one has its turn."""
_DEAR = 3.0
"""Predicted seconds, beside those of the clock, of what would hardly end in time."""
_NEAR_MISS = 10.0
"""Factor on the price of an engine that returned too few digits, but about half of those wanted or more."""
_PENALTY = 100.0
"""The same for one that returned fewer, or too few for the second time: it has misjudged its price."""


@dataclass(frozen=True)
class Settled:
    """An enclosure of one direction, the statement behind it, and the engine's work; None outside the
    support.
    """

    enclosure: Enclosure
    statement: Proved
    work: Work | None


def choose(
    loss: ComposedLoss,
    quantity: Quantity,
    epsilon: Fraction,
    *,
    digits: int,
    names: Sequence[str] = tuple(ENGINES),
    extra: int = 0,
    penalty: Mapping[str, float] = MappingProxyType({}),
) -> tuple[Work, dict[str, str]]:
    """The cheapest engine that applies, set up for ``digits`` digits near ``epsilon``; and why that one.

    Those that can give so many digits come first, unless they are too dear for the clock, by predicted
    seconds, times ``penalty``; nobody is asked whose least is more than the best plan. ``extra`` digits are
    asked of those that have a ``penalty``, as they fell short before. Where setting up fails, the next one
    has its turn; float trouble counts as failure. What takes ten times as long as predicted waits until all
    others have failed.
    Raises NoConvergence with all reasons when none is left.
    """
    few = {name: ENGINES[name].limit < digits for name in names}
    others = max(0, len(loss.factors) - 1)
    least = {name: ENGINES[name].least + others * ENGINES[name].a_law for name in names}
    waiting = sorted((few[name] and ENGINES[name].planned < digits, least[name], name) for name in names)
    plans: dict[tuple[bool, float, str], Plan] = {}
    refusals: dict[str, str] = {}
    while waiting or plans:
        spend()
        if waiting and not (plans and min(plans) < waiting[0]):
            _, _, name = waiting.pop(0)
            with _noted(name, refusals):
                more = extra if name in penalty else 0
                plan = ENGINES[name].plan(loss, quantity, epsilon, digits=digits + more)
                short = (few[name] and plan.digits < digits) or plan.seconds > _DEAR * limit()
                plans[short, plan.seconds * penalty.get(name, 1.0), name] = plan
        else:
            best = min(plans)
            plan, (short, price, name) = plans.pop(best), best
            alone = price == math.inf or not (plans or waiting)
            patience = math.inf if alone else max(_PATIENCE, 10 * plan.seconds)
            start = counted()
            with _noted(name, refusals):
                only = "the only one allowed, " if len(names) == 1 else ""
                why = {f"why {name}": only + _price((short, plan.seconds, name), "predicted")}
                why |= {f"why not {other}": reason for other, reason in refusals.items() if other != name}
                left = [rank for rank in sorted(plans) if rank[2] not in refusals]
                why |= {f"why not {rank[2]}": _price(rank, "predicted") for rank in left}
                why |= {f"why not {rank[2]}": _price(rank, "at least") for rank in waiting}
                with allowance(patience):
                    work = plan.build()
                    evaluator(work)  # what it can't use is refused here
                    return work, why
            if counted() - start > patience:  # once more, if all the others fail
                plans[True, math.inf, name] = plan
    reasons = "; ".join(f"{name}: {reason}" for name, reason in refusals.items())
    raise NoConvergence(reasons or "no engine is left")


def _price(rank: tuple[bool, float, str], how: str) -> str:
    short, seconds, name = rank
    few = short and not math.isinf(ENGINES[name].limit)
    most = f"{ENGINES[name].limit} digits at most, " if few else ""
    return f"{most}{how} {seconds:.1g} s"


@contextmanager
def _noted(name: str, refusals: dict[str, str]) -> Iterator[None]:
    """Turn a refusal into a note."""
    try:
        yield
    except (NotSupported, NoConvergence) as reason:
        refusals[name] = str(reason).removeprefix(f"{name}: ")
    except PldverifyError:
        raise
    except (ArithmeticError, ValueError) as trouble:
        refusals[name] = f"the search left the range of floats ({trouble})"


def named(engine: str | None) -> Sequence[str]:
    """The engines to try: all of them, or the one that the caller insists on. Raises InvalidInput."""
    if engine is None:
        return tuple(ENGINES)
    if not isinstance(engine, str) or engine not in ENGINES:
        raise InvalidInput(f"engine must be one of {', '.join(ENGINES)}, got engine={brief(engine)}")
    return (engine,)


def settle(
    loss: ComposedLoss,
    quantity: Quantity,
    epsilon: Fraction,
    digits: int,
    *,
    names: Sequence[str] = tuple(ENGINES),
    excludes: Fraction | None = None,
    accuracy: float = 0.0,
    last: Work | None = None,
) -> Settled:
    """One direction, δ_∞ included: engine after engine, at rising precision, until ``digits`` are proved.

    What was set up for another ε is asked first (``last``): it costs far less than a setup. An engine of few
    digits stops at its own limit; a value below 2^−19999 is enclosed by [0, 2^−19999]. An enclosure that
    leaves ``excludes`` out is good enough at any number of digits, as is one whose relative radius is at most
    ``accuracy``.
    Raises NoConvergence if all engines fall short, with the best enclosure that there was.
    """

    def is_good(result: Enclosure, enough: float) -> bool:
        done = result.digits >= min(digits, enough) or result.upper < SMALLEST
        done = done or result.upper - result.lower <= 2 * Fraction(accuracy) * result.lower
        return done or (excludes is not None and excludes not in result)

    if last is not None:
        with suppress(NoConvergence):  # it may be good for larger ε only
            statement = Evaluated(last, epsilon, int(digits * LOG2_10) + 64)
            if is_good(result := look(statement), math.inf):
                return Settled(result, statement, last)
    goal, best = digits, None
    given_up: dict[str, str] = {}
    penalty: dict[str, float] = {}
    while True:
        bits = int(goal * LOG2_10) + 64
        support = Support(loss, epsilon, quantity, bits)
        with working(bits):
            known = support.known()
        if known is not None:
            return Settled(look(support, {"support": known[1]}), support, None)
        try:
            with working(bits):
                work, why = choose(
                    loss, quantity, epsilon, digits=digits, names=names, extra=goal - digits, penalty=penalty
                )
            statement = Evaluated(work, epsilon, bits)
            result = look(statement, {**why, **given_up})
        except NoConvergence as refusal:
            raise NoConvergence(f"{_shortfall(best, digits)}{refusal}", best) from None
        except OverflowError as trouble:
            raise NoConvergence(f"{work.name}: beyond the range of floats ({trouble})", best) from None
        engine = ENGINES[work.name]
        if is_good(result, engine.enough):
            return Settled(result, statement, work)
        stuck = best is not None and best.engine == result.engine and result.digits <= best.digits
        if work.name in penalty if not math.isinf(engine.limit) else stuck and goal > 4 * digits + 60:
            names = tuple(name for name in names if name != work.name)
            given_up[f"why not {work.name}"] = f"stuck at {result.digits} digits"
        best = result
        near = digits - result.digits <= max(1, digits // 2) and work.name not in penalty
        more = _NEAR_MISS if near else _PENALTY
        penalty[work.name] = more * penalty.get(work.name, 1.0)
        goal += max(digits - int(result.digits) + 2, goal // 2)


def _shortfall(best: Enclosure | None, digits: int) -> str:
    if best is None:
        return ""
    interval = f"[{float(best.lower):.6g}, {float(best.upper):.6g}]"
    return f"{best.engine}: wanted {digits} digits, reached {best.digits}: {interval}; "
