r"""δ(ε) and P(S ≥ ε): every direction enclosed, the maximum reported."""

from collections.abc import Callable, Sequence
from fractions import Fraction

from pldverify.balls.ball import BOUND_BITS, LOG2_10, working
from pldverify.errors import NoConvergence
from pldverify.mechanisms.as_composition import as_composition
from pldverify.mechanisms.mechanism import Composition, Mechanism
from pldverify.mechanisms.relations import Adjacency, Direction, reverse
from pldverify.numbers.enclosure import Enclosure
from pldverify.numbers.exact import count, rational
from pldverify.numbers.witness import Bound
from pldverify.reference.choice import ENGINES, named, settle
from pldverify.reference.engines.conclude import conclude, look
from pldverify.reference.engines.derived.backwards import Backwards
from pldverify.reference.engines.derived.directions import Directions
from pldverify.reference.engines.derived.question import Proved
from pldverify.reference.engines.derived.support import AllAbove
from pldverify.reference.engines.evaluator import Quantity
from pldverify.reference.laws.composed_loss import ComposedLoss, product
from pldverify.reference.quantities.rough import at_most
from pldverify.reference.quantities.rough import rough as rough_bound
from pldverify.reference.quantities.told import Found, Told, carried

MAX_DIGITS = 1000
"""Cap on the decimal digits that may be asked for."""
_COARSE = 3
"""Decimal digits of the first enclosure of each direction, which may rule out the smaller one."""
LEADING: tuple[Direction, ...] = ("remove", "add", "replace", "replace-back")
"""Directions in the order in which they are asked: the first tends to have the largest δ."""


def delta(
    composition: Composition | Mechanism,
    *,
    epsilon: object,
    adjacency: Adjacency | None = None,
    digits: int = 30,
    engine: str | None = None,
) -> Enclosure:
    """The true δ(ε) of a composition in rational numbers at one rational ε.

    Arguments and errors as of :func:`pldverify.reference.quantities.questions.delta`.
    """
    eps, names = rational(epsilon, "epsilon"), named(engine)
    return maximum(
        composition,
        adjacency,
        digits,
        lambda c, d, n: delta_one_way(c, d, eps, n, names),
        question=("delta", eps),
        at_most=lambda c, d, floor: _no_more(c, d, "delta", eps, floor, names),
        rough=lambda c, d: rough_one_way(c, d, eps),
    )


def tail(
    composition: Composition | Mechanism,
    *,
    epsilon: object,
    adjacency: Adjacency | None = None,
    digits: int = 30,
    engine: str | None = None,
) -> Enclosure:
    """The true P(S ≥ ε) of the composed privacy loss S, S = +∞ included; arguments as in :func:`delta`."""
    eps, names = rational(epsilon, "epsilon"), named(engine)
    return maximum(
        composition,
        adjacency,
        digits,
        lambda c, d, n: _tail(c, d, eps, n, names),
        question=("tail", eps),
        at_most=lambda c, d, floor: _no_more(c, d, "tail", eps, floor, names),
        rough=lambda c, d: rough_bound(product(c, d), "tail", eps),
    )


def maximum(
    composition: object,
    adjacency: str | None,
    digits: object,
    evaluate: Callable[[Composition, Direction, int], Found],
    *,
    question: tuple[str, Bound],
    rough: Callable[[Composition, Direction], Proved] | None = None,
    at_most: Callable[[Composition, Direction, Fraction], Found | None] | None = None,
) -> Enclosure:
    """Maximum over the directions; those that a coarse enclosure rules out are not refined.

    ``at_most`` tries to prove that a direction has at most a given value, which is cheaper.
    Raises NoConvergence within the time of one call, which carries what is proved of each direction: by
    ``evaluate``, and by ``rough``, which has a time of its own.
    """
    whole = as_composition(composition)
    wanted = count(digits, "digits", cap=MAX_DIGITS)
    ways = whole.directions(adjacency)
    told = Told(whole, adjacency or whole.adjacency, distinct(whole, ways), question, rough)

    def ask(way: Direction, wanted: int) -> Found:
        with told.of(way):
            found = evaluate(whole, way, wanted)
        told.proved[way] = [found[1]]
        return found

    with told.refusals():
        return _maximum(whole, adjacency, ways, wanted, ask, at_most)


