"""The grid of fourier-accountant: what its own code hands to the FFT.

Its functions return one number. They are run again here, the library's own code unchanged, with a numpy that
keeps what it is asked to transform: the masses ω(x)Δx on the grid, in double precision.
"""

import inspect
from dataclasses import dataclass
from types import FunctionType
from typing import Any

import numpy as np

from pldverify.accountants.fft_grid import Vector
from pldverify.accountants.standalone import Steps


@dataclass(frozen=True)
class Grid:
    """One evaluation of δ(ε).

    Attributes:
        L: the library's default; its losses are kept on [−L, L), its period is 2L.
        masses: by part of the composition, n = nx masses each, the first at −L.
        counts: how often each part is composed with itself.
        delta: what the library returned.
    """

    L: float
    masses: tuple[Vector, ...]
    counts: tuple[int, ...]
    delta: float


class _Recorder:
    """A module that keeps what its function ``fft`` is given, and hands on all else."""

    def __init__(self, module: Any, kept: list[Any]) -> None:
        self._module, self._kept = module, kept

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._module, name)
        if name != "fft":
            return found
        return self._transform if callable(found) else _Recorder(found, self._kept)

    def _transform(self, values: Any) -> Any:
        self._kept.append(np.array(values))
        return self._module.fft(values)


def grid(
    relation: str, epsilon: float, steps: Steps, *, n: int | None = None, L: float | None = None
) -> Grid:
    """What ``get_delta_R`` or ``get_delta_S``, by ``relation``, computes; ``n`` and ``L`` are its defaults.

    Raises what the library raises.
    """
    from fourier_accountant import compute_delta

    defaults = inspect.signature(getattr(compute_delta, f"get_delta_{relation}")).parameters
    n = int(defaults["nx"].default) if n is None else n
    L = float(defaults["L"].default) if L is None else L
    sigma, q, counts = map(np.array, columns(steps))
    kept: list[Any] = []
    evaluate = _with(compute_delta._evaluate_pld, np=_Recorder(np, kept))
    value = _with(compute_delta._get_delta, _evaluate_pld=evaluate)(relation, epsilon, sigma, q, counts, n, L)
    masses = tuple(np.fft.fftshift(values) for values in kept)
    return Grid(L, masses, tuple(map(int, counts)), float(value))


def columns(steps: Steps) -> list[list[Any]]:
    """Noise multipliers, sampling probabilities and counts of the steps."""
    rows = [(call.arguments["noise_multiplier"], call.arguments["q"], count) for call, count in steps]
    return [list(column) for column in zip(*rows, strict=True)]


def _with(function: Any, **names: Any) -> FunctionType:
    """The same code among other global names."""
    return FunctionType(function.__code__, {**function.__globals__, **names})
