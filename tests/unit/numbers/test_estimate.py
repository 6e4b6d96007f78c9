"""Estimates cover what agrees with them to their stated digits, in relative terms."""

from fractions import Fraction

from pldverify.numbers.estimate import Estimate


def test_covers_is_relative() -> None:
    estimate = Estimate(Fraction("1e-20"), digits=5, method="test")
    assert estimate.covers(Fraction("1.00001e-20"))
    assert not estimate.covers(Fraction("1.00002e-20"))
    assert not estimate.covers(Fraction(0))
    assert float(estimate) == 1e-20
