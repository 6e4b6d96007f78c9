"""Tilts p < 0: where φw^p is largest, and its integral where it is narrow."""

from fractions import Fraction

import pytest
from flint import arb

from pldverify.balls.ball import dyadic, lower, upper, working
from pldverify.reference.fast.gaussian_mixture import ByTrapezoid
from pldverify.reference.fast.hints.log_concave import BITS, Exponent
from tests.oracle.closed_forms import context, fraction, mixture_integral, real


@pytest.mark.parametrize(("p", "q"), [("-1e3", "0.5"), ("-1e6", "1e-4"), ("-1e8", "1e-4"), ("-1e10", "1e-8")])
@pytest.mark.parametrize("sigma", ["0.2", "1", "30"])
def test_large_tilts(sigma: str, q: str, p: str) -> None:
    with working(80):
        law = ByTrapezoid(Fraction(sigma), Fraction(q), "add")
        value = law.on_line(-Fraction(p), Fraction(0), 0)[0].real
        assert value.rel_accuracy_bits() > 45
    mp = context(30)
    with working(80):
        shape = Exponent.of(1 / Fraction(sigma), Fraction(q), Fraction(p))
        floor = shape.value(shape.mode()) - 60
        low, high = (real(mp, dyadic(shape.edge(shape.mode(), floor, side))) for side in (-1, 1))
    parameters = real(mp, sigma), real(mp, q), real(mp, p), low, high
    truth, other = (fraction(mixture_integral(mp, *parameters, (high - low) / n)) for n in (300, 301))
    slack = truth / 10**16
    assert abs(truth - other) < slack
    assert lower(value) - slack <= truth <= upper(value) + slack


@pytest.mark.parametrize("c", ["0.02", "0.2", "1", "20"])
@pytest.mark.parametrize("q", ["1e-8", "0.1", "0.999"])
@pytest.mark.parametrize("p", ["-0.01", "-1", "-300", "-1e7"])
def test_the_exponent_is_level_at_its_mode(c: str, q: str, p: str) -> None:
    """Also where Newton's method jumps from end to end of its bracket: c = 0.2, q = 0.999, p = −300."""
    with working(BITS):
        shape = Exponent.of(Fraction(c), Fraction(q), Fraction(p))
        mode = shape.mode()
        assert abs(shape.slope(mode)) * shape.deviation(mode) < arb("1e-6")
