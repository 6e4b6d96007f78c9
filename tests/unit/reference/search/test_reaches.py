"""Tails of sums against closed forms, and the losses that count."""

import math

import numpy as np
import pytest

import pldverify as pv
from pldverify.balls.ball import working
from pldverify.mechanisms.as_composition import as_composition
from pldverify.reference.laws.composed_loss import ComposedLoss, product
from pldverify.reference.search.reaches import Reaches


def law(composition: pv.Composition | pv.Gaussian) -> ComposedLoss:
    return product(as_composition(composition), "remove")


def reaches(composition: pv.Composition | pv.Gaussian, scale: float) -> Reaches:
    with working(160):
        return Reaches(law(composition), scale, scale)


@pytest.mark.parametrize("end", [0.5, 2.0, 4.0, 9.0])
@pytest.mark.parametrize("side", [1, -1])
def test_the_tail_of_a_gaussian(end: float, side: int) -> None:
    """σ = 1: the loss is N(1/2, 1)."""
    truth = math.erfc((end - side * 0.5) / math.sqrt(2)) / 2
    found = reaches(pv.Gaussian(1), 1.0).beyond(end, side)
    assert truth * (1 - 1e-12) <= found <= 1
    assert math.log(found) <= 0.5 * math.log(truth)


def test_rare_events_are_seen_as_rare() -> None:
    """10 steps at q = 1e-6: the tail is that of a single one, which no Chernoff bound tells."""
    one = 1e-6 * math.erfc((9.05 - 1) / math.sqrt(2)) / 2  # the loss is above 0.01 from outcome 9.7 on
    found = reaches(10 * pv.PoissonSubsampled(pv.Gaussian(1), "1e-6"), 0.01).beyond(0.01, 1)
    assert found < 1e-13 < 1e-6
    assert found > one


def test_all_sums_reach_zero() -> None:
    assert reaches(pv.Gaussian(1), 1.0).beyond(0.0, 1) == 1.0


@pytest.mark.parametrize("goal", [1e-3, 1e-10])
def test_losses_that_count(goal: float) -> None:
    found = reaches(3 * pv.Gaussian(2), 1.0)
    low, high = found.of(0, 1.0, goal)
    assert low < 0 < 1 < high
    assert found.one(0, high, 1) * found.beyond(high - 1, -1) <= goal
    assert found.one(0, -low, -1) * found.beyond(1 - low, 1) <= goal
    assert found.one(0, high / 2, 1) * found.beyond(high / 2 - 1, -1) > goal


def test_the_tail_next_to_the_largest_sum() -> None:
    """Nine Laplace losses up to 1/3: all are at least 0.3 where they add up to 2.95."""
    found = reaches(9 * pv.Laplace(3), 2.9)
    assert found.beyond(2.95, 1) >= 0.5**9 and found.beyond(4.0, 1) < 1e-9


def test_laws_share_the_tails_of_sums(monkeypatch: pytest.MonkeyPatch) -> None:
    """132 laws took a tail a law and a guess, each of 132 laws: 44 s, and no clock was looked at."""
    asked: list[tuple[float, int]] = []
    plain = Reaches._chernoff
    monkeypatch.setattr(Reaches, "_chernoff", lambda self, *a: asked.append(a) or plain(self, *a))
    many = pv.Composition.of(*((pv.PoissonSubsampled(pv.Gaussian(1 + i), "0.01"), 1) for i in range(8)))
    found = reaches(many, 1.0)
    for i in range(8):
        found.of(i, 1.0, 1e-6)
    assert len(asked) == len(set(asked)) < 2 * 20


def test_masses_around_zero_are_no_negative_ones() -> None:
    """Beyond its largest loss a shuffled sample has mass 0, whose ball has its middle below 0."""
    shuffled = product(as_composition(pv.ShuffleModel(pv.RandomizedResponse("0.75", 2), n=14)), "replace-one")
    with working(160), np.errstate(invalid="raise"):
        found = Reaches(shuffled, 1.0, 100.0)
        assert found.beyond(100.0, -1) == 0.0
