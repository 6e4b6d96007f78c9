"""Search for both cuts of the near steps where losses are large on both sides, in floats."""

import math

import numpy as np

from pldverify.balls.ball import short
from pldverify.errors import NoConvergence
from pldverify.reference.engines.inversion.truncated import near_steps
from pldverify.reference.laws.composed_loss import ComposedLoss, Factors
from pldverify.reference.laws.sampled import sampled
from pldverify.reference.lemmas.kernel import Kernel
from pldverify.reference.search.halved import TURNS, halved, middle
from pldverify.reference.search.near_step import (
    FEW,
    FEWEST,
    LEAST,
    MOST,
    log_beyond,
    loss_beyond,
    near_columns,
    near_step,
)
from pldverify.reference.search.outcome import outcome
from pldverify.reference.search.tilt import saddle

_SLACK = 3.0
"""Nats that E should be below the last digit."""
_FACTOR = 1.3
"""Ratio of each λ tried to the one before."""
_STEEPEST = 1e4
"""Bound on the λ tried, times the distance of the cut from ε."""
_TINY = -25.0
"""log of a δ that may do for a first cut."""
_LOG_TWO = math.log(2)
"""Nats by which half of an error is below the whole."""


def cut_losses(
    product: ComposedLoss, epsilon: float, digits: float, size: float | None
) -> tuple[float, float, float]:
    """The smallest loss of a cut above ε for which E does not count, that of the second cut, and λ.

    ``size`` is log δ, None where it is not known. Raises NoConvergence.
    """
    if size is None:
        loss, _, _ = cut_losses(product, epsilon, digits, _TINY)
        near = near_steps(product, tuple(short(outcome(law, loss)) for law, _ in sampled(product)))
        size = saddle(near, Kernel("delta", "upper"), epsilon)[1]
    goal = size - digits * math.log(10) - _SLACK

    def fits(log_gap: float) -> tuple[float, float, float] | None:
        return _fits(product, epsilon, epsilon + math.exp(log_gap), goal)

    with np.errstate(all="ignore"):
        ends = halved(math.log(LEAST), math.log(MOST), lambda gap: fits(gap) is not None, middle, TURNS)
        found = fits(ends[1])
    if found is None:
        raise NoConvergence("truncated: nothing bounds how far the other losses may be below 0")
    return found


def _fits(
    product: ComposedLoss, epsilon: float, loss: float, goal: float
) -> tuple[float, float, float] | None:
    """The cut at ``loss`` with a second one and λ, if E is small enough with them."""
    room = goal - epsilon - log_beyond(product.factors, loss, "q")
    if room >= 0:
        return loss, loss, 1 / loss
    steps = product.factors
    if _profiles(steps, loss - epsilon) > room - _LOG_TWO:
        return None
    second = loss_beyond(steps, room - 2 * _LOG_TWO - min(0.0, _profiles(steps, LEAST)))
    lam = _chernoff(product, second, loss - epsilon, room - 2 * _LOG_TWO)
    return None if lam is None else (loss, second, lam)


def _profiles(steps: Factors, loss: float) -> float:
    """log of Σ k (p − e^loss q) beyond a loss."""
    rows = []
    for law, k in steps:
        _, _, log_p, log_q = near_step(law, loss, FEWEST)
        rows.append(math.log(k) + log_p + math.log(max(-math.expm1(loss + log_q - log_p), LEAST)))
    return float(np.logaddexp.reduce(rows))


def _chernoff(product: ComposedLoss, second: float, at: float, enough: float) -> float | None:
    """About the least λ with c(λ) e^{−λ at} M'(λ) below e^enough, if there is one: the larger it is, the more
    nodes in x M'(λ) takes.
    """
    columns, _ = near_columns(product.factors, second, FEW)
    counts = np.array([k for _, k in product.factors])
    lam = 1 / at
    while lam < _STEEPEST / at:
        total = lam * math.log(lam) - (1 + lam) * math.log1p(lam) - lam * at
        if total + float((counts * columns.cumulants(lam)[:, 0]).sum()) < enough:
            return lam
        lam *= _FACTOR
    return None
