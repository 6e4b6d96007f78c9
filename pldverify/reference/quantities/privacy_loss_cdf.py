r"""P(S ≤ ε): the distribution function of the composed privacy loss, atoms included.

With R = Q‖P the reversed pair, whose loss is −S under Q,

.. math:: \delta_R(-\epsilon) = Q(S \le \epsilon) - e^{-\epsilon} P(S \le \epsilon),

so :math:`P(S \le \epsilon) = e^{\epsilon}\,(Q(S \le \epsilon) - \delta_R(-\epsilon))`, and, as
:math:`\delta_R(-\epsilon) = 1 - e^{-\epsilon} + e^{-\epsilon}\delta_P(\epsilon)`, also
:math:`1 - \delta_P(\epsilon) - e^{\epsilon}(1 - Q(S \le \epsilon))`. :math:`Q(S \le \epsilon)` is the tail
of R at −ε. The events are closed, so an atom at ε counts.
"""

from fractions import Fraction

from flint import arb

from pldverify.balls.ball import LOG2_10, SMALLEST, ball, lower, upper, working
from pldverify.balls.clock import budget, spend
from pldverify.mechanisms.composition import Composition, as_composition
from pldverify.mechanisms.mechanism import Adjacency, Direction, Mechanism, reverse
from pldverify.numbers.enclosure import Enclosure
from pldverify.numbers.exact import count, rational
from pldverify.reference.laws.composed_loss import product
from pldverify.reference.quantities.delta import MAX_DIGITS, bounded, distinct, enclose
from pldverify.reference.search.float_range import float_range


def privacy_loss_cdf(
    composition: Composition | Mechanism,
    *,
    epsilon: object,
    adjacency: Adjacency | None = None,
    digits: int = 15,
) -> Enclosure:
    """The true P(S ≤ ε) of the composed loss S under P, the smaller of the directions asked for.

    To ``digits`` proved digits, or the few that are left where only the grid engine applies; S = +∞ never
    counts. ``epsilon`` in nats, any finite real. Raises InvalidInput, NotSupported, NoConvergence.
    """
    eps = rational(epsilon, "epsilon")
    whole = as_composition(composition)
    wanted = count(digits, "digits", cap=MAX_DIGITS)
    with budget(), float_range("privacy_loss_cdf"):
        values = [_cdf(whole, way, eps, wanted) for way in distinct(whole, whole.directions(adjacency))]
    least = min(values, key=lambda value: value.lower)
    return Enclosure(least.lower, min(value.upper for value in values), least.engine, least.witness)


def _cdf(composition: Composition, direction: Direction, epsilon: Fraction, digits: int) -> Enclosure:
    forward, backward = (product(composition, way) for way in (direction, reverse(direction)))
    if forward.finite_mass().is_zero():
        return Enclosure(Fraction(0), Fraction(0), "support", {"support": "the loss is always infinite"})
    least = backward.largest_finite_loss()  # the smallest loss, negated
    if least is not None and ball(-epsilon) > least:
        return Enclosure(Fraction(0), Fraction(0), "support")
    if forward.ends_by(epsilon):
        with working(int(digits * LOG2_10) + 64):
            mass = forward.finite_mass()
            return bounded(mass, "support", {"support": "no finite loss exceeds ε"})
    goal = digits + 3
    while True:
        spend()
        event, law, side = enclose(backward, "tail", -epsilon, goal), backward, -epsilon
        if epsilon > 0:
            law, side = forward, epsilon
        profile = enclose(law, "delta", side, goal)
        with working(int(goal * LOG2_10) + 64):
            odds, q, delta = ball(epsilon).exp(), _ball(event), _ball(profile)
            value = odds * (q - delta) if epsilon <= 0 else 1 - delta - odds * (1 - q)
            low, high = max(Fraction(0), lower(value)), min(Fraction(1), upper(value))
        if epsilon > 0:  # P(S < ε) ≤ P(S ≤ ε) ≤ 1 − δ(ε): all that is left where Q(S > ε) is tiny
            low = max(low, 1 - Fraction(enclose(forward, "tail", epsilon, goal).upper))
            high = min(high, 1 - Fraction(profile.lower))
        found = Enclosure(low, high, profile.engine, {"via": f"tail by {event.engine}", **profile.witness})
        limited = min(event.digits, profile.digits) < goal  # all that the engines can give
        if found.digits >= digits or found.upper < SMALLEST or limited:
            return found
        goal += max(digits - int(found.digits) + 2, goal // 2)


def _ball(value: Enclosure) -> arb:
    return ball(Fraction(value.lower)).union(ball(Fraction(value.upper)))
