"""Choices by noisy scores: what dominates them, in units of the noise.

The exponential mechanism: logistic noise, moved by c. Permute-and-flip: Laplace noise, Lap(0, b) against
Lap(1, b), 1/b being its largest loss. Blunted Laplace noise, of others, has so many exponentials that its
identities are not reduced: no derivation.
"""

import sympy as sp

from pldverify.errors import NotSupported
from pldverify.mechanisms.exponential import Exponential
from pldverify.mechanisms.laplace import Laplace
from pldverify.mechanisms.permute_and_flip import PermuteAndFlip
from pldverify.mechanisms.relations import Direction
from pldverify.symbolic.families.family import Family, moves
from pldverify.symbolic.families.laplace import laplace
from pldverify.symbolic.model.densities import Densities, T, line
from pldverify.symbolic.model.domain import Domain

C = sp.Symbol("c", positive=True)


def _density(centre: sp.Expr) -> sp.Expr:
    return sp.exp(-(T - centre)) / (1 + sp.exp(-(T - centre))) ** 2


DENSITIES = Densities(
    "logistic around c against logistic around 0",
    T,
    line(_density(C), _density(sp.Integer(0))),
    Domain.of({C: (sp.Integer(0), sp.oo)}),
)
NOTE = "c is the length of the interval that losses are in: epsilon, or half of it for monotone scores"


def exponential(mechanism: Exponential, direction: Direction) -> Family:
    """Raises NotSupported for several choices at once, whose pair has no density in closed form."""
    if mechanism.times > 1:
        raise NotSupported(f"there is no derivation for {mechanism}, only for one choice")
    return Family("logistic", DENSITIES, {"c": mechanism.range}, (NOTE,))


def permute_and_flip(mechanism: PermuteAndFlip, direction: Direction) -> Family:
    """Laplace noise of the largest loss."""
    return laplace(Laplace(1 / mechanism.loss(moves(direction))), "remove")
