"""The reference: proved enclosures of the true δ(ε), ε(δ), tail and Rényi divergence."""

from pldverify.reference.quantities.delta import delta, tail
from pldverify.reference.quantities.epsilon import epsilon
from pldverify.reference.quantities.rdp import rdp

__all__ = ["delta", "epsilon", "rdp", "tail"]
