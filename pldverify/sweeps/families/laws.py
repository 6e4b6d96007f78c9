"""Noise without sampling: Gaussian, Laplace, their discrete forms, binomial; GDP and zCDP."""

import math
from collections.abc import Iterator

from pldverify.mechanisms.relations import Adjacency
from pldverify.sweeps.families.sized import Sized
from pldverify.sweeps.family import Family

_DELTAS = ("1e-3", "1e-5", "1e-7", "1e-10", "1e-12", "1e-15")
_EPSILONS = ("0", "0.01", "0.1", "0.5", "1", "2", "4", "8", "20")
_STEPS = (1, 2, 10, 100, 1_000, 10_000, 1_000_000)
_NOISE = ("0.1", "0.3", "0.5", "1", "2", "3", "10", "40", "100", "1000")
_BOTH: tuple[Adjacency, ...] = ("add-or-remove", "replace-one")


def _rows(name: str, most: float) -> Iterator[dict[str, str | int]]:
    """Steps and noise that are some privacy together, not none and not 10**4."""
    for noise in _NOISE:
        for k in _STEPS:
            if 0.003 < math.sqrt(k) / float(noise) < most:
                yield {name: noise, "k": k}


_SIGMAS, _SCALES = tuple(_rows("sigma", 25)), tuple(_rows("b", 25))


def _asked(
    name: str, expression: str, rows: tuple[dict[str, str | int], ...], standard: int
) -> Iterator[Sized]:
    yield Sized(Family(name, expression, rows=rows, adjacency=_BOTH, delta=_DELTAS), 3, standard)
    yield Sized(
        Family(f"{name} at epsilon", expression, rows=rows, adjacency=_BOTH, epsilon=_EPSILONS), 3, standard
    )


FAMILIES = (
    *_asked("Gaussian", "{k} * gaussian(sigma={sigma})", _SIGMAS, 160),
    *_asked("Laplace", "{k} * laplace(b={b})", _SCALES, 260),
    *_asked("discrete Gaussian", "{k} * discrete_gaussian(sigma={sigma})", _SIGMAS, 80),
    *_asked("discrete Laplace", "{k} * discrete_laplace(b={b})", _SCALES, 260),
    Sized(
        Family(
            "sensitivity",
            "{k} * {law}={noise}, sensitivity={s})",
            {
                "law": ("gaussian(sigma", "laplace(b", "discrete_gaussian(sigma", "discrete_laplace(b"),
                "noise": (2, 7, 50),
                "s": (2, 3, 10),
                "k": (1, 100),
            },
            adjacency=_BOTH,
            delta=("1e-6",),
        ),
        4,
        40,
    ),
    Sized(
        Family(
            "one Gaussian",
            "gaussian(sigma={sigma}, sensitivity={s})",
            {"sigma": _NOISE, "s": ("1", "2", "0.37")},
            adjacency=_BOTH,
            delta=("1e-3", "1e-6", "1e-9", "1e-12", "1e-15"),
            epsilon=_EPSILONS,
        ),
        4,
        480,
    ),
    Sized(
        Family(
            "one step",
            "{law}={noise})",
            {
                "law": ("gaussian(sigma", "laplace(b", "discrete_gaussian(sigma", "discrete_laplace(b"),
                "noise": _NOISE,
            },
            delta=("1e-3", "1e-6", "1e-9", "1e-12", "1e-15"),
            epsilon=_EPSILONS,
        ),
        8,
        200,
    ),
    Sized(
        Family(
            "binomial",
            "{k} * binomial(n={n}, p={p})",
            {"n": (10, 1_000, 100_000), "p": ("0.5", "0.1"), "k": (1, 10, 100)},
            delta=("1e-3", "1e-6", "1e-10"),
            epsilon=("0.5", "2"),
        ),
        2,
        30,
    ),
    Sized(
        Family("GDP", "{k} * gdp(mu={mu})", {"mu": ("0.01", "0.3", "1", "4"), "k": (1, 20)}, delta=_DELTAS),
        2,
        20,
    ),
    Sized(
        Family("zCDP", "zcdp(rho={rho})", {"rho": ("1e-4", "0.07", "0.5", "2.63", "50")}, delta=_DELTAS),
        2,
        20,
    ),
)
