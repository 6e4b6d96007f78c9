"""DP-SGD: Gaussian noise on Poisson samples, from one step to a million; and type II errors.

Most rows are runs that somebody could report, with a total of about mu = q sqrt(k (exp(1/sigma^2) - 1)) of
the central limit between 0.005 and 12. The edges are beyond: q next to 0 and 1, little and much noise, and
whole numbers, which some libraries take on another way.
"""

import math
from collections.abc import Iterator
from fractions import Fraction

from pldverify.sweeps.families.sized import sized

_SIGMAS = "0.5 0.6 0.7 0.8 1 1.3 2 3 5 10 30 100"
_RATES = "1e-6 1e-5 1e-4 1e-3 256/60000 0.01 0.02 0.05 0.1 0.2 0.5 0.9"
_STEPS = (1, 2, 10, 100, 1_000, 10_000, 100_000, 1_000_000)
"""Numbers of steps k."""


def _runs() -> Iterator[dict[str, str | int]]:
    for sigma in _SIGMAS.split():
        for q in _RATES.split():
            for k in _STEPS:
                if 0.005 < float(Fraction(q)) * math.sqrt(k * math.expm1(float(sigma) ** -2)) < 12:
                    yield {"sigma": sigma, "q": q, "k": k}


RUNS = tuple(_runs())
FAMILIES = (
    *sized(
        """
DP-SGD (12, 380): {k} * poisson(gaussian(sigma={sigma}), q={q})
    | delta 1e-3 1e-5 1e-6 1e-8 1e-10 1e-12 1e-15
DP-SGD at epsilon (6, 200): {k} * poisson(gaussian(sigma={sigma}), q={q})
    | epsilon 0.1 0.5 1 2 4 8
DP-SGD, one direction (4, 80): {k} * poisson(gaussian(sigma={sigma}), q={q})
    | adjacency add remove | delta 1e-3 1e-5 1e-6 1e-8 1e-10 1e-12 1e-15
DP-SGD, replace-one (4, 60): {k} * poisson(gaussian(sigma={sigma}), q={q})
    | adjacency replace-one | delta 1e-3 1e-5 1e-6 1e-8 1e-10 1e-12 1e-15
""",
        rows=RUNS,
    ),
    *sized("""
one step of DP-SGD (8, 150): poisson(gaussian(sigma={sigma}), q={q})
    | sigma 0.3 0.5 1 2 10
    | q 1e-6 1e-5 1e-4 1e-3 256/60000 0.01 0.02 0.05 0.1 0.2 0.5 0.9 0.99 0.999999 1
    | adjacency add-or-remove add remove
    | delta 1e-3 1e-5 1e-6 1e-8 1e-10 1e-12 1e-15 | epsilon 0 0.01 0.1 0.5 1 2 4 8
edges of DP-SGD (4, 40): {k} * poisson(gaussian(sigma={sigma}), q={q})
    | sigma 0.2 0.3 1 50 1000 | q 1e-9 1e-6 0.999 0.999999999 | k 1 3 1000 1000000 | delta 1e-3 1e-15
DP-SGD in whole numbers (3, 30): {k} * poisson(gaussian(sigma={sigma}), q={q})
    | sigma 1 2 5 10 | q 0.01 0.25 1 | k 1 10 1000 | delta 1e-5 1e-9
"""),
)
TRADE_OFFS = sized(
    """
type II error of DP-SGD (3, 520): {k} * poisson(gaussian(sigma={sigma}), q={q})
    | alpha 1e-6 1e-3 0.01 0.05 0.2 0.5 0.9 0.999
""",
    rows=RUNS,
)
