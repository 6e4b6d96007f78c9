"""Attacks have reach: a bound that is somewhat too small is seen."""

from fractions import Fraction as F

import pytest

from pldverify.balls import arb
from pldverify.balls.ball import ball, working
from pldverify.theorems.attacks import densities, grids, moments, newton, wrapped
from pldverify.theorems.evidence import PREC, attacked, decided, refuting
from pldverify.theorems.record import Verdict


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
