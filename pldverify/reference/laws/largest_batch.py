r"""What an adversary sees who looks at the largest of T batch sums alone, and in which of some cells it lies.

With one coordinate of mean a and T − 1 of mean 0, all normal of variance σ² and independent, the largest one
has the distribution function :math:`F_a(c) = \Phi((c-a)/\sigma)\,\Phi(c/\sigma)^{T-1}`, whichever coordinate
it is: so that is its law under :math:`P_a` of :mod:`pldverify.mechanisms.hidden_batch`, too. The cells are
those between cuts :math:`c_1 < … < c_m`, and beyond. Looking at the cell is a post-processing of the outcome:
the loss of this finite pair has at most the δ(ε) of (P_a, P_b), in every composition, whatever the cuts are.
"""

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from pldverify.balls import arb
from pldverify.balls.ball import ball
from pldverify.balls.compare import surely_less
from pldverify.balls.normal import normal_tail
from pldverify.errors import NoConvergence
from pldverify.mechanisms.attained import attained
from pldverify.mechanisms.hidden_batch import HiddenBatch
from pldverify.mechanisms.mechanism import Composition
from pldverify.mechanisms.relations import Direction, Relation
from pldverify.reference.laws.atomic import AtomicLaw
from pldverify.reference.laws.composed_loss import ComposedLoss, product
from pldverify.reference.laws.outcome import Outcome

Cuts = tuple[Fraction, ...]


@dataclass(frozen=True)
class LargestBatchLaw(AtomicLaw):
    """P = P_a, Q = P_b with a = ``first``, b = ``second``, T = ``batches`` and σ² = ``variance``; ``cuts``
    rise.
    """

    first: int
    second: int
    batches: int
    variance: Fraction
    cuts: Cuts
    infinite_mass = Fraction(0)

    def _outcomes(self) -> list[Outcome]:
        if any(a >= b for a, b in pairwise(self.cuts)):
            raise NoConvergence("largest batch: cuts must rise")
        return [
            Outcome(p, q) for p, q in zip(self._masses(self.first), self._masses(self.second), strict=True)
        ]

    def _masses(self, mean: int) -> list[arb]:
        """Of the cells, from the lowest."""
        below = [(arb(0), arb(1)), *(self._sides(mean, cut) for cut in self.cuts), (arb(1), arb(0))]
        return [_between(left, right) for left, right in pairwise(below)]

    def _sides(self, mean: int, cut: Fraction) -> tuple[arb, arb]:
        """Pr[largest ≤ cut] and Pr[largest > cut], each to the working precision where it is small."""
        sigma = ball(self.variance).sqrt()
        own, other = ball(cut - mean) / sigma, ball(cut) / sigma
        log = (-normal_tail(own)).log1p() + (self.batches - 1) * (-normal_tail(other)).log1p()
        return log.exp(), -log.expm1()


def _between(left: tuple[arb, arb], right: tuple[arb, arb]) -> arb:
    """The mass of a cell, from whichever sides are small."""
    small = surely_less(left[0], arb(1) / 2)
    return right[0] - left[0] if small else left[1] - right[1]


def attacked(
    composition: Composition, relation: Relation, direction: Direction, cuts: tuple[Cuts, ...]
) -> ComposedLoss:
    """The laws of what is attained, with an attack in the place of each mechanism that hides a batch, in the
    order of the parts.

    Some neighbours have at least its δ(ε), and one direction of it: an epoch's queries and those of all other
    mechanisms are of the same record, and what is not known to be attained of the latter is not looked at.
    Raises NotSupported; NoConvergence unless there are ``cuts`` for each.
    """
    hidden = [(m, k) for m, k in composition.parts if isinstance(m, HiddenBatch)]
    rest = tuple((m, k) for m, k in composition.parts if not isinstance(m, HiddenBatch))
    if len(cuts) != len(hidden):
        raise NoConvergence("largest batch: cuts for each mechanism are needed")
    forward = direction in ("remove", "replace")
    others: Composition | None = Composition(rest) if rest else None
    if others is not None and not others.attained:
        known = attained(others, "replace-one" if "replace" in direction else "add-or-remove")
        others = known and known[0]
        direction = "remove" if forward else "add"
    factors = product(others, direction).factors if others is not None else ()
    laws = []
    for (mechanism, times), row in zip(hidden, cuts, strict=True):
        variance, k = mechanism.epochs(times)
        first, second = mechanism.gaps[relation] if forward else mechanism.gaps[relation][::-1]
        laws.append((LargestBatchLaw(first, second, mechanism.batches, variance, row), k))
    return ComposedLoss.of((*factors, *laws))
