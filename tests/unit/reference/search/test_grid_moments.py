"""Moments of grids against sums, written out."""

import math

import pytest

from pldverify.reference.search.grid_moments import GridMoments

LOSSES, MASSES = [-1.0, 0.0, 1.0, 2.0], [0.25, 0.5, 0.0, 0.125]


@pytest.mark.parametrize("lam", [-3.0, 0.0, 0.5, 700.0])
def test_moments(lam: float) -> None:
    one = (
        math.log(0.25 * math.exp(-lam) + 0.5 + 0.125 * math.exp(2 * lam))
        if lam < 300
        else 2 * lam + math.log(0.125)
    )
    other = lam * 3.0
    found = GridMoments([(LOSSES, MASSES, 3), ([3.0], [1.0], 2)])
    assert found.steps == 5
    assert abs(found.log_moment(lam) - (3 * one + 2 * other)) <= 1e-12 * (1 + abs(other))
    assert abs(found.singles(lam)[1] - other) <= 1e-12 * (1 + abs(other))


def test_concentration_of_a_normal_sum() -> None:
    """∫ e^{−(k−1)σ²t²} dt / 2π over all t, and 1/h for an atom."""
    losses = [x / 100 for x in range(-800, 801)]
    masses = [math.exp(-x * x / 2) / math.sqrt(2 * math.pi) / 100 for x in losses]
    found = GridMoments([(losses, masses, 26)]).log_concentration(0.0, 0.02)
    assert abs(found + math.log(2 * math.sqrt(math.pi * 25))) < 0.05
    atom = GridMoments([([0.0], [1.0], 7)]).log_concentration(2.0, 1e-4)
    assert abs(atom - math.log(1e4)) < 0.05


def test_the_lightest_tilt_of_a_normal_sum() -> None:
    """4 losses N(0, 1) of sum 6: e^{2λ² − 6λ} is least at 3/2."""
    losses = [x / 100 for x in range(-800, 801)]
    found = GridMoments([(losses, [math.exp(-x * x / 2) for x in losses], 4)])
    assert abs(found.lightest(6.0, 0.1, 100.0) - 1.5) < 0.1
