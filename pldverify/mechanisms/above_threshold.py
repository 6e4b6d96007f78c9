r"""AboveThreshold, the sparse vector technique: queries in turn until one is above a noisy threshold.

The threshold gets noise ρ ~ Lap(b), once, and each answer noise ν_i ~ Lap(b_q), b_q = ``query_b``. The output
is the index of the first answer with :math:`q_i + \nu_i \ge T + \rho`, or that there was none; never an
answer. Queries may be chosen as the outputs come, and be infinitely many. Each moves by at most Δ =
``sensitivity`` where a record is added or removed, by 2Δ where one is replaced. Of Dwork and Roth 2014,
Algorithm 1, b = 2Δ/ε and b_q = 4Δ/ε.

**Pair.** That of Laplace noise, Lap(0) against Lap(c) of scale 1, c = Δ/b + 2Δ/b_q, twice that where a record
is replaced. Monotone queries, which a record moves all in one direction: c = Δ/b + Δ/b_q; where one is
replaced c = Δ/b + 2Δ/b_q, as they move both ways, by at most Δ.

**It dominates** (:mod:`pldverify.mechanisms.selection`): before the end all outputs were "below", so with the
coins of who asks fixed the queries are one sequence. Let them move by at most h. The end at n has probability

.. math:: \int f_\rho(z) \prod_{i < n} \Pr[\nu_i < T + z - q_i]\; \Pr[\nu_n \ge T + z - q_n]\, dz.

Put z + h for z in the other data set: f_ρ falls by at most :math:`e^{-h/b}`, no factor of the product falls,
and the last threshold rises by at most 2h, so the last factor falls by at most :math:`e^{-2h/b_q}`. Without
an end there is no last factor. If all move one way: where they rise, z + h again, and the last threshold
rises by at most h; where they fall, z as it is: no factor of the product falls, and the last threshold rises
by at most h. Sum over n (Dwork, Roth 2014, Theorem 3.23; Lyu, Su, Li 2017, Theorems 2 and 3).

**From below.** c is the least ε(0), as the ratio comes near e^c where many queries that fall were below, and
one that rises is above, of a high threshold; at a probability that tends to 0. What some neighbours have at
moderate probabilities are integrals in closed form (:mod:`pldverify.mechanisms.halting_pair`). No δ(ε) of the
pair is known to be attained: at δ(0) its ends are a factor of 2 to 4 apart. Several answers: a composition,
with new noise on the threshold each time.
"""

from dataclasses import dataclass
from fractions import Fraction

from pldverify.mechanisms.selection import Selection, truth
from pldverify.numbers.exact import Number, positive, real


@dataclass(frozen=True)
class AboveThreshold(Selection, expression="above_threshold", rises=("sensitivity",), falls=("b", "query_b")):
    """The first query above a threshold, with Laplace noise of scale ``b`` on the threshold and of scale
    ``query_b`` on each answer.

    ``sensitivity`` is how far one record's presence moves an answer; ``monotone``: every
    record moves all answers in one direction, the same one for all records, as counts do. Raises InvalidInput
    unless b, query_b and sensitivity are > 0.

    1-DP, and with less δ than that implies:

    >>> asked = pv.AboveThreshold(b=2, query_b=4)
    >>> float(pv.epsilon(asked, delta=0))
    1.0
    >>> float(pv.delta(asked, epsilon=0).upper), float(pv.delta(pv.PureDP(epsilon=1), epsilon=0))
    (0.39346934028736..., 0.46211715726000...)
    """

    b: Fraction
    query_b: Fraction
    sensitivity: Fraction = Fraction(1)
    monotone: bool = False

    def __init__(self, b: Number, query_b: Number, sensitivity: Number = 1, monotone: bool = False) -> None:
        vars(self).update(
            b=positive(b, "b", real),
            query_b=positive(query_b, "query_b", real),
            sensitivity=positive(sensitivity, "sensitivity", real),
            monotone=truth(monotone, "monotone"),
        )

    @property
    def tight_steps(self) -> int:
        """None: the pair bounds."""
        return 0

    def loss(self, moves: int) -> Fraction:
        threshold, query = self.sensitivity / self.b, self.sensitivity / self.query_b
        if self.monotone:
            return threshold + moves * query
        return moves * (threshold + 2 * query)
