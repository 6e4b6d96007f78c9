"""Responses, and mechanisms of which only epsilon and delta are known, composed."""

from pldverify.mechanisms.relations import Adjacency
from pldverify.sweeps.families.sized import Sized
from pldverify.sweeps.family import Family

_DELTAS = ("1e-3", "1e-5", "1e-7", "1e-10", "1e-12", "1e-15")
_EPSILONS = ("0", "0.1", "0.5", "1", "3", "10")
_STEPS = (1, 2, 3, 10, 30, 100, 1_000)
_BOTH: tuple[Adjacency, ...] = ("add-or-remove", "replace-one")

FAMILIES = (
    Sized(
        Family(
            "randomised response",
            "{k} * randomized_response(p={p}, categories={n})",
            {"p": ("0.501", "0.55", "0.75", "0.9", "0.999"), "n": (2, 3, 100), "k": _STEPS},
            adjacency=_BOTH,
            delta=_DELTAS,
            epsilon=_EPSILONS,
        ),
        8,
        300,
    ),
    Sized(
        Family(
            "pure DP",
            "{k} * pure_dp(epsilon={epsilon})",
            {"epsilon": ("0.001", "0.01", "0.1", "0.5", "1", "3", "5"), "k": _STEPS},
            delta=_DELTAS,
            epsilon=_EPSILONS,
        ),
        8,
        420,
    ),
    Sized(
        Family(
            "approximate DP",
            "{k} * approximate_dp(epsilon={epsilon}, delta={d})",
            {
                "epsilon": ("0.001", "0.1", "0.5", "1", "4"),
                "d": ("0", "1e-12", "1e-8", "1e-5", "1e-3"),
                "k": _STEPS,
            },
            delta=("1e-2", *_DELTAS),
            epsilon=_EPSILONS,
        ),
        8,
        300,
    ),
)
