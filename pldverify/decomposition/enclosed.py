"""The one place where a decomposition makes an Enclosure: of differences that are already proved."""

from pldverify.numbers.enclosure import Bound, Enclosure


def enclosed(lower: Bound, upper: Bound) -> Enclosure:
    """A number that is proved to lie in [lower, upper]."""
    return Enclosure(lower, upper, "error budget")
