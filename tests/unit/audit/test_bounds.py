"""Bounds of audits against scipy and print, and how often they miss, by all counts."""

import math
from fractions import Fraction
from typing import Any

import mpmath
import pytest
from scipy.stats import beta, binom

import pldverify as pv
from pldverify.audit import Confidence, clopper_pearson, coverage, one_run
from pldverify.audit import binomial as module
from pldverify.audit.binomial import least_rate, most_rate
from pldverify.errors import InvalidInput, NoTruthValue
from tests.teeth.planted import planted

COUNTS = [(10, 3), (1000, 1000), (1000, 0), (1000, 999), (2_000, 900), (10**6, 12), (7, 1)]


@pytest.mark.parametrize(("n", "k"), COUNTS)
@pytest.mark.parametrize("alpha", ["0.025", "1e-6"])
def test_rates_are_those_of_scipy_on_their_safe_side(n: int, k: int, alpha: str) -> None:
    low, near = least_rate(n, k, Fraction(alpha)), float(beta.ppf(float(alpha), k, n - k + 1)) if k else 0.0
    assert abs(float(low) - near) <= 1e-9 * min(near, 1 - near)
    assert most_rate(n, n - k, Fraction(alpha)) == 1 - low
    with mpmath.workdps(40):
        p = mpmath.mpf(low.numerator) / low.denominator
        tail = mpmath.betainc(k, n - k + 1, 0, p, regularized=True) if k else 0
        assert tail <= mpmath.mpf(alpha)


def test_both_ends_by_hand() -> None:
    """Ten of ten: t ≥ .025^{1/10}; none of ten: f at most 1 minus that."""
    t = 0.025**0.1
    found = clopper_pearson(10, 10, 0, 10)
    assert float(found.epsilon) == pytest.approx(math.log(t / (1 - t)), rel=1e-9, abs=0)
    less = clopper_pearson(10, 10, 0, 10, delta="0.1")
    assert float(less.epsilon) == pytest.approx(math.log((t - 0.1) / (1 - t)), rel=1e-9, abs=0)
    turned = clopper_pearson(60, 100, 0, 1000)  # that it hardly ever says "in" tells most
    assert float(turned.epsilon) > 4


@pytest.mark.parametrize("counts", [(0, 10, 10, 10), (5, 10, 5, 10), (1, 1, 0, 1)])
def test_where_nothing_is_shown_the_bound_is_0(counts: tuple[int, int, int, int]) -> None:
    assert clopper_pearson(*counts).epsilon == 0


def test_one_run_by_hand() -> None:
    """All of 100 right: q = .05^{1/100}; with δ the error that is left is .05 − mδ."""
    for found, error in ((one_run(100, 100), 0.05), (one_run(100, 100, canaries=1000, delta="1e-5"), 0.04)):
        q = error**0.01
        assert float(found.epsilon) == pytest.approx(math.log(q / (1 - q)), rel=1e-9, abs=0)
    assert one_run(100, 100, canaries=1000, delta="5e-5").epsilon == 0  # mδ is all there is
    assert one_run(50, 100).epsilon == 0


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ((11, 10, 0, 10), "true_positives"),
        ((1, 0, 0, 10), "positives"),
        ((1, 10, 0.5, 10), "false_positives"),
        ((1, 10, 11, 10), "false_positives"),
        ((1, 10, False, 10), "false_positives"),
        ((1, 10, None, 10), "false_positives"),
    ],
)
def test_counts_that_are_none_are_refused_by_name(arguments: Any, named: str) -> None:
    with pytest.raises(InvalidInput, match=f"^{named} must be"):
        clopper_pearson(*arguments)


def test_no_success_is_a_count_in_every_form() -> None:
    assert clopper_pearson("9", 10, "0", 10) == clopper_pearson(9, 10, 0, 10)
    assert one_run("0", 10) == one_run(0, 10)


def test_canaries_and_confidence_are_refused_by_name() -> None:
    for more in ({"canaries": 9}, {"confidence": 1}, {"delta": 2}):
        with pytest.raises(InvalidInput, match=f"^{next(iter(more))} must be"):
            one_run(5, 10, **more)


def test_a_bound_of_an_audit_meets_no_proved_end() -> None:
    found = one_run(90, 100)
    assert isinstance(found, Confidence) and "with confidence 0.95" in str(found)
    with pytest.raises(NoTruthValue):
        bool(found)
    for other in (pv.epsilon(pv.Gaussian(1), delta="1e-5"), found, Fraction(1)):
        with pytest.raises(TypeError):
            assert found < other  # type: ignore[operator]


