"""Enclosures: digits are counted from below, and printed text never claims more than was proved."""

import math
from dataclasses import FrozenInstanceError, dataclass
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pldverify.errors import OracleDisagreement
from pldverify.numbers.enclosure import Enclosure
from pldverify.numbers.scientific import scientific
from pldverify.numbers.witness import Witness


@dataclass(frozen=True)
class Told:
    """A statement with one parameter."""

    nodes: int
    engine = "test"

    def prove(self) -> tuple[Fraction, Fraction]:
        return Fraction("1.9999"), Fraction("2.0001")


def interval(text: str) -> tuple[Fraction, Fraction]:
    """What ``m ± r`` or ``[a, b]`` says, read independently of the code that wrote it."""
    if text.startswith("["):
        low, _, high = text.strip("[]").partition(", ")
        return Fraction(low), Fraction(high)
    middle, _, radius = text.partition(" ± ")
    return Fraction(middle) - Fraction(radius or 0), Fraction(middle) + Fraction(radius or 0)


WIDTHS = st.fractions(min_value=0, max_value=1) | st.integers(1, 300).map(lambda n: Fraction(1, 7**n))


@given(st.fractions(), WIDTHS)
@example(Fraction(1, 3), Fraction(1, 10**40))
@example(Fraction(999_999, 1_000_000), Fraction(1, 10**6))
@example(Fraction(1, 3), Fraction(0))
def test_decimal_contains_the_interval(lower: Fraction, width: Fraction) -> None:
    enclosure = Enclosure(lower, lower + width, "test")
    shown_lower, shown_upper = interval(enclosure.decimal())
    assert shown_lower <= enclosure.lower
    assert shown_upper >= enclosure.upper


def test_where_no_digit_is_proved_the_ends_are_shown() -> None:
    enclosure = Enclosure(Fraction(1, 3), Fraction(2, 3), "test")
    assert enclosure.decimal() == "[0.333333, 0.666667]"  # rounded outward
    assert Enclosure(Fraction(0), Fraction(1), "test").decimal() == "[0, 1.00000]"
    assert Enclosure(Fraction(2, 3), math.inf, "test").decimal() == "[0.666666, inf]"


def test_decimal_of_a_number_with_thousands_of_digits() -> None:
    lower = Fraction(1, 3 * 10**5_000)
    enclosure = Enclosure(lower, lower * (1 + Fraction(1, 10**30)), "test")
    assert enclosure.decimal().startswith("3.3333333333")
    assert "e-5001 ± " in enclosure.decimal()


@given(st.fractions(min_value=Fraction(1, 10**6)), WIDTHS.filter(bool))
def test_digits_are_proved(lower: Fraction, width: Fraction) -> None:
    enclosure = Enclosure(lower, lower + width, "test")
    middle = lower + width / 2
    assert enclosure.digits == 0 or width / 2 <= middle / Fraction(10) ** int(enclosure.digits)
    assert width / 2 > middle / Fraction(10) ** (int(enclosure.digits) + 1)


@pytest.mark.parametrize(
    ("lower", "upper", "digits"),
    [
        (Fraction(1, 2), Fraction(1, 2), math.inf),
        (math.inf, math.inf, math.inf),
        (Fraction(1), math.inf, 0),
        (Fraction(-1), Fraction(1), 0),
        (Fraction(999), Fraction(1001), 3),
        (Fraction(0), Fraction(1, 10), 0),
    ],
)
def test_digits_at_the_edges(lower: Fraction | float, upper: Fraction | float, digits: float) -> None:
    assert Enclosure(lower, upper, "test").digits == digits


def test_infinite_bounds_are_spelled_out() -> None:
    assert Enclosure(math.inf, math.inf, "test").decimal() == "inf"
    assert Enclosure(Fraction(2), math.inf, "test").decimal() == "[2.00000, inf]"
    assert float(Enclosure(Fraction(2), math.inf, "test")) == math.inf
    assert Enclosure(math.inf, math.inf, "test").width == 0


def test_float_overflows_to_infinity() -> None:
    assert float(Enclosure(Fraction(10**400), Fraction(10**400), "test")) == math.inf
    assert float(Enclosure(-Fraction(10**400), -Fraction(10**400), "test")) == -math.inf


def test_an_empty_interval_is_a_disagreement_not_a_number() -> None:
    with pytest.raises(OracleDisagreement, match="empty enclosure"):
        Enclosure(Fraction(2), Fraction(1), "test")


