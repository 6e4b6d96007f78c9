"""Symbolic derivations: privacy loss, inverse, Jacobian, density and transform from two densities, each proved."""

from pldverify.symbolic.derivation import Atom, Derivation, Piece
from pldverify.symbolic.derive import derive, derive_pair
from pldverify.symbolic.obligation import Obligation, State

__all__ = ["Atom", "Derivation", "Obligation", "Piece", "State", "derive", "derive_pair"]
