"""Samples of what is not DP-SGD: Laplace and discrete noise, responses; batches of a fixed size."""

from pldverify.sweeps.families.sized import Sized
from pldverify.sweeps.family import Family

_DELTAS = ("1e-3", "1e-5", "1e-8", "1e-10", "1e-15")
_EPSILONS = ("0.05", "0.5", "1", "3")
_RATES = ("1e-4", "0.01", "0.1", "0.5", "0.99")
_LAWS = (
    "laplace(b=0.7)",
    "laplace(b=2)",
    "laplace(b=10)",
    "discrete_gaussian(sigma=1)",
    "discrete_gaussian(sigma=3)",
    "discrete_gaussian(sigma=20)",
    "discrete_laplace(b=1)",
    "discrete_laplace(b=5)",
    "randomized_response(p=0.75)",
    "randomized_response(p=0.9, categories=10)",
    "binomial(n=1000, p=0.5)",
)

FAMILIES = (
    Sized(
        Family(
            "samples",
            "{k} * poisson({law}, q={q})",
            {"law": _LAWS, "q": _RATES, "k": (1, 2, 30, 1_000)},
            adjacency=("add-or-remove", "add", "remove"),
            delta=_DELTAS,
            epsilon=_EPSILONS,
        ),
        8,
        200,
    ),
    Sized(
        Family(
            "batches without replacement",
            "{k} * sampled_without_replacement(gaussian(sigma={sigma}), q={q})",
            {"sigma": ("0.7", "1", "2", "8"), "q": ("1e-3", "0.01", "0.1", "0.5", "1"), "k": (1, 10, 1_000)},
            delta=_DELTAS,
            epsilon=_EPSILONS,
        ),
        3,
        60,
    ),
    Sized(
        Family(
            "batches with replacement",
            "{k} * sampled_with_replacement(gaussian(sigma={sigma}), m={m}, n={n})",
            {"sigma": ("1", "2", "8"), "m": (1, 10, 100), "n": (100, 10_000), "k": (1, 10, 1_000)},
            delta=("1e-5", "1e-10"),
        ),
        2,
        30,
    ),
)