def test_containment_and_overlap() -> None:
    left, right = Enclosure(Fraction(0), Fraction(1), "a"), Enclosure(Fraction(1), Fraction(2), "b")
    apart = Enclosure(Fraction(3, 2), Fraction(2), "c")
    assert Fraction(1) in left
    assert Fraction(1) + Fraction(1, 10**100) not in left
    assert left.overlaps(right)
    assert not left.overlaps(apart)
    assert not apart.overlaps(left)


def test_an_enclosure_says_what_it_is() -> None:
    enclosure = Enclosure(Fraction("1.9999"), Fraction("2.0001"), "test", Witness(Told(40)))
    assert repr(enclosure) == "Enclosure(2.000 ± 0.00010, digits=4, engine='test')"
    with pytest.raises(FrozenInstanceError):
        enclosure.witness = None  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        enclosure.witness.statement.nodes = 41  # type: ignore[misc, union-attr]


@given(st.fractions(), WIDTHS.filter(bool))
def test_explain_states_a_radius_that_is_not_too_small(lower: Fraction, width: Fraction) -> None:
    witness = Witness(Told(40), (("cut", Fraction(1, 2)), ("alias", math.inf)))
    provenance = (("why test", "cheap"),)
    lines = Enclosure(lower, lower + width, "test", witness, provenance).explain().splitlines()
    assert Fraction(lines[2].rpartition("±")[2]) >= width / 2
    assert lines[1].endswith("engine: test")
    assert lines[3:] == ["why test: cheap", "nodes: 40", "cut: 0.500", "alias: inf"]


@pytest.mark.parametrize(
    ("lower", "upper", "lines"),
    [
        (Fraction(0), Fraction(0), ["0", "exact, engine: test"]),
        (math.inf, math.inf, ["inf", "exact, engine: test"]),
        (Fraction(2), math.inf, ["[2.00000, inf]", "both ends are proved, engine: test"]),
    ],
)
def test_any_enclosure_explains_itself(
    lower: Fraction | float, upper: Fraction | float, lines: list[str]
) -> None:
    assert Enclosure(lower, upper, "test").explain().splitlines() == lines


@pytest.mark.parametrize(("high", "told"), [("3.9", "1 proved digit"), ("3.501", "3 proved digits")])
def test_one_digit_is_one(high: str, told: str) -> None:
    assert Enclosure(Fraction("3.5"), Fraction(high), "test").proof() == f"{told}, engine: test"


@pytest.mark.parametrize(
    ("value", "nearest", "up", "down"),
    [
        (Fraction(10**50_000 + 1, 10**49_999), "10.0", "10.1", "10.0"),  # 330,000 bits, not to be reduced
        (Fraction(5, 2) / 100, "0.0250", "0.0250", "0.0250"),
        (Fraction(2005, 2), "1.00e3", "1.01e3", "1.00e3"),
        (Fraction(201, 20), "10.0", "10.1", "10.0"),  # a half goes to the even digit
        (Fraction(203, 20), "10.2", "10.2", "10.1"),
    ],
)
def test_three_digits_are_rounded_as_told(value: Fraction, nearest: str, up: str, down: str) -> None:
    for sign, minus in ((1, ""), (-1, "-")):
        assert scientific(sign * value, 3) == minus + nearest
        assert scientific(sign * value, 3, up=True) == minus + up
        assert scientific(sign * value, 3, down=True) == minus + down


@given(st.fractions().filter(bool), st.integers(1, 40))
def test_scientific_rounds_away_from_zero_when_told(value: Fraction, digits: int) -> None:
    up, nearest = Fraction(scientific(value, digits, up=True)), Fraction(scientific(value, digits))
    assert abs(up) >= abs(value)
    assert abs(up) <= abs(value) * (1 + Fraction(10) ** (1 - digits))
    assert abs(nearest - value) <= abs(value) * Fraction(10) ** (1 - digits) / 2


def test_more_proved_digits_than_python_prints() -> None:
    almost = Enclosure(1 - Fraction(1, 10**5000), Fraction(1) - Fraction(1, 10**5001), "test")
    text, radius = almost.decimal().split(" ± ")
    assert len(text) < 1100
    assert abs(almost.lower - Fraction(text)) <= Fraction(radius)
    assert abs(almost.upper - Fraction(text)) <= Fraction(radius)
