"""The reference: proved enclosures of the true δ(ε), ε(δ), tail and Rényi divergence."""

from pldverify.reference.delta import delta, tail
from pldverify.reference.epsilon import epsilon
from pldverify.reference.rdp import rdp

__all__ = ["delta", "epsilon", "rdp", "tail"]