def _no_more(
    composition: Composition,
    direction: Direction,
    quantity: Quantity,
    epsilon: Fraction,
    most: Fraction,
    names: Sequence[str],
) -> Found | None:
    """Proof that a direction has at most ``most``: by Markov's inequality, or by a coarse enclosure."""
    if names == tuple(ENGINES) and (epsilon >= 0 or quantity == "tail"):
        proof = at_most(product(composition, direction), quantity, epsilon, most)
        if proof is not None:
            return look(proof), proof
    ask = delta_one_way if quantity == "delta" else _tail
    found = ask(composition, direction, epsilon, _COARSE, names)
    return found if found[0].upper <= most else None


def _maximum(
    whole: Composition,
    adjacency: str | None,
    ways: tuple[Direction, ...],
    wanted: int,
    ask: Callable[[Direction, int], Found],
    at_most: Callable[[Composition, Direction, Fraction], Found | None] | None,
) -> Enclosure:
    asked = distinct(whole, ways)
    alike = " and ".join(ways) + " alike" if len(asked) < len(ways) else ""
    smaller: dict[Direction, Found] = {}
    fine: dict[Direction, Found] = {}
    if at_most is None and len(asked) > 1 and wanted > _COARSE:
        coarse = {direction: ask(direction, _COARSE) for direction in asked}
        floor = max(value.lower for value, _ in coarse.values())
        smaller = {way: found for way, found in coarse.items() if found[0].upper < floor}
    for way in sorted(asked, key=LEADING.index):
        if at_most is not None and fine:
            least = max(value.lower for value, _ in fine.values())
            if isinstance(least, Fraction) and (found := at_most(whole, way, least)) is not None:
                smaller[way] = found
        if way not in smaller:
            fine[way] = ask(way, wanted)
    leading = max(fine, key=lambda way: fine[way][0].upper)
    notes = {
        "direction": alike or leading,
        **{f"why not {way}": f"smaller: {smaller[way][0]}" for way in smaller},
    }
    rest = [statement for way, (_, statement) in (*fine.items(), *smaller.items()) if way != leading]
    parts = (fine[leading][1], *rest)
    statement = Directions(whole, adjacency or whole.adjacency, "largest", parts)
    return conclude(statement, {**notes, **dict(fine[leading][0].provenance)})


def distinct(composition: Composition, asked: tuple[Direction, ...]) -> list[Direction]:
    """The directions whose laws differ: symmetric mechanisms need only one."""
    seen: dict[ComposedLoss, Direction] = {}
    for direction in asked:
        seen.setdefault(product(composition, direction), direction)
    return list(seen.values())


def delta_one_way(
    composition: Composition, direction: Direction, epsilon: Fraction, digits: int, names: Sequence[str]
) -> Found:
    """δ(ε) of one direction, and its statement. Raises NoConvergence with what is proved of it."""
    if epsilon >= 0:
        found = settle(product(composition, direction), "delta", epsilon, digits, names=names)
        return found.enclosure, found.statement
    bits = int(digits * LOG2_10) + 64
    try:
        other = settle(product(composition, reverse(direction)), "delta", -epsilon, digits + 1, names=names)
    except NoConvergence as failure:
        known = [Backwards(composition, direction, epsilon, part, bits) for _, part in carried(failure)]
        raise NoConvergence(str(failure), look(known[0]) if known else None) from None
    statement = Backwards(composition, direction, epsilon, other.statement, bits)
    notes = {"via": "the reverse direction at −ε", **dict(other.enclosure.provenance)}
    return look(statement, notes), statement


def rough_one_way(composition: Composition, direction: Direction, epsilon: Fraction) -> Proved:
    """δ(ε) of one direction between rough bounds."""
    if epsilon >= 0:
        return rough_bound(product(composition, direction), "delta", epsilon)
    other = rough_bound(product(composition, reverse(direction)), "delta", -epsilon)
    return Backwards(composition, direction, epsilon, other, BOUND_BITS)


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
