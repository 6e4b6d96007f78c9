"""Estimates cover what agrees with them to their stated digits, in relative terms."""

import math
from fractions import Fraction

from pldverify.numbers.estimate import Estimate


def test_covers_is_relative() -> None:
    estimate = Estimate(Fraction("1e-20"), digits=5, method="test")
    assert estimate.covers(Fraction("1.00001e-20"))
    assert not estimate.covers(Fraction("1.00002e-20"))
    assert not estimate.covers(Fraction(0))
    assert float(estimate) == 1e-20


def test_it_prints_the_digits_that_it_is_trusted_to_whatever_its_size() -> None:
    """repr of a δ of 1e-8648 was a ValueError: Python prints no integer of more than 4,300 digits."""
    tiny = Fraction(123456789, 10**9000 + 1)
    assert repr(Estimate(tiny, digits=4, method="test")) == "Estimate(1.235e-8992, digits=4, method='test')"
    assert repr(Estimate(Fraction(1, 3), 10**6, "test")).startswith(f"Estimate(0.{'3' * 30}, ")
    assert repr(Estimate(math.inf, 0, "test")) == "Estimate(inf, digits=0, method='test')"
