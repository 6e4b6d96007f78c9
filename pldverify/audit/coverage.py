"""How often an auditor is wrong, exactly: over all counts of an attack whose rates are known."""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import comb

from pldverify.audit.confidence import Confidence
from pldverify.errors import InvalidInput
from pldverify.numbers.enclosure import Bound
from pldverify.numbers.exact import Number, count, nonnegative, probability, show
from pldverify.numbers.interval import Interval
from pldverify.numbers.interval_functions import log
from pldverify.numbers.word import Soundness

Auditor = Callable[[int, int, int, int], object]
"""(true positives, positives, false positives, negatives) → a lower bound on ε, ≥ 0, or ∞."""
_MOST = 1_000
"""Cap on the runs of one kind: exact probabilities grow with them."""


@dataclass(frozen=True)
class Coverage:
    """How often an auditor's bound is above the true ε, of attacks with these rates.

    Attributes:
        misses: the probability of that, exactly but for bounds that are next to the true ε.
        ratio: e^ε of the true ε; None for ∞.
        error: the probability that ``misses`` does not hold, as it was sampled; 0 where it is exact.
    """

    misses: Interval
    ratio: Fraction | None
    error: Fraction = Fraction(0)

    def verdict(self, confidence: Number) -> Soundness:
        """SOUND where misses are proved to be at most as probable as 1 − ``confidence``, UNSOUND where they
        are proved to be more so.
        """
        allowed = 1 - probability(confidence, "confidence", zero=False, one=False)
        if self.misses.upper <= allowed:
            return Soundness("SOUND")
        return Soundness("UNSOUND" if self.misses.lower > allowed else "UNDECIDED")


def coverage(
    auditor: Auditor, *, positives: Number, negatives: Number, tpr: Number, fpr: Number, delta: Number = 0
) -> Coverage:
    """The auditor is asked about all counts that an attack with these rates can have.

    The mechanism is the one that tells a bit, 1 with probability ``tpr`` with the record and ``fpr`` without:
    its ε at each δ is known. With equal rates it tells nothing.

    Args:
        auditor: called with true positives, positives, false positives and negatives, integers; gives a lower
            bound on ε (nats), ≥ 0, as a number or a ``Confidence``.
        positives, negatives: 1 to 1000 runs; the auditor is called for all counts.
        tpr, fpr: in [0, 1].
        delta: in [0, 1], at which ε is meant.

    Raises InvalidInput.

    >>> from math import log
    >>> def guess(hits, runs, misses, others):  # log of the ratio of both shares, the best guess
    ...     return max(0, log(max(hits, 1) * others / (max(misses, 1) * runs)))
    >>> found = coverage(guess, positives=20, negatives=20, tpr="1/2", fpr="1/2")
    >>> print(found.verdict("0.95"), float(found.misses.lower) > 0.4)
    UNSOUND True
    """
    n, m = count(positives, "positives", cap=_MOST), count(negatives, "negatives", cap=_MOST)
    t, f, allowed = probability(tpr, "tpr"), probability(fpr, "fpr"), probability(delta, "delta")
    told = (
        (bound_of(auditor(hits, n, wrong, m), allowed), p * q)
        for hits, p in _binomial(n, t)
        for wrong, q in _binomial(m, f)
    )
    return summed(told, true_ratio(t, f, allowed))


def summed(told: Iterable[tuple[Bound, Fraction]], ratio: Fraction | None) -> Coverage:
    """The probability of bounds above the true ε, of bounds with their probabilities."""
    low, high = log_of(ratio)
    surely = perhaps = Fraction(0)
    for bound, mass in told:
        surely += mass if bound > high else 0
        perhaps += mass if bound > low else 0
    return Coverage(Interval(surely, perhaps), ratio)


def log_of(ratio: Fraction | None) -> tuple[Bound, Bound]:
    """Both ends of the true ε."""
    return (math.inf, math.inf) if ratio is None else log((ratio, ratio))


def true_ratio(t: Fraction, f: Fraction, delta: Fraction) -> Fraction | None:
    """e^ε of the pair of a bit: the largest ratio over both events, there and back."""
    pairs = ((t, f), (f, t), (1 - t, 1 - f), (1 - f, 1 - t))
    if any(second == 0 and first > delta for first, second in pairs):
        return None
    return max(Fraction(1), *((first - delta) / second for first, second in pairs if second))


def _binomial(n: int, p: Fraction) -> list[tuple[int, Fraction]]:
    """Counts that can be, with their probabilities."""
    rows = [(k, comb(n, k) * p**k * (1 - p) ** (n - k)) for k in range(n + 1)]
    return [(k, mass) for k, mass in rows if mass]


def bound_of(said: object, delta: Fraction) -> Bound:
    """What an auditor said of ε at ``delta``, as a number. Raises InvalidInput, also for one at another δ."""
    if isinstance(said, Confidence) and said.delta != delta:
        raise InvalidInput(
            f"delta must be {show(said.delta)}, as the auditor's bound is of that, got delta={show(delta)}"
        )
    if said == math.inf:
        return math.inf
    return nonnegative(said.epsilon if isinstance(said, Confidence) else said, "the auditor's bound")