# --- how often it is wrong ---

RATES = [(r, r) for r in ("0", "0.05", "0.3", "0.5", "0.77", "1")] + [
    ("0.6", "0.4"),
    ("0.9", "0.1"),
    ("0.3", "0.01"),
    ("0.99", "0.7"),
    ("0.2", "0.9"),
    ("1", "0.5"),
]
"""True and false positive rates: mechanisms that tell nothing, and leaks of known size."""


@pytest.mark.parametrize(("tpr", "fpr"), RATES)
def test_misses_are_as_rare_as_is_said(tpr: str, fpr: str) -> None:
    found = coverage(clopper_pearson, positives=11, negatives=9, tpr=tpr, fpr=fpr)
    assert found.verdict("0.95") == "SOUND"


def naive(hits: int, runs: int, wrong: int, others: int) -> float:
    return max(0.0, math.log(max(hits, 0.5) * others / (max(wrong, 0.5) * runs)))


def too_short(hits: int, runs: int, wrong: int, others: int) -> Any:
    """Each of both rates with sixteen times its share of the error."""
    return clopper_pearson(hits, runs, wrong, others, confidence="0.2")


def one_sided(hits: int, runs: int, wrong: int, others: int) -> float:
    """The share of the false positives is taken for their rate."""
    t = float(least_rate(runs, hits, Fraction(1, 40)))
    return max(0.0, math.log(max(t, 1e-9) * others / max(wrong, 0.5)))


@pytest.mark.parametrize("auditor", [naive, too_short, one_sided])
def test_an_auditor_that_is_too_bold_is_found_somewhere(auditor: Any) -> None:
    found = [coverage(auditor, positives=11, negatives=9, tpr=t, fpr=f).verdict("0.95") for t, f in RATES]
    assert "UNSOUND" in found


def test_probabilities_are_exact() -> None:
    """One run of each kind; the bound is above 0 where the attack was right twice."""
    found = coverage(lambda a, n, b, m: Fraction(a * (1 - b)), positives=1, negatives=1, tpr="1/3", fpr="1/3")
    assert found.misses.lower == found.misses.upper == Fraction(2, 9) and found.ratio == 1
    true = coverage(lambda *_: 50, positives=1, negatives=1, tpr=1, fpr=0)
    assert true.ratio is None and true.misses.upper == 0
    at_delta = coverage(lambda *_: 0, positives=1, negatives=1, tpr="0.6", fpr="0.2", delta="0.1")
    assert at_delta.ratio == Fraction(5, 2)
    proved = pv.epsilon(pv.FinitePair(["0.6", "0.4"], ["0.2", "0.8"]), delta="0.1")
    assert float(proved) == pytest.approx(math.log(2.5), rel=1e-9, abs=0)


@pytest.mark.parametrize("bound", [math.inf, 10**9, "1e300"])
def test_a_bound_that_is_infinite_or_huge_is_above_every_finite_one(bound: Any) -> None:
    found = coverage(lambda *_: bound, positives=1, negatives=1, tpr="0.6", fpr="0.4")
    assert found.misses.lower == 1 and found.verdict("0.95") == "UNSOUND"
    assert coverage(lambda *_: bound, positives=1, negatives=1, tpr=1, fpr=0).misses.upper == 0


def test_a_hint_that_is_no_number_proves_what_it_can(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scipy.stats.beta.ppf", lambda *_: math.nan)
    assert least_rate.__wrapped__(10, 3, Fraction(1, 40)) == 0


@pytest.mark.parametrize("epsilon", ["0", "0.5", "2"])
@pytest.mark.parametrize("r", [1, 20, 60])
def test_one_run_of_randomised_responses_misses_as_rarely_as_is_said(epsilon: str, r: int) -> None:
    """Its guesses are right independently, with probability e^ε/(1 + e^ε): the worst case."""
    q = 1 / (1 + math.exp(-float(epsilon)))
    missed = [v for v in range(r + 1) if float(one_run(v, r, confidence="0.9").epsilon) > float(epsilon)]
    assert binom.pmf(missed, r, q).sum() <= 0.1 * (1 + 1e-9)


def test_a_tail_of_other_counts_would_be_seen() -> None:
    wrong = planted(module, ("beta_lower(k, n - k + 1,", "beta_lower(k + 1, n - k,"))
    found = [float(each.tail(10, 3, Fraction(1, 2))) for each in (module, wrong)]
    assert found[0] == pytest.approx(binom.sf(2, 10, 0.5), rel=1e-9, abs=0) != found[1]
