"""Sums over a table: those of mpmath, one law alone and many side by side, and however near to 0."""

import mpmath
import numpy as np
import pytest

from pldverify.reference.search.columns import Columns, columns_of
from pldverify.reference.search.table import Table, wider

ROWS = [(0.125, -1.5), (0.5, 0.25), (0.25, 2.0)]


def truth(rows: list[tuple[mpmath.mpf, mpmath.mpf]], theta: float) -> tuple[float, float, float]:
    """K, K', K'' of (mass, loss)."""
    mass, first, second = (mpmath.fsum(m * mpmath.exp(theta * s) * s**j for m, s in rows) for j in range(3))
    mean = first / mass
    return float(mpmath.log(mass)), float(mean), float(second / mass - mean**2)


@pytest.mark.parametrize("theta", [-40.0, -1.0, 0.0, 0.5, 300.0])
def test_sums_of_a_measure(theta: float) -> None:
    table = Table([float(mpmath.log(m)) for m, _ in ROWS], [s for _, s in ROWS])
    with mpmath.workdps(40):
        expected = truth([(mpmath.mpf(m), mpmath.mpf(s)) for m, s in ROWS], theta)
    for found in (table.cumulant(theta), columns_of(table).cumulants(theta)[0]):
        assert tuple(found) == pytest.approx(expected, rel=1e-12, abs=1e-14)


@pytest.mark.parametrize("theta", [-30.0, -0.5, 1e-3, 2.0, 40.0])
@pytest.mark.parametrize("q", ["1e-2", "1e-5", "1e-8"])
def test_whole_laws_however_near_to_0(theta: float, q: str) -> None:
    """log M is about q², far below the mass of an outcome that the table leaves out."""
    with mpmath.workdps(60):
        first = [mpmath.mpf("0.7"), mpmath.mpf("0.3") - mpmath.mpf("1e-10"), mpmath.mpf("1e-10")]
        moved = [-mpmath.mpf(q), mpmath.mpf(q) * (1 - first[2]), mpmath.mpf(q) * first[2]]
        rows = [(m, mpmath.log1p(by / m)) for m, by in zip(first, moved, strict=True)]
        value, mean, variance = truth(rows, theta)
    table = Table([float(mpmath.log(m)) for m in first[:2]], [float(s) for _, s in rows[:2]], whole=True)
    for found in (table.cumulant(theta), columns_of(table).cumulants(theta)[0]):
        assert tuple(found) == pytest.approx((value, mean, variance), rel=1e-6, abs=1e-9 * float(q) ** 2)


def test_many_side_by_side_are_each_alone() -> None:
    tables = [Table([-1.0, -2.0 - i], [0.5, i - 1.0]) for i in range(4)]
    rows = Columns(np.array([t.logs for t in tables]), np.array([t.losses for t in tables])).cumulants(1.5)
    for row, table in zip(rows, tables, strict=True):
        assert tuple(row) == pytest.approx(table.cumulant(1.5), rel=1e-13, abs=0)


def test_a_wider_tilt_is_beyond() -> None:
    for theta in (-900.0, -3.0, -1.0, 0.0, 0.3, 1.0, 17.0, 1000.0):
        assert abs(wider(theta)) >= abs(theta) and wider(theta) * theta >= 0
    assert (wider(-0.5), wider(2000.0)) == (-0.5, 2000.0)  # none serves them
