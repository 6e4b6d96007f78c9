r"""Permute-and-flip: candidates in random order, each accepted with probability exp(ε(u − u*)/2Δ), until one
is.

u* is the largest score, and each score moves by at most Δ between neighbours (McKenna, Sheldon 2020). It is
report noisy max with exponential noise of scale b = 2Δ/ε (Ding, Kifer, Sayed, Steinke, Wang, Xiao, Zhang
2021, "The permute-and-flip mechanism is identical to report-noisy-max with exponential noise").

**Pair.** That of Laplace noise, Lap(0) against Lap(c) of scale 1, c = ε, or ε/2 for monotone scores.

**It dominates** (:mod:`pldverify.mechanisms.selection`): scores that move by at most h make it 2h/b-DP. Of a
candidate r, given the noise of all others, E_r has to exceed a threshold that moves by at most 2h, and
:math:`\Pr[E \ge x + d] \ge e^{-d/b} \Pr[E \ge x]` for d ≥ 0; sum over the candidates of a set. It depends on
differences of scores alone.

**It is attained for one step**, every δ(ε) by some neighbours: of two candidates the first one leads by d
with u and by d + 2Δ with u' (monotone: d + Δ). The difference of two exponential noises is Lap(b), so it wins
with probability F(d/b), and F(d/b + c): the thresholds of the Laplace pair, which are its best tests. The
whole pair is not: that takes a d for each ε, and more than two outcomes. So it only bounds compositions and
Rényi divergences. From below, in all steps of a composition: d/b = −c/2, a binary response of loss
:math:`\log(2e^{c/2} - 1)` (:mod:`pldverify.mechanisms.attained`). Scores may be any real numbers.

It is not of bounded range as the exponential mechanism is, so ε²/8-zCDP, which that one has, is false of it.
"""

from dataclasses import dataclass
from fractions import Fraction

from pldverify.mechanisms.relations import ONE_RECORD_LESS, RELATIONS, Relation
from pldverify.mechanisms.selection import Selection, truth
from pldverify.numbers.exact import Number, positive, real


@dataclass(frozen=True)
class PermuteAndFlip(Selection, expression="permute_and_flip", rises=("epsilon",)):
    """Permute-and-flip with acceptance exp(``epsilon`` (u − u*)/2Δ), Δ being the most that a score moves.

    ``monotone``: between neighbours all scores move in one direction. Raises InvalidInput unless epsilon > 0.

    δ(0) = 1 − e^(−ε/2), as Laplace noise has:

    >>> float(pv.delta(pv.PermuteAndFlip(epsilon=1), epsilon=0))
    0.39346934028...
    >>> float(pv.delta(pv.PermuteAndFlip(epsilon=2, monotone=True), epsilon=0))
    0.39346934028...

    Compositions have two ends:

    >>> found = pv.bracket(20 * pv.PermuteAndFlip(epsilon="0.1"), delta="1e-6", digits=3)
    >>> found.upper / found.lower < 1.1
    True
    """

    epsilon: Fraction
    monotone: bool = False

    tight_steps = 1  # compositions are bounded, not attained

    def __init__(self, epsilon: Number, monotone: bool = False) -> None:
        vars(self).update(epsilon=positive(epsilon, "epsilon", real), monotone=truth(monotone, "monotone"))

    @property
    def relations(self) -> tuple[Relation, ...]:
        """Δ is of the relation that is meant; monotone scores are of a record that is there or not."""
        return ONE_RECORD_LESS if self.monotone else RELATIONS

    def loss(self, moves: int) -> Fraction:
        return self.epsilon / 2 if self.monotone else self.epsilon
