"""Symbolic derivations: the privacy loss of two densities, its inverse, density, transform, all proved."""

from pldverify.symbolic.derivation import Atom, Derivation, Piece
from pldverify.symbolic.derive import derive, derive_pair
from pldverify.symbolic.obligation import Obligation, State

__all__ = ["Atom", "Derivation", "Obligation", "Piece", "State", "derive", "derive_pair"]
