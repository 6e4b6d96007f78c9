r"""Score: how bad a finding is, in floats. It steers the search and orders reports, and proves nothing.

A number c claimed of a true t is wrong by the factor t/c. With :math:`\log`, 0 is right, and what is more is
worse: *violation* of an upper bound is :math:`\log(t/c)`, of a lower bound :math:`\log(c/t)`. What a bound
gives away is measured in ε, over the true ε, or over 1/10 where that is less.
"""

import math
from fractions import Fraction

from pldverify.numbers.enclosure import Bound
from pldverify.rulings.finding import Finding

_MOST = 100.0
"""Cap on the size of a log ratio: that of a bound of 0 on a positive number is infinite."""
_SMALLEST = 1e-9
"""δ below which looseness is not scored."""
_LEAST = 0.1
"""Least ε, in nats, that the ε given away is divided by."""
_LARGEST = Fraction(1, 10)
"""δ above which nobody asks for ε, and whose ε says little of a bound on it."""


def violation(finding: Finding) -> float | None:
    """The log of the factor by which a bound errs to the wrong side, < 0 where it is right; of an estimate
    without a promise, that of its distance to either side. None where the claim, or the end of the true value
    that it errs to, is not known.

    >>> import pldverify as pv
    >>> low = pv.check(lambda query: 0.06, pv.Query(pv.Gaussian(1), epsilon=1), direction="upper")
    >>> round(violation(low), 2)
    0.75
    """
    if finding.claim is None:
        return None
    lower, upper = finding.proved.ends
    low = None if lower is None else _factor(finding.claim.value, lower)
    high = None if upper is None else _factor(upper, finding.claim.value)
    far = max((each for each in (low, high) if each is not None), default=None)
    return {"upper": low, "lower": high, "estimate": far}[finding.claim.direction]


def looseness(finding: Finding) -> float | None:
    """What a SOUND bound gives away in ε at least, over the true ε; None for all else, for what says nothing
    (ε ≤ ∞, δ ≤ 1), and for a δ that is smaller or larger than anybody's.

    >>> import pldverify as pv
    >>> query = pv.Query(pv.Gaussian(1), delta="1e-5")
    >>> round(looseness(pv.check(lambda query: 8.76, query, direction="upper")), 2)
    1.0
    """
    given_away = finding.tightness
    if given_away is None or given_away == math.inf or finding.claim is None:
        return None
    if finding.query.quantity == "delta":
        true = finding.proved.ends[0] or 0
        if not _SMALLEST <= finding.claim.value < 1 or true > _LARGEST:
            return None
    elif finding.query.delta is not None and finding.query.delta > _LARGEST:
        return None
    size = (
        finding.query.epsilon if finding.query.quantity == "delta" else finding.truth and finding.truth.upper
    )
    epsilon = _float(size) - (_float(given_away) if finding.query.quantity == "delta" else 0.0)
    return _float(given_away) / max(epsilon, _LEAST)


def is_vacuous(finding: Finding) -> bool:
    """Whether a SOUND upper bound says nothing, ε ≤ ∞ or δ ≤ 1, where much less is true.

    >>> import pldverify as pv
    >>> is_vacuous(pv.check(lambda query: 1.0, pv.Query(pv.Gaussian(1), epsilon=1), direction="upper"))
    True
    """
    claim, truth = finding.claim, finding.truth
    if finding.verdict != "SOUND" or claim is None or claim.direction != "upper" or truth is None:
        return False
    nothing = 1 if finding.query.quantity == "delta" else math.inf
    return claim.value >= nothing and truth.upper != math.inf and 2 * truth.upper < nothing


def _factor(less: Bound, more: Bound) -> float:
    """log(more/less), at most ±100."""
    if less == more:
        return 0.0
    if less == math.inf or more <= 0:
        return -_MOST
    if more == math.inf or less <= 0:
        return _MOST
    return max(-_MOST, min(_MOST, _log(Fraction(more)) - _log(Fraction(less))))


def _log(value: Fraction) -> float:
    return math.log(value.numerator) - math.log(value.denominator)


def _float(value: object) -> float:
    try:
        return float(value)  # type: ignore[arg-type]  # a bound
    except OverflowError:
        return math.inf
