"""Accountants of choices and thresholds with two defects that libraries had."""

import math

from pldverify.accountants.accountant import Accountant
from pldverify.mechanisms import Laplace, PermuteAndFlip, Query, ThresholdedHistogram


class Choices(Accountant):
    """Permute-and-flip as if it were (ε²/8)-zCDP, as the exponential mechanism is: a fourth of ε²/2."""

    direction = "upper"
    library = "planted"

    def supports(self, query: Query) -> str | None:
        chosen = all(isinstance(mechanism, PermuteAndFlip) for mechanism, _ in query.composition.parts)
        return None if chosen and query.delta and query.delta < 1 else "ε of permute-and-flip alone"

    def claim(self, query: Query) -> float:
        rho = sum(count * float(mechanism.loss(1)) ** 2 / 8 for mechanism, count in query.composition.parts)
        return float(rho + 2 * math.sqrt(rho * -math.log(float(query.delta or 1))))


class Thresholds(Accountant):
    """Laplace noise on counts by keys, added up: that a key appears at all is forgotten."""

    direction = "upper"
    library = "planted"

    def supports(self, query: Query) -> str | None:
        parts = query.composition.parts
        shown = all(isinstance(m, ThresholdedHistogram) and isinstance(m.base, Laplace) for m, _ in parts)
        return None if shown and query.delta is not None else "ε of Laplace noise with thresholds alone"

    def claim(self, query: Query) -> float:
        return sum(
            count / float(mechanism.base.noise_multiplier) for mechanism, count in query.composition.parts
        )
