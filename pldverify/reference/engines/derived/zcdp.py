r"""Compositions with ρ-zCDP or Rényi DP mechanisms, which have no pair: upper bounds from divergences alone.

Markov's inequality (:mod:`pldverify.reference.engines.derived.rough`) needs upper bounds of M(λ), and those
of Gaussians are some for zCDP (:func:`pldverify.reference.laws.composed_loss.with_gaussians`); as M(λ) is
finite no loss of theirs is infinite. Choices by the exponential mechanism have a pair, and in many steps less
than it by their divergences. So its upper bound of δ(ε) holds, and where it is at most the target, ε
is an upper bound of ε(δ). Nothing but 0 is a lower bound.
"""

from dataclasses import dataclass
from fractions import Fraction

from pldverify.errors import NoConvergence
from pldverify.numbers.witness import Bound
from pldverify.reference.engines.derived.question import OfLargest
from pldverify.reference.engines.derived.rough import Markov
from pldverify.reference.laws.composed_loss import with_gaussians


@dataclass(frozen=True)
class AtMost(OfLargest):
    """δ(``at``) or ε(``at``), by Markov's inequality for each direction; no ``parts``: nothing is known."""

    parts: tuple[Markov, ...]

    engine = "markov"

    def prove(self) -> tuple[Bound, Bound]:
        if not self.parts:
            return self.unknown()
        asked = [with_gaussians(self.composition, way) for way in self.composition.directions(self.adjacency)]
        sorts = {(type(part), part.question[0]) for part in self.parts}
        if [part.about for part in self.parts] != asked or sorts != {(Markov, "delta")}:
            raise NoConvergence("zcdp: not Markov's inequality of δ for each direction")
        if self.quantity == "delta":
            at, worst = {part.at for part in self.parts}, max(part.prove()[1] for part in self.parts)
            if at != {self.at}:
                raise NoConvergence("zcdp: not δ at ε")
            return Fraction(0), worst
        most = max(part.at for part in self.parts)
        if most < 0 or any(part.prove()[1] > self.at for part in self.parts):
            raise NoConvergence("zcdp: δ is not proved to be at most the target")
        return Fraction(0), most
