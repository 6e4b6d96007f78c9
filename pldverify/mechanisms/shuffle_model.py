r"""The shuffle model: n users randomise a value each, and a shuffler hides who sent which report.

The mechanism is the multiset of n reports; its neighbours differ in the value of one user, whom the adversary
knows, as it knows all other values. (:class:`ShuffledBatches` is another thing: batches of training.) Let the
one user have the value 0 under P and 1 under Q. Source: Balle, Bell, Gascón, Nissim 2019 (blankets); Feldman,
McMillan, Talwar 2021 (clones, Theorem 3.1), 2023. Three facts are used.

**Fewer others are worse.** Reports of users whose law is the same under P and Q, and independent of the rest,
may be drawn and added by anybody.

**Randomised response** over k categories: the value with probability p, each other one with r = (1 − p)/(k −
1) ≤ p. It says a uniform category with probability γ = kr, and else the truth. *Above*: reveal which of the
n − 1 others drew a uniform one, and drop the rest, whose reports are known. That is a pair which does not
depend on their values, so it dominates all neighbours: M ~ Bin(n − 1, γ) uniform reports and the one user's.
Let m = M + 1, and let c of the m reports be in {0, 1}, a of them 0. The reports beyond {0, 1} are, given m
and c, uniform on the k − 2 others whatever the rest was, so (m, c, a) is all there is to see. (m, c) has the
same law under P and Q, and given it

.. math:: P(a) = (1-\lambda) B_c(a) + \lambda \Big( \tfrac{p}{p+r} B_{c-1}(a-1) + \tfrac{r}{p+r} B_{c-1}(a)
    \Big), \qquad \lambda = \Pr[\text{the one user is in } \{0,1\} \mid m, c],

with B_c = Bin(c, 1/2), and Q(a) = P(c − a). *Below*: all others have one value. If that is a third one (k ≥
3), the number c of reports in {0, 1}, of Bin(n − 1, 2r) others and perhaps the one user's, and a alone are
such a pair, without an m: a function of the reports, which these neighbours have. For k = 2 it is 1, and the
number of reports 0 is all there is to see, Bin(n − 1, r) and the one user's.

**Any ε-DP randomiser R.** Let R_0 and R_1 be its laws for the two values. They are mixtures of two laws Q_0
and Q_1 by the weights of a coin: :math:`R_0 = (e^\epsilon Q_0 + Q_1)/(e^\epsilon + 1)`, R_1 likewise
(Kairouz, Oh, Viswanath 2016). Each other user has :math:`R_i \ge e^{-\epsilon} R_0` and :math:`\ge
e^{-\epsilon} R_1`, so :math:`R_i \ge e^{-\epsilon}(R_0 + R_1)/2 = e^{-\epsilon}(Q_0 + Q_1)/2`: with
probability :math:`e^{-\epsilon}` user i tosses a fair coin between Q_0 and Q_1, a clone. *Above*: reveal how
many of the reports come from Q_0 and from Q_1; all reports can be drawn from that by anybody. So c = 1 +
Bin(n − 1, e^{−ε}), λ = 1, and e^ε is in the place of p/r. (That 2/(e^ε + 1) takes the place of e^{−ε} is in
print, and is not proved here.) *Below*: randomised response with p/r = e^ε is such a randomiser, k = 2 or 3.

**Ranges.** Let pair(c, λ) be the one above. Pair(c, λ) is a post-processing of pair(c', λ) for c' ≤ c, by
c − c' fair coins, which turn B_{c'} into B_c; and of pair(c, λ') for λ' ≥ λ, by B_c in the place of what was
seen with probability 1 − λ/λ'. λ rises with c. So a range of c is bounded above by its least c and greatest
λ, below by the reverse, and a range of m above by its least m. P/B_c and Q/B_c are affine in a: above, the
mass of a stretch of a goes to its two ends, its mean kept, as all (P − e^ε Q)_+ are convex; below it merges.
With few users there is a range for each number. What is far out (tails of some 10⁻¹⁹) is as if the one user
had answered ε-DP alone, above, and unseen, below.

**Together.** The other users' values may be what suits each of several shuffles, the same one user takes part
in all, and every pair above is independent of what was seen: products dominate, and those below are attained.
"""

from dataclasses import dataclass
from fractions import Fraction

from pldverify.errors import InvalidInput
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.mechanisms.pure_dp import PureDP
from pldverify.mechanisms.randomized_response import RandomizedResponse
from pldverify.mechanisms.relations import RELATIONS, Relation
from pldverify.numbers.exact import Number, brief, count

Randomiser = RandomizedResponse | PureDP
"""What each user runs: randomised response, or anything that is ε-DP."""
_TWO = Fraction(7, 10)
"""ε up to which two categories are a better lower end than three: near log 2; any value is right."""
MOST_USERS = 10**9
"""Cap on the users."""


@dataclass(frozen=True)
class ShuffleModel(Mechanism, expression="shuffle_model"):
    """``n`` users each run ``base`` on a value of theirs, and a shuffler hides who sent which report.

    ``alike``: all other users have one value. That is not known to be the worst case, but some neighbours
    have it: it is the lower end of :func:`pldverify.bracket`. Raises InvalidInput unless ``base`` is a
    RandomizedResponse with 1/categories ≤ p < 1, or a PureDP, with rational parameters, n an integer from 1
    to 10**9, and ``alike`` True or False, in an expression 1 or 0.

    A coin that tells the truth with probability 3/4 has ε = log 3 alone, and among a hundred at most

    >>> users = pv.ShuffleModel(pv.RandomizedResponse(p="0.75"), n=100)
    >>> float(pv.epsilon(users, delta="1e-6", digits=6).upper)
    0.58...
    """

    base: Randomiser
    n: int
    alike: bool = False

    def __init__(self, base: Randomiser, n: Number, alike: bool = False) -> None:
        vars(self).update(base=_randomiser(base), n=count(n, "n", cap=MOST_USERS))
        if alike not in (0, 1):
            raise InvalidInput(f"alike must be True or False, got alike={brief(alike)}")
        vars(self).update(alike=bool(alike))

    @property
    def relations(self) -> tuple[Relation, ...]:
        """A value is replaced; the pair of ``alike`` is given, and is the same under every relation."""
        return RELATIONS if self.alike else ("replace-one",)

    @property
    def tight_steps(self) -> int | None:
        return None if self.alike else 0

    @property
    def dominates(self) -> bool:
        return not self.alike

    @property
    def tells_nothing(self) -> bool:
        """Whether the randomiser does not look at the value."""
        if isinstance(self.base, PureDP):
            return self.base.epsilon == 0
        return self.base.p == Fraction(1, self.base.categories)

    @property
    def categories(self) -> int:
        """Of the randomised response behind the pair: the base's; two behind clones, and where they are few
        enough for a lower end, else three.
        """
        if isinstance(self.base, RandomizedResponse):
            return self.base.categories
        return 3 if self.alike and self.base.epsilon > _TWO else 2

    @property
    def is_symmetric(self) -> bool:
        """Whether P and Q may be swapped: the others favour neither of the two values."""
        return not self.alike or self.categories > 2


def _randomiser(base: object) -> Randomiser:
    if not isinstance(base, RandomizedResponse | PureDP):
        raise InvalidInput(f"base must be randomized_response(…) or pure_dp(…), got base={brief(base)}")
    if not base.is_exact:
        raise InvalidInput(f"base must have rational parameters, got base={base}")
    if isinstance(base, RandomizedResponse) and not Fraction(1, base.categories) <= base.p < 1:
        raise InvalidInput(f"base must have p from 1/{base.categories} and below 1, got base={base}")
    return base
