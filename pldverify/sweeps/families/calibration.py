"""Calibration: the noise that a library returns for a target."""

from itertools import product

from pldverify.sweeps.families.sized import Sized
from pldverify.sweeps.family import Family

_DELTAS = ("1e-2", "1e-3", "1e-4", "1e-5", "1e-6", "1e-7", "1e-8", "1e-10", "1e-12", "1e-13", "1e-15")
_SMALL = ("0.001", "0.01", "0.05", "0.1", "0.2", "0.3", "0.5", "0.7", "0.9")
_LARGE = ("1", "1.5", "2", "3", "4", "5", "6", "7", "8", "10", "12", "15", "20", "30", "50")
_GOALS = tuple(product((*_SMALL, *_LARGE), _DELTAS))
_FEW = tuple(product(("0.1", "0.5", "1", "2", "4", "8", "15"), ("1e-3", "1e-5", "1e-7", "1e-10", "1e-12")))

FAMILIES = (
    Sized(Family("noise of a Gaussian", "gaussian(sigma=1)", noise=_GOALS), 6, 260),
    Sized(
        Family(
            "noise of a Gaussian on a larger sum",
            "gaussian(sigma={s}, sensitivity={s})",
            {"s": ("0.001", "3", "1000")},
            noise=_GOALS,
        ),
        2,
        250,
    ),
    Sized(Family("noise of a Laplace", "laplace(b=1)", noise=_GOALS), 2, 260),
    Sized(
        Family(
            "noise of a Laplace on a larger sum",
            "laplace(b={s}, sensitivity={s})",
            {"s": ("0.001", "3", "1000")},
            noise=_GOALS,
        ),
        2,
        250,
    ),
    Sized(
        Family(
            "noise of a run",
            "{k} * poisson(gaussian(sigma=1), q={q})",
            {"k": (1, 10, 1_000, 20_000), "q": ("0.001", "0.01", "0.1", "0.5")},
            noise=_FEW,
        ),
        4,
        500,
    ),
    Sized(Family("noise of Gaussians", "{k} * gaussian(sigma=1)", {"k": (2, 50, 10_000)}, noise=_FEW), 2, 60),
)
