"""δ(ε) and P(S ≥ ε) of one direction, from the reverse one where that has them."""

from collections.abc import Callable, Iterator
from fractions import Fraction

from pldverify.balls.ball import BOUND_BITS, LOG2_10, working
from pldverify.errors import NoConvergence
from pldverify.mechanisms.mechanism import Composition
from pldverify.mechanisms.relations import Direction, reverse
from pldverify.reference.engines.conclude import look
from pldverify.reference.engines.derived.backwards import Backwards
from pldverify.reference.engines.derived.between import between
from pldverify.reference.engines.derived.question import Proved
from pldverify.reference.engines.derived.support import AllAbove
from pldverify.reference.laws.composed_loss import product
from pldverify.reference.quantities.directions import Found, carried
from pldverify.reference.quantities.rough import rough_values

Ask = Callable[[Direction, Fraction, int], Found]
"""Encloses δ of a direction at ε ≥ 0, to so many digits."""


def delta_one_way(
    composition: Composition, direction: Direction, epsilon: Fraction, digits: int, ask: Ask
) -> Found:
    """δ(ε) of one direction, and its statement. Raises NoConvergence with what is proved of it."""
    if epsilon >= 0:
        return ask(direction, epsilon, digits)
    bits = int(digits * LOG2_10) + 64
    try:
        other, part = ask(reverse(direction), -epsilon, digits + 1)
    except NoConvergence as failure:  # few digits of a small term may be enough of the sum
        rough = rough_one_way(composition, reverse(direction), -epsilon)
        parts = [*(part for _, part in carried(failure)), rough]
        known = [Backwards(composition, direction, epsilon, part, bits) for part in parts]
        enough = next((each for each in known if look(each).digits >= digits), None)
        if enough is None:
            raise NoConvergence(str(failure), look(known[0])) from None
        return look(enough), enough
    statement = Backwards(composition, direction, epsilon, part, bits)
    notes = {"via": "the reverse direction at −ε", **dict(other.provenance)}
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


def all_above(
    composition: Composition, direction: Direction, epsilon: Fraction, digits: int
) -> AllAbove | None:
    """P(S ≥ ε) = 1, if that is so."""
    backward = product(composition, reverse(direction))  # its finite losses are these, negated
    bits = int(digits * LOG2_10) + 64
    with working(bits):
        below = not backward.finite_mass().is_zero() and backward.ends_by(-epsilon)
    return AllAbove(composition, direction, epsilon, bits) if below else None
