"""The reference: proved enclosures of the true δ(ε), ε(δ), tail and Rényi divergence."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pldverify.reference.quantities.delta import delta, tail
    from pldverify.reference.quantities.epsilon import epsilon
    from pldverify.reference.quantities.rdp import rdp

__all__ = ["delta", "epsilon", "rdp", "tail"]

_HOMES = {"delta": "delta", "epsilon": "epsilon", "rdp": "rdp", "tail": "delta"}


def __getattr__(name: str) -> object:
    """Loaded on use: what proves again must not load the search."""
    if name not in _HOMES:
        raise AttributeError(f"module 'pldverify.reference' has no attribute {name!r}")
    return getattr(import_module(f"pldverify.reference.quantities.{_HOMES[name]}"), name)
