r"""δ(ε) and P(S ≥ ε): every direction enclosed, the maximum reported."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from fractions import Fraction

from pldverify.balls.ball import LOG2_10, working
from pldverify.balls.clock import clock
from pldverify.errors import NoConvergence, PldverifyError
from pldverify.mechanisms.composition import Composition, as_composition
from pldverify.mechanisms.mechanism import Adjacency, Direction, Mechanism, reverse
from pldverify.numbers.enclosure import Enclosure
from pldverify.numbers.exact import count, rational
from pldverify.reference.choice import named, settle
from pldverify.reference.engines.conclude import conclude, look
from pldverify.reference.engines.derived.backwards import Backwards
from pldverify.reference.engines.derived.directions import Directions
from pldverify.reference.engines.derived.question import Proved
from pldverify.reference.engines.derived.support import AllAbove
from pldverify.reference.laws.composed_loss import ComposedLoss, product
from pldverify.reference.search.float_range import float_range
from pldverify.reference.search.tilt import estimate

MAX_DIGITS = 1000
_COARSE = 3
"""Digits of the look that rules out the smaller direction."""
Found = tuple[Enclosure, Proved]
"""An enclosure, and the statement behind it."""


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
        engine: one of ``reference.choice.ENGINES``; left out, the cheapest of
            those that apply and can give the digits.

    Raises InvalidInput, NotSupported, NoConvergence.
    """
    eps, names = rational(epsilon, "epsilon"), named(engine)
    with clock(), float_range("delta"):
        return maximum(
            composition,
            adjacency,
            digits,
            lambda c, d, n: _delta(c, d, eps, n, names),
            lambda c, d: estimate(product(c, d if eps >= 0 else reverse(d)), "delta", float(abs(eps))),
        )


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
    with clock(), float_range("tail"):
        return maximum(
            composition,
            adjacency,
            digits,
            lambda c, d, n: _tail(c, d, eps, n, names),
            lambda c, d: estimate(product(c, d), "tail", float(eps)),
        )


def maximum(
    composition: object,
    adjacency: str | None,
    digits: object,
    evaluate: Callable[[Composition, Direction, int], Found],
    guess: Callable[[Composition, Direction], float] | None = None,
    at_most: Callable[[Composition, Direction, Enclosure], Found | None] | None = None,
) -> Enclosure:
    """Maximum over the directions; those that a coarse look rules out are not refined.

    The one that a float ``guess`` says is the largest comes first; without a guess all get a coarse look.
    ``at_most`` looks whether a direction is at most another one's value, where that is cheaper.
    """
    whole = as_composition(composition)
    wanted = count(digits, "digits", cap=MAX_DIGITS)
    ways = whole.directions(adjacency)
    asked = distinct(whole, ways)
    alike = " and ".join(ways) + " alike" if len(asked) < len(ways) else ""
    fine: dict[Direction, Found] = {}
    smaller: dict[Direction, Found] = {}
    if len(asked) > 1 and wanted > _COARSE:
        first = None
        with suppress(NoConvergence):
            first = _first(whole, asked, guess) if guess is not None else None
            fine |= {first: evaluate(whole, first, wanted)} if first else {}
        coarse: dict[Direction, Found] = {}
        for way in (way for way in asked if way not in fine):
            told = at_most(whole, way, fine[first][0]) if at_most and first in fine and first else None
            coarse[way] = told or evaluate(whole, way, _COARSE)
        floor = max(value.lower for value, _ in (*fine.values(), *coarse.values()))
        smaller = {way: found for way, found in coarse.items() if found[0].upper <= floor}
    fine |= {way: evaluate(whole, way, wanted) for way in asked if way not in smaller and way not in fine}
    leading = max(fine, key=lambda way: fine[way][0].upper)
    notes = {
        "direction": alike or leading,
        **{f"why not {way}": f"smaller: {smaller[way][0]}" for way in smaller},
    }
    rest = [statement for way, (_, statement) in (*fine.items(), *smaller.items()) if way != leading]
    parts = (fine[leading][1], *rest)
    statement = Directions(whole, adjacency or whole.adjacency, "largest", parts)
    return conclude(statement, {**notes, **dict(fine[leading][0].provenance)})


def _first(
    whole: Composition, asked: Sequence[Direction], guess: Callable[[Composition, Direction], float]
) -> Direction | None:
    """The direction that seems to be the largest; None where floats can't tell."""
    if any(law.infinite_mass for way in asked for law, _ in product(whole, way).factors):
        return None
    try:
        return max(asked, key=lambda way: guess(whole, way))
    except (PldverifyError, ArithmeticError, ValueError):
        return None


def distinct(composition: Composition, asked: tuple[Direction, ...]) -> list[Direction]:
    """The directions whose laws differ: symmetric mechanisms need only one."""
    seen: dict[ComposedLoss, Direction] = {}
    for direction in asked:
        seen.setdefault(product(composition, direction), direction)
    return list(seen.values())


def _delta(
    composition: Composition, direction: Direction, epsilon: Fraction, digits: int, names: Sequence[str]
) -> Found:
    if epsilon >= 0:
        found = settle(product(composition, direction), "delta", epsilon, digits, names=names)
        return found.enclosure, found.statement
    other = settle(product(composition, reverse(direction)), "delta", -epsilon, digits + 1, names=names)
    statement = Backwards(composition, direction, epsilon, other.statement, int(digits * LOG2_10) + 64)
    notes = {"via": "the reverse direction at −ε", **dict(other.enclosure.provenance)}
    return look(statement, notes), statement


def _tail(
    composition: Composition, direction: Direction, epsilon: Fraction, digits: int, names: Sequence[str]
) -> Found:
    statement = all_above(composition, direction, epsilon, digits)
    if statement is not None:
        return look(statement, {"support": "no loss is below ε"}), statement
    found = settle(product(composition, direction), "tail", epsilon, digits, names=names)
    return found.enclosure, found.statement


def all_above(
    composition: Composition, direction: Direction, epsilon: Fraction, digits: int
) -> AllAbove | None:
    """P(S ≥ ε) = 1, if that is so."""
    backward = product(composition, reverse(direction))  # its finite losses are these, negated
    bits = int(digits * LOG2_10) + 64
    with working(bits):
        below = not backward.finite_mass().is_zero() and backward.ends_by(-epsilon)
    return AllAbove(composition, direction, epsilon, bits) if below else None
