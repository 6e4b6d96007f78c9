"""Search for the step of a secant, in exact powers of 1/4."""

from collections.abc import Callable
from fractions import Fraction

from pldverify.balls.ball import LOG2_10
from pldverify.balls.clock import spend
from pldverify.balls.compare import surely_less
from pldverify.errors import NoConvergence, NotSupported
from pldverify.reference.engines.evaluator import Quantity, Work
from pldverify.reference.engines.inversion.slope import Parameters
from pldverify.reference.laws.composed_loss import ComposedLoss
from pldverify.reference.search.contour import plan_contour
from pldverify.reference.search.grid import plan_grid
from pldverify.reference.search.plan import Plan

MAX_SECONDS = 10
"""Cap on the predicted price of δ: two directions must fit into the time of one call."""


def plan_contour_slope(loss: ComposedLoss, quantity: Quantity, epsilon: Fraction, *, digits: int) -> Plan:
    """A tail from the contour's δ of twice as many digits. Raises NotSupported, NoConvergence."""
    return _plan(plan_contour, loss, quantity, epsilon, 2 * digits + 4, digits)


def plan_grid_slope(loss: ComposedLoss, quantity: Quantity, epsilon: Fraction, *, digits: int) -> Plan:
    """A tail from a grid's δ: some 3 digits. Raises NotSupported, NoConvergence."""
    return _plan(plan_grid, loss, quantity, epsilon, 6, digits)


def _plan(
    engine: Callable[..., Plan],
    loss: ComposedLoss,
    quantity: Quantity,
    epsilon: Fraction,
    twice: int,
    digits: int,
) -> Plan:
    if quantity == "delta":
        raise NotSupported("slope: it has tails and no δ")
    delta = engine(loss, "delta", epsilon, digits=twice)
    if delta.seconds > MAX_SECONDS:
        raise NoConvergence(f"slope: {delta.seconds:.0f} s predicted for δ (cap {MAX_SECONDS})")
    return Plan(0.01 + 2 * delta.seconds, lambda: _narrowest(delta.build(), loss, epsilon, digits))


def _narrowest(delta: Work, loss: ComposedLoss, epsilon: Fraction, digits: int) -> Work:
    """The h = 4^−i whose bounds are narrowest: they narrow until rounding takes over."""
    bits = int(2 * digits * LOG2_10) + 128
    best, width = None, None
    for i in range(1, 2 * digits + 20):
        spend()
        found = Work("slope", loss, "tail", Parameters(delta, Fraction(1, 4**i), bits))
        radius = found.value(epsilon).rad()
        if width is None or surely_less(radius, width):
            best, width = found, radius
        elif i > 2:
            break
    assert best is not None
    return best
