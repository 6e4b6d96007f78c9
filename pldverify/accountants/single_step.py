"""(ε, δ) of one step in closed form, in double precision: what the composition theorems of old start from."""

import math
import sys

import numpy as np

from pldverify.accountants.losses import Loss, loss
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.mechanisms.relations import directions

LEAST = sys.float_info.min
"""Least normal double: a bound below it might be rounded down, even to 0."""
_ROUNDING = 2.0**-50
"""Bound on the relative rounding error of either term of δ."""


def delta(mechanism: Mechanism, epsilon: float) -> float:
    """δ(ε) of one step, the greater of both directions. Raises NotSupported for an unknown loss.

    Where it is > 0 it is not 0 here: at least the rounding error of its terms.
    """
    return max(_one_way(loss(mechanism, direction), epsilon) for direction in directions("add-or-remove"))


def _one_way(loss: Loss, epsilon: float) -> float:
    if epsilon >= loss.most:
        return 0.0
    above = float(loss.above(np.array([epsilon]))[0])
    return max(loss.delta(epsilon), _ROUNDING * above, LEAST)


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
