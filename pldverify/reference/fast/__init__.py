"""What makes proofs sooner: it proves what the laws prove, by other lemmas, and no proof needs it."""

from pldverify.reference.fast import schedule
from pldverify.reference.laws.together import enter


def load() -> None:
    """From now on the laws of a loss are asked together."""
    enter(schedule)
