import pytest

from pldverify.accountants.ask import ask
from pldverify.mechanisms import Gaussian, Query
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
