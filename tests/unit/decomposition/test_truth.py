"""The search for tilts: the least of a convex function, also where it is infinite or fails beyond a point."""

import math
from fractions import Fraction

import pytest
from flint import arb

from pldverify.balls.ball import working
from pldverify.decomposition.truth import Truth, best_tilt, least
from pldverify.errors import NoConvergence
from pldverify.mechanisms import ApproximateDP, Gaussian


@pytest.mark.parametrize("best", [1e-6, 0.01, 1.0, 40.0])
def test_the_least_of_a_parabola(best: float) -> None:
    assert float(best_tilt(lambda lam: (lam / best - 1) ** 2)) == pytest.approx(best, rel=1e-3, abs=0)


def test_a_moment_that_ends() -> None:
    """Infinite beyond 2, as for Laplace-like tails; and an engine that gives up there."""

    def ends(lam: float) -> float:
        if lam >= 2:
            raise NoConvergence("beyond")
        return -lam

    assert 1.9 < best_tilt(ends) < 2
    assert 1.9 < best_tilt(lambda lam: -lam if lam < 2 else math.inf) < 2
    assert best_tilt(lambda lam: math.nan) > 0


def test_a_bound_that_is_not_proved_is_infinite() -> None:
    def gives_up(lam: object) -> arb:
        raise NoConvergence("no")

    assert not least(gives_up, lambda lam: lam).is_finite()
    assert float(least(lambda lam: arb(1), lambda lam: lam)) == 1


@pytest.mark.parametrize("mass", [Fraction(0), Fraction(1, 10**400), Fraction(1, 3), Fraction(1)], ids=str)
def test_mass_at_infinity_is_bounded_from_above(mass: Fraction) -> None:
    """10⁻⁴⁰⁰ is no double."""
    with working(128):
        bound = Truth(1 * ApproximateDP(1, mass), "remove", Fraction(1)).infinite
    assert mass <= bound <= mass * Fraction(1001, 1000)


def test_a_loss_without_mass_at_infinity() -> None:
    with working(128):
        assert Truth(1 * Gaussian(1), "remove", Fraction(1)).infinite == 0
