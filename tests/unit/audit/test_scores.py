"""Auditors of scores: chances against all ways in which they come about; faulty ones that must be found."""

import math
import random
from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations, product
from typing import Any

import pytest
from scipy.optimize import brentq
from scipy.stats import beta, binom, norm

from pldverify import audit
from pldverify.audit import kit, scores
from pldverify.audit.confidence import Confidence
from pldverify.errors import InvalidInput
from tests.teeth.planted import planted

T, F = Fraction(4, 5), Fraction(1, 3)
Scores = Sequence[float]


def all_ways(n: int, m: int) -> dict[tuple[bool, ...], Fraction]:
    """Canaries fall into the upper half or not, and within each half into any order."""
    sides = (True,) * n + (False,) * m
    found: dict[tuple[bool, ...], Fraction] = {}
    for halves in product((True, False), repeat=n + m):
        mass = Fraction(1)
        for was_in, is_high in zip(sides, halves, strict=True):
            rate = T if was_in else F
            mass *= rate if is_high else 1 - rate
        upper, lower = ([i for i, is_high in enumerate(halves) if is_high == side] for side in (True, False))
        share = mass / math.factorial(len(upper)) / math.factorial(len(lower))
        for first, second in product(permutations(upper), permutations(lower)):
            seen = tuple(sides[i] for i in (*first, *second))
            found[seen] = found.get(seen, Fraction(0)) + share
    return found


def chances(module: Any) -> dict[tuple[bool, ...], Fraction]:
    return {order: module.chance(order, T, F) for order in module.orders(2, 3)}


def test_an_order_has_the_chance_of_all_its_ways() -> None:
    assert chances(scores) == all_ways(2, 3)


def test_a_chance_that_forgets_an_order_within_a_half_would_be_seen() -> None:
    assert chances(planted(scores, ("comb(high, h) * ", ""))) != all_ways(2, 3)


def test_misses_are_the_chance_of_the_orders_that_are_missed() -> None:
    """The auditor says something where every canary in the data is above every other one."""

    def separated(inside: Scores, outside: Scores) -> float:
        return 9 if min(inside) > max(outside) else 0

    asked = {"positives": 2, "negatives": 3, "tpr": T, "fpr": F}
    found = audit.coverage_of_scores(separated, **asked)  # type: ignore[arg-type]  # a dict of numbers
    assert found.misses.lower == found.misses.upper == all_ways(2, 3)[(True, True, False, False, False)]
    tied = audit.coverage_of_scores(separated, **asked, ties=True)  # type: ignore[arg-type]
    assert tied.misses.lower == tied.misses.upper == T**2 * (1 - F) ** 3
    assert found.error == tied.error == 0


def test_samples_enclose_what_is_known() -> None:
    """The largest score of three and three is of a canary out in half of all samples that tell nothing."""

    def second(inside: Scores, outside: Scores) -> float:
        return 9 if max(outside) > max(inside) else 0

    found = audit.sampled_coverage(second, positives=3, negatives=3, tpr="1/4", fpr="1/4", runs=400)
    assert Fraction("0.37") < found.misses.lower < Fraction(1, 2) < found.misses.upper < Fraction("0.63")
    assert found.error == Fraction(1, 10**6) and found.verdict("0.95") == "UNSOUND"
    again = audit.sampled_coverage(second, positives=3, negatives=3, tpr="1/4", fpr="1/4", runs=400)
    assert again == found  # the seed is fixed
    missed = round(float(found.misses.lower + found.misses.upper) / 2 * 400)
    assert float(found.misses.lower) == pytest.approx(beta.ppf(5e-7, missed, 401 - missed), rel=0.02, abs=0)


def test_what_is_too_much_to_ask_is_refused() -> None:
    with pytest.raises(
        InvalidInput, match=r"^positives and negatives must have at most 20000 orders, got 48620"
    ):
        audit.coverage_of_scores(lambda *_: 0, positives=9, negatives=9, tpr="1/2", fpr="1/2")
    with pytest.raises(InvalidInput, match=r"^auditor must be callable"):
        audit.check_auditor("clopper_pearson")  # type: ignore[arg-type]


# --- faulty auditors, of which the kit is told nothing ---


def upper(k: int, n: int, error: float) -> float:
    """Clopper and Pearson's bound of a rate."""
    return 1.0 if k == n else float(beta.ppf(1 - error, k + 1, n - k))


def thresholds(inside: Scores, outside: Scores) -> list[tuple[int, int]]:
    """At each threshold the canaries in and out that are above."""
    return [
        (sum(x >= at for x in inside), sum(x >= at for x in outside)) for at in sorted({*inside, *outside})
    ]


def largest_ratio(inside: Scores, outside: Scores) -> float:
    """The share of both at the best threshold, without any error."""
    n, m = len(inside), len(outside)
    return max(
        math.log(a * m / (max(b, 0.5) * n)) if a * m > b * n else 0.0 for a, b in thresholds(inside, outside)
    )


def best_threshold(inside: Scores, outside: Scores) -> float:
    """Clopper and Pearson's bounds at the threshold where they are best, as if there were no other."""
    n, m, error = len(inside), len(outside), 0.2
    rates = [(1 - upper(n - a, n, error), upper(b, m, error)) for a, b in thresholds(inside, outside)]
    return max(math.log(low / high) if low > high else 0.0 for low, high in rates)


