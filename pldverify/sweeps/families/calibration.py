"""Calibration: the noise that a library returns for a target."""

from itertools import product

from pldverify.sweeps.families.sized import sized

_EPSILONS = "0.001 0.01 0.05 0.1 0.2 0.3 0.5 0.7 0.9 1 1.5 2 3 4 5 6 7 8 10 12 15 20 30 50"
_DELTAS = "1e-2 1e-3 1e-4 1e-5 1e-6 1e-7 1e-8 1e-10 1e-12 1e-13 1e-15"
_FEW_EPSILONS, _FEW_DELTAS = "0.1 0.5 1 2 4 8 15", "1e-3 1e-5 1e-7 1e-10 1e-12"

FAMILIES = (
    *sized(
        """
noise of a Gaussian (6, 260): gaussian(sigma=1)
noise of a Gaussian on a larger sum (2, 250): gaussian(sigma={s}, sensitivity={s}) | s 0.001 3 1000
noise of a Laplace (2, 260): laplace(b=1)
noise of a Laplace on a larger sum (2, 250): laplace(b={s}, sensitivity={s}) | s 0.001 3 1000
""",
        noise=tuple(product(_EPSILONS.split(), _DELTAS.split())),
    ),
    *sized(
        """
noise of a run (4, 500): {k} * poisson(gaussian(sigma=1), q={q})
    | k 1 10 1000 20000 | q 0.001 0.01 0.1 0.5
noise of Gaussians (2, 60): {k} * gaussian(sigma=1) | k 2 50 10000
""",
        noise=tuple(product(_FEW_EPSILONS.split(), _FEW_DELTAS.split())),
    ),
)
