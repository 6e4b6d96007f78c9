"""Moments of grid masses from above, block by block, against plain sums in balls."""

import math
from fractions import Fraction as F

import numpy as np
import pytest
from flint import arb

from pldverify.balls.ball import ball, working
from pldverify.decomposition.grid import GridPart, Kernel, unwrapped_sum, wrapped_sum
from pldverify.errors import InvalidInput


def exact(part: GridPart, lam: F, step: F) -> arb:
    total = arb(0)
    for i, mass in enumerate(part.masses.tolist()):
        if mass:
            total += ball(F(mass)) * (ball(lam) * ball(step) * (part.first + i)).exp()
    return total.log()


def normal(n: int, h: float, deviation: float) -> GridPart:
    x = h * (np.arange(n) - n // 2)
    masses = np.exp(-((x - 0.3 * deviation) ** 2) / (2 * deviation**2))
    return GridPart(masses / masses.sum(), -(n // 2), 1)


PARTS = [
    normal(999, 0.01, 1.0),
    normal(12_000, 0.001, 0.5),
    normal(12_000, 0.003, 9.0),
    GridPart(np.random.default_rng(3).random(7001) / 7000, -100, 1),
    GridPart(np.array([0.0, 1e-310, 0.5, 0.0, 5e-324]), 7, 1),
]


@pytest.mark.sample(10)
@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("lam", [F(1, 1000), F(1), F(-3), F(25)])
def test_log_moments_are_tight_upper_bounds(part: GridPart, lam: F) -> None:
    step = F(1, 1000)
    with working(128):
        true, bound = exact(part, lam, step), part.log_moment(lam, step)
        assert bound > true - arb(2) ** -100
    assert float(bound - true) < 1e-9
    assert part.about_log_moment(float(lam), float(step)) == pytest.approx(float(true), rel=1e-9, abs=1e-9)


@pytest.mark.parametrize(("lam", "room"), [(F(-400), 2), (F(10_000), 200)])
def test_far_tilts_stay_above(lam: F, room: int) -> None:
    """Blocks too wide for the Taylor polynomial: a crude bound, no NaN."""
    part, step = PARTS[2], F(1, 1000)
    with working(128):
        true, bound = exact(part, lam, step), part.log_moment(lam, step)
    assert true < bound < true + room


def test_no_mass() -> None:
    part = GridPart(np.zeros(50), -25, 3)
    with working(64):
        assert part.log_moment(F(1), F(1)) == arb.neg_inf()
    assert part.about_log_moment(1.0, 1.0) == -math.inf


@pytest.mark.parametrize("kind", [np.float64, np.longdouble])
@pytest.mark.parametrize("mass", [3.75, 4.0, 7.75, 8.0, 96.25, 2.0**100, 1e300])
def test_masses_of_any_size_are_exact_integers(mass: float, kind: type) -> None:
    """From 8 on they wrapped around, and their sum was −15.5."""
    part = GridPart(np.array([0.5, mass, 5e-324, 0.1], kind), 0, 1)
    assert part.integers == [int(F(float(each)) * 2**180) for each in part.masses]
    assert F(mass) + F(3, 5) <= part.total + F(1, 2**50) and part.total <= F(mass) + F(601, 1000)


@pytest.mark.parametrize("k", [0, -1])
def test_what_is_there_less_than_once_is_refused(k: int) -> None:
    with pytest.raises(InvalidInput, match="count must be >= 1"):
        GridPart(np.ones(2), 0, k)


@pytest.mark.parametrize("n", [4, 64])
@pytest.mark.parametrize("epsilon", ["-3", "0", "0.1", "2.9"])
def test_all_losses_may_be_above_epsilon(epsilon: str, n: int) -> None:
    """Of P = (1, 0) and Q = (1/2, 1/2) the loss is log 2: such questions were refused as below the grid."""
    part = GridPart(np.array([0.5, 0.0, 0.25]), 10, 1)
    kernel = Kernel(F(1, 3), F(epsilon), n)
    found = unwrapped_sum([part], kernel, n=n, outside=lambda low, high: arb(1), goal=F(1, 10**30))
    with working(256):
        rows = ((F(1, 2), F(10, 3)), (F(1, 4), F(4)))
        truth = sum((ball(mass) * (1 - ball(F(epsilon) - loss).exp()) for mass, loss in rows), arb(0))
        assert found.overlaps(truth) and found.rad() < 1e-25


def test_a_goal_may_be_below_all_doubles() -> None:
    part, kernel = GridPart(np.array([0.5, 0.5]), 0, 2), Kernel(F(1), F(1, 2), 4)
    found = wrapped_sum([part], 8, kernel, goal=F(1, 10**400))
    with working(256):
        truth = (1 - ball(F(-1, 2)).exp()) / 2 + (1 - ball(F(-3, 2)).exp()) / 4
        assert found.overlaps(truth)
