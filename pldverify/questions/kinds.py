"""Kinds: a row a mechanism, with the numbers of each parameter. A new mechanism needs a row here."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from pldverify.mechanisms.expression import MECHANISMS
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.mechanisms.randomized_response import RandomizedResponse
from pldverify.questions.numbers import (
    BATCHES,
    BUDGET,
    CATEGORIES,
    CHANCE,
    COIN,
    DRAWS,
    FAILURE,
    GRAINS,
    MASS,
    MU,
    NOISE,
    ORDER,
    RATE,
    RECORDS,
    RHO,
    RUNS,
    SHARPNESS,
    SIZE,
    THRESHOLD,
    TIMES,
    TRIALS,
    WHOLE,
    Numbers,
)


@dataclass(frozen=True)
class Vector:
    """Several numbers, as many as another vector of the mechanism has; ``of_one``: divided by their sum."""

    numbers: Numbers
    of_one: bool = False


Parameter = Numbers | Vector | str | tuple[int | float | Mechanism, ...]
"""Numbers, the kind of a base mechanism, or one of these."""

BASES = (
    "gaussian",
    "laplace",
    "randomized_response",
    "discrete_gaussian",
    "discrete_laplace",
    "binomial",
    "finite_pair",
    "pure_dp",
    "approximate_dp",
)
"""What Poisson sampling takes, each a kind of its own; a promise of GDP or zCDP is drawn without a sample."""
_MASSES = Vector(MASS, of_one=True)
_TRUTHFUL = tuple(RandomizedResponse(p, k) for p, k in (("3/4", 2), ("1/2", 2), ("0.999", 3), ("0.3", 5)))
"""Randomised responses that say the truth at least as often as another value: what a shuffler takes."""

KINDS: dict[str, Mapping[str, Parameter]] = {
    "gaussian": {"sigma": NOISE},
    "gaussian(sensitivity)": {"sigma": NOISE, "sensitivity": SIZE},
    "laplace": {"b": NOISE},
    "laplace(sensitivity)": {"b": NOISE, "sensitivity": SIZE},
    "randomized_response": {"p": CHANCE, "categories": CATEGORIES},
    "discrete_gaussian": {"sigma": GRAINS},
    "discrete_gaussian(sensitivity)": {"sigma": GRAINS, "sensitivity": WHOLE},
    "discrete_laplace": {"b": GRAINS},
    "discrete_laplace(sensitivity)": {"b": GRAINS, "sensitivity": WHOLE},
    "pure_dp": {"epsilon": BUDGET},
    "approximate_dp": {"epsilon": BUDGET, "delta": FAILURE},
    "group_dp": {"epsilon": BUDGET, "delta": FAILURE, "m": WHOLE},
    "exponential": {"epsilon": SHARPNESS},
    "exponential(monotone, times)": {"epsilon": SHARPNESS, "monotone": (False, True), "times": TIMES},
    "permute_and_flip": {"epsilon": SHARPNESS, "monotone": (False, True)},
    "noisy_max": {"b": NOISE, "sensitivity": SIZE, "monotone": (False, True)},
    "above_threshold": {"b": NOISE, "query_b": NOISE, "sensitivity": SIZE, "monotone": (False, True)},
    "thresholded_histogram": {"base": "laplace", "threshold": THRESHOLD},
    "thresholded_histogram(gaussian)": {"base": "gaussian", "threshold": THRESHOLD},
    "gaussian_above_threshold": {
        "sigma": NOISE,
        "query_sigma": NOISE,
        "queries": RECORDS,
        "sensitivity": SIZE,
        "monotone": (False, True),
    },
    "gnmax": {"sigma": NOISE},
    "gdp": {"mu": MU},
    "zcdp": {"rho": RHO},
    "renyi_dp": {"orders": Vector(ORDER), "divergences": Vector(BUDGET)},
    "repeat_and_select": {"base": "gaussian", "mean": RUNS, "shape": (1, 0, 2, math.inf)},
    "repeat_and_select(laplace)": {"base": "laplace", "mean": RUNS, "shape": (1, 0, 2, math.inf)},
    "binomial": {"n": TRIALS, "p": COIN, "sensitivity": WHOLE},
    "finite_pair": {"p": _MASSES, "q": _MASSES},
    "mixture_of_gaussians": {"sigma": GRAINS, "sensitivities": Vector(WHOLE), "probabilities": _MASSES},
    "sampled_without_replacement": {"base": "gaussian", "q": RATE},
    "sampled_with_replacement": {"base": "gaussian", "m": DRAWS, "n": RECORDS},
    "kjh19_substitute": {"base": "gaussian", "q": RATE},
    "kjh20_with_replacement": {"base": "gaussian", "m": DRAWS, "n": RECORDS},
    "shuffled": {"base": "gaussian", "batches": BATCHES, "persistent": (False, True), "dropped": COIN},
    "shuffle_model": {"base": "pure_dp", "n": RECORDS, "alike": (False, True)},
    "shuffle_model(randomized_response)": {"base": _TRUTHFUL, "n": RECORDS},
    "balls_and_bins": {"base": "gaussian", "batches": BATCHES},
    "balls_and_bins(steps)": {"base": "gaussian", "batches": (4,), "participations": (3,), "steps": (10, 13)},
    "truncated_poisson": {"base": "gaussian", "q": RATE, "dataset_size": RECORDS, "max_batch": DRAWS},
    **{f"poisson({base})": {"base": base, "q": RATE} for base in BASES},
}
"""By the name of the mechanism in expressions; in brackets stands a base, or what is not at its default."""


def of_kind(kind: str) -> type[Mechanism]:
    """The class of its mechanisms.

    >>> of_kind("poisson(gaussian)").__name__
    'PoissonSubsampled'
    """
    return MECHANISMS[kind.partition("(")[0]]
