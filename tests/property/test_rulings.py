"""Whatever is claimed of whatever composition: the verdict is that of the ends that stand beside it."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pldverify as pv
from pldverify.mechanisms.as_composition import as_composition
from pldverify.numbers.beside import beside, brief, one_end
from pldverify.values.verdict import certification, ends, holds

COMPOSITIONS = [
    "gaussian(sigma=1)",
    "10 * gaussian(sigma=sqrt(7))",
    "laplace(b=2) + gaussian(sigma=3)",
    "100 * poisson(gaussian(sigma=1), q=0.01)",
    "pure_dp(epsilon=1) + approximate_dp(epsilon=0.5, delta=1e-7)",
    "zcdp(rho=0.3)",
    "3 * sampled_without_replacement(gaussian(sigma=2), q=0.1)",
    "2 * shuffled(gaussian(sigma=2), batches=10)",
    "kjh19_substitute(gaussian(sigma=1), q=0.3)",
]
CLAIMED = st.one_of(
    st.fractions(0, 12, max_denominator=50), st.sampled_from(["sqrt(2)", "ln(3)", "2*sqrt(5)"])
)


@pytest.mark.slow
@given(st.sampled_from(COMPOSITIONS), CLAIMED, st.sampled_from(["<=", ">=", "="]))
def test_a_certificate_is_what_its_ends_say(expression: str, claimed: object, relation: str) -> None:
    query = pv.Query(as_composition(expression), delta="1e-6")
    made = pv.certify(query, claimed, relation=relation)
    if made.verdict != "CONDITIONAL":
        assert certification(holds(relation, made.epsilon, made.proved)) == made.verdict
    if made.verdict in ("CERTIFIED", "REFUTED") and not made.reason:
        lower, upper = made.proved.ends
        assert (lower is not None) + (upper is not None) >= 1


END = st.fractions(0, 100, max_denominator=10**9)


@given(END, END, END, st.integers(0, 40))
def test_a_print_contains_the_interval_and_supports_the_verdict(
    one: Fraction, other: Fraction, claimed: Fraction, shift: int
) -> None:
    lower, upper = min(one, other), max(one, other)
    claimed = lower + (claimed - lower) / 2**shift  # next to an end
    for text in (beside((lower, upper), ends(claimed)), brief((lower, upper), ends(claimed))):
        low, high = _printed(text)
        assert low <= lower and upper <= high
        assert (high <= claimed) == (upper <= claimed) and (low >= claimed) == (lower >= claimed)
        assert (high < claimed) == (upper < claimed) and (low > claimed) == (lower > claimed)
    above, below = (Fraction(one_end(x, side, ends(claimed))) for x, side in ((upper, 1), (lower, -1)))
    assert above >= upper and (above <= claimed) == (upper <= claimed)
    assert below <= lower and (below > claimed) == (lower > claimed)


def _printed(text: str) -> tuple[Fraction, Fraction]:
    """The interval that a reader sees."""
    if text.startswith("["):
        low, high = map(Fraction, text.strip("[]").split(", "))
        return low, high
    if "±" in text:
        middle, radius = map(Fraction, text.split(" ± "))
        return middle - radius, middle + radius
    if text.endswith("…"):
        digits = text.rstrip("…")
        exponent = int(digits.partition("e")[2] or 0)
        places = len(digits.partition("e")[0].partition(".")[2])
        return Fraction(digits), Fraction(digits) + Fraction(10) ** (exponent - places)
    return Fraction(text), Fraction(text)
