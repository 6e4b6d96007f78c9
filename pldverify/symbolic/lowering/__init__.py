"""Lowering: one sympy expression becomes a ball, node by node."""

from pldverify.symbolic.lowering.to_arb import to_acb, to_arb

__all__ = ["to_acb", "to_arb"]
