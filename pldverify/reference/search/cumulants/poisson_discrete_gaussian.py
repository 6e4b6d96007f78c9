"""Cumulants of the Poisson-subsampled discrete Gaussian."""

import math
from fractions import Fraction

from pldverify.balls.ball import working
from pldverify.reference.laws.poisson_discrete_gaussian import PoissonDiscreteGaussianLaw
from pldverify.reference.search.cumulants.law import Cumulant, cumulant, of_atoms
from pldverify.reference.search.mixture import log_w

_BITS = 40
"""Outcomes count from 2^−_BITS of the tilted mass on."""
_POINTS = 12
"""Outcomes to the narrowest width of a peak, at least: sums of so many are integrals, to a double."""


@cumulant.register
def poisson_discrete_gaussian(law: PoissonDiscreteGaussianLaw, theta: float) -> Cumulant:
    s, v, q = law.sensitivity, float(law.variance), float(law.q)
    sign = 1 if law.direction == "remove" else -1
    p = theta + 1 if law.direction == "remove" else -theta
    stride = max(1, int(math.sqrt(v / (1 + (1 + max(0.0, -p)) * s * s / v)) / _POINTS))
    c, unit = s / math.sqrt(v), math.sqrt(v)
    losses = [(x, log_w(c, q, x / unit)) for x in _counting(law, p, stride)]
    value, mean, variance = of_atoms([(p * loss - x * x / (2 * v), loss) for x, loss in losses])
    low, high = _window(law, 0.0)
    base = math.fsum(math.exp(-x * x / (2 * v)) for x in range(low, high + 1, stride))
    return value - math.log(base), sign * mean, variance


def _counting(law: PoissonDiscreteGaussianLaw, p: float, stride: int) -> list[int]:
    """Outcomes that count, or every so many of them: for large p a valley is left out."""
    low, high = _window(law, p)
    reach = math.ceil(math.sqrt(float(law.variance) * 84) + 2)
    turn = float(law.variance) / law.sensitivity * math.log(1 / law.q - 1) + law.sensitivity / 2
    first, last = math.ceil(max(0.0, turn)) + 2 * reach, high - 2 * reach
    if first >= last:
        return list(range(low, high + 1, stride))
    return [*range(low, first, stride), *range(last, high + 1, stride)]


def _window(law: PoissonDiscreteGaussianLaw, p: float) -> tuple[int, int]:
    with working(_BITS):
        return law.window(Fraction(p))
