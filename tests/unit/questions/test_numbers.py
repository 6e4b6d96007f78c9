"""Numbers: ranges that are ranges, and edges that a parameter may have."""

from fractions import Fraction

import pytest

from pldverify.questions import numbers
from pldverify.questions.numbers import Numbers

ALL = {name: value for name, value in vars(numbers).items() if isinstance(value, Numbers)}


@pytest.mark.parametrize("name", ALL)
def test_every_range_is_one_and_every_edge_is_possible(name: str) -> None:
    found = ALL[name]
    assert 0 < found.low < found.high
    assert found.edges and len(set(found.edges)) == len(found.edges)
    assert all(edge >= 0 for edge in found.edges)
    if found.nature == "share":
        assert max(found.high, *found.edges) <= 1
    if found.nature == "whole":
        assert {value.denominator for value in (found.low, found.high, *found.edges)} == {1}


def test_what_is_too_large_is_left_out() -> None:
    few = Numbers.of("whole", "1", "1000", "1 2 10 1000").up_to(10)
    assert few == Numbers.of("whole", "1", "10", "1 2 10")


def test_shares_reach_the_neighbours_of_0_and_1() -> None:
    assert any(0 < 1 - edge < Fraction(1, 10**15) for edge in numbers.RATE.edges)
    assert min(edge for edge in numbers.DELTA.edges if edge) <= Fraction(1, 10**100)
