r"""How often an auditor of scores is wrong: one that sees them all, and may choose its threshold by them.

A canary's score is in the upper half with probability t if it was in the data, f if not, and uniform within
its half. So the halves are all that scores tell: their ε is that of one bit. Where no two scores are equal,
an auditor sees the order of the canaries and nothing else, if it is told scores of that order.

**All orders** of n canaries in and m out. Let h of the former and w of the latter be in the upper half. Then
the first h + w places are theirs, in an order that is uniform, as is that of the others: the order that is
seen has the probability, summed over h + w,

.. math:: \binom nh t^h (1 - t)^{n - h} \binom mw f^w (1 - f)^{m - w} \Big/
    \binom{h + w}{h} \binom{n + m - h - w}{n - h} .
"""

import random
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from math import comb

from pldverify.audit.binomial import least_rate, most_rate
from pldverify.audit.coverage import Coverage, bound_of, log_of, summed, true_ratio
from pldverify.errors import InvalidInput
from pldverify.numbers.exact import Number, count, probability
from pldverify.numbers.interval import Interval

ScoreAuditor = Callable[[Sequence[float], Sequence[float]], object]
"""(scores of canaries in the data, scores of the others) → a lower bound on ε, ≥ 0, or ∞."""
Order = tuple[bool, ...]
"""From the highest score down whether each canary was in the data."""
_MOST_ORDERS = 20_000
"""Cap on what an auditor is asked."""
_MOST = 10**5
"""Cap on canaries, and on runs, of a sample."""


def coverage_of_scores(
    auditor: ScoreAuditor,
    *,
    positives: Number,
    negatives: Number,
    tpr: Number,
    fpr: Number,
    delta: Number = 0,
    ties: bool = False,
) -> Coverage:
    """The auditor is asked about every order of the canaries, or where the scores are all ties but for their
    halves about every count; each has a probability that is known exactly.

    Args:
        auditor: called with two lists of scores: of the canaries in the data, and of the others; gives a
            lower bound on ε (nats), ≥ 0, as a number or a ``Confidence``.
        positives, negatives: canaries in the data and out of it; at most 20,000 orders.
        tpr, fpr: probabilities of a score in the upper half, in [0, 1]; equal ones tell nothing.
        delta: in [0, 1], at which ε is meant.
        ties: scores are 1 in the upper half and 0 in the lower one.

    Raises InvalidInput.

    >>> def best(inside, outside):  # the largest ratio of all thresholds
    ...     from math import log
    ...     counts = [(sum(x >= at for x in inside), sum(x >= at for x in outside)) for at in inside]
    ...     return max(log(a * len(outside) / (b or 1) / len(inside)) if a > b else 0 for a, b in counts)
    >>> print(coverage_of_scores(best, positives=6, negatives=6, tpr="1/2", fpr="1/2").verdict("0.95"))
    UNSOUND
    """
    n, m = count(positives, "positives", cap=_MOST), count(negatives, "negatives", cap=_MOST)
    t, f, allowed = probability(tpr, "tpr"), probability(fpr, "fpr"), probability(delta, "delta")
    asked = (n + 1) * (m + 1) if ties else comb(n + m, n)
    if asked > _MOST_ORDERS:
        raise InvalidInput(f"positives and negatives must have at most {_MOST_ORDERS} orders, got {asked}")
    if ties:
        told = ((bound_of(auditor(*scores), allowed), mass) for *scores, mass in _counts(n, m, t, f))
    else:
        asked_of = ((order, bound_of(auditor(*_ranks(order)), allowed)) for order in orders(n, m))
        told = ((bound, chance(order, t, f)) for order, bound in asked_of if bound)  # 0 is no miss
    return summed(told, true_ratio(t, f, allowed))


def sampled_coverage(
    auditor: ScoreAuditor,
    *,
    positives: Number,
    negatives: Number,
    tpr: Number,
    fpr: Number,
    delta: Number = 0,
    runs: Number = 300,
    error: Number = "1e-6",
    seed: int = 0,
) -> Coverage:
    """The same where there are too many orders: the probability of a miss between bounds that hold but with
    the probability ``error``, of so many ``runs`` with scores that are drawn anew.

    Other arguments as of :func:`coverage_of_scores`; up to 10**5 canaries on each side. A bound that is next
    to the true ε counts as no miss. Raises InvalidInput.
    """
    n, m = count(positives, "positives", cap=_MOST), count(negatives, "negatives", cap=_MOST)
    t, f, allowed = probability(tpr, "tpr"), probability(fpr, "fpr"), probability(delta, "delta")
    times, wrong = count(runs, "runs", cap=_MOST), probability(error, "error", zero=False, one=False)
    draw, ratio = random.Random(seed), true_ratio(t, f, allowed)
    high = log_of(ratio)[1]

    def scores(size: int, rate: Fraction) -> list[float]:
        return [draw.random() + (draw.random() < rate) for _ in range(size)]

    missed = sum(bound_of(auditor(scores(n, t), scores(m, f)), allowed) > high for _ in range(times))
    ends = least_rate(times, missed, wrong / 2), most_rate(times, missed, wrong / 2)
    return Coverage(Interval(*ends), ratio, wrong)


def orders(positives: int, negatives: int) -> Iterator[Order]:
    """Every order of so many canaries in and out."""
    for chosen in combinations(range(positives + negatives), positives):
        places = set(chosen)
        yield tuple(i in places for i in range(positives + negatives))


def chance(order: Order, tpr: Fraction, fpr: Fraction) -> Fraction:
    """The probability of an order, of so many canaries in and out, by the formula above."""
    n = sum(order)
    m, found = len(order) - n, Fraction(0)
    for high in range(len(order) + 1):
        h = sum(order[:high])
        w = high - h
        mass = _counted(n, h, tpr) * _counted(m, w, fpr)
        found += mass / (comb(high, h) * comb(len(order) - high, n - h))
    return found


def _counted(n: int, k: int, p: Fraction) -> Fraction:
    return comb(n, k) * p**k * (1 - p) ** (n - k)


def _ranks(order: Order) -> tuple[list[float], list[float]]:
    """Scores of that order: how many canaries are at or below."""
    places = [(float(len(order) - i), was_in) for i, was_in in enumerate(order)]
    return [x for x, was_in in places if was_in], [x for x, was_in in places if not was_in]


def _counts(n: int, m: int, t: Fraction, f: Fraction) -> Iterator[tuple[list[float], list[float], Fraction]]:
    """Scores that are their halves, and the probability of so many of each."""
    for h in range(n + 1):
        for w in range(m + 1):
            inside, outside = [1.0] * h + [0.0] * (n - h), [1.0] * w + [0.0] * (m - w)
            yield inside, outside, _counted(n, h, t) * _counted(m, w, f)
