"""Cumulants of Gaussian mixtures, alone and many at once: those of the proved transform."""

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
from pldverify.reference.laws.composed_loss import ComposedLoss, product
from pldverify.reference.laws.gaussian_mixture import GaussianMixtureLaw
from pldverify.reference.search.columns import Floats, odds_of_all
from pldverify.reference.search.cumulant import cumulant
from pldverify.reference.search.mixture import serving

RATES = ("1e-5", "0.01", "0.5", "0.999")
DIRECTIONS: tuple[Direction, ...] = ("remove", "add")


def laws(direction: Direction) -> list[GaussianMixtureLaw]:
    return [GaussianMixtureLaw(Fraction(s), Fraction(q), direction) for s in ("0.8", "1", "5") for q in RATES]


def together(mixtures: list[GaussianMixtureLaw], theta: float) -> Floats | None:
    """Their cumulants, from nodes for all."""
    remove = mixtures[0].direction == "remove"
    p = theta + 1 if remove else -theta
    c, q = [1 / float(law.noise_multiplier) for law in mixtures], [float(law.q) for law in mixtures]
    columns = odds_of_all(c, q, serving(p))
    return None if columns is None else columns.cumulants(p) * (1.0, 1.0 if remove else -1.0, 1.0)


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("theta", [Fraction(s) for s in ("-30", "-3", "-1/2", "1/1000", "1/2", "4", "300")])
def test_values_are_the_logarithms_of_the_proved_transforms(direction: Direction, theta: Fraction) -> None:
    """To three digits however near to 0, in one table and alone."""
    table = together(laws(direction), float(theta))
    assert (table is None) == (direction == "add" and theta == 300)  # too many nodes for all laws
    for i, law in enumerate(laws(direction)):
        with working(200):
            truth = float(law.on_line(theta, Fraction(0), 0)[0].real.log())
        for value in (cumulant(law, float(theta))[0], *(() if table is None else (table[i][0],))):
            assert abs(value - truth) <= 2e-4 * abs(truth) + 1e-17


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("theta", [-3.0, 0.25, 8.0, 2000.0])
def test_slopes_are_those_of_the_values(direction: Direction, theta: float) -> None:
    h = 1e-3 * abs(theta)
    mixtures, tilts = laws(direction), (theta - h, theta, theta + h)
    found = [[cumulant(law, t) for law in mixtures] for t in tilts]
    for alone, t in zip(found, tilts, strict=True):
        if (table := together(mixtures, t)) is not None:  # else nodes for all laws are too many
            alone += [(a, b, c) for a, b, c in table.tolist()]
    before, here, after = found
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
            together(schedule, theta)
            cumulant(ComposedLoss(tuple((law, 1) for law in schedule)), theta)
        assert tracemalloc.get_traced_memory()[1] < 20_000_000
    finally:
        tracemalloc.stop()
