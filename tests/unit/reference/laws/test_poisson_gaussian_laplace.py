"""Gaussian and Laplace noise on one sample: tails by quadrature, δ by both noises without sampling."""

from fractions import Fraction

import mpmath as mp
import pytest

import pldverify as pv
from pldverify.balls.ball import lower, upper, working
from pldverify.mechanisms.relations import Direction
from pldverify.reference.laws.poisson_gaussian_laplace import PoissonGaussianLaplaceLaw

LAWS = [("1/4", "3/2", "1/10"), ("4", "1/5", "1/2"), ("1/100", "3", "1/1000")]
"""(v, c, q)"""


def real(x: object) -> mp.mpf:
    fraction = Fraction(str(x))
    return mp.mpf(fraction.numerator) / fraction.denominator


def tail(x: mp.mpf, v: mp.mpf, c: mp.mpf, sign: int) -> mp.mpf:
    """Of the sum of both losses, under P with ``sign`` 1 and under Q with −1: the mean over Laplace noise."""

    def beyond(y: mp.mpf) -> mp.mpf:
        return mp.ncdf(-(x - y - sign * v / 2) / mp.sqrt(v))

    places = sorted({-c, max(-c, min(c, x)), mp.mpf(0), c})
    between = mp.quad(lambda y: mp.exp((sign * y - c) / 2) / 4 * beyond(y), places)
    return between + beyond(sign * c) / 2 + mp.exp(-c) / 2 * beyond(-sign * c)


@pytest.mark.parametrize(("v", "c", "q"), LAWS)
@pytest.mark.parametrize("direction", ["remove", "add"])
def test_tails_are_those_of_the_definition(v: str, c: str, q: str, direction: Direction) -> None:
    law = PoissonGaussianLaplaceLaw(Fraction(v), Fraction(c), Fraction(q), direction)
    rate, bottom = real(q), mp.log(1 - real(q))
    for x in ("-0.4", "-0.00005", "0", "0.00031", "0.3", "1.7"):
        point = real(x) if direction == "remove" else -real(x)
        first = second = mp.mpf(1)
        if point > bottom:
            loss = mp.log((mp.exp(point) - 1 + rate) / rate)
            second = tail(loss, real(v), real(c), -1)
            first = (1 - rate) * second + rate * tail(loss, real(v), real(c), 1)
        expected = (first, second) if direction == "remove" else (1 - second, 1 - first)
        with working(120):
            found = [(real(lower(t)), real(upper(t))) for t in law.tails(Fraction(x))]
        for (low, high), value in zip(found, expected, strict=True):
            assert low - mp.mpf("1e-13") <= value <= high + mp.mpf("1e-13")
            assert high - low < mp.mpf("1e-20")


def test_a_sample_of_nearly_all_is_both_noises() -> None:
    """Another engine answers for the two without sampling."""
    both = 2 * pv.Gaussian(sigma=4) + pv.Laplace(b=2)
    nearly = pv.PoissonSubsampled(both, q=1 - Fraction(1, 10**12))
    for epsilon in ("0.2", "1"):
        one, other = (pv.delta(each, epsilon=epsilon, digits=9) for each in (nearly, both))
        assert abs(one.lower / other.lower - 1) < Fraction(1, 10**8)


def test_a_sampled_step_has_what_amplification_says() -> None:
    """δ is qδ of the base at log(1 + q(e^ε − 1)): Balle, Barthe, Gaboardi 2018, Theorem 2."""
    both = pv.Gaussian(sigma=2) + pv.Laplace(b=1)
    base = pv.delta(both, epsilon="0.5", digits=9)
    epsilon = "ln(1 + 0.1*(exp(0.5) - 1))"
    sampled = pv.delta(pv.PoissonSubsampled(both, q="0.1"), epsilon=epsilon, digits=9)
    assert abs(sampled.upper / (base.upper / 10) - 1) < Fraction(1, 10**8)


def test_many_steps_lose_more_than_those_of_one_noise() -> None:
    both, less = (
        pv.epsilon(100 * pv.PoissonSubsampled(base, q="0.05"), delta="1e-5", digits=3)
        for base in (pv.Gaussian(2) + pv.Laplace(3), pv.Gaussian(2))
    )
    assert less.upper < both.lower


def test_facts_of_both_noises_add_up_and_hold_for_a_sample() -> None:
    """ρ = 1/8 of Gaussian noise of σ = 2, and at most ε²/2 = 1/8 of ε-DP at ε = 1/2, ten times."""
    found = pv.zcdp(10 * pv.PoissonSubsampled(pv.Gaussian(2) + pv.Laplace(2), q="0.1")).upper
    assert found is not None and Fraction(found.at) <= 10 * (Fraction(1, 8) + Fraction(1, 8))
