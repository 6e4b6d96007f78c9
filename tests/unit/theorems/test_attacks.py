"""Attacks have reach: a bound that is somewhat too small is seen."""

import pytest

from pldverify.balls import arb
from pldverify.theorems.attacks import densities, grids
from pldverify.theorems.evidence import attacked
from pldverify.theorems.record import Verdict


def test_a_truncation_bound_that_is_too_small_by_20_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    true = densities.pointwise_truncation
    monkeypatch.setattr(densities, "pointwise_truncation", lambda *args: true(*args) / 20)
    assert attacked(densities.truncation_with_hypothesis)().verdict is Verdict.REFUTED


def test_a_sum_that_counts_one_point_too_many_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    true = grids._grid_error
    monkeypatch.setattr(grids, "_grid_error", lambda *args: true(*args) + arb("1e-4"))
    assert attacked(grids.grid_of_both_signs)().verdict is Verdict.REFUTED
