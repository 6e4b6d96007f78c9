"""Symbolic derivations: the privacy loss of two densities, its inverse, density, transform, all proved."""

from pldverify.symbolic.derivation import Derivation
from pldverify.symbolic.derive import derive, derive_pair
from pldverify.symbolic.model.densities import EPSILON, S
from pldverify.symbolic.model.formulas import Atom, Piece
from pldverify.symbolic.model.obligation import Kind, Obligation, State

__all__ = [
    "EPSILON",
    "Atom",
    "Derivation",
    "Kind",
    "Obligation",
    "Piece",
    "S",
    "State",
    "derive",
    "derive_pair",
]
