"""Golden section against minima known in closed form."""

import math

import pytest

from pldverify.reference.search.golden import golden_section


@pytest.mark.parametrize("at", [-3.0, 0.0, 0.7, 5.0])
def test_a_minimum_inside_or_at_an_end_is_found(at: float) -> None:
    assert abs(golden_section(lambda x: (x - at) ** 2, -3.0, 5.0, 1e-3) - at) < 1e-3


def test_where_nothing_is_finite_it_looks_on_the_left() -> None:
    found = golden_section(lambda x: x * x if x < -2.5 else math.inf, -4.0, 60.0, 1e-6)
    assert abs(found + 2.5) < 1e-5
