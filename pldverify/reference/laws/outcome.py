"""Outcomes and atoms of laws with finitely many losses."""

from fractions import Fraction
from typing import NamedTuple

from pldverify.balls import arb


class Outcome(NamedTuple):
    """Masses under P and Q: exactly zero, or positive balls. ``loss``: log(p/q) where it is rational."""

    first: arb
    second: arb
    loss: Fraction | None = None


class Atom(NamedTuple):
    """A finite loss with its masses under P and Q."""

    loss: arb
    first: arb
    second: arb
