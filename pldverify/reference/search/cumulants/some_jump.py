"""Cumulants of the steps of which some jump."""

from pldverify.reference.laws.some_jump import SomeJump
from pldverify.reference.search.cumulants.law import Cumulant, cumulant


@cumulant.register
def some_jump(law: SomeJump, theta: float) -> Cumulant:
    from pldverify.reference.search.cumulants.soft_part import steps_with_jumps  # loads numpy

    return steps_with_jumps(law.parts, theta)