def two_wrongs(inside: Scores, outside: Scores) -> float:
    """A μ of the best threshold, made of bounds on both errors without their sign: an attack that is proved
    of no use counts as one that is of use when it is turned around. An ε of 3.5 to 5.9 was seen on scores
    that tell nothing, and more where there are few.
    """
    n, m, mus = len(inside), len(outside), [0.0]
    rows = thresholds(inside, outside)
    error = 0.05 / (2 * len(rows))
    for a, b in rows:
        mu = abs(norm.isf(upper(b, m, error)) - norm.ppf(upper(n - a, n, error)))
        mus += [float(mu)] if math.isfinite(mu) else []
    mu = min(max(mus), 12.0)

    def excess(epsilon: float) -> float:
        return norm.cdf(mu / 2 - epsilon / mu) - math.exp(epsilon) * norm.cdf(-mu / 2 - epsilon / mu) - 1e-6

    return float(brentq(excess, 0, 300)) if mu and excess(0) > 0 else 0.0


def counts_of_ties(inside: Scores, outside: Scores) -> float:
    """Right where scores differ: at a tie the canary in the data is taken for the higher one."""
    rows = sorted([(x, True) for x in inside] + [(x, False) for x in outside], reverse=True)
    above = [was_in for _, was_in in rows[: len(inside)]]
    hits, wrong = sum(above), len(above) - sum(above)
    found = audit.clopper_pearson(hits, len(inside), wrong, len(outside), delta="1e-6")
    return float(found.epsilon)


def unsound(auditor: Any, confidence: str = "0.95") -> list[kit.Setting]:
    return [
        found for found in audit.check_auditor(auditor, confidence=confidence) if found.verdict == "UNSOUND"
    ]


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, size in {"TINY": (1, 4), "TIED": 8, "DRAWN": 60, "RUNS": 60}.items():
        monkeypatch.setattr(kit, name, size)


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("auditor", [largest_ratio, pytest.param(two_wrongs, marks=pytest.mark.slow)])
def test_a_threshold_that_is_chosen_by_the_same_scores_is_found_at_every_null(auditor: Any) -> None:
    found = unsound(auditor)
    assert {each.tpr for each in found if each.tpr == each.fpr} == set(kit.NULL)
    assert any("samples" in each.name for each in found)


@pytest.mark.parametrize("rate", ["1/100", "1/2", "9/10"])
def test_two_wrongs_are_found_by_all_orders_of_four(rate: str) -> None:
    found = audit.coverage_of_scores(two_wrongs, positives=4, negatives=4, tpr=rate, fpr=rate)
    assert found.verdict("0.95") == "UNSOUND"


def test_the_scores_of_the_report_have_such_an_epsilon() -> None:
    """The defect is the one that was reported, of several sizes: a bound of 3 and more for nothing."""
    draw = random.Random(3)
    for n in (20, 50):
        assert two_wrongs([draw.random() for _ in range(n)], [draw.random() for _ in range(n)]) > 3


@pytest.mark.slow
def test_the_best_of_many_thresholds_is_found_by_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of few scores it misses as rarely as it says."""
    monkeypatch.setattr(kit, "TINY", (1, 4))
    monkeypatch.setattr(kit, "DRAWN", 200)
    found = unsound(best_threshold, "0.6")
    assert found and all("samples" in each.name for each in found)


@pytest.mark.usefixtures("small")
def test_ties_that_are_broken_for_a_leak_are_found() -> None:
    assert {each.name for each in unsound(counts_of_ties)} == {"ties, every count of 8 and 8"}


def at_one(inside: Scores, outside: Scores) -> audit.Confidence:
    """A threshold that is fixed."""
    hits, wrong = (sum(x >= 1 for x in side) for side in (inside, outside))
    return audit.clopper_pearson(hits, len(inside), wrong, len(outside), delta="1e-6")


def test_a_fixed_threshold_misses_as_often_as_its_counts_do() -> None:
    counts = {"positives": 5, "negatives": 5, "tpr": T, "fpr": F, "ties": True}
    found = audit.coverage_of_scores(at_one, delta="1e-6", **counts)
    missed = sum(
        binom.pmf(a, 5, 0.8) * binom.pmf(b, 5, 1 / 3)
        for a in range(6)
        for b in range(6)
        if float(audit.clopper_pearson(a, 5, b, 5, delta="1e-6").epsilon) > math.log(0.8 * 3)
    )
    assert float(found.misses.upper) == pytest.approx(missed, rel=1e-9, abs=0)


@pytest.mark.slow
def test_a_fixed_threshold_is_found_sound() -> None:
    found = audit.check_auditor(at_one)
    assert len(found) == 20 * 4 + 2
    assert {str(each.verdict) for each in found if "samples" not in each.name} == {"SOUND"}
    assert not any(each.verdict == "UNSOUND" for each in found)
    tied = next(each for each in found if each.tpr == T and each.fpr == 1 - T and "ties" in each.name)
    assert str(tied).startswith(
        "SOUND: planted, TPR 4/5, FPR 1/5, ties, every count of 20 and 20: misses 0.0046"
    )


@pytest.mark.parametrize("ask", [audit.coverage_of_scores, audit.sampled_coverage])
def test_a_bound_at_another_delta_is_refused(ask: Any) -> None:
    """It was judged by the true ε at the δ that was asked for."""

    def at_half(inside: Any, outside: Any) -> Confidence:
        return Confidence(Fraction(1), Fraction(1, 2), Fraction(19, 20), "bold", ())

    with pytest.raises(
        InvalidInput, match=r"^delta must be 0\.5, as the auditor's bound is of that, got delta=0$"
    ):
        ask(at_half, positives=3, negatives=3, tpr="3/4", fpr="1/4")
    assert ask(at_half, positives=3, negatives=3, tpr="3/4", fpr="1/4", delta="1/2").misses.lower > 0
