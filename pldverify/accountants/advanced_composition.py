r"""Advanced composition (GLW21 Proposition 1.3; Dwork, Rothblum, Vadhan 2010) of k equal steps.

If one step is (ε, δ)-DP, k steps are (ε′, kδ + δ′)-DP with
:math:`\varepsilon' = \varepsilon\sqrt{2k\log(1/\delta')} + k\varepsilon(e^\varepsilon - 1)`. The step's ε
runs over a grid.
"""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pldverify.accountants import single_step
from pldverify.accountants.printed import Printed, Said
from pldverify.accountants.refusals import without_known_losses
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.mechanisms.query import Query

STEP_EPSILONS = tuple(float(x) for x in np.geomspace(1e-5, 50, 400))


def delta(mechanism: Mechanism, k: int, epsilon: float) -> float:
    """Least kδ + δ′ over the grid, at most 1: δ′ solves the formula for ε′ = epsilon."""
    best = 1.0
    for step in STEP_EPSILONS:
        spare = epsilon - k * step * math.expm1(step)
        if spare > 0:
            slack = math.exp(-((spare / step) ** 2) / (2 * k))
            best = min(best, k * single_step.delta(mechanism, step) + max(slack, single_step.LEAST))
    return best


def epsilon(mechanism: Mechanism, k: int, delta: float) -> float:
    """Least ε′ over the grid, δ′ = delta − kδ; +∞ if no step leaves a δ′ > 0."""
    best = math.inf
    for step in STEP_EPSILONS:
        slack = delta - k * single_step.delta(mechanism, step)
        if 0 < slack < 1:
            best = min(best, step * math.sqrt(2 * k * math.log(1 / slack)) + k * step * math.expm1(step))
    return best


@dataclass(frozen=True)
class AdvancedComposition(Printed):
    """Advanced composition of one mechanism, k times (Dwork, Rothblum, Vadhan 2010)."""

    name: ClassVar[str] = "advanced-composition"

    def supports(self, query: Query) -> str | None:
        """None, or one line: different mechanisms, an unknown loss, ε < 0, δ outside (0, 1)."""
        if len(query.composition.parts) > 1:
            return "advanced composition is for one mechanism, k times"
        return without_known_losses(query)

    def answer(self, query: Query) -> Said:
        """The best step of the grid."""
        ((mechanism, k),) = query.composition.parts
        if query.epsilon is not None:
            value = delta(mechanism, k, float(query.epsilon))
        else:
            value = epsilon(mechanism, k, float(query.delta or 0))
        settings = {
            "step epsilons": f"{len(STEP_EPSILONS)} from {STEP_EPSILONS[0]:g} to {STEP_EPSILONS[-1]:g}"
        }
        return value, settings, None
