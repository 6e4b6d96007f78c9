"""The mixture of Gaussians: Σ w_i N(ℓ_i, σ²) against N(0, σ²), the weights and levels in numbers."""

import sympy as sp

from pldverify.errors import NotSupported
from pldverify.mechanisms.mixture_of_gaussians import MixtureOfGaussians
from pldverify.mechanisms.relations import Direction
from pldverify.symbolic.families.family import Family
from pldverify.symbolic.families.normal import SIGMA_ONLY, normal
from pldverify.symbolic.model.densities import Densities, T, line

MAX_COMPONENTS = 12
"""Cap on the components of a mixture that is written out."""
NOTE = "σ is the noise over the unit of the sensitivities, t counts in that unit"


def mixture_of_gaussians(mechanism: MixtureOfGaussians, direction: Direction) -> Family:
    """All components. Raises NotSupported for more than are written out."""
    levels = mechanism.levels
    if len(levels) > MAX_COMPONENTS:
        raise NotSupported(f"a derivation takes at most {MAX_COMPONENTS} Gaussians, got {len(levels)}")
    p = sp.Add(*(sp.Rational(w.numerator, w.denominator) * normal(level) for level, w in levels))
    text = " + ".join(f"{w} N({level}, σ²)" for level, w in levels)
    densities = Densities(f"{text} against N(0, σ²)", T, line(p, normal(0)), SIGMA_ONLY)
    return Family(
        f"mixture of Gaussians {text}", densities, {"sigma": mechanism.sigma / mechanism.unit}, (NOTE,)
    )
