r"""Noise on the integers: discrete Gaussian and discrete Laplace, the pair at distance d against 0."""

from fractions import Fraction

import sympy as sp

from pldverify.errors import NotSupported
from pldverify.mechanisms.discrete_gaussian import DiscreteGaussian
from pldverify.mechanisms.discrete_laplace import DiscreteLaplace
from pldverify.mechanisms.group_dp import GroupDP
from pldverify.mechanisms.relations import Direction
from pldverify.symbolic.families.family import Family, moves
from pldverify.symbolic.families.laplace import B
from pldverify.symbolic.families.normal import SIGMA
from pldverify.symbolic.model.densities import Densities, N, Region, line
from pldverify.symbolic.model.domain import Domain

D = sp.Symbol("d", integer=True, positive=True)
X = sp.Symbol("x", integer=True)
_HALF_LINE = (sp.Integer(0), sp.oo)
_DISTANCES = {D: (Fraction(1), Fraction(6))}


def _bell(centre: sp.Expr, t: sp.Symbol = N) -> sp.Expr:
    return sp.exp(-((t - centre) ** 2) / (2 * SIGMA**2))


_NORMALISER = sp.Sum(_bell(sp.Integer(0), X), (X, -sp.oo, sp.oo))
GAUSSIAN = Densities(
    "discrete N(d, σ²) against discrete N(0, σ²) on the integers",
    N,
    line(_bell(D) / _NORMALISER, _bell(sp.Integer(0)) / _NORMALISER),
    Domain.of({SIGMA: _HALF_LINE, D: _HALF_LINE}, _DISTANCES),
)


def discrete_gaussian(mechanism: DiscreteGaussian, direction: Direction) -> Family:
    """d is the sensitivity, twice it under replace-one."""
    distance = Fraction(mechanism.sensitivity * moves(direction))
    return Family(
        "discrete-gaussian",
        GAUSSIAN,
        {"sigma": mechanism.sigma, "d": distance},
        ("d is the distance of the centres",),
    )


def _geometric(side: int, centre: sp.Expr) -> sp.Expr:
    """(1−r)/(1+r) r^{|t − centre|}, r = e^{−1/b}, on one side of the centre; the factor is tanh(1/2b)."""
    return sp.tanh(1 / (2 * B)) * sp.exp(side * (N - centre) / B)


def geometric(distance: sp.Expr) -> Densities:
    """t ≤ 0 and t ≥ d share one loss each; between them the loss climbs in steps of 2/b."""
    zero = sp.Integer(0)
    below = Region(-sp.oo, zero, _geometric(1, distance), _geometric(1, zero))
    above = Region(distance, sp.oo, _geometric(-1, distance), _geometric(-1, zero))
    inside = (
        []
        if distance == 1
        else [Region(sp.Integer(1), distance - 1, _geometric(1, distance), _geometric(-1, zero))]
    )
    parameters = {B: _HALF_LINE} if distance == 1 else {B: _HALF_LINE, D: (sp.Integer(1), sp.oo)}
    title = f"discrete Laplace around {distance} against discrete Laplace around 0"
    box = {} if distance == 1 else {D: (Fraction(2), Fraction(6))}
    return Densities(title, N, (below, *inside, above), Domain.of(parameters, box))


def discrete_laplace(mechanism: DiscreteLaplace, direction: Direction) -> Family:
    """d is the sensitivity, twice it under replace-one; distance 1 has two losses only."""
    distance = mechanism.sensitivity * moves(direction)
    note = "r = e^(−1/b), d is the distance of the centres"
    if distance == 1:
        return Family("discrete-laplace d=1", geometric(sp.Integer(1)), {"b": mechanism.b}, (note,))
    return Family("discrete-laplace", geometric(D), {"b": mechanism.b, "d": Fraction(distance)}, (note,))


def group_dp(mechanism: GroupDP, direction: Direction) -> Family:
    """The promise of ε-DP for m records has the pair of this noise. Raises NotSupported for δ > 0, ε = 0."""
    if mechanism.delta or not mechanism.epsilon:
        raise NotSupported(f"there is no derivation for {mechanism}")
    return discrete_laplace(DiscreteLaplace(1 / mechanism.epsilon, mechanism.m), "remove")
