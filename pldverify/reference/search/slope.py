"""Search for the step of a secant, in exact powers of 1/4."""

from collections.abc import Callable
from fractions import Fraction

from pldverify.balls import arb
from pldverify.balls.ball import LOG2_10
from pldverify.balls.clock import spend
from pldverify.balls.compare import surely_less
from pldverify.errors import NoConvergence, NotSupported
from pldverify.reference.engines.evaluator import Quantity, Work
from pldverify.reference.engines.inversion.slope import Parameters
from pldverify.reference.laws.composed_loss import ComposedLoss
from pldverify.reference.search.plan import MAX_SECONDS, Plan


def plan_slope(
    engine: Callable[..., Plan],
    loss: ComposedLoss,
    quantity: Quantity,
    epsilon: Fraction,
    *,
    digits: int,
    most: int | None = None,
) -> Plan:
    """A tail from an ``engine``'s δ of twice as many digits, or of the ``most`` that it has.

    Raises NotSupported, NoConvergence.
    """
    if quantity == "delta":
        raise NotSupported("slope: it has tails and no δ")
    twice = most or 2 * digits + 4
    delta = engine(loss, "delta", epsilon, digits=twice)
    if delta.seconds > MAX_SECONDS:
        raise NoConvergence(f"slope: {delta.seconds:.0f} s predicted for δ (cap {MAX_SECONDS})")
    return Plan(0.01 + 2 * delta.seconds, lambda: _narrowest(delta.build(), loss, epsilon, twice))


def _narrowest(delta: Work, loss: ComposedLoss, epsilon: Fraction, twice: int) -> Work:
    """The h = 4^−i with the narrowest bounds.

    They narrow with h until the rounding of δ, known to ``twice`` digits, dominates.
    """
    bits = int(twice * LOG2_10) + 128

    def work(i: int) -> Work:
        return Work("slope", loss, "tail", Parameters(delta, Fraction(1, 4**i), bits))

    def radius(i: int) -> arb:
        spend()
        return work(i).value(epsilon).rad()

    best = max(2, round(twice / 2 * LOG2_10 / 2))
    width = radius(best)
    for step in (1, -1):
        while 1 <= best + step <= twice + 20 and surely_less(other := radius(best + step), width):
            best, width = best + step, other
    return work(best)
