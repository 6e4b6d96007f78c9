import math
from decimal import Decimal
from fractions import Fraction

import mpmath
import numpy
import pytest

from pldverify.accountants.accountant import Accountant
from pldverify.accountants.ask import ask
from pldverify.errors import InvalidInput, MissingLibrary, NotSupported
from pldverify.mechanisms import Gaussian, Query
from pldverify.numbers import Claim
from tests.unit.accountants import subjects
from tests.unit.accountants.subjects import Subject

QUERY = Query(Gaussian(1), delta="1e-5")


def test_a_claim_comes_back_with_version_and_time() -> None:
    answer = ask(Subject(subjects.one), QUERY)
    assert answer.claim is not None and answer.claim.value == 1
    assert answer.failure is None
    assert answer.version == "1.2.3"
    assert answer.seconds >= 0


def test_an_exception_is_a_failure_in_one_line_with_its_own_message() -> None:
    answer = ask(Subject(subjects.raises), QUERY)
    assert answer.claim is None
    assert str(answer.failure) == "test-library/raises 1.2.3 raised ZeroDivisionError: the grid is empty"


@pytest.mark.parametrize("behave", [subjects.nan, subjects.minus_infinity, subjects.nothing])
def test_what_is_not_a_number_is_a_failure(behave) -> None:
    answer = ask(Subject(behave), QUERY)
    assert answer.claim is None
    assert "which is not a claim" in str(answer.failure)


def test_a_refusal_is_a_failure_of_its_kind() -> None:
    failure = ask(Subject(subjects.one), Query(Gaussian(1), delta="1e-5", adjacency="add")).failure
    assert failure is not None and failure.kind == "REFUSED"
    assert str(failure) == "test-library/one does not support this: only add-or-remove"


def test_a_long_message_is_cut() -> None:
    def long_winded() -> None:
        raise ValueError("word " * 1000)

    message = str(ask(Subject(long_winded), QUERY).failure)
    assert len(message) < 400 and message.endswith("…")


def test_ctrl_c_is_not_swallowed() -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ask(Subject(interrupted), QUERY)


DOUBLE = Fraction(0.1)


@pytest.mark.parametrize(
    ("said", "value"),
    [
        (0.1, DOUBLE),
        (3, Fraction(3)),
        (-2, Fraction(-2)),
        (Fraction(1, 3), Fraction(1, 3)),
        (Decimal("0.1"), Fraction(1, 10)),
        (numpy.float64(0.1), DOUBLE),
        (numpy.float32(0.1), Fraction(13421773, 2**27)),
        (numpy.longdouble(0.1), DOUBLE),
        (numpy.int32(7), Fraction(7)),
        (mpmath.mpf(0.1), DOUBLE),
        (mpmath.mpf(1) / 4, Fraction(1, 4)),
        (5e-324, Fraction(1, 2**1074)),
        (1.7976931348623157e308, Fraction(2**1024 - 2**971)),
        (math.inf, math.inf),
        (Decimal("Infinity"), math.inf),
        (numpy.float64("inf"), math.inf),
    ],
)
def test_a_number_is_a_claim_of_exactly_that(said: object, value: object) -> None:
    answer = ask(Accountant.of(lambda query: said, direction="lower", name="x"), QUERY)
    assert answer.claim is not None and answer.failure is None
    claim = answer.claim
    assert (claim.value, claim.direction, claim.source, claim.promise) == (
        value,
        "lower",
        "x",
        None,
    )


@pytest.mark.parametrize(
    ("said", "what"),
    [
        (math.nan, "nan"),
        (-math.inf, "-inf"),
        (numpy.float64("nan"), "nan"),
        (Decimal("NaN"), "NaN"),
        (Decimal("sNaN"), "sNaN"),
        (Decimal("-Infinity"), "-Infinity"),
        (None, "a NoneType"),
        (True, "a bool"),
        (numpy.bool_(True), "a bool"),
        ("1.5", "a str"),
        (b"1", "a bytes"),
        (1 + 0j, "a complex"),
        ([1.5], "a list"),
        ((1.0, 2.0), "a tuple"),
        (numpy.array([1.5, 2.5]), "a ndarray"),
    ],
)
def test_what_is_no_number_is_invalid_and_told(said: object, what: str) -> None:
    failure = ask(Accountant.of(lambda query: said, direction="upper", name="x"), QUERY).failure
    assert failure is not None and failure.kind == "INVALID"
    assert f" returned {what}, which is not a claim" in str(failure)


def test_a_number_that_could_exhaust_memory_is_invalid() -> None:
    failure = ask(Accountant.of(lambda query: 1 << 20_000, direction="upper"), QUERY).failure
    assert failure is not None and failure.kind == "INVALID"
    assert " returned a int without a text, which is not a claim" in str(failure)


def test_an_infinite_delta_is_invalid_and_an_infinite_epsilon_is_not() -> None:
    infinite = Accountant.of(lambda query: math.inf, direction="upper")
    failure = ask(infinite, Query(Gaussian(1), epsilon=1)).failure
    assert failure is not None and failure.kind == "INVALID" and "returned a δ of inf" in str(failure)
    assert ask(infinite, QUERY).claim is not None


def test_a_claim_in_another_direction_is_invalid() -> None:
    failure = ask(Accountant.of(lambda query: Claim(1.0, "lower", "x"), direction="upper"), QUERY).failure
    assert failure is not None and failure.kind == "INVALID"
    assert str(failure).endswith("returned a claim of direction lower, and its own is upper")


@pytest.mark.parametrize("error", [NotImplementedError("no q here"), NotSupported("no q here")])
def test_raising_not_implemented_is_a_refusal(error: Exception) -> None:
    def refuses(query: Query) -> float:
        raise error

    answer = ask(Accountant.of(refuses, direction="upper"), QUERY)
    assert answer.failure is not None and answer.failure.kind == "REFUSED"
    assert str(answer.failure) == "refuses does not support this: no q here"


@pytest.mark.parametrize("error", [InvalidInput("no"), MissingLibrary("no"), ImportError("no")])
def test_every_other_exception_is_a_crash(error: Exception) -> None:
    def fails(query: Query) -> float:
        raise error

    failure = ask(Accountant.of(fails, direction="upper"), QUERY).failure
    assert failure is not None and failure.kind == "RAISED" and failure.__cause__ is error
