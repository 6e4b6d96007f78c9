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
