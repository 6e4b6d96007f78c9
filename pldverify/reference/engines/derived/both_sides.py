r"""δ(ε) or ε(δ) of a composition whose dominating pair is not attained, or has its batches hidden: two sides.

Above: the composition with every hidden batch revealed dominates it, and rare draws counted as lost
(:mod:`pldverify.mechanisms.few_draws`), and all noisy answers of sparse vectors
(:mod:`pldverify.mechanisms.gaussian_above_threshold`). Below: what some neighbours have, or an
attack on them. Both are proved in the docstrings of the mechanisms (:mod:`pldverify.mechanisms.attained`,
:mod:`pldverify.mechanisms.shuffled_batches`, :mod:`pldverify.mechanisms.balls_and_bins`) and of
:mod:`pldverify.reference.laws.batch_sums`. What is enclosed is the largest over the directions, so an
attack in any of them counts. At ε < 0, :math:`\delta_{P\|Q}(\epsilon) = 1 - e^\epsilon + e^\epsilon
\delta_{Q\|P}(-\epsilon)` (:mod:`pldverify.reference.engines.derived.backwards`).
"""

from dataclasses import dataclass
from fractions import Fraction

from pldverify.balls.ball import BOUND_BITS, ball, lower, working
from pldverify.errors import NoConvergence
from pldverify.mechanisms.attained import Chosen
from pldverify.mechanisms.few_draws import few_draws
from pldverify.mechanisms.gaussian_above_threshold import all_answers
from pldverify.mechanisms.hidden_batch import revealed
from pldverify.mechanisms.relations import Direction, relation, reverse
from pldverify.numbers.witness import Bound
from pldverify.reference.engines.derived.question import OfAll, OfLargest, Proved
from pldverify.reference.laws.batch_sums import Events, attacked


@dataclass(frozen=True)
class Attack:
    """A lower bound in one direction: ``part`` proves what is asked, at ε < 0 what is asked at −ε, of what is
    attained by the neighbours that are ``chosen``; of a hidden batch an adversary sees only which of the
    ``events`` have occurred.
    """

    direction: Direction
    events: tuple[Events, ...]
    part: Proved
    chosen: Chosen = ()


@dataclass(frozen=True)
class BothSides(OfLargest):
    """``quantity`` at ``at``: at most what ``above`` proves, at least what each attack ``below`` does. Draws
    with replacement of the probability ``lost`` count as lost above, and below as not drawn; 0: none.
    """

    above: OfAll
    below: tuple[Attack, ...]
    lost: Fraction = Fraction(0)

    engine = "both sides"
    two_sided = True

    def prove(self) -> tuple[Bound, Bound]:
        shown, moves = revealed(self.composition), 2 if relation(self.adjacency) == "replace-one" else 1
        known = shown, few_draws(shown, self.lost), all_answers(shown, moves)
        dominating = self.above.composition in known
        if not dominating or (self.above.adjacency, self.above.question) != (self.adjacency, self.question):
            raise NoConvergence("both sides: not the question of the revealed batches")
        return max((self._least(attack) for attack in self.below), default=Fraction(0)), self.above.prove()[1]

    def _least(self, attack: Attack) -> Bound:
        ways = self.composition.directions(self.adjacency)
        backward = self.quantity == "delta" and self.at < 0
        if attack.direction not in (tuple(map(reverse, ways)) if backward else ways):
            raise NoConvergence("both sides: an attack in a direction that is not asked for")
        whose = relation(self.adjacency), attack.direction
        loss = attacked(self.composition, *whose, attack.events, attack.chosen, self.lost)
        if (attack.part.about, attack.part.question) != (loss, (self.quantity, abs(self.at))):
            raise NoConvergence("both sides: not the question of the attack")
        least = attack.part.prove()[0]
        if not backward:
            return least
        with working(BOUND_BITS):
            return max(Fraction(0), lower(ball(self.at).exp() * ball(least) - ball(self.at).expm1()))
