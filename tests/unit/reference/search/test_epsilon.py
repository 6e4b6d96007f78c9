"""A first guess of ε."""

import math
from fractions import Fraction

import pytest

import pldverify as pv
from pldverify.balls.ball import working
from pldverify.mechanisms.as_composition import as_composition
from pldverify.reference.laws.composed_loss import product
from pldverify.reference.search.epsilon import saddle_guess


@pytest.mark.parametrize("delta", ["3.81e-5", "1e-7"])
def test_next_to_a_far_mode_the_guess_is_no_multiple_of_the_root(delta: str) -> None:
    """K' jumps from 0.1 to 1,000 near θ = 11: a secant crept along one side, and a guess was 999 for .32."""
    run = as_composition("150 * sampled_without_replacement(gaussian(sigma=2.2), q=0.00544)")
    with working(85):
        guess, _ = saddle_guess(product(run, "replace"), math.log(Fraction(delta)))
    assert pv.delta(run, epsilon=guess * 3, digits=2).upper < Fraction(delta)
    assert pv.delta(run, epsilon=guess / 3, digits=2).lower > Fraction(delta)


@pytest.mark.slow
def test_a_root_next_to_a_far_mode_is_found() -> None:
    """The one question of 2,800 realistic ones that had no answer."""
    run = "150 * sampled_without_replacement(gaussian(sigma=2.2), q=0.00544)"
    assert pv.epsilon(run, delta="3.81e-5", digits=6).digits >= 6
