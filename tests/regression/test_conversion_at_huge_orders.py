"""``asoodeh-2020`` at orders near 10^76 went below an attained δ: an undecided slope was taken as ≥ 0."""

from fractions import Fraction

import pytest

import pldverify as pv
from pldverify.balls.ball import working
from pldverify.reference.quantities.conversions import _Curve, _minimum


@pytest.mark.parametrize("order", [10**k + 1 for k in (2, 20, 60, 74, 75, 76, 77, 78, 90, 200)])
@pytest.mark.parametrize("epsilon", ["0.01", "0.5", "1", "3"])
def test_randomised_response_attains_no_more_than_the_bound(order: int, epsilon: str) -> None:
    """ε₀-randomised response has D_α ≤ ε₀ for every α, and δ(ε) = (e^{ε₀} − e^ε)/(1 + e^{ε₀}) for ε ≤ ε₀."""
    top = Fraction(epsilon) + 1
    attained = pv.delta(pv.PureDP(top), epsilon=epsilon).lower
    assert pv.delta_from_rdp(order, top, epsilon, rule="asoodeh-2020") >= attained


@pytest.mark.parametrize("order", [10**k + 1 for k in (2, 20, 60, 74, 75, 76, 77, 78, 90, 200)])
def test_epsilon_is_no_less_than_the_attained_one(order: int) -> None:
    attained = pv.epsilon(pv.PureDP(1), delta="0.01").lower
    assert pv.epsilon_from_rdp(order, 1, "0.01", rule="asoodeh-2020") >= attained


@pytest.mark.parametrize("order", [10**k + 1 for k in (60, 74, 75, 76, 77, 78)])
@pytest.mark.parametrize("epsilon", [Fraction(0), Fraction(1, 10**60), Fraction(9, 10)])
@pytest.mark.parametrize(
    "delta", [Fraction(1, 2), Fraction(4, 10**79), Fraction(3, 10**74), Fraction(81, 100)]
)
def test_the_minimum_is_bracketed_by_proved_slopes_only(
    order: int, epsilon: Fraction, delta: Fraction
) -> None:
    """The lemma's hypothesis: g' > 0 at the right end, or that end is 1."""
    with working(256):
        curve = _Curve(Fraction(order), epsilon, delta)
        _, right = _minimum(curve)
        assert right == 1 or curve.at(right)[1] > 0
