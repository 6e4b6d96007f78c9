r"""GNMax, the vote of PATE's teachers: Gaussian noise on the count of each class, and only the winner's name.

Each record is in the share of one teacher. Whether it is added, removed or replaced, at most that teacher's
vote changes, for whatever query: one count falls by 1 and another rises by 1. Noise N(0, σ²) on each count,
independent (Papernot, Song, Mironov, Raghunathan, Talwar, Erlingsson 2018, arXiv 1802.08908). The confident
form asks first whether the largest noisy count is above a threshold, and tells no more: at most ``gaussian``
beside it. With Laplace noise of scale b it is ``noisy_max(b)``, under add-or-remove whatever the neighbours.

**Pair.** N(0, 1) against N(√2/σ, 1), for every relation and any number of classes: the name is a function of
the noisy counts, whose means are √2 apart. It is not attained.

**From below.** Two classes; the first leads by a whole number L, and by L − 2 where the vote changes. The
second wins with :math:`q = \Phi(-L/\sqrt{2}\sigma)` against :math:`p = \Phi((2-L)/\sqrt{2}\sigma)`. With L =
1 most is lost in many steps, and a larger lead tells of rarer answers with a larger loss. In one step that is
near to the pair, whose best tests are thresholds; in many a sign has 2/π of the information of a number, and
the ends of ε are some √(π/2) = 1.25 apart, more where σ is small.

**Bounds that depend on the votes** (Papernot et al. 2018, Theorem 6, Proposition 8) are refused: they bound
the divergence of the one data set that was asked from its neighbours: their number is no property of the
mechanism and no (ε, δ)-DP, of which a claim is, and it tells of the data itself.
"""

from dataclasses import dataclass
from fractions import Fraction

from pldverify.errors import NotSupported
from pldverify.mechanisms.finite_pair import FinitePair
from pldverify.mechanisms.inward import inward
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.numbers.exact import Number, positive
from pldverify.numbers.functions import add, divide, multiply, normal_tail, root


@dataclass(frozen=True)
class GNMax(Mechanism, expression="gnmax"):
    """The class that wins a vote, with noise of ``sigma`` on each count.

    ``votes`` must be left out: Raises NotSupported for bounds that depend on them, InvalidInput unless sigma
    is > 0 and rational: no proof is known that δ falls in it.

    >>> found = pv.bracket(1000 * pv.GNMax(sigma=100), delta="1e-5", digits=2)
    >>> f"{float(found.lower):.2f} {float(found.upper):.2f}"
    '1.37 1.76'
    """

    sigma: Fraction

    tight_steps = 0  # the pair bounds, and is attained by no steps

    def __init__(self, sigma: Number, votes: object = None) -> None:
        if votes is not None:
            raise NotSupported(
                "votes must be left out: a bound that depends on the votes (Papernot et al. 2018, Theorem 6) "
                "is about one data set, and (ε, δ)-DP is about all"
            )
        vars(self).update(sigma=positive(sigma, "sigma"))


def response(vote: GNMax, lead: int) -> FinitePair | None:
    """Whether the second class wins against one that leads by ``lead``, rounded inward; None where nothing is
    left.

    >>> from pldverify.mechanisms.gnmax import response
    >>> float(pv.epsilon(response(pv.GNMax(sigma=1), 1), delta=0))
    1.15...
    """
    unit = multiply(root(Fraction(2)), vote.sigma)
    wins = [normal_tail(divide(Fraction(x), unit)) for x in (lead - 2, lead)]
    first, second = ([x, add(Fraction(1), multiply(Fraction(-1), x))] for x in wins)
    return inward(first, second)
