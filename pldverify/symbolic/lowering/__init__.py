"""Lowering: one sympy expression becomes a ball or a numpy function, node by node."""

from pldverify.symbolic.lowering.to_arb import to_acb, to_arb
from pldverify.symbolic.lowering.to_numpy import to_numpy

__all__ = ["to_acb", "to_arb", "to_numpy"]
