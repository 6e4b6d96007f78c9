r"""δ(ε) and P(S ≥ ε): every direction enclosed, the maximum reported."""

from collections.abc import Iterator, Sequence
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
from pldverify.reference.engines.conclude import look
from pldverify.reference.engines.derived.backwards import Backwards
from pldverify.reference.engines.derived.between import between
from pldverify.reference.engines.derived.question import Proved
from pldverify.reference.engines.derived.support import AllAbove
from pldverify.reference.engines.evaluator import Quantity
from pldverify.reference.laws.composed_loss import product
from pldverify.reference.quantities.directions import MAX_DIGITS, Found, carried, extreme
from pldverify.reference.quantities.looks import COARSE
from pldverify.reference.quantities.rough import at_most, rough, rough_values


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
    whole, wanted = as_composition(composition), count(digits, "digits", cap=MAX_DIGITS)

    def evaluate(way: Direction, bound: Bound | None) -> Found:
        known = None if bound is None else _no_more(whole, way, "delta", eps, bound, names)
        return known or delta_one_way(whole, way, eps, wanted, names)

    return extreme(
        "largest", whole, adjacency, ("delta", eps), evaluate, lambda c, way: rough_one_way(c, way, eps)
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
    whole, wanted = as_composition(composition), count(digits, "digits", cap=MAX_DIGITS)

    def evaluate(way: Direction, bound: Bound | None) -> Found:
        known = None if bound is None else _no_more(whole, way, "tail", eps, bound, names)
        return known or _tail(whole, way, eps, wanted, names)

    return extreme(
        "largest",
        whole,
        adjacency,
        ("tail", eps),
        evaluate,
        lambda c, way: rough(product(c, way), "tail", eps),
    )


def _no_more(
    composition: Composition,
    direction: Direction,
    quantity: Quantity,
    epsilon: Fraction,
    most: Bound,
    names: Sequence[str],
) -> Found | None:
    """Proof that a direction has at most ``most``: by Markov's inequality, or by a coarse enclosure, and be
    it the wide one that a failure carries.
    """
    if names == tuple(ENGINES) and (epsilon >= 0 or quantity == "tail"):
        proof = at_most(product(composition, direction), quantity, epsilon, Fraction(most))
        if proof is not None:
            return look(proof), proof
    ask = delta_one_way if quantity == "delta" else _tail
    try:
        found = ask(composition, direction, epsilon, COARSE, names)
    except NoConvergence as failure:
        enough = [row for row in carried(failure) if row[0].upper <= most]
        if not enough:
            raise
        return enough[0]
    return found if found[0].upper <= most else None


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
    except NoConvergence as failure:  # few digits of a small term may be enough of the sum
        rough = rough_one_way(composition, reverse(direction), -epsilon)
        parts = [*(part for _, part in carried(failure)), rough]
        known = [Backwards(composition, direction, epsilon, part, bits) for part in parts]
        enough = next((each for each in known if look(each).digits >= digits), None)
        if enough is None:
            raise NoConvergence(str(failure), look(known[0])) from None
        return look(enough), enough
    statement = Backwards(composition, direction, epsilon, other.statement, bits)
    notes = {"via": "the reverse direction at −ε", **dict(other.enclosure.provenance)}
    return look(statement, notes), statement


def rough_one_way(composition: Composition, direction: Direction, epsilon: Fraction) -> Proved:
    """δ(ε) of one direction between rough bounds."""
    return between(*rough_ones(composition, direction, epsilon))


def rough_ones(composition: Composition, direction: Direction, epsilon: Fraction) -> Iterator[Proved]:
    """The rough bounds of δ(ε) of one direction, each computed when it is asked for."""
    if epsilon >= 0:
        yield from rough_values(product(composition, direction), "delta", epsilon)
        return
    for other in rough_values(product(composition, reverse(direction)), "delta", -epsilon):
        yield Backwards(composition, direction, epsilon, other, BOUND_BITS)


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
