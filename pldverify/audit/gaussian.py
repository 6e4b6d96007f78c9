r"""Lower bounds on μ of Gaussian DP from the counts of an attack.

**Two sets of runs** (:func:`clopper_pearson_gdp`). An attack with the rates t ≥ t₀ and f ≤ f₀ on runs with
and without a record, as in ``bounds.py``, has :math:`t \le 1 - G_\mu(f) = \Phi(\Phi^{-1}(f) + \mu)`, so

.. math:: \mu \ge \Phi^{-1}(t_0) - \Phi^{-1}(f_0).

**One run** (:func:`one_run_gdp`; after Mahloujifar, Melis, Chaudhuri 2025, arXiv 2410.22235, proved here).
Each of m canaries is in the data with probability 1/2, independently; from the output alone r of these bits
are guessed, V of them rightly. Let the mechanism be μ-GDP for each canary, :math:`h(x) = 1 - G_\mu(x)`, and
:math:`g(y) = \Phi(\Phi^{-1}(y) - \mu)` its inverse. Let N_v = β and A_v = vβ, and for c = v − 1, …, 0

.. math::
    N_c = \max\Bigl(N_{c+1}, \frac{A_{c+1} + m\, g(A_{c+1}/m) - c N_{c+1}}{r - c}\Bigr), \quad
    A_c = A_{c+1} + c (N_c - N_{c+1}).

If an N_c exceeds 1, then :math:`P[V \ge v] < \beta`.

Proof. (1) For bits s, let s' be s with bit j changed, and E the event that j is guessed, rightly of s, and
that V ≥ c. Of s' that guess is wrong and all others are as right as they were: E is the event that of s' it
is guessed wrongly, and V ≥ c − 1. By GDP :math:`P_s(E) \le h(P_{s'}(E))`. Take the mean over s and j. As h is
concave and s' is uniform too, :math:`a_c \le h(b_{c-1})`, for :math:`m a_c = E[V; V \ge c]` and :math:`m b_c
= E[r - V; V \ge c]`. So :math:`b_c \ge g(a_{c+1})`.

(2) Let :math:`n_c = P[V \ge c]`. Then :math:`m b_c = r n_c - m a_c` and :math:`m a_c = m a_{c+1} + c (n_c -
n_{c+1})` turn (1) into :math:`(r - c) n_c \ge m a_{c+1} + m g(a_{c+1}) - c n_{c+1}`.

(3) Let n_v ≥ β. Then, for each c ≤ v, :math:`m a_c - A_c \ge c (n_c - N_c) \ge 0`. For c = v it holds as
:math:`m a_v \ge v n_v`. Let it hold for c + 1, and :math:`d = n_{c+1} - N_{c+1} \ge 0`. As g rises, (2) gives
:math:`(r - c) n_c \ge A_{c+1} + (c + 1) d + m g(A_{c+1}/m) - c (N_{c+1} + d)`, and :math:`n_c \ge n_{c+1} \ge
N_{c+1}`; so :math:`n_c \ge N_c`. And :math:`m a_c - A_c \ge (c + 1) d + c (n_c - N_c - d) \ge c (n_c - N_c)`.
This uses of N_c only that it is at least N_{c+1} and no more than is said: it may be rounded down.

So 1 ≥ n_c ≥ N_c, or n_v < β. ∎ A mechanism of a smaller μ is μ-GDP too. Let μ(v) be the bound that v gives,
and v the least one with μ(v) above the true μ: the bound is too large only where V ≥ v, and that has a
probability below β.

It can't be much better: a mechanism that leaks in a share β of its runs, and tells nothing in all others, has
V ≥ v as often. Where canaries are independent their μ is therefore larger than what is shown.
"""

from fractions import Fraction

from pldverify.audit.bounds import CANARIES, RUNS, guessed, rates, sure_of
from pldverify.audit.confidence import GaussianConfidence
from pldverify.audit.likely import likely
from pldverify.balls import arb
from pldverify.balls.ball import ball, lower, working
from pldverify.balls.normal import normal_tail
from pldverify.numbers.exact import Number, count

_BITS = 96
"""Precision of balls; any value is right: a poor one shows less."""
_MOST = 20_000
"""Cap on the guesses, each of which is a step of the proof."""


def clopper_pearson_gdp(
    true_positives: Number,
    positives: Number,
    false_positives: Number,
    negatives: Number,
    *,
    confidence: Number = "0.95",
) -> GaussianConfidence:
    """μ is at least that. Arguments and errors as of :func:`~pldverify.audit.clopper_pearson`.

    >>> print(clopper_pearson_gdp(990, 1000, 10, 1000))
    μ ≥ 4.1... with confidence 0.95, by Clopper and Pearson
    """
    t, f, sure = rates(true_positives, positives, false_positives, negatives, confidence)
    found = Fraction(0)
    if 0 < f < t < 1:
        with working(_BITS):
            found = max(found, Fraction(lower(_quantile(ball(f)) - _quantile(ball(t)))))
    return GaussianConfidence(found, sure, "Clopper and Pearson", RUNS)


def one_run_gdp(
    correct: Number, guesses: Number, *, canaries: Number | None = None, confidence: Number = "0.95"
) -> GaussianConfidence:
    """μ is at least that, by guesses which of ``canaries`` records were in the data of one run.

    Arguments and errors as of :func:`~pldverify.audit.one_run`, with at most 20,000 guesses, whose number
    was fixed before.

    >>> print(one_run_gdp(correct=90, guesses=100))
    μ ≥ 0.8... with confidence 0.95, by one run
    """
    v, r, m = guessed(correct, count(guesses, "guesses", cap=_MOST), canaries)
    sure = sure_of(confidence)
    tried = (Fraction(mu) for mu in likely(v, r, m, float(1 - sure)))
    found = next((mu for mu in tried if refutes(mu, v, r, m, 1 - sure)), Fraction(0))
    return GaussianConfidence(found, sure, "one run", CANARIES)


def refutes(mu: Fraction, v: int, r: int, m: int, beta: Fraction) -> bool:
    """Whether P[V ≥ v] < β is proved for every μ-GDP mechanism: an N_c exceeds 1.

    >>> from pldverify.audit.gaussian import refutes
    >>> refutes(Fraction(0), 1, 1, 1, Fraction("0.6")), refutes(Fraction(0), 1, 1, 1, Fraction("0.5"))
    (True, False)
    """
    reached, rights = beta, v * beta
    with working(_BITS):
        for c in range(v - 1, -1, -1):
            g = normal_tail(ball(mu) + _quantile(ball(rights / m)))
            more = lower((ball(rights) + m * g - ball(c * reached)) / (r - c))
            if not more > reached:
                return False  # nor is it for any smaller c: it takes A + m g(A/m) > r N, whatever c is
            rights, reached = rights + c * (Fraction(more) - reached), Fraction(more)
            if reached > 1:
                return True
    return False


def _quantile(share: arb) -> arb:
    """The x with Φ(−x) = share."""
    return ball(2).sqrt() * (2 * share).erfcinv()
