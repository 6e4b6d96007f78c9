r"""Report noisy max: independent Laplace noise of scale b on each score, and only the winner's name.

Each score moves by at most Δ = ``sensitivity`` where a record is added or removed, by 2Δ where one is
replaced. (With exponential noise of scale b it is ``permute_and_flip``, with Gumbel noise ``exponential``,
each with epsilon = 2Δ/b: see their files.)

**Pair.** That of Laplace noise, Lap(0) against Lap(c) of scale 1, c = 2Δ/b, for monotone scores Δ/b; where a
record is replaced 4Δ/b, for monotone scores 2Δ/b.

**It dominates** (:mod:`pldverify.mechanisms.selection`): scores that move by at most h make it 2h/b-DP. Of a
candidate r, given the noise of all others, its noise has to exceed a threshold that moves by at most 2h, and
:math:`\Pr[\nu \ge x + d] \ge e^{-d/b} \Pr[\nu \ge x]` for d ≥ 0; sum over the candidates of a set (Dwork,
Roth 2014, Claim 3.9, for one candidate). It depends on differences of scores alone.

**It is not attained.** From below: two candidates with a lead of −c/2 against c/2, in units of b. The
difference D of two Laplace noises has :math:`\Pr[D \ge x] = (2 + x)e^{-x}/4` for x ≥ 0, so the answer is a
binary response of loss :math:`\log(4e^{c/2}/(2 + c/2) - 1)` (:mod:`pldverify.mechanisms.attained`). For small
c that is c/2, and the ends of a composition are a factor of 2 apart: what is true for the best number of
candidates is open here.
"""

from dataclasses import dataclass
from fractions import Fraction

from pldverify.mechanisms.selection import Selection, truth
from pldverify.numbers.exact import Number, positive, real


@dataclass(frozen=True)
class NoisyMax(Selection, expression="noisy_max", rises=("sensitivity",), falls=("b",)):
    """The name of the largest of some scores with Laplace noise of scale ``b`` on each.

    ``sensitivity`` is how far one record's presence moves a score; ``monotone``: it moves all scores in one
    direction. Raises InvalidInput unless b and sensitivity are > 0.

    (2/b)-DP, for counts (1/b)-DP, whatever the number of candidates:

    >>> float(pv.epsilon(pv.NoisyMax(b=4), delta=0))
    0.5
    >>> float(pv.epsilon(pv.NoisyMax(b=4, monotone=True), delta=0))
    0.25
    >>> pv.Composition.of((pv.NoisyMax(b=4), 1)).standing
    'upper bound'
    """

    b: Fraction
    sensitivity: Fraction = Fraction(1)
    monotone: bool = False

    def __init__(self, b: Number, sensitivity: Number = 1, monotone: bool = False) -> None:
        vars(self).update(
            b=positive(b, "b", real),
            sensitivity=positive(sensitivity, "sensitivity", real),
            monotone=truth(monotone, "monotone"),
        )

    @property
    def tight_steps(self) -> int:
        """None: the pair bounds."""
        return 0

    def loss(self, moves: int) -> Fraction:
        return moves * self.sensitivity / self.b * (1 if self.monotone else 2)
