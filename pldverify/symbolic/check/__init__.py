"""Proofs of the formulas from the two densities alone. Nothing here knows how a formula was found."""
