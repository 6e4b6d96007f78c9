"""Attacks have reach: a bound that is somewhat too small is seen."""

from fractions import Fraction as F

import pytest

from pldverify.balls import arb
from pldverify.balls.ball import ball, working
from pldverify.theorems.attacks import audits, densities, grids, moments, newton, summaries, wrapped
from pldverify.theorems.evidence import PREC, attacked, decided, refuting
from pldverify.theorems.record import Verdict
from tests.teeth.planted import planted


def test_a_truncation_bound_that_is_too_small_by_20_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    true = densities.pointwise_truncation
    monkeypatch.setattr(densities, "pointwise_truncation", lambda *args: true(*args) / 20)
    assert attacked(densities.truncation_with_hypothesis)().verdict is Verdict.REFUTED


def test_a_sum_that_counts_one_point_too_many_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    true = grids._grid_error
    monkeypatch.setattr(grids, "_grid_error", lambda *args: true(*args) + arb("1e-4"))
    assert attacked(grids.grid_of_both_signs)().verdict is Verdict.REFUTED


def test_the_step_of_lemma_d3_holds_with_one_constant_only() -> None:
    """With C = −1/2 where D.3 is stated; of Lemma 13 not near q = 1; with C = +1/2 nowhere near."""
    assert attacked(densities.step_of_d3)().verdict is Verdict.SUPPORTED
    assert attacked(densities.step_of_13)().verdict is Verdict.REFUTED
    assert attacked(densities.step_of_d3_as_printed)().verdict is Verdict.REFUTED


def test_corollary_c4_is_tried_at_half_of_l(monkeypatch: pytest.MonkeyPatch) -> None:
    """A log moment that is too small by 10 is seen."""
    true = moments.printed_log_moment
    monkeypatch.setattr(moments, "printed_log_moment", lambda sigma, q, lam: true(sigma, q, lam) / 10)
    assert attacked(moments.tails_at_half)().verdict is Verdict.REFUTED


def test_an_iterate_that_steps_over_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """The attack on Newton's method in x = e^ε, with half of its slopes."""
    true = newton.gaussian
    monkeypatch.setattr(newton, "gaussian", lambda sigma, at: (true(sigma, at)[0], true(sigma, at)[1] / 2))
    assert attacked(newton.in_x)().verdict is Verdict.REFUTED


def test_what_wraps_is_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The mass of the cells is that of three kept losses, and too wide cells refute nothing."""
    with working(PREC):
        kept = wrapped._above(F(-wrapped.L)) - wrapped._above(F(wrapped.L))
        assert sum((mass for _, mass in wrapped._sums()), ball(0)).overlaps(kept**3)
    wide = F(2 * wrapped.L, 100)
    monkeypatch.setattr(wrapped, "CELLS", 100)
    monkeypatch.setattr(wrapped, "STEP", wide)
    found = refuting(decided(wrapped.facts.__wrapped__), "")()
    assert found.verdict is Verdict.SUPPORTED


@pytest.mark.parametrize(
    ("attack", "true", "bold"),
    [
        ("binomial_tails", "comb(n, j) * p**j", "comb(n, j) * p**j * F(99, 100)"),
        ("rates", "least_rate(n, k, alpha)", "least_rate(n, k, 3 * alpha)"),
        ("events", ".max(hockey(swapped(pair), epsilon))", ""),
        ("bits", "(1 - t, 1 - f), ", ""),
        ("guesses", "+ m * delta", "+ delta / 4"),
        ("guesses", "ratio / (1 + ratio)", "ratio / (2 + ratio)"),
        ("gaussian_guesses", "refutes(mu,", "refutes(mu * F(9, 10),"),
        ("gaussian_errors", "ball(mu))\n", "ball(mu * F(9, 10)))\n"),
    ],
)
def test_what_says_somewhat_more_of_an_audit_is_seen(attack: str, true: str, bold: str) -> None:
    assert attacked(getattr(planted(audits, (true, bold)), attack))().verdict is Verdict.REFUTED


@pytest.mark.parametrize(
    ("attack", "true", "bold"),
    [
        ("advantage", '_excess(pair, F(1)), "="', '_excess(pair, F(1)) * F(99, 100), "="'),
        ("bayes_risk", "prior * (1 - _excess", "prior * (F(99, 100) - _excess"),
        ("duality", "*(p / q for", "*(F(1) for"),
        ("reconstruction", "worst + ratio * blind", "worst + ratio * blind * F(9, 10)"),
        (
            "gaussian_profiles",
            "needed(pair).max(needed(swapped(pair)))\n        for ratio",
            "needed(pair) * ball(F(9, 10))\n        for ratio",
        ),
        ("regrets", "mu.max(other), ball(ratio)", "mu.max(other) * ball(F(99, 100)), ball(ratio)"),
        ("regrets", "F(999, 1000)", "F(1001, 1000)"),
        ("little_advantage", "1 - alarm - _excess(pair, F(1))", "1 - alarm - _excess(pair, F(1)) / 2"),
        ("squares_add", "+ needed(second) ** 2)", "+ needed(second) ** 2 / 2)"),
        ("corner_of_responses", "2 * ball(2).sqrt() * ball(2 / (1", "ball(2).sqrt() * ball(2 / (1"),
        ("of_gaussian", "* mu**2 / 2", "* mu**2 / 4"),
        (
            "of_responses",
            "ball(ratio).log()\n        for order in (F(1001",
            "ball(ratio).log() / 2\n        for order in (F(1001",
        ),
        ("of_range", "width**2 / 8", "width**2 / 12"),
        ("of_discrete_gaussian", "ball(order) / v)", "ball(order) / v * ball(F(99, 100)))"),
        ("chords", "(low + high) / 2)", "(low + high) / 3)"),
        (
            "samples",
            "divergence(mixed, order), divergence(pair, order))",
            "divergence(mixed, order), divergence(pair, order) / 2)",
        ),
        (
            "far_orders",
            "ball(order / (order - 1)) * ball(c).log()",
            "ball(order / (order - 1) / 2) * ball(c).log()",
        ),
        (
            "largest_losses",
            'yield Case(f"pair {i}, α = {order}", divergence(pair, order), most)',
            "yield Case(str(i), divergence(pair, order), most / 2)",
        ),
    ],
)
def test_what_says_somewhat_more_of_a_summary_is_seen(attack: str, true: str, bold: str) -> None:
    assert attacked(getattr(planted(summaries, (true, bold)), attack))().verdict is Verdict.REFUTED
