"""Estimated number of nodes in x, or atoms, for one value of a transform: the price of a node of a line."""

import math
from fractions import Fraction
from functools import singledispatch

from pldverify.balls.ball import working
from pldverify.reference.laws.atomic import AtomicLaw
from pldverify.reference.laws.discrete_gaussian import DiscreteGaussianLaw
from pldverify.reference.laws.gaussian import GaussianLaw
from pldverify.reference.laws.gaussian_mixture import GaussianMixtureLaw
from pldverify.reference.laws.gaussian_stretches import GaussianStretches
from pldverify.reference.laws.hints.gaussian_mixture import trapezoid
from pldverify.reference.laws.hints.log_concave import concave_rule
from pldverify.reference.laws.known_mixture import KnownMixtureLaw
from pldverify.reference.laws.laplace import LaplaceLaw
from pldverify.reference.laws.law import Law
from pldverify.reference.laws.smooth import nodes_in_x, panels
from pldverify.reference.search.cumulant import cumulant


@singledispatch
def nodes(law: Law, theta: Fraction, reach: Fraction, bits: int) -> float:
    """Estimate for a line from θ to θ + i·``reach`` at ``bits`` bits: enough to resolve e^{iuS} there."""
    deviation = math.sqrt(max(0.0, cumulant(law, float(theta))[2]))
    return 2.0 * bits + 12 * float(reach) * deviation


@nodes.register
def _closed(law: GaussianLaw, *_: object) -> float:
    return 1.0


@nodes.register
def _dear(law: DiscreteGaussianLaw | LaplaceLaw, *_: object) -> float:
    return 100.0


@nodes.register
def _atomic(law: AtomicLaw, *_: object) -> float:
    return len(law.atoms())


@nodes.register
def _mixture(law: GaussianMixtureLaw, theta: Fraction, reach: Fraction, bits: int) -> float:
    p = law.power(theta)
    line = 1 / law.noise_multiplier, law.q, p, reach, bits
    rule = trapezoid(*line)
    first, last = rule.first, rule.last
    if p < 0 and law.q < 1:
        other = concave_rule(*line)
        return min(last - first, other.last - other.first) + 1
    return last - first + 1


@nodes.register
def _pieces(law: GaussianStretches, theta: Fraction, reach: Fraction, bits: int) -> float:
    with working(bits):
        return sum(nodes_in_x(piece, panels(piece, theta, reach)) for piece in law.pieces(theta))


@nodes.register
def _known_mixture(law: KnownMixtureLaw, theta: Fraction, reach: Fraction, bits: int) -> float:
    return sum(nodes(part, theta, reach, bits) for _, part in law.parts)
