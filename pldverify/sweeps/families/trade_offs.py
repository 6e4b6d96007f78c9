"""Trade-offs: the type II error that is left at a type I error, of runs of DP-SGD."""

from pldverify.sweeps.families.sized import Sized
from pldverify.sweeps.families.training import RUNS, STEP
from pldverify.sweeps.family import Family

_ALPHAS = ("1e-6", "1e-3", "0.01", "0.05", "0.2", "0.5", "0.9", "0.999")

FAMILIES = (Sized(Family("type II error of DP-SGD", STEP, rows=RUNS, alpha=_ALPHAS), 3, 520),)
