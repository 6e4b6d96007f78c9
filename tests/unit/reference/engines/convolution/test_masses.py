"""Fixed-point masses against plain integers and rationals."""

import math
from fractions import Fraction

import pytest
from flint import arb, fmpz_poly
from hypothesis import given
from hypothesis import strategies as st

from pldverify.balls.ball import lower, upper
from pldverify.balls.integers import fixed, ones
from pldverify.errors import NoConvergence
from pldverify.reference.engines.convolution.masses import Masses


@given(st.lists(st.integers(0, 2**70), min_size=1, max_size=8), st.integers(-9, 9), st.integers(-12, 20))
def test_a_cut_splits_the_masses(values: list[int], first: int, cut: int) -> None:
    whole = Masses(first, fmpz_poly(values))
    below, above = whole.before(cut), whole.after(cut)
    for index in range(-15, 25):
        mass = values[index - first] if 0 <= index - first < len(values) else 0
        assert int(whole[index]) == mass
        assert (int(below[index]), int(above[index])) == ((mass, 0) if index < cut else (0, mass))


@pytest.mark.parametrize("first", [-3, 0, 5])
def test_a_weight_is_a_power_of_the_index(first: int) -> None:
    values = [7, 0, 2, 11]
    truth = sum(Fraction(value) * Fraction(2) ** (first + i) for i, value in enumerate(values))
    found = Masses(first, fmpz_poly(values)).weigh(arb(2).log())
    assert lower(found) <= truth <= upper(found) and upper(found) - lower(found) < truth / 10**10


@pytest.mark.parametrize("value", [arb("2.5"), arb(1) / 3 * 10**12, arb(0), arb(0, 1), arb(-3, 0.5)])
def test_fixed_point_is_on_the_safe_side(value: arb) -> None:
    down, up = int(fixed(value, "down")), int(fixed(value, "up"))
    assert 0 <= down <= max(0, Fraction(lower(value))) and max(0, Fraction(upper(value))) <= up
    assert up - down <= 3


def test_what_is_no_number_or_too_large_is_refused() -> None:
    with pytest.raises(NoConvergence, match="could not be evaluated"):
        fixed(arb.nan(), "up")
    with pytest.raises(NoConvergence, match="no size"):
        fixed(arb(2) ** 20_000, "down")


@pytest.mark.parametrize("length", [1, 2, 3, 4, 7, 8, 9, 1000, 5])
def test_ones(length: int) -> None:
    values = ones(length)
    assert values.length() == length and math.prod(int(v) for v in values.coeffs()) == 1
