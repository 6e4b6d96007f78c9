"""Moments of grids against sums, written out."""

import math

import pytest

from pldverify.reference.search.grid_moments import GridMoments

STARTS, LOSSES, MASSES = [-2.0, -1.0, 0.0, 1.0], [-1.0, 0.0, 1.0, 2.0], [0.25, 0.5, 0.0, 0.125]


@pytest.mark.parametrize("lam", [-3.0, 0.0, 0.5, 700.0])
def test_moments(lam: float) -> None:
    one = (
        math.log(0.25 * math.exp(-lam) + 0.5 + 0.125 * math.exp(2 * lam))
        if lam < 300
        else 2 * lam + math.log(0.125)
    )
    other = lam * 3.0
    found = GridMoments([(STARTS, LOSSES, MASSES, 3), ([2.0], [3.0], [1.0], 2)])
    assert found.steps == 5
    assert abs(found.log_moment(lam) - (3 * one + 2 * other)) <= 1e-12 * (1 + abs(other))
    assert abs(found.singles(lam)[1] - other) <= 1e-12 * (1 + abs(other))


def test_near_cells_begin_up_to_the_cut() -> None:
    found = GridMoments([(STARTS, LOSSES, MASSES, 3)])
    assert abs(found.near(1.0, -1.0) - 3 * math.log(0.25 / math.e + 0.5)) < 1e-12
    assert found.near(1.0, -3.0) == -math.inf
    assert found.near(1.0, 1.0) == found.log_moment(1.0)


def test_what_is_far_is_not_lost_beside_the_whole() -> None:
    """As a difference it was 1e-300, and no noise was expected."""
    found = GridMoments([([0.0, 9.0], [0.0, 9.0], [1.0, 1e-40], 10), ([0.0], [0.0], [0.5], 2)])
    assert found.far(1.0, 3.0) == pytest.approx(math.log(10 * 1e-40 / 4) + 9, rel=1e-12, abs=0)
    assert found.far(1.0, -1.0) == found.log_moment(1.0)
    assert found.far(1.0, 9.0) == -math.inf


def test_concentration_of_a_normal_sum() -> None:
    """∫ e^{−(k−1)σ²t²} dt / 2π over all t, and 1/h for an atom."""
    losses = [x / 100 for x in range(-800, 801)]
    masses = [math.exp(-x * x / 2) / math.sqrt(2 * math.pi) / 100 for x in losses]
    found = GridMoments([(losses, losses, masses, 26)]).log_concentration(0.0, 0.02)
    assert abs(found + math.log(2 * math.sqrt(math.pi * 25))) < 0.05
    atom = GridMoments([([0.0], [0.0], [1.0], 7)]).log_concentration(2.0, 1e-4)
    assert abs(atom - math.log(1e4)) < 0.05


def test_the_lightest_tilt_of_a_normal_sum() -> None:
    """4 losses N(0, 1) of sum 6: e^{2λ² − 6λ} is least at 3/2."""
    losses = [x / 100 for x in range(-800, 801)]
    found = GridMoments([(losses, losses, [math.exp(-x * x / 2) for x in losses], 4)])
    assert abs(found.lightest(6.0, 0.1, 100.0) - 1.5) < 0.1
