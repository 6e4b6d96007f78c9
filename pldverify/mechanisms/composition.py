"""The former home of compositions, which hands their names on."""

from pldverify.mechanisms.mechanism import Composition, as_composition

__all__ = ["Composition", "as_composition"]
