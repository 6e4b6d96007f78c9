"""Densities of sums on a grid, against convolutions one by one."""

import numpy as np
import pytest

from pldverify.reference.search.grid_density import CellMasses, densities

H, FIRST, LOG_SIZE = 0.01, -40, 10
RISING = CellMasses((-3, -1, 0, 2, 5), (0.1, 0.2, 0.3, 0.4), (-0.02, -0.005, 0.01, 0.03), 0.0, 0.0, 2, 0)
FLAT = CellMasses((0, 1, 4), (0.5, 0.5), (0.002, 0.02), 0.1, 0.2, 3, 1)
OTHER = CellMasses((0, 1, 2), (0.25, 0.75), (0.005, 0.015), 0.0, 0.0, 1, None)


def at_ends(law: CellMasses) -> np.ndarray:
    """P-masses at 0 … 20 steps above the law's first index: a mass and its mean of e^{−s} are kept."""
    found = np.zeros(21)
    found[0] += law.below
    found[law.edges[-1] - law.edges[0]] += law.above
    for a, b, mass, mean in zip(law.edges, law.edges[1:], law.masses, law.means, strict=False):
        share = (np.exp(-mean) - np.exp(-b * H)) / (np.exp(-a * H) - np.exp(-b * H))
        found[a - law.edges[0]] += mass * share
        found[b - law.edges[0]] += mass * (1 - share)
    return found


@pytest.mark.parametrize("tilt", [0.0, 30.0])
@pytest.mark.parametrize(("place", "counts"), [(0, (1, 3, 1)), (1, (2, 2, 1))])
def test_one_loss_is_left_out(tilt: float, place: int, counts: tuple[int, ...]) -> None:
    laws = (RISING, FLAT, OTHER)
    expected, lowest = np.ones(1), 0
    for law, k in zip(laws, counts, strict=True):
        lowest += k * law.edges[0]
        for _ in range(k):
            expected = np.convolve(expected, at_ends(law))
    points, logs = densities(laws, H, tilt, (FIRST, FIRST - 37), LOG_SIZE)[place]
    indices = np.rint(points / H).astype(int)
    assert set(np.flatnonzero(expected > 1e-9) + lowest) <= set(indices)
    assert np.exp(logs) * H == pytest.approx(expected[indices - lowest], rel=1e-6, abs=1e-12)


def test_a_law_without_masses_may_be_left_out() -> None:
    nothing = CellMasses((0, 1), (0.0,), (0.005,), 0.0, 0.0, 1, 0)
    with np.errstate(all="raise"):
        (points, logs), _ = densities((nothing, FLAT), H, 0.0, (FIRST, FIRST), LOG_SIZE)
    assert np.exp(logs).sum() * H == pytest.approx(1.3**3, rel=1e-9, abs=0)
    assert np.isfinite(points).all()


def test_a_wide_cell() -> None:
    wide = CellMasses((0, 100_000, 200_000), (0.5, 0.5), (900.0, 1500.0), 0.0, 0.0, 2, 0)
    with np.errstate(over="raise", invalid="raise"):
        [(points, logs)] = densities((wide,), H, 0.0, (0,), 18)
    assert np.exp(logs).sum() * H == pytest.approx(1.0, rel=1e-9, abs=0)
    assert points[-1] == pytest.approx(2000, rel=0, abs=1e-6)
