"""(ε, δ) of one step in closed form, in double precision: what the composition theorems of old start from."""

import math

from pldverify.accountants.losses import loss
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.mechanisms.relations import directions


def delta(mechanism: Mechanism, epsilon: float) -> float:
    """δ(ε) of one step, the greater of both directions. Raises NotSupported for an unknown loss."""
    return max(loss(mechanism, direction).delta(epsilon) for direction in directions("add-or-remove"))


def epsilon(mechanism: Mechanism, delta_: float, *, high: float = 700.0) -> float:
    """ε of one step: least ε ≥ 0 with δ(ε) ≤ delta_, by bisection, the upper end; +∞ beyond ``high``."""
    if delta(mechanism, 0.0) <= delta_:
        return 0.0
    if delta(mechanism, high) > delta_:
        return math.inf
    low = 0.0
    while high - low > 1e-14 * high:
        middle = (low + high) / 2
        low, high = (low, middle) if delta(mechanism, middle) <= delta_ else (middle, high)
    return high
