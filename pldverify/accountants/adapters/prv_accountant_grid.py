"""The grid of prv-accountant: the masses that a ``PRVAccountant`` has made, and what it says of its domain.

All is read from the library's objects: the composer's discretised privacy random variables, with the domain
(first node, mesh, shift to the mean) of each, and the domain of their composition.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from pldverify.accountants.fft_grid import Vector


@dataclass(frozen=True)
class Grid:
    """One evaluation of δ(ε).

    Attributes:
        masses: by part of the composition; doubles, or long doubles where the library has them. The node of
            loss 0, before any shift, has the number ``zero``.
        counts: how often each part is composed with itself.
        zero: number of the node of loss 0.
        mesh: distance of two nodes, dt.
        start: the loss of the first node of the composition, in double precision.
        infinite: whether any part has mass at infinity.
        eps_error, delta_error: what the accountant was made for.
        triple: what ``compute_delta`` returned: lower bound, estimate, upper bound.
    """

    masses: tuple[Vector, ...]
    counts: tuple[int, ...]
    zero: int
    mesh: float
    start: float
    infinite: bool
    eps_error: float
    delta_error: float
    triple: tuple[float, float, float]


def grid(accountant: Any, epsilon: float, counts: list[int]) -> Grid:
    """What a ``PRVAccountant`` computes with. Raises what the library raises."""
    triple = accountant.compute_delta(epsilon, counts)
    variables = accountant.composer.prvs
    first = variables[0].domain
    composed = accountant.compute_composition(counts).domain
    unshifted = first.t_min() - first.shifts()
    return Grid(
        masses=tuple(np.asarray(variable.pmf) for variable in variables),
        counts=tuple(counts),
        zero=round(-unshifted / first.dt()),
        mesh=float(first.dt()),
        start=float(composed.t_min()),
        infinite=any(variable.log_pmc_inf != 0 for variable in variables),
        eps_error=float(accountant.eps_error),
        delta_error=float(accountant.delta_error),
        triple=(float(triple[0]), float(triple[1]), float(triple[2])),
    )
