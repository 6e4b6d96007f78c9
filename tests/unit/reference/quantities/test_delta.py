"""δ(ε) and tails: directions, bounds, arguments."""

import math
from fractions import Fraction

import mpmath
import pytest

import pldverify as pv
from pldverify.errors import InvalidInput, NoConvergence
from pldverify.mechanisms.as_composition import as_composition
from pldverify.reference.engines.derived.directions import Directions
from pldverify.reference.laws.composed_loss import product
from tests.unit.reference.told import Told

PAIR = pv.PoissonSubsampled(pv.Gaussian(1), "0.2")


@pytest.mark.parametrize("epsilon", ["nan", float("inf"), None, "x", True, [[1]]])
@pytest.mark.parametrize("ask", [pv.delta, pv.tail])
def test_epsilon_must_be_a_finite_number(ask: object, epsilon: object) -> None:
    with pytest.raises(InvalidInput, match="epsilon"):
        ask(PAIR, epsilon=epsilon)  # type: ignore[operator]


@pytest.mark.parametrize("digits", [0, -1, 1.5, 1001, "many"])
@pytest.mark.parametrize("ask", [pv.delta, pv.tail])
def test_digits_are_a_count(ask: object, digits: object) -> None:
    with pytest.raises(InvalidInput, match="digits"):
        ask(PAIR, epsilon=1, digits=digits)  # type: ignore[operator]


def test_adjacency_has_a_name() -> None:
    with pytest.raises(InvalidInput, match="adjacency"):
        pv.delta(PAIR, epsilon=1, adjacency="both")  # type: ignore[arg-type]


def test_only_mechanisms_have_a_delta() -> None:
    with pytest.raises(InvalidInput, match="composition"):
        pv.delta(["poisson"], epsilon=1)  # type: ignore[arg-type]


def test_the_largest_of_two_directions() -> None:
    whole = as_composition(PAIR)
    add, remove = product(whole, "add"), product(whole, "remove")
    parts = (
        Told(Fraction(1, 10), Fraction(5, 10), "a", add),
        Told(Fraction(2, 10), Fraction(3, 10), "b", remove),
    )
    largest = Directions(whole, "add-or-remove", "largest", parts)
    assert largest.prove() == (Fraction(2, 10), Fraction(5, 10)) and largest.engine == "a"
    smallest = Directions(whole, "add-or-remove", "smallest", parts)
    assert smallest.prove() == (Fraction(1, 10), Fraction(3, 10)) and smallest.engine == "a"


@pytest.mark.parametrize("digits", [1, 2, 7, 30, 150])
@pytest.mark.parametrize("epsilon", ["0", "1e-30", "2", "-1e-30", "-2"])
@pytest.mark.parametrize("mechanism", [PAIR, pv.Gaussian(5), pv.Laplace("0.7"), pv.RandomizedResponse("0.9")])
def test_as_many_digits_as_asked(mechanism: pv.Gaussian, epsilon: str, digits: int) -> None:
    assert pv.delta(mechanism, epsilon=epsilon, digits=digits).digits >= digits


@pytest.mark.parametrize("epsilon", ["0.3", "-0.3"])
def test_adjacency_is_the_maximum_of_the_directions(epsilon: str) -> None:
    add, remove = (pv.delta(20 * PAIR, epsilon=epsilon, adjacency=a, digits=12) for a in ("add", "remove"))
    both = pv.delta(20 * PAIR, epsilon=epsilon, digits=12)
    assert (both.lower, both.upper) == max((add.lower, add.upper), (remove.lower, remove.upper))


def test_a_witness_names_its_error_terms() -> None:
    found = pv.delta(1000 * PAIR, epsilon=70, adjacency="remove", digits=12)
    assert found.engine == "contour"
    names = {name.rpartition(": ")[2] for name, _ in found.notes()}
    assert {"theta", "step", "nodes", "cut", "alias"} <= names
    assert found.witness is not None
    errors = dict(found.witness.errors)
    assert set(errors) == {"cut", "alias", "transform and rounding"}
    assert all(0 <= error <= found.width for error in errors.values())


