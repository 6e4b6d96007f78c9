"""Cumulants of many Gaussian mixtures at once: those that each law gives alone, and its proved transform."""

import math
import tracemalloc
from contextlib import suppress
from fractions import Fraction

import pytest

import pldverify as pv
from pldverify.balls.ball import working
from pldverify.errors import NoConvergence
from pldverify.mechanisms.mechanism import Composition
from pldverify.mechanisms.relations import Direction
from pldverify.reference.laws.composed_loss import product
from pldverify.reference.laws.gaussian_mixture import GaussianMixtureLaw
from pldverify.reference.search.cumulant import cumulant
from pldverify.reference.search.cumulants.gaussian_mixtures import Mixtures, gaussian_mixtures

RATES = ("1e-5", "0.01", "0.5", "0.999")
DIRECTIONS: tuple[Direction, ...] = ("remove", "add")


def laws(direction: Direction) -> list[GaussianMixtureLaw]:
    return [GaussianMixtureLaw(Fraction(s), Fraction(q), direction) for s in ("0.8", "1", "5") for q in RATES]


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("theta", [Fraction(s) for s in ("-30", "-3", "-1/2", "1/1000", "1/2", "4", "300")])
def test_values_are_the_logarithms_of_the_proved_transforms(direction: Direction, theta: Fraction) -> None:
    """To three digits however near to 0, in one table and alone."""
    table = gaussian_mixtures(Mixtures.of(laws(direction)), float(theta))
    assert len(table) == 12
    for row, law in zip(table, laws(direction), strict=True):
        with working(200):
            truth = float(law.on_line(theta, Fraction(0), 0)[0].real.log())
        for value in (row[0], cumulant(law, float(theta))[0]):
            assert abs(value - truth) <= 2e-4 * abs(truth) + 1e-17


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("theta", [-3.0, 0.25, 8.0, 2000.0])
def test_slopes_are_those_of_the_values(direction: Direction, theta: float) -> None:
    h = 1e-3 * abs(theta)
    mixtures = Mixtures.of(laws(direction))
    before, here, after = (gaussian_mixtures(mixtures, t) for t in (theta - h, theta, theta + h))
    for left, (value, slope, curvature), right in zip(before, here, after, strict=True):
        assert abs((right[0] - left[0]) / (2 * h) - slope) <= 1e-3 * (abs(slope) + abs(value / theta))
        assert abs((right[1] - left[1]) / (2 * h) - curvature) <= 0.02 * curvature


def test_a_schedule_is_the_sum_of_its_parts() -> None:
    """Forty mixtures, one of them twice, beside another mechanism: counts and order are kept."""
    parts = [pv.PoissonSubsampled(pv.Gaussian(1 + i / 100), q=0.01) for i in range(40)]
    whole = Composition(((parts[0], 2), (pv.Laplace(3), 5), *((part, 1) for part in parts[1:])))
    for direction in DIRECTIONS:
        found = product(whole, direction)
        alone = [[k * x for x in cumulant(law, 2.5)] for law, k in found.factors]
        assert len(alone) == 41
        for value, column in zip(cumulant(found, 2.5), zip(*alone, strict=True), strict=True):
            assert math.isclose(value, math.fsum(column), rel_tol=1e-5)


@pytest.mark.parametrize("theta", [1e6, 1e9, 1e15])
def test_an_absurd_tilt_takes_no_memory(theta: float) -> None:
    """ε next to the largest loss of a schedule: nodes for all laws were made before they were counted."""
    schedule = [GaussianMixtureLaw(Fraction(30 + i, 100), Fraction(1, 8000), "add") for i in range(40)]
    tracemalloc.start()
    try:
        with suppress(NoConvergence):
            gaussian_mixtures(Mixtures.of(schedule), theta)
        assert tracemalloc.get_traced_memory()[1] < 20_000_000
    finally:
        tracemalloc.stop()
