"""Bounds at complex variances and complex q, against the integrals themselves."""

import cmath
from fractions import Fraction

import numpy as np
import pytest

from pldverify.balls import arb
from pldverify.balls.ball import ball, working
from pldverify.balls.compare import surely_less
from pldverify.reference.fast.gaussian_mixture import ByTrapezoid
from pldverify.reference.fast.mixture_disc import growth_in_q, growth_in_variance

POWERS = [Fraction(-7), Fraction(-1, 2), Fraction(1, 2), Fraction(1), Fraction(6)]
TURNS = (0.0, 0.4, 1.1, 2.0, 2.7, 3.14)


GRID = np.arange(-25, 25, 2e-3)


def integral(tau: complex, q: complex, z: complex) -> complex:
    """∫ of the lemma's first line, by a sum that converges geometrically."""
    density = np.sqrt(tau / (2 * np.pi)) * np.exp(-tau / 2 * (GRID - np.log(q) + 1 / (2 * tau)) ** 2)
    return complex((density * (1 - q + np.exp(GRID)) ** z).sum() * 2e-3)


def on_circle(a: float, radius: float) -> list[complex]:
    """Points of the circle |(t − a)/(t + a)| = ``radius``."""
    zetas = [radius * cmath.exp(1j * turn) for turn in TURNS]
    return [a * (1 + zeta) / (1 - zeta) for zeta in zetas]


def mass(sigma: Fraction, q: Fraction, p: Fraction) -> arb:
    law = ByTrapezoid(sigma, q, "remove")
    return law.on_line(p - 1, Fraction(0), 0)[0].real.max(arb(1))


@pytest.mark.parametrize("p", POWERS)
@pytest.mark.parametrize("v", [0, 9])
def test_complex_variances(p: Fraction, v: int) -> None:
    q, a, radius = Fraction(1, 20), Fraction(9, 4), Fraction(1, 2)  # σ² = a/3 and more
    sigma = Fraction(866, 1000)
    assert sigma**2 <= a * (1 - radius) / (1 + radius)
    with working(64):
        bound = growth_in_variance(ball(a), ball(radius)) * mass(sigma, q, p)
    for tau in on_circle(float(a), float(radius)):
        value = abs(integral(tau, float(q), complex(p, v)))
        assert value <= float(bound.mid())


@pytest.mark.parametrize("p", POWERS)
@pytest.mark.parametrize("v", [0, 30])
@pytest.mark.parametrize(
    ("sigma", "a", "radius"),
    [
        (Fraction(3, 2), Fraction(1, 20), Fraction(3, 5)),
        (Fraction(1, 4), Fraction(59, 200), Fraction(1, 2)),  # w is next to 1 − q, which turns far
    ],
)
def test_complex_q(sigma: Fraction, a: Fraction, radius: Fraction, p: Fraction, v: int) -> None:
    reach, most = ball(Fraction(v)), a * (1 + radius) / (1 - radius)
    with working(64):
        growth = growth_in_q(ball(a), ball(radius), ball(sigma**2), ball(p), reach)
        bound = growth * mass(sigma, most, p)
    for q in on_circle(float(a), float(radius)):
        assert abs(integral(float(sigma) ** 2, q, complex(p, v))) <= float(bound.mid())


@pytest.mark.parametrize("variance", [1.0, 4.0, 30.0])
def test_the_normal_density_of_a_complex_q(variance: float) -> None:
    """At p = v = 0 only its modulus counts, beside that for |q|."""
    a, radius = 0.1, 0.5
    with working(64):
        bound = float(growth_in_q(arb(a), arb(radius), arb(variance), arb(0), arb(0)))
    ratios = [
        abs(cmath.exp(-variance / 2 * ((1 - cmath.log(q)) ** 2 - (1 - cmath.log(abs(q))) ** 2)))
        for q in (a * (1 + z) / (1 - z) for z in radius * np.exp(1j * np.linspace(0, np.pi, 400)))
    ]
    assert bound * 0.99 < max(ratios) <= bound


def test_the_growth_is_needed() -> None:
    """For 0 < p < 1 both are relative to 1, which the integrals exceed somewhere on the circle."""
    assert max(abs(integral(tau, 0.05, 0.5 + 9j)) for tau in on_circle(0.25, 0.9)) > 1
    assert max(abs(integral(9.0, q, 0.5 + 30j)) for q in on_circle(0.05, 0.6)) > 1


def test_hypotheses() -> None:
    one, half = ball(Fraction(1)), ball(Fraction(1, 2))
    for a, radius in ((-one, half), (one, one), (one, arb(0))):
        assert not growth_in_variance(a, radius).is_finite()
    assert not growth_in_q(ball(Fraction(2, 5)), half, one, one, one).is_finite()  # a·3 ≥ 1
    assert surely_less(1, growth_in_q(half / 10, half, one, one, one))
