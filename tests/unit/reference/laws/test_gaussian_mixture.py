"""Lines of the Poisson-subsampled Gaussian have the digits of the precision that they are asked at."""

from fractions import Fraction

import pytest

from pldverify.balls.ball import ball, working
from pldverify.balls.compare import surely_less
from pldverify.mechanisms.relations import Direction
from pldverify.reference.laws.gaussian_mixture import GaussianMixtureLaw
from pldverify.reference.laws.hints import gaussian_mixture as hints

BITS, LOST = 165, 12


@pytest.mark.parametrize("direction", ["remove", "add"])
@pytest.mark.parametrize(
    ("sigma", "q", "theta", "step", "shifted"),
    [("5.23", "0.00095", 10, "4", True), ("0.5", "0.1", 1, "8", True), ("1", "0.01", 3, "0.25", False)],
)
def test_a_shifted_line_loses_no_digits(
    sigma: str, q: str, theta: int, step: str, shifted: bool, direction: Direction
) -> None:
    """Terms on Im x = b are e^{b²/2} times as large as their sum: all that enters has bits for that."""
    law = GaussianMixtureLaw(Fraction(sigma), Fraction(q), direction)
    tilt, height, count = Fraction(theta), Fraction(step), 32
    rule = hints.trapezoid(1 / float(sigma), float(q), float(law.power(tilt)), float(height) * count, BITS)
    assert (rule.shift > 0) == shifted
    with working(BITS):
        line = law.on_line(tilt, height, count)
        room = ball(Fraction(1, 2 ** (BITS - LOST))) * line[0].real
        for value in line:
            assert surely_less(value.real.rad() + value.imag.rad(), room)


@pytest.mark.parametrize("direction", ["remove", "add"])
@pytest.mark.parametrize(
    ("sigma", "q", "theta", "step", "times"),
    [("1", "0.01", 3, "0.25", 10_000), ("0.6", "0.002", 1, "0.3", 10**9), ("4", "0.2", 20, "0.5", 30)],
)
def test_a_law_that_occurs_often_takes_fewer_nodes(
    sigma: str, q: str, theta: int, step: str, times: int, direction: Direction
) -> None:
    """Errors grow up the line, but at every node M^k keeps what it has at k = 1, relative to M(θ)^k."""
    law, count = GaussianMixtureLaw(Fraction(sigma), Fraction(q), direction), 60
    tilt, height = Fraction(theta), Fraction(step)
    floats = 1 / float(sigma), float(q), float(law.power(tilt)), float(height) * count, BITS
    few, many = (hints.trapezoid(*floats, k) for k in (times, 1))
    assert few.last - few.first < many.last - many.first
    with working(BITS):
        lines = [law.on_line(tilt, height, count, k) for k in (times, 1)]
        mass = lines[1][0].real
        room = times * ball(Fraction(1, 2 ** (BITS - 2 * LOST)))
        for value, alone in zip(*lines, strict=True):
            assert value.overlaps(alone)
            power = (value / mass) ** times
            assert surely_less(power.real.rad() + power.imag.rad(), room)


def test_a_height_where_the_value_is_lost_in_its_error_is_allowed_no_more() -> None:
    """At a billion steps M^k is far below every error, yet M itself must be known there."""
    sigma, q, theta, step, count, times = Fraction(1), Fraction(1, 100), Fraction(1), Fraction(2), 30, 10**9
    law = GaussianMixtureLaw(sigma, q, "remove")
    with working(64):
        for value in law.on_line(theta, step, count, times):
            assert surely_less(times * (value.real.rad() + value.imag.rad()), abs(value))
