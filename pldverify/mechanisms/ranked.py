r"""What some neighbours of the best of several runs have: ranks by which the largest losses win.

Notation of :mod:`pldverify.mechanisms.repeat_and_select`. Let A_1 ⊂ A_2 ⊂ … ⊂ A_m be events of the output of
one run, of probabilities y_j under P and x_j under Q, x_0 = y_0 = 0: post-processed, it has the outcomes A_j
without A_{j−1}, and what is beyond A_m. That is best; then comes outcome 1, then 2, to m. That wins the jth
with probability

.. math:: f(x_m - x_{j-1}) - f(x_m - x_j)

under Q, with y in the place of x under P, the best with 1 − f(x_m), and nothing is shown with f(0). Under P
the best are rarer, so fewer runs are beaten by them, and those that P has more often win more often still.

**Events** are those of the loss S of some neighbours of one run: {S = ∞}, then {S ≥ s} for each of some
falling s, then all; between two of them that come one after the other, the first and, by a coin, a part of
what the second has more. Any events prove; which tell much is a search
(:mod:`pldverify.reference.search.neighbours`). The probabilities: :mod:`pldverify.reference.laws.ranked`.
"""

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from pldverify.errors import InvalidInput
from pldverify.mechanisms.mechanism import Composition, Mechanism
from pldverify.mechanisms.repeat_and_select import RepeatAndSelect


@dataclass(frozen=True)
class Ranked(Mechanism):
    """Who wins, of the outcomes told above, where one run of ``asked`` has the pair of ``base``.

    ``thresholds`` are all s; an event t of ``events`` is the ⌊t⌋th of those above with the part t − ⌊t⌋ of
    what the next one has more. Raises InvalidInput unless events rise from above 0 on, thresholds fall, and
    there is an event.
    """

    asked: RepeatAndSelect
    base: Composition
    thresholds: tuple[Fraction, ...]
    events: tuple[Fraction, ...]

    def __post_init__(self) -> None:
        rises = all(a < b for a, b in pairwise((Fraction(0), *self.events)))
        falls = all(a > b for a, b in pairwise(self.thresholds))
        if not (rises and falls and self.events and self.events[-1] <= len(self.thresholds) + 2):
            raise InvalidInput(f"events must rise and thresholds fall, got {self.events}, {self.thresholds}")

    def __str__(self) -> str:
        return f"who wins {self.asked}, of {len(self.events) + 1} outcomes"
