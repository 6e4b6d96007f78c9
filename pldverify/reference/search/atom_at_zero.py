"""Search for the integrals and the contour of losses that are not 0, in floats."""

import math
from fractions import Fraction

from pldverify.balls.ball import BOUND_BITS, LOG2_10, short, working
from pldverify.errors import NoConvergence, NotSupported
from pldverify.reference.engines.evaluator import Quantity, Work
from pldverify.reference.engines.inversion import contour
from pldverify.reference.engines.inversion.atom_at_zero import Parameters, equal_batches, nonzero
from pldverify.reference.laws.composed_loss import ComposedLoss
from pldverify.reference.laws.nonzero_losses import LEAST
from pldverify.reference.search.contour import plan_contour
from pldverify.reference.search.plan import Plan
from pldverify.reference.search.tilt import tilt

MAX_STEPS = 100
"""Cap on the losses: with more, the atom is as good as nothing, and the contour engine does it alone."""
_MAX_COMPONENTS = 10
_LEAST_GOAL = -1e5
"""log of the least error that an integral is asked for."""


def plan_atom_at_zero(product: ComposedLoss, quantity: Quantity, epsilon: Fraction, *, digits: int) -> Plan:
    """Raises NotSupported unless it is the δ of 2 … MAX_STEPS losses of one fixed-size batch."""
    law, k = equal_batches(product)
    if quantity != "delta" or k > MAX_STEPS:
        raise NotSupported(
            f"atom at zero: not the δ of 2 to {MAX_STEPS} equal steps with a batch of fixed size"
        )
    with working(BOUND_BITS):
        rows, rest = law.components()
    if not rest.is_zero() or len(rows) > _MAX_COMPONENTS:
        raise NoConvergence(f"atom at zero: a record drawn more than {_MAX_COMPONENTS} times")
    goal = tilt(product, quantity, epsilon, digits=digits).log_goal - 3
    if not goal > _LEAST_GOAL:
        raise NoConvergence(f"atom at zero: errors of e^{goal:.3g} are asked for")
    bits = int(digits * LOG2_10) + 64
    reach = short(math.sqrt(-2 * goal) + 2)
    tolerance = Fraction(1, 2 ** max(1, math.ceil(-goal / math.log(2))))
    many = plan_contour(nonzero(product), quantity, epsilon, digits=digits) if k >= LEAST else None
    seconds = 0.02 * len(rows) ** 3 * (digits / 12) ** 1.8 + (many.seconds if many is not None else 0.0)

    def build() -> Work:
        parameters = many.build().parameters if many is not None else None
        assert parameters is None or isinstance(parameters, contour.Parameters)
        return Work("atom at zero", product, quantity, Parameters(parameters, reach, tolerance, bits))

    return Plan(seconds, build)
