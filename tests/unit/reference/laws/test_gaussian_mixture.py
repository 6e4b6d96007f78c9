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
