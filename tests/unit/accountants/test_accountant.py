"""The base class of everybody's accountants: what it fills in, and what it says of what is missing."""

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

import pytest

import pldverify as pv
from pldverify.accountants.accountant import Function, require
from pldverify.accountants.registry import accountant
from pldverify.errors import InvalidInput

QUERY = pv.Query(pv.Gaussian(1), delta="1e-5")


class Five(pv.Accountant):
    direction = "upper"

    def claim(self, query: pv.Query) -> float:
        return 5.5


class Six(Five):
    pass


@dataclass(frozen=True)
class Settled(pv.Accountant):
    """Fields of the names that the base class fills in."""

    name: str
    direction: str
    library: str = "settled"

    def claim(self, query: pv.Query) -> float:
        return 5.5


def test_the_rest_has_defaults() -> None:
    five = Five()
    assert (five.name, five.library, five.supports(QUERY), five.version()) == (
        "Five",
        "tests",
        None,
        "unknown",
    )
    assert Six().name == "Six"
    require(five)


def test_what_a_class_says_itself_stays() -> None:
    settled = Settled("mine/settled", "upper")
    assert (settled.name, settled.direction, settled.library) == ("mine/settled", "upper", "settled")
    assert pv.check(settled, QUERY).accountant == "mine/settled"
    shown = Five()
    shown.name = "shown"  # type: ignore[misc]
    assert shown.name == "shown" and Five().name == "Five"


def test_the_version_is_that_of_the_package() -> None:
    class Installed(Five):
        library = "numpy"

    import numpy

    assert Installed().version() == numpy.__version__


def test_a_class_without_a_claim_is_no_accountant() -> None:
    class Silent(pv.Accountant):
        direction = "upper"

    with pytest.raises(TypeError, match="claim"):
        Silent()  # type: ignore[abstract]


@pytest.mark.parametrize(
    ("attribute", "value", "message"),
    [
        (
            "direction",
            None,
            "accountant Five must say what its number is: .* upper, lower, estimate, got none",
        ),
        ("direction", "up", "direction must be one of upper, lower, estimate, got direction='up'"),
        ("direction", ["upper"], "direction must be one of upper, lower, estimate, got"),
        ("name", 5, "accountant Five must have a name, a text"),
        ("name", "", "accountant Five must have a name, a text"),
        ("library", None, "accountant Five must have a library, a text"),
        ("version", "1.0", "accountant Five must have a method version; pv.Accountant has the defaults"),
        ("supports", None, "accountant Five must have a method supports"),
        ("error", "0.1", "accountant Five must be an estimate to have an error"),
        ("error", "small", "error of accountant Five must be a decimal or a fraction"),
        ("error", -1, "error of accountant Five must be >= 0"),
    ],
)
def test_what_the_protocol_does_not_allow_is_named(attribute: str, value: object, message: str) -> None:
    five = Five()
    setattr(five, attribute, value)
    with pytest.raises(InvalidInput, match=message):
        pv.check(five, QUERY)


class Duck:
    """Everything, and not derived."""

    name, library, direction = "duck", "ducks", "upper"

    def version(self) -> str:
        return "1"

    def supports(self, query: pv.Query) -> None:
        return None

    def claim(self, query: pv.Query) -> int:
        return 6


def test_what_has_all_of_it_need_not_be_derived(monkeypatch: pytest.MonkeyPatch) -> None:
    assert pv.check(Duck(), QUERY).verdict == pv.check(Duck, QUERY).verdict == "SOUND"
    monkeypatch.delattr(Duck, "supports")
    with pytest.raises(InvalidInput, match=r"accountant Duck must have a method supports; pv.Accountant has"):
        pv.check(Duck(), QUERY)


# --- functions ---


def near(query: pv.Query) -> float:
    return 4.4


@pv.Accountant.of(direction="upper", name="mine/decorated")
def decorated(query: pv.Query) -> float:
    return 5.5


def test_a_function_is_an_accountant_with_a_direction() -> None:
    made = pv.Accountant.of(near, direction="upper")
    assert isinstance(made, Function) and (made.name, made.library, made.direction) == (
        "near",
        "tests",
        "upper",
    )
    assert made(QUERY) == 4.4
    assert decorated.name == "mine/decorated" and decorated(QUERY) == 5.5
    assert pv.check(decorated, QUERY).accountant == "mine/decorated"
    assert pv.check(near, QUERY, direction="upper").verdict == "SOUND"
    assert pv.check(near, QUERY, direction="lower").verdict == "UNSOUND"


