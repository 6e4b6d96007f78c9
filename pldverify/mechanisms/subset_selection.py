r"""Subset selection: a random set of d out of k categories, likely to have the true one.

With probability p the set has the true category, and is uniform among the sets of d that do; else it is
uniform among those that don't (Ye, Barg 2018; Wang, Huang, Wang, Nie, Xiao, Yang, Li, Xu 2019).

**Pair.** Two values a, b. Sets with both, and sets with neither, are equally likely under either. Those with
a alone have the mass :math:`p \binom{k-2}{d-1}/\binom{k-1}{d-1} = p(k - d)/(k - 1)` where a is true, and
:math:`(1 - p)\binom{k-2}{d-1}/\binom{k-1}{d} = (1 - p)d/(k - 1)` where b is. So P = (p(k − d), (1 − p)d,
rest)/(k − 1), Q has the first two exchanged. All pairs of values are alike: it is attained. With d = 1 it is
randomised response. ε-DP has :math:`p = de^\epsilon/(de^\epsilon + k - d)`.
"""

from fractions import Fraction

from pldverify.errors import InvalidInput
from pldverify.mechanisms.finite_pair import FinitePair
from pldverify.numbers.exact import Number, count, probability


def subset_selection(p: Number, categories: Number, size: Number) -> FinitePair:
    """A set of ``size`` out of ``categories`` that has the true one with probability ``p``, of a value that
    is replaced.

    Raises InvalidInput unless p is rational in [0, 1], categories is an integer from 2 to 10**9, and size one
    from 1 to categories − 1.

    p = 2/3 = 2 · 4/(2 · 4 + 6 − 2) is that of ε = ln 4:

    >>> print(pv.subset_selection(p="2/3", categories=6, size=2))
    finite_pair(p=[8/15, 2/15, 1/3], q=[2/15, 8/15, 1/3])
    >>> float(pv.epsilon(pv.subset_selection(p="2/3", categories=6, size=2), delta=0))
    1.38629436111...
    """
    chance = probability(p, "p")
    k, d = count(categories, "categories", cap=10**9), count(size, "size", cap=10**9)
    if not d < k:
        raise InvalidInput(f"size must be below categories, got size={d} of {k}")
    seen, unseen = chance * Fraction(k - d, k - 1), (1 - chance) * Fraction(d, k - 1)
    rest = 1 - seen - unseen
    return FinitePair([seen, unseen, rest], [unseen, seen, rest])