@pytest.mark.parametrize("mechanism", [PAIR, pv.Gaussian(1), pv.Gaussian(10**9), pv.Laplace("0.1")])
def test_far_below_zero_nothing_but_the_growth_counts(mechanism: pv.Gaussian) -> None:
    # 1 − e^ε ≤ δ(ε) ≤ 1
    assert pv.delta(mechanism, epsilon=-(10**9)).lower > 1 - Fraction(1, 10**30)
    assert pv.delta(mechanism, epsilon=-60).lower > 1 - Fraction(1, 10**26)


@pytest.mark.parametrize("mechanism", [PAIR, 300 * PAIR, pv.Gaussian(1)])
def test_far_above_the_losses_the_answer_is_small_if_there_is_one(mechanism: pv.Composition) -> None:
    try:
        found = pv.delta(mechanism, epsilon=10**9, adjacency="remove")
        assert found.lower == 0 < found.upper < Fraction(1, 10**6000)
    except NoConvergence:
        assert mechanism == 300 * PAIR


def test_tail_falls_through_an_atom_only_beyond_it() -> None:
    # the loss is log 3 with probability 3/4, else −log 3 = −1.0986…
    response = pv.RandomizedResponse("0.75")
    for epsilon, value in (("1.0986", "0.75"), ("1.0987", "0"), ("-1.0986", "0.75"), ("-1.0987", "1")):
        assert Fraction(value) in pv.tail(response, epsilon=epsilon)


@pytest.mark.parametrize(
    ("composition", "epsilon", "value"),
    [
        (3 * pv.PureDP(1), "-5", 1),
        (3 * pv.PureDP(1), "-3", 1),  # the lowest loss itself
        (3 * pv.PureDP(1), "3.000001", 0),
        (3 * pv.ApproximateDP(1, "0.1"), "4", 1 - Fraction(9, 10) ** 3),  # P(S = ∞)
        (5 * pv.RandomizedResponse("0.7"), "-4.24", 1),  # 5 log(7/3) = 4.236…
        (10 * pv.PoissonSubsampled(pv.Laplace(1), "0.1"), "-2", 1),
        (10 * pv.PoissonSubsampled(pv.Laplace(1), "0.1"), "2", 0),  # 10 log(1 + (e − 1)/10) = 1.59
    ],
)
def test_tails_outside_of_the_support_are_exact(
    composition: pv.Composition, epsilon: str, value: Fraction | int
) -> None:
    found = pv.tail(composition, epsilon=epsilon)
    assert value in found and found.digits >= 30
    assert found.engine == "support"


def test_tails_at_the_ends_of_the_support_are_not_outside_of_it() -> None:
    mp = mpmath.mp.clone()
    mp.dps = 50
    up = mp.e / (1 + mp.e)
    for epsilon, truth in (("3", up**3), ("-2.999999", 1 - (1 - up) ** 3)):
        found = pv.tail(3 * pv.PureDP(1), epsilon=epsilon)
        assert found.engine != "support"
        assert abs(Fraction(mp.nstr(truth, 48)) - found.lower) < Fraction(1, 10**30)
    remove = pv.tail(10 * pv.PoissonSubsampled(pv.Gaussian(1), "0.1"), epsilon="-1.06", adjacency="remove")
    assert (remove.lower, remove.upper) == (1, 1)  # 10 log 0.9 = −1.0536…


def test_below_zero_a_small_term_need_not_have_digits() -> None:
    """δ(ε) = 1 − e^ε + e^ε δ'(−ε): of the last, some 1e-142, no digit was had, so there was no answer."""
    far = pv.ThresholdedHistogram(pv.Gaussian(10**6), threshold=20)
    found = pv.delta(far, epsilon=-1, adjacency="remove", digits=6)
    assert found.digits >= 6 and float(found) == pytest.approx(-math.expm1(-1), rel=1e-15, abs=0)
    assert pv.prove_again(found).digits >= 6
