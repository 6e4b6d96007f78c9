"""DP-SGD: Gaussian noise on Poisson samples, from one step to a million.

Most rows are runs that somebody could report, with a total of about mu = q sqrt(k (exp(1/sigma^2) - 1)) of
the central limit between 0.005 and 12. The edges are beyond: q next to 0 and 1, little and much noise, and
whole numbers, which some libraries take on another way.
"""

import math
from collections.abc import Iterator

from pldverify.sweeps.families.sized import Sized
from pldverify.sweeps.family import Family

STEP = "{k} * poisson(gaussian(sigma={sigma}), q={q})"
_SIGMAS = ("0.5", "0.6", "0.7", "0.8", "1", "1.3", "2", "3", "5", "10", "30", "100")
_RATES = ("1e-6", "1e-5", "1e-4", "1e-3", "256/60000", "0.01", "0.02", "0.05", "0.1", "0.2", "0.5", "0.9")
_STEPS = (1, 2, 10, 100, 1_000, 10_000, 100_000, 1_000_000)
_DELTAS = ("1e-3", "1e-5", "1e-6", "1e-8", "1e-10", "1e-12", "1e-15")
_EPSILONS = ("0.1", "0.5", "1", "2", "4", "8")


def _runs() -> Iterator[dict[str, str | int]]:
    for sigma in _SIGMAS:
        for rate in _RATES:
            numerator, _, denominator = rate.partition("/")
            q = float(numerator) / float(denominator or 1)
            for k in _STEPS:
                if 0.005 < q * math.sqrt(k * math.expm1(float(sigma) ** -2)) < 12:
                    yield {"sigma": sigma, "q": rate, "k": k}


RUNS = tuple(_runs())
FAMILIES = (
    Sized(Family("DP-SGD", STEP, rows=RUNS, delta=_DELTAS), quick=12, standard=380),
    Sized(Family("DP-SGD at epsilon", STEP, rows=RUNS, epsilon=_EPSILONS), quick=6, standard=200),
    Sized(
        Family("DP-SGD, one direction", STEP, rows=RUNS, adjacency=("add", "remove"), delta=_DELTAS),
        quick=4,
        standard=80,
    ),
    Sized(
        Family("DP-SGD, replace-one", STEP, rows=RUNS, adjacency=("replace-one",), delta=_DELTAS),
        quick=4,
        standard=60,
    ),
    Sized(
        Family(
            "one step of DP-SGD",
            "poisson(gaussian(sigma={sigma}), q={q})",
            {"sigma": ("0.3", "0.5", "1", "2", "10"), "q": (*_RATES, "0.99", "0.999999", "1")},
            adjacency=("add-or-remove", "add", "remove"),
            delta=_DELTAS,
            epsilon=("0", "0.01", *_EPSILONS),
        ),
        quick=8,
        standard=150,
    ),
    Sized(
        Family(
            "edges of DP-SGD",
            STEP,
            {
                "sigma": ("0.2", "0.3", "1", "50", "1000"),
                "q": ("1e-9", "1e-6", "0.999", "0.999999999"),
                "k": (1, 3, 1_000, 1_000_000),
            },
            delta=("1e-3", "1e-15"),
        ),
        quick=4,
        standard=40,
    ),
    Sized(
        Family(
            "DP-SGD in whole numbers",
            STEP,
            {"sigma": (1, 2, 5, 10), "q": ("0.01", "0.25", "1"), "k": (1, 10, 1_000)},
            delta=("1e-5", "1e-9"),
        ),
        quick=3,
        standard=30,
    ),
)
