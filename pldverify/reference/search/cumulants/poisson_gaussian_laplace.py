"""Cumulants of Gaussian and Laplace noise on one Poisson sample: sums over even nodes of the loss without
sampling, whose density is smooth.
"""

import math

from pldverify.errors import NoConvergence
from pldverify.reference.laws.poisson_gaussian_laplace import PoissonGaussianLaplaceLaw
from pldverify.reference.search.cumulants.law import Cumulant, cumulant, of_atoms

_REACH = 12.0
"""Deviations of the Gaussian loss beyond which nothing counts."""
_STEP = 1 / 8
"""Distance of nodes, in these deviations, at which sums are integrals to a double."""
_MOST = 20_000
"""Cap on the nodes."""


@cumulant.register
def poisson_gaussian_laplace(law: PoissonGaussianLaplaceLaw, theta: float) -> Cumulant:
    v, c, q = float(law.variance), float(law.loss), float(law.q)
    s, sign = math.sqrt(v), 1 if law.direction == "remove" else -1
    p = theta + 1 if law.direction == "remove" else -theta
    low = -c - v / 2 - _REACH * s + min(0.0, p) * v
    high = c + v / 2 + _REACH * s + max(0.0, p) * v
    count = math.ceil((high - low) / (_STEP * s))
    if count > _MOST:
        raise NoConvergence(f"tilt {theta:.3g} needs {count} nodes")
    rows = []
    for j in range(count + 1):
        x = low + j * (high - low) / count
        log_w = math.log1p(q * math.expm1(x)) if x < 1 else x + math.log(q + (1 - q) * math.exp(-x))
        rows.append((_log_density(x, v, c) + p * log_w, log_w))
    value, mean, variance = of_atoms(rows)
    return value + math.log((high - low) / count), sign * mean, variance


def _log_density(x: float, v: float, c: float) -> float:
    """Of the loss without sampling, under Q."""
    s = math.sqrt(v)
    below, above = (-((x - y + v / 2) ** 2) / (2 * v) for y in (-c, c))
    atoms = [below - math.log(2), above - c - math.log(2)]
    scale = math.log(s * math.sqrt(2 * math.pi))
    near, far = (abs(x) - c) / s, (abs(x) + c) / s  # the interval that the density covers, from the side
    covered = (math.erfc(near / math.sqrt(2)) - math.erfc(far / math.sqrt(2))) / 2
    logs = [atom - scale for atom in atoms]
    if covered > 0:
        logs.append(math.log(covered) - c / 2 - v / 8 - x / 2 - math.log(4))
    peak = max(logs)
    return peak + math.log(math.fsum(math.exp(log - peak) for log in logs))
