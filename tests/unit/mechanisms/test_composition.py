"""A composition is a multiset: order and grouping do not matter."""

from fractions import Fraction

from pldverify.mechanisms import Composition, Gaussian, Laplace, PoissonSubsampled, Query

STEP = PoissonSubsampled(Gaussian(1), "0.01")


def test_equal_mechanisms_merge() -> None:
    assert Gaussian(1) + Gaussian("1.0") == 2 * Gaussian(Fraction(1))
    assert (3 * STEP + 4 * STEP).counts == {STEP: 7}


def test_order_and_grouping_do_not_matter() -> None:
    assert Laplace(2) + 5 * STEP == 5 * STEP + Laplace(2)
    assert 2 * (3 * STEP + Laplace(2)) == 6 * STEP + 2 * Laplace(2)
    assert hash(Laplace(2) + STEP) == hash(STEP + Laplace(2))


def test_steps_count_multiplicity() -> None:
    assert (10**12 * STEP + 5 * Laplace(2)).steps == 10**12 + 5


def test_a_float_and_a_decimal_are_different_mechanisms() -> None:
    assert PoissonSubsampled(Gaussian(1), 0.1) != PoissonSubsampled(Gaussian(1), "0.1")


def test_a_query_takes_a_mechanism_for_a_composition_of_one() -> None:
    assert Query(STEP, epsilon=1).composition == Composition.of((STEP, 1))
    assert Query(STEP, epsilon=1).quantity == "delta"
    assert Query(STEP, delta="1e-6").quantity == "epsilon"
    asked = str(Query(STEP, delta="1e-6"))
    assert asked == "ε at δ=1e-6 of poisson(gaussian(sigma=1), q=0.01) [add-or-remove]"
    assert str(Query(STEP, epsilon=1)).startswith("δ at ε=1 of ")


def test_noise_multipliers_are_exact() -> None:
    assert Gaussian("0.3", sensitivity="0.1").noise_multiplier == 3
    assert Laplace("0.3", sensitivity="0.1").noise_multiplier == 3
