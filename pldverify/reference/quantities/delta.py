r"""δ(ε) and P(S ≥ ε): every direction enclosed, the maximum reported."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction

from flint import arb

from pldverify.balls.ball import LOG2_10, SMALLEST, ball, lower, upper, working
from pldverify.balls.clock import budget
from pldverify.errors import NoConvergence
from pldverify.mechanisms.composition import Composition, as_composition
from pldverify.mechanisms.mechanism import Adjacency, Direction, Mechanism, reverse
from pldverify.numbers.enclosure import Enclosure
from pldverify.numbers.exact import count, rational
from pldverify.reference.choice import ENGINES, choose, named
from pldverify.reference.laws.composed_loss import Product, product
from pldverify.reference.search.float_range import float_range
from pldverify.reference.search.offer import Profile, Quantity

MAX_DIGITS = 1000
_DEARER = 100.0
"""An engine that fell short has misjudged the question, and its price: so many times more."""
_COARSE = 3
"""Digits of the look that rules out the smaller direction."""


def delta(
    composition: Composition | Mechanism,
    *,
    epsilon: object,
    adjacency: Adjacency | None = None,
    digits: int = 30,
    engine: str | None = None,
) -> Enclosure:
    """The true δ(ε), to ``digits`` proved significant digits, or to 6 where only the grid engine applies.

    Args:
        composition: a mechanism or a composition of mechanisms.
        epsilon: in nats; any finite real, negative too.
        adjacency: ``add``, ``remove``, the maximum of both, or ``replace-one``; by default the composition's.
        digits: 1 to 1000.
        engine: one of ``reference.engine.ENGINES``; left out, the cheapest of
            those that apply and can give the digits.

    Raises InvalidInput, NotSupported, NoConvergence.
    """
    eps, names = rational(epsilon, "epsilon"), named(engine)
    with budget(), float_range("delta"):
        return maximum(composition, adjacency, digits, lambda c, d, n: _delta(c, d, eps, n, names))


def tail(
    composition: Composition | Mechanism,
    *,
    epsilon: object,
    adjacency: Adjacency | None = None,
    digits: int = 30,
    engine: str | None = None,
) -> Enclosure:
    """The true P(S ≥ ε) of the composed privacy loss S, S = +∞ included; arguments as in :func:`delta`.

    Where only a grid applies, the few digits that its δ leaves: some 3, none at an atom.
    """
    eps, names = rational(epsilon, "epsilon"), named(engine)
    with budget(), float_range("tail"):
        return maximum(composition, adjacency, digits, lambda c, d, n: _tail(c, d, eps, n, names))


def maximum(
    composition: object,
    adjacency: str | None,
    digits: object,
    evaluate: Callable[[Composition, Direction, int], Enclosure],
) -> Enclosure:
    """Maximum over the directions; those that a coarse look rules out are not refined."""
    whole = as_composition(composition)
    wanted = count(digits, "digits", cap=MAX_DIGITS)
    named = whole.directions(adjacency)
    asked = distinct(whole, named)
    alike = " and ".join(named) + " alike" if len(asked) < len(named) else ""
    smaller: dict[str, str] = {}
    if len(asked) > 1 and wanted > _COARSE:
        coarse = {direction: evaluate(whole, direction, _COARSE) for direction in asked}
        floor = max(value.lower for value in coarse.values())
        asked = [direction for direction in asked if coarse[direction].upper >= floor]
        smaller = {f"why not {way}": f"smaller: {coarse[way]}" for way in coarse if way not in asked}
    values = []
    for direction in asked:
        value = evaluate(whole, direction, wanted)
        notes = {"direction": alike or direction, **smaller}
        values.append(replace(value, witness={**notes, **value.witness}))
    return largest(values)


def distinct(composition: Composition, asked: tuple[Direction, ...]) -> list[Direction]:
    """The directions whose laws differ: symmetric mechanisms need only one."""
    seen: dict[Product, Direction] = {}
    for direction in asked:
        seen.setdefault(product(composition, direction), direction)
    return list(seen.values())


def largest(values: list[Enclosure]) -> Enclosure:
    """Enclosure of the maximum of the enclosed numbers."""
    best = max(values, key=lambda value: value.upper)
    return Enclosure(max(v.lower for v in values), best.upper, best.engine, best.witness)


def _delta(
    composition: Composition, direction: Direction, epsilon: Fraction, digits: int, names: Sequence[str]
) -> Enclosure:
    if epsilon >= 0:
        return enclose(product(composition, direction), "delta", epsilon, digits, names=names)
    # ∫(p − e^ε q)_+ = 1 − e^ε + e^ε ∫(q − e^{−ε} p)_+, a sum of terms ≥ 0
    other = enclose(product(composition, reverse(direction)), "delta", -epsilon, digits + 1, names=names)
    with working(int(digits * LOG2_10) + 64):
        low, high = (ball(epsilon).exp() * ball(Fraction(end)) for end in (other.lower, other.upper))
        value = -ball(epsilon).expm1() + low.union(high)
    return bounded(value, other.engine, {"via": "the reverse direction at −ε", **other.witness})


def _tail(
    composition: Composition, direction: Direction, epsilon: Fraction, digits: int, names: Sequence[str]
) -> Enclosure:
    backward = product(composition, reverse(direction))  # its finite losses are these, negated
    with working(int(digits * LOG2_10) + 64):
        if not backward.finite_mass().is_zero() and backward.ends_by(-epsilon):
            return Enclosure(Fraction(1), Fraction(1), "support", {"support": "no loss is below ε"})
    return enclose(product(composition, direction), "tail", epsilon, digits, names=names)


def enclose(
    law: Product, quantity: Quantity, epsilon: Fraction, digits: int, *, names: Sequence[str] = tuple(ENGINES)
) -> Enclosure:
    """One direction, δ_∞ included: engine after engine, at rising precision, until ``digits`` are proved.

    The grid engine stops at its own limit of digits; a value below 2^−19999 is enclosed by [0, 2^−19999].
    Raises NoConvergence if all engines fall short.
    """
    return settle(law, quantity, epsilon, digits, names=names)[0]


def settle(
    law: Product,
    quantity: Quantity,
    epsilon: Fraction,
    digits: int,
    *,
    names: Sequence[str] = tuple(ENGINES),
    excludes: Fraction | None = None,
) -> tuple[Enclosure, Profile | None]:
    """:func:`enclose` with the engine that did it, None outside of the support.

    An enclosure that leaves ``excludes`` out is good enough at any number of digits.
    """
    goal, best = digits, None
    given_up: dict[str, str] = {}
    dearer: dict[str, float] = {}
    while True:
        with working(int(goal * LOG2_10) + 64):
            mass = law.finite_mass()
            known = _known(law, quantity, epsilon, mass)
            if known is not None:
                value, reason = known
                return bounded(value, "support", {"support": reason}), None
            try:
                setup, why = choose(
                    law, quantity, epsilon, digits=digits, names=names, extra=goal - digits, dearer=dearer
                )
                value = law.infinite_mass() + setup.truth(epsilon)
                witness = {**why, **given_up, **setup.witness(epsilon)}
            except NoConvergence as refusal:
                raise NoConvergence(f"{_shortfall(best, digits)}{refusal}") from None
            except OverflowError as trouble:
                raise NoConvergence(f"{setup.engine}: beyond the range of floats ({trouble})") from None
        result = bounded(value, setup.engine, witness)
        if result.digits >= min(digits, setup.limit) or result.upper < SMALLEST:
            return result, setup
        if excludes is not None and excludes not in result:
            return result, setup
        stuck = best is not None and best.engine == result.engine and result.digits <= best.digits
        helpless = setup.engine in dearer if not math.isinf(setup.limit) else stuck and goal > 4 * digits + 60
        if helpless:
            names = tuple(name for name in names if name != setup.engine)
            given_up[f"why not {setup.engine}"] = f"stuck at {result.digits} digits"
        best = result
        dearer[setup.engine] = _DEARER * dearer.get(setup.engine, 1.0)
        goal += max(digits - int(result.digits) + 2, goal // 2)


def _shortfall(best: Enclosure | None, digits: int) -> str:
    if best is None:
        return ""
    interval = f"[{float(best.lower):.6g}, {float(best.upper):.6g}]"
    return f"{best.engine}: wanted {digits} digits, reached {best.digits}: {interval}; "


def _known(law: Product, quantity: Quantity, epsilon: Fraction, mass: arb) -> tuple[arb, str] | None:
    """The value where ε lies outside the support of the finite losses, and why; None inside."""
    if mass.is_zero():
        return arb(1), "the loss is always infinite"
    if not law.factors:
        return arb(quantity == "tail" and epsilon <= 0), "the loss is always 0"
    if quantity == "delta" and law.ends_by(epsilon):
        return law.infinite_mass(), "no finite loss exceeds ε"
    if quantity == "tail" and law.ends_before(epsilon):
        return law.infinite_mass(), "no finite loss reaches ε"
    return None


def bounded(value: arb, engine: str, witness: dict[str, str]) -> Enclosure:
    """Enclosure of a probability, which lies in [0, 1]."""
    low, high = max(Fraction(0), lower(value)), min(Fraction(1), upper(value))
    return Enclosure(low, high, engine, witness)