@pytest.mark.parametrize(
    ("error", "verdict"),
    [("0.03", "SOUND"), (Fraction(1, 50), "UNSOUND"), (0, "UNSOUND"), (None, "UNDECIDED")],
)
def test_an_estimate_is_held_to_its_error(error: object, verdict: str) -> None:
    """ε(1e-5) of one Gaussian is 4.3771781, 0.0228 away."""
    found = pv.check(near, QUERY, direction="estimate", error=error)  # type: ignore[arg-type]
    assert found.verdict == verdict

    class Estimate(pv.Accountant):
        direction = "estimate"

        def claim(self, query: pv.Query) -> float:
            return 4.4

    estimate = Estimate()
    estimate.error = error  # type: ignore[assignment]
    assert pv.check(estimate, QUERY).verdict == verdict


def test_the_error_of_an_estimate_is_in_the_unit_of_its_answer() -> None:
    """δ(1) of one Gaussian is 0.126936738."""
    query = pv.Query(pv.Gaussian(1), epsilon=1)
    for error, verdict in (("1e-9", "SOUND"), ("1e-10", "UNSOUND")):
        found = pv.check(lambda query: 0.126936738, query, direction="estimate", error=error)
        assert found.verdict == verdict
        assert found.claim is not None and found.claim.promise is not None
        assert (found.claim.promise.epsilon, found.claim.promise.delta) == (0, Fraction(error))


def takes_nothing() -> float:
    return 1.0


def takes_two(query: pv.Query, orders: list[int]) -> float:
    return 1.0


@pytest.mark.parametrize(
    ("function", "options", "message"),
    [
        (near, {"direction": "sideways"}, "accountant near must say what its number is"),
        (near, {"direction": None}, "must say what its number is: .* got none"),
        (near, {"direction": "upper", "error": "0.1"}, "near must be an estimate to have an error"),
        (near, {"direction": "estimate", "error": -1}, "error must be >= 0"),
        (takes_nothing, {"direction": "upper"}, "takes_nothing must take one argument, the query: too many"),
        (
            takes_two,
            {"direction": "upper"},
            "takes_two must take one argument, the query: missing .*'orders'",
        ),
        (5, {"direction": "upper"}, "function must be callable with a query, got 5"),
    ],
)
def test_what_is_no_function_of_a_query_is_told(function, options, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        pv.Accountant.of(function, **options)


def test_arguments_can_be_filled_in_and_objects_called() -> None:
    class Called:
        def __call__(self, query: pv.Query) -> float:
            return 5.5

    assert pv.check(partial(takes_two, orders=[2]), QUERY, direction="lower").verdict == "SOUND"
    assert pv.check(Called(), QUERY, direction="upper").accountant == "Called"


# --- what is taken for an accountant ---


class Needy(Five):
    def __init__(self, grid: float) -> None:
        self.grid = grid


class Fails(Five):
    def __init__(self) -> None:
        raise KeyError("no grid")


class Unfinished(pv.Accountant):
    direction = "upper"


@pytest.mark.parametrize(
    ("thing", "options", "message"),
    [
        (5, {}, "accountant must be a name, a class or an object with a method claim, or a function"),
        (None, {}, "accountant must be a name, .* got None"),
        (pv.Gaussian, {"direction": "upper"}, "accountant must be a name, a class .* got <class"),
        (near, {}, "function near must say what its number is: .*pv.Accountant.of.near, direction=…"),
        (Needy, {}, r"accountant Needy must be made before it is asked, Needy\(…\): missing .*'grid'"),
        (Unfinished, {}, "accountant Unfinished must have a method claim, got none"),
        (Fails, {}, r"Fails failed: KeyError: 'no grid' \(test_accountant.py, line \d+: raise KeyError"),
        (Five, {"direction": "lower"}, "must be left out for accountant Five, which states its own, upper"),
        (Five(), {"error": "1"}, "must be left out for accountant Five"),
        ("rdp", {"direction": "lower"}, "must be left out for accountant rdp/canonne-2020"),
    ],
)
def test_what_is_no_accountant_is_told(thing, options, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        pv.check(thing, QUERY, **options)


def test_classes_are_made_and_objects_taken() -> None:
    assert type(accountant(Five)) is Five
    five = Five()
    assert accountant(five) is five and accountant(five, "upper") is five
    assert pv.check(Needy(0.1), QUERY).verdict == pv.check(Five, QUERY).verdict == "SOUND"


def test_the_double_is_judged_to_the_last_bit() -> None:
    """A lower bound at the double below ε(1e-5), and an upper one there: one holds, the other does not."""
    truth = pv.epsilon(pv.Gaussian(1), delta="1e-5", digits=30)
    below = float(truth)
    while Fraction(below) > truth.lower:
        below = math.nextafter(below, 0)
    assert pv.check(lambda query: below, QUERY, direction="lower").verdict == "SOUND"
    found = pv.check(lambda query: below, QUERY, direction="upper")
    assert (found.verdict, found.severity) == ("UNSOUND", "rounding-level")
    above = math.nextafter(below, math.inf)
    assert pv.check(lambda query: above, QUERY, direction="upper").verdict == "SOUND"
