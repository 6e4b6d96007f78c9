"""Where signs are proved in balls if algebra does not prove them: a bounded part of a region."""

from dataclasses import replace
from fractions import Fraction

import sympy as sp

from pldverify.symbolic.model.densities import Densities, Region
from pldverify.symbolic.model.domain import Variable, exact


def outcome_box(densities: Densities, region: Region) -> dict[sp.Symbol, tuple[Fraction, Fraction]] | None:
    """The parameters' box times a bounded part of the region; None where there is none."""
    ends = [end for end in (region.lower, region.upper) if not end.is_infinite]
    if densities.is_integer or not all(isinstance(end, sp.Rational) for end in ends):
        return None
    low, high = map(exact, densities.outcome_box or (sp.Integer(-8), sp.Integer(8)))
    if not region.lower.is_infinite:
        low = max(low, exact(region.lower))
    if not region.upper.is_infinite:
        high = min(high, exact(region.upper))
    if low >= high:
        return None
    margin = (high - low) / 1000
    return {**densities.domain.box, densities.symbol: (low + margin, high - margin)}


def steps(densities: Densities, region: Region) -> Variable:
    """The outcomes at which the loss has a slope: reals, or integers t with t + 1 in the region too."""
    last = region.upper - 1 if densities.is_integer and not region.upper.is_infinite else region.upper
    return densities.outcome(replace(region, upper=last))
