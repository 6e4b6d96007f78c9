"""Three kinds of number, never converted into each other: Enclosure, Estimate, Claim."""

from pldverify.numbers.claim import Claim, Promise
from pldverify.numbers.enclosure import Enclosure
from pldverify.numbers.estimate import Estimate

__all__ = ["Claim", "Enclosure", "Estimate", "Promise"]
