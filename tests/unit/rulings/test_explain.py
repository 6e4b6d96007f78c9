"""Numbers in explanations are rounded to where they stay true."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pldverify.rulings.explain import _difference
from tests.unit.claims.claims import noise, ruled

POSITIVE = st.fractions(Fraction(1, 10**9), 10**9)


@given(POSITIVE, st.fractions(0, 1))
def test_a_difference_is_no_larger_than_proved(lower: Fraction, more: Fraction) -> None:
    upper = lower * (1 + more / 100)
    text = _difference(lower, upper)
    said = Fraction(text.removeprefix("at least ").rstrip("…"))
    assert 0 < said <= lower
    if lower != upper and not text.startswith("at least"):  # then its digits are those of both ends
        digits = text.rstrip("…").partition("e")[0].replace(".", "").strip("0") or "0"
        assert upper < said * (1 + Fraction(1, int(digits)))


@pytest.mark.parametrize(
    ("lower", "upper", "text"),
    [
        (Fraction("0.0129996"), None, "at least 0.0129"),
        (Fraction("0.0129996"), Fraction("0.0130001"), "at least 0.012"),
        (Fraction("14.54"), 15, "at least 14"),
        (Fraction("0.0129996"), Fraction("0.0129999"), "0.0129…"),
        (Fraction("0.0129996"), Fraction("0.0129996"), "0.0129996"),
    ],
)
def test_a_difference_is_cut_not_rounded(lower: Fraction, upper: Fraction | None, text: str) -> None:
    assert _difference(lower, upper) == text


@pytest.mark.parametrize(("claimed", "rounds"), [("0.95", True), ("0.94", False), ("0.950", False)])
def test_that_it_rounds_to_the_claim_is_said_where_it_does(claimed: str, rounds: bool) -> None:
    """ε = 0.95421…"""
    found = ruled(epsilon=claimed)
    assert found.verdict == "REFUTED" and ("it rounds to" in found.explanation) is rounds


def test_a_large_number_has_no_upper_end() -> None:
    """∞ − 1e390 took 1e390 for a double: of "remove" ρ = ∞, of "add" there is no upper end."""
    parts = "gaussian(sigma=1e-200) + poisson(approximate_dp(epsilon=1, delta=1e-6), q=0.1)"
    run = {"mechanism": "expression", "expression": parts}
    for way, told in (("add", "exceeds 1e390 by at least 4.99e399"), ("remove", "ρ is inf")):
        found = ruled(run, epsilon=None, delta=None, rho="1e390", adjacency=way)
        assert found.verdict == "REFUTED" and told in found.explanation


@pytest.mark.slow
def test_what_is_refuted_of_another_relation_alone_has_no_near_misses() -> None:
    run = noise(sampling="shuffled", q="100%", steps=None, epochs=3, noise_multiplier=10)
    found = ruled(run, epsilon="0.5", adjacency="add-or-remove")
    assert found.verdict == "UNDECIDED" and found.misses == ()
    zeroed = ruled(run, epsilon="0.5", adjacency="zero-out")
    assert zeroed.verdict == "REFUTED" and [miss.name for miss in zeroed.misses] == ["epochs"]
