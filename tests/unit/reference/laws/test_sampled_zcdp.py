"""Divergences of a sample of what is zCDP: the sums of the docstring, by mpmath."""

from fractions import Fraction

import mpmath
import pytest

from pldverify.balls.ball import lower, upper, working
from pldverify.mechanisms.relations import Direction
from pldverify.reference.laws.sampled_zcdp import SampledZCDPBound

RHO, Q = Fraction(1, 10), Fraction(1, 20)


def printed(n: int, direction: Direction) -> mpmath.mpf:
    """log M(n − 1) for an integer n."""
    rho, q = (mpmath.mpf(x.numerator) / x.denominator for x in (RHO, Q))
    if direction == "add":
        square = mpmath.mpf(n * (n - 1)) / 2 * q**2 * (1 - q) ** (-n - 1)
        return mpmath.log1p(square * mpmath.expm1(2 * rho))
    terms = [mpmath.binomial(n, j) * q**j * mpmath.exp(rho * j * (j - 1)) for j in range(n + 1)]
    if direction == "remove":
        return mpmath.log(sum(term * (1 - q) ** (n - j) for j, term in enumerate(terms)))
    return mpmath.log1p(4 * mpmath.binomial(n, 2) * q**2 * mpmath.expm1(2 * rho) + 2 * sum(terms[3:]))


@pytest.mark.parametrize("n", [2, 3, 4, 9])
@pytest.mark.parametrize("direction", ["remove", "add", "replace"])
def test_the_sums_are_those_of_the_theorems(n: int, direction: Direction) -> None:
    with mpmath.workdps(40), working(120):
        found, expected = (
            SampledZCDPBound(RHO, Q, direction).log_moment(Fraction(n - 1)),
            printed(n, direction),
        )
        assert abs(mpmath.mpf(str(float(upper(found)))) / expected - 1) < 1e-14
        assert float(upper(found) - lower(found)) < 1e-25


@pytest.mark.parametrize("direction", ["remove", "replace"])
def test_between_two_integers_it_is_the_line_between_both(direction: Direction) -> None:
    with mpmath.workdps(40), working(120):
        found = SampledZCDPBound(RHO, Q, direction).log_moment(Fraction(13, 4))
        expected = (3 * printed(4, direction) + printed(5, direction)) / 4
        assert abs(mpmath.mpf(str(float(upper(found)))) / expected - 1) < 1e-14


def test_a_sample_of_nearly_all_is_no_worse_than_its_base() -> None:
    with working(60):
        found = SampledZCDPBound(RHO, Fraction(99, 100), "remove").log_moment(Fraction(3, 2))
        assert abs(float(upper(found)) - 0.375) < 1e-12  # ρλ(λ+1)
