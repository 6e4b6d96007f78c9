r"""Laplace mechanism: Lap(0, b) against Lap(1, b), in units of the distance of the centres.

The loss is constant outside [0, 1] and falls from 1/b to −1/b inside: two atoms and one continuous piece.
"""

import sympy as sp

from pldverify.mechanisms.laplace import Laplace
from pldverify.mechanisms.relations import Direction
from pldverify.symbolic.families.family import Family, moves
from pldverify.symbolic.model.densities import Densities, T, consecutive
from pldverify.symbolic.model.domain import Domain

B = sp.Symbol("b", positive=True)
DOMAIN = Domain.of({B: (sp.Integer(0), sp.oo)})


def _density(centre: int) -> list[sp.Expr]:
    """e^{−|t − centre|/b}/(2b) left of 0, on [0, 1], right of 1."""
    below, above = (sp.exp(sign * (T - centre) / B) / (2 * B) for sign in (1, -1))
    return [below, below if centre else above, above]


DENSITIES = Densities(
    "Lap(0, b) against Lap(1, b)",
    T,
    consecutive([sp.Integer(0), sp.Integer(1)], _density(0), _density(1)),
    DOMAIN,
)
NOTE = "b is the scale and t counts in units of the distance of the two centres"


def laplace(mechanism: Laplace, direction: Direction) -> Family:
    """A replaced record moves the query by two sensitivities."""
    return Family("laplace", DENSITIES, {"b": mechanism.noise_multiplier / moves(direction)}, (NOTE,))
