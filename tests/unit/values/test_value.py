"""What an enclosure of pairs proves of mechanisms, by what the pairs are of them."""

import math
from fractions import Fraction

import pytest

import pldverify as pv
from pldverify.errors import OracleDisagreement
from pldverify.mechanisms import FinitePair
from pldverify.mechanisms.as_composition import as_composition
from pldverify.numbers import Enclosure
from pldverify.values.value import UNKNOWN, End, Value, enclosed, known, narrower, of_pairs

FOUND = Enclosure(Fraction(1), Fraction(2), "by hand")


class Pair(FinitePair):
    """A pair of any standing."""

    attained: bool
    bounds: bool

    @property
    def tight_steps(self) -> int | None:
        return None if self.attained else 0

    @property
    def dominates(self) -> bool:
        return self.bounds


def pair(attained: bool, bounds: bool) -> pv.Composition:
    made = Pair(("0.5", "0.5"), ("0.25", "0.75"))
    vars(made).update(attained=attained, bounds=bounds)
    return as_composition(made)


@pytest.mark.parametrize(
    ("attained", "bounds", "rises", "ends"),
    [
        (True, True, True, (1, 2)),
        (True, False, True, (1, None)),
        (False, True, True, (None, 2)),
        (False, False, True, (None, None)),
        (True, True, False, (1, 2)),
        (True, False, False, (None, 2)),
        (False, True, False, (1, None)),
        (False, False, False, (None, None)),
        (True, True, None, (1, 2)),
        (True, False, None, (None, None)),
        (False, True, None, (None, None)),
        (False, False, None, (None, None)),
    ],
)
def test_each_end_needs_its_proof(attained, bounds, rises, ends) -> None:
    """ε rises with what is easier to tell apart, the trade-off falls, tails have no order."""
    composition = pair(attained, bounds)
    query = {
        True: pv.Query(composition, epsilon=1),
        False: pv.TradeOffQuery(composition, alpha="0.1"),
        None: pv.TailQuery(composition, loss=1),
    }[rises]
    assert query.rises is rises
    assert of_pairs(query, FOUND).ends == ends
    assert of_pairs(query, None) == UNKNOWN


def test_what_is_not_proved_is_null() -> None:
    found = Value(upper=End(math.inf, "divergence"))
    assert found.to_json() == {
        "lower": None,
        "upper": "inf",
        "lower_by": None,
        "upper_by": "divergence",
        "lower_strict": None,
        "upper_strict": False,
    }
    assert not found.is_unknown and UNKNOWN.is_unknown
    assert enclosed(FOUND).above_alone.ends == (None, 2)


def test_two_proofs_together() -> None:
    first, second = Value(End(Fraction(1), "a"), None), known(Fraction(0), Fraction(3), "b")
    assert narrower(first, second) == Value(End(Fraction(1), "a"), End(Fraction(3), "b"))
    assert narrower(UNKNOWN, UNKNOWN) == UNKNOWN
    reached, beyond = End(Fraction(1), "a"), End(Fraction(1), "b", strict=True)
    for pair in (Value(reached, beyond), Value(beyond, reached)):
        assert narrower(pair, Value(pair.upper, pair.lower)) == Value(beyond, beyond)
    with pytest.raises(OracleDisagreement, match="contradict each other"):
        narrower(first, known(Fraction(0), Fraction(1, 2), "b"))


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (Value(End(Fraction(1), "a"), End(Fraction(2), "b", strict=True)), ("<", "2.00000")),
        (Value(End(Fraction(2), "a", strict=True), End(Fraction(3), "b")), (">", "2.00000")),
        (Value(End(Fraction(2), "a"), End(Fraction(3), "b")), ("in", "[2.00000, 3.00000]")),
        (Value(End(Fraction(1), "a"), End(Fraction(2), "b")), ("in", "[1.00000, 2.00000]")),
        (Value(End(Fraction(0), "a"), End(Fraction(1, 4), "b")), ("≤", "0.250000")),
    ],
    ids=["below", "above", "not strict", "not strict either", "nothing said"],
)
def test_what_lies_strictly_at_a_claim_is_shown_alone(value: Value, said: tuple[str, str]) -> None:
    """REFUTED of ε ≥ 2 stood beside [1, 2]."""
    assert value.shown((Fraction(2),) * 2) == said


def test_what_lies_strictly_between_two_claimed_numbers_shows_both() -> None:
    """REFUTED of ε = 1.734969 stood beside "> 1.73496850", which only its rounding needs."""
    low, high = Fraction("1.7349685"), Fraction("1.734969")
    value = Value(End(low, "a", strict=True), End(high, "b", strict=True))
    assert value.shown((high, high), (low, low)) == (">", "1.73496850 and < 1.73496900")


@pytest.mark.parametrize(
    ("value", "rounded", "said"),
    [
        (
            Value(End(Fraction(1), "a", strict=True), End(Fraction("1.04"), "b")),
            "1.05",
            (">", "1.00000 and ≤ 1.04000"),
        ),
        (
            Value(End(Fraction("0.96"), "a"), End(Fraction(1), "b", strict=True)),
            "0.95",
            ("≥", "0.960000 and < 1.00000"),
        ),
    ],
    ids=["≤", "≥"],
)
def test_the_other_end_is_shown_where_it_decides(value: Value, rounded: str, said: tuple[str, str]) -> None:
    """CERTIFIED of ε ≤ 1.05, the rounding of a REFUTED ε ≤ 1, stood beside "> 1.00000"."""
    assert value.shown((Fraction(1),) * 2, (Fraction(rounded),) * 2) == said


def test_zero_is_shown_where_it_is_claimed() -> None:
    """CERTIFIED of ε ≥ 0 stood beside an upper end."""
    assert Value(End(Fraction(0), "a"), End(Fraction(1, 4), "b")).shown((Fraction(0),) * 2)[0] == "in"
