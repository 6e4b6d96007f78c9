"""P(S ≤ ε): the distribution function of the composed privacy loss, atoms included."""

from fractions import Fraction

from pldverify.balls.ball import LOG2_10, SMALLEST, working
from pldverify.balls.clock import spend
from pldverify.mechanisms.as_composition import Composed, as_composition
from pldverify.mechanisms.mechanism import Composition
from pldverify.mechanisms.relations import Adjacency, Direction, reverse
from pldverify.numbers.enclosure import Bound, Enclosure
from pldverify.numbers.exact import count, rational
from pldverify.reference.choice import settle
from pldverify.reference.engines.conclude import look
from pldverify.reference.engines.derived.privacy_loss_cdf import Cdf, CdfOfOne, CdfSupport
from pldverify.reference.engines.derived.question import Proved
from pldverify.reference.laws.composed_loss import product
from pldverify.reference.quantities.directions import MAX_DIGITS, Found, extreme
from pldverify.reference.quantities.rising import rising


def privacy_loss_cdf(
    composition: Composed,
    *,
    epsilon: object,
    adjacency: Adjacency | None = None,
    digits: int = 15,
) -> Enclosure:
    """The true P(S ≤ ε) of the composed loss S under P, the smaller of the directions asked for.

    To ``digits`` proved digits, or the few that are left where only the grid engine applies; S = +∞ never
    counts. ``epsilon`` in nats, any finite real. Raises InvalidInput, NotSupported, NoConvergence.

    The loss of Gaussian noise with σ = 1 is N(1/2, 1):

    >>> float(pv.privacy_loss_cdf(pv.Gaussian(sigma=1), epsilon="1.5"))
    0.84134474606854...
    """
    eps = rational(epsilon, "epsilon")
    whole = as_composition(composition)
    wanted = count(digits, "digits", cap=MAX_DIGITS)

    def evaluate(way: Direction, _: Bound | None) -> Found:
        statement = _cdf(whole, way, eps, wanted)
        return look(statement), statement

    return extreme("smallest", whole, adjacency, ("privacy loss cdf", eps), evaluate)


def _cdf(composition: Composition, direction: Direction, epsilon: Fraction, digits: int) -> Proved:
    support = CdfSupport(composition, direction, epsilon, int(digits * LOG2_10) + 64)
    with working(support.bits):
        if support.known() is not None:
            return support
    forward, backward = (product(composition, way) for way in (direction, reverse(direction)))
    if backward.steps == 1 and hasattr(backward.factors[0][0], "tails"):
        return rising(lambda bits: CdfOfOne(composition, direction, epsilon, bits), digits)[1]
    goal = digits + 3
    while True:
        spend()
        event = settle(backward, "tail", -epsilon, goal)
        loss, side = (forward, epsilon) if epsilon > 0 else (backward, -epsilon)
        profile = settle(loss, "delta", side, goal)
        tail = settle(forward, "tail", epsilon, goal).statement if epsilon > 0 else None
        bits = int(goal * LOG2_10) + 64
        statement = Cdf(composition, direction, epsilon, event.statement, profile.statement, tail, bits)
        found = look(statement)
        limited = (
            min(event.enclosure.digits, profile.enclosure.digits) < goal
        )  # all that the engines can give
        if found.digits >= digits or found.upper < SMALLEST or limited:
            return statement
        goal += max(digits - int(found.digits) + 2, goal // 2)
