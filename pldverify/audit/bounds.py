r"""Lower bounds on ε from the counts of an attack.

**Two sets of runs** (:func:`clopper_pearson`). An attack says "in" on a share t of all runs with a record,
and on a share f of all runs without. Any (ε, δ)-DP mechanism has :math:`t \le e^\epsilon f + \delta` and
:math:`1 - f \le e^\epsilon (1 - t) + \delta`. Bounds :math:`t \ge t_0` and :math:`f \le f_0`
(``binomial.py``), each with half of the error, hold together with the stated confidence, and then

.. math:: \epsilon \ge \log\frac{t_0 - \delta}{f_0}, \quad \epsilon \ge \log\frac{1 - f_0 - \delta}{1 - t_0} .

**One run** (:func:`one_run`; after Steinke, Nasr, Jagielski 2023, and proved here). Each of m canaries is in
the data with probability 1/2, independently; from the output alone r of these bits are guessed, v rightly. If
the mechanism is (ε, δ)-DP for each canary, then with :math:`q = 1/(1 + e^{-\epsilon})`

.. math:: P[V \ge v] \le P[\mathrm{Bin}(r, q) \ge v] + m \delta .

Proof. Given the bits before i, let a and b be the densities of the output y with and without canary i, all
later bits averaged out: averaging keeps the promise, so :math:`\int (a - e^\epsilon b)_+ \le \delta`, and
vice versa. Given y, the likelier bit has the probability :math:`\max(a, b)/(a + b) = q + (1 - q) E_i`, or
less, where :math:`E_i = ((a - e^\epsilon b)_+ + (b - e^\epsilon a)_+)/(a + b) \le 1`: for a > e^ε b, say,
:math:`b = (a + b - e)/(1 + e^\epsilon)` with e the excess. As y has the density (a + b)/2, the mean of E_i
is at most δ. So let canary i be lost with probability E_i, given y and the bits before, and a guess of a
lost one be right: the others are right with probability at most q each, given all before, hence V is at
most a Bin(r, q) plus the number of lost ones, some of which are lost with probability at most mδ. ∎ It
rises with ε, so where it is at most 1 − confidence, no smaller ε is true but with that probability.
"""

from fractions import Fraction

from pldverify.audit.binomial import least_rate, most_rate
from pldverify.audit.confidence import Confidence
from pldverify.numbers.exact import Number, count, probability
from pldverify.numbers.interval_functions import log

_MOST = 10**6
"""Cap on a count."""
RUNS = (
    "the runs are independent, and the rule of the attack was fixed before",
    "the data sets of both sets of runs are neighbours",
)
"""What two sets of runs take for granted."""
CANARIES = (
    "each canary is in the data with probability 1/2, independently of all else",
    "the guesses are made from what is released alone, as many as was fixed before",
    "neighbours differ in one canary",
)
"""What one run takes for granted."""


def clopper_pearson(
    true_positives: Number,
    positives: Number,
    false_positives: Number,
    negatives: Number,
    *,
    delta: Number = 0,
    confidence: Number = "0.95",
) -> Confidence:
    """ε is at least that, by an attack on runs with the record (``positives``) and without (``negatives``).

    Args:
        true_positives, false_positives: of these runs those in which the attack says "in". Its rule must not
            have been chosen by these runs.
        positives, negatives: 1 to 10**6 runs.
        delta: in [0, 1].
        confidence: between 0 and 1.

    Raises InvalidInput, and NoConvergence where rounding hides the tail of a binomial law.

    >>> print(clopper_pearson(990, 1000, 10, 1000, delta="1e-5"))
    ε ≥ 3.9... at δ = 1e-5 with confidence 0.95, by Clopper and Pearson
    """
    t, f, sure = rates(true_positives, positives, false_positives, negatives, confidence)
    allowed = probability(delta, "delta")
    found = max(_log(t - allowed, f), _log(1 - f - allowed, 1 - t))
    return Confidence(found, allowed, sure, "Clopper and Pearson", RUNS)


def one_run(
    correct: Number,
    guesses: Number,
    *,
    canaries: Number | None = None,
    delta: Number = 0,
    confidence: Number = "0.95",
) -> Confidence:
    """ε is at least that, by guesses which of ``canaries`` records were in the data of one run.

    Args:
        correct: of the guesses those that are right.
        guesses: of the canaries those that are guessed, 1 to 10**6.
        canaries: each is in the data with probability 1/2, independently; left out, as many as are guessed.
        delta: in [0, 1].
        confidence: between 0 and 1.

    Raises as :func:`clopper_pearson`.

    >>> print(one_run(correct=90, guesses=100))
    ε ≥ 1.6... at δ = 0 with confidence 0.95, by one run
    """
    v, r, m = guessed(correct, guesses, canaries)
    allowed, sure = probability(delta, "delta"), sure_of(confidence)
    error = 1 - sure - m * allowed
    q = least_rate(r, v, error) if error > 0 else Fraction(0)
    return Confidence(_log(q, 1 - q), allowed, sure, "one run", CANARIES)


def rates(
    true_positives: Number, positives: Number, false_positives: Number, negatives: Number, confidence: Number
) -> tuple[Fraction, Fraction, Fraction]:
    """Bounds on both rates, from below and from above, that hold together with the confidence; and that.
    Raises as :func:`clopper_pearson`.
    """
    runs, others = count(positives, "positives", cap=_MOST), count(negatives, "negatives", cap=_MOST)
    hits = count(true_positives, "true_positives", least=0, cap=runs)
    misses = count(false_positives, "false_positives", least=0, cap=others)
    sure = sure_of(confidence)
    half = (1 - sure) / 2
    return least_rate(runs, hits, half), most_rate(others, misses, half), sure


def guessed(correct: Number, guesses: Number, canaries: Number | None) -> tuple[int, int, int]:
    """Correct guesses, guesses and canaries. Raises InvalidInput."""
    r = count(guesses, "guesses", cap=_MOST)
    m = r if canaries is None else count(canaries, "canaries", least=r, cap=_MOST)
    return count(correct, "correct", least=0, cap=r), r, m


def _log(above: Fraction, below: Fraction) -> Fraction:
    """A lower bound of the logarithm of a ratio, at least 0; 0 too where the ratio says nothing."""
    if not 0 < below < above:
        return Fraction(0)
    return max(Fraction(0), Fraction(log((above / below, above / below))[0]))


def sure_of(value: Number) -> Fraction:
    """A confidence as a number. Raises InvalidInput."""
    return probability(value, "confidence", zero=False, one=False)
