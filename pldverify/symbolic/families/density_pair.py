"""Pairs of densities that a user wrote, as mechanisms and back."""

from collections.abc import Mapping
from fractions import Fraction

import sympy as sp

from pldverify.errors import InvalidInput
from pldverify.mechanisms.density_pair import DensityPair
from pldverify.mechanisms.relations import Direction
from pldverify.symbolic.families.family import Family
from pldverify.symbolic.model.densities import Densities, Region
from pldverify.symbolic.model.domain import Domain
from pldverify.symbolic.model.serial import read


def density_pair(mechanism: DensityPair, direction: Direction) -> Family:
    """The regions of the mechanism; there are no parameters left."""
    return Family("density-pair", densities_of(mechanism))


def densities_of(mechanism: DensityPair) -> Densities:
    """The pair as the builder takes it. Raises InvalidInput for texts that are no expressions."""
    symbol = (
        sp.Symbol(mechanism.symbol, integer=True)
        if mechanism.is_integer
        else sp.Symbol(mechanism.symbol, real=True)
    )
    regions = tuple(Region(*(read(text) for text in region)) for region in mechanism.regions)
    free = set().union(*(r.p.free_symbols | r.q.free_symbols for r in regions)) - {symbol}
    if free:
        raise InvalidInput(
            f"regions must use the outcome {symbol} only, got {', '.join(sorted(map(str, free)))}"
        )
    return Densities("two densities", symbol, regions, Domain.of({}))


def mechanism_of(densities: Densities, values: Mapping[sp.Symbol, Fraction]) -> DensityPair:
    """The pair at given parameter values. Raises InvalidInput if a value is missing."""
    missing = [s.name for s in densities.domain.intervals if s not in values]
    if missing:
        raise InvalidInput(f"values must be given for {', '.join(missing)}, got none")
    exact = {s: sp.Rational(v.numerator, v.denominator) for s, v in values.items()}
    rows = [[each.subs(exact) for each in (r.lower, r.upper, r.p, r.q)] for r in densities.regions]
    regions = tuple((sp.srepr(a), sp.srepr(b), sp.srepr(p), sp.srepr(q)) for a, b, p, q in rows)
    shown = "; ".join(f"({a}, {b}): {p} against {q}" for a, b, p, q in rows)
    return DensityPair(densities.symbol.name, regions, densities.is_integer, shown)
