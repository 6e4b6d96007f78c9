"""The kit of auditors: whether one that sees scores misses as rarely as it says, where that is known exactly.

Settings are scores that tell nothing and leaks of known size; tiny samples in every order, ties in every
count, both exactly; and samples of a usual size, drawn, with a stated error.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from pldverify.audit.coverage import Coverage
from pldverify.audit.scores import ScoreAuditor, coverage_of_scores, sampled_coverage
from pldverify.errors import InvalidInput
from pldverify.numbers.exact import Number, probability
from pldverify.numbers.word import Soundness

NULL = tuple(Fraction(i, 100) for i in (1, 5, 10, 25, 40, 50, 60, 75, 90, 99))
"""Both rates, of scores that tell nothing."""
_LEAKS = ".55 .45, .6 .4, .7 .3, .8 .2, .9 .1, .99 .01, .3 .1, .9 .7, .5 .01, .99 .5"
PLANTED = tuple((Fraction(t), Fraction(f)) for t, f in map(str.split, _LEAKS.split(", ")))
"""True and false positive rates of leaks."""
TINY = (1, 3, 6)
"""Canaries on each side of which every order is asked."""
TIED = 20
"""The same where every count is asked."""
DRAWN = 500
"""The same where scores are drawn."""
RUNS = 100
"""Samples of scores that are drawn."""
SAMPLED = ((Fraction(1, 2), Fraction(1, 2)), (Fraction(4, 5), Fraction(1, 5)))
"""Rates at which they are."""


@dataclass(frozen=True)
class Setting:
    """What an auditor was asked, how often it misses there, and what that says of its confidence."""

    name: str
    tpr: Fraction
    fpr: Fraction
    coverage: Coverage
    verdict: Soundness

    def __str__(self) -> str:
        kind = "null" if self.tpr == self.fpr else "planted"
        low, high = (float(end) for end in (self.coverage.misses.lower, self.coverage.misses.upper))
        shown = f"{high:.3g}" if low == high else f"{low:.3g} to {high:.3g}"
        return f"{self.verdict}: {kind}, TPR {self.tpr}, FPR {self.fpr}, {self.name}: misses {shown}"


def check_auditor(
    auditor: ScoreAuditor, *, confidence: Number = "0.95", delta: Number = "1e-6"
) -> list[Setting]:
    """Ask an auditor at ten settings without a leak and ten with one, exactly, and at two by samples.

    Args:
        auditor: called with two lists of scores: of the canaries in the data, and of the others; gives a
            lower bound on ε (nats), ≥ 0, as a number or a ``Confidence``. The same scores are asked once.
        confidence: with which its bounds are meant to hold.
        delta: at which ε is meant.

    UNSOUND: it is proved to miss more often than that, or samples show it, with an error of at most 1e-6
    each. A sample that shows nothing is UNDECIDED. Raises InvalidInput.

    >>> from pldverify import audit
    >>> def separation(inside, outside):  # a leak is taken for larger than it is
    ...     return 5 if min(inside) > max(outside) else 0
    >>> found = audit.check_auditor(separation)
    >>> print(next(each for each in found if each.verdict == "UNSOUND"))
    UNSOUND: null, TPR 1/100, FPR 1/100, every order of 1 and 1: misses 0.5
    """
    sure = probability(confidence, "confidence", zero=False, one=False)
    allowed = probability(delta, "delta")
    if not callable(auditor):
        raise InvalidInput(f"auditor must be callable with two lists of scores, got {auditor!r}")
    return list(_settings(auditor, sure, allowed))


def _settings(auditor: ScoreAuditor, confidence: Fraction, delta: Fraction) -> Iterator[Setting]:
    @cache
    def told(inside: tuple[float, ...], outside: tuple[float, ...]) -> object:
        return auditor(list(inside), list(outside))

    def once(inside: Sequence[float], outside: Sequence[float]) -> object:
        return told(tuple(inside), tuple(outside))

    for tpr, fpr in (*((rate, rate) for rate in NULL), *PLANTED):

        def every(size: int, ties: bool, t: Fraction = tpr, f: Fraction = fpr) -> Coverage:
            return coverage_of_scores(
                once, positives=size, negatives=size, tpr=t, fpr=f, delta=delta, ties=ties
            )

        found = {f"every order of {size} and {size}": every(size, ties=False) for size in TINY}
        found[f"ties, every count of {TIED} and {TIED}"] = every(TIED, ties=True)
        if (tpr, fpr) in SAMPLED:
            found[f"{RUNS} samples of {DRAWN} and {DRAWN}"] = sampled_coverage(
                auditor, positives=DRAWN, negatives=DRAWN, tpr=tpr, fpr=fpr, delta=delta, runs=RUNS
            )
        for name, each in found.items():
            yield Setting(name, tpr, fpr, each, each.verdict(confidence))
