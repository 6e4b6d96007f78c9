"""The reference: proved enclosures of the true δ(ε), ε(δ), tail and Rényi divergence."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pldverify.reference.quantities.questions import delta, epsilon, rdp, tail, trade_off

__all__ = ["delta", "epsilon", "rdp", "tail", "trade_off"]


def __getattr__(name: str) -> object:
    """Loaded on use: what proves again must not load the search."""
    if name not in __all__:
        raise AttributeError(f"module 'pldverify.reference' has no attribute {name!r}")
    return getattr(import_module("pldverify.reference.quantities.questions"), name)
