"""(ε, δ) of one step in closed form, in double precision: what the composition theorems of old start from."""

import math

from pldverify.accountants.losses import loss, other_relation
from pldverify.errors import NotSupported
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.mechanisms.query import Query
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


def refusal(query: Query) -> str | None:
    """None, or why a composition theorem cannot answer: unknown loss or relation, ε < 0, δ outside (0, 1)."""
    relation = other_relation(query)
    if relation is not None:
        return relation
    try:
        for mechanism, _ in query.composition.parts:
            loss(mechanism, "remove")
    except NotSupported as error:
        return str(error)
    if query.epsilon is not None and query.epsilon < 0:
        return f"epsilon must be >= 0, got {float(query.epsilon):g}"
    if query.delta is not None and not 0 < query.delta < 1:
        return f"delta must be in (0, 1), got {float(query.delta):g}"
    return None
