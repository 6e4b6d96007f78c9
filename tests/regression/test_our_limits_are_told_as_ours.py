"""A MemoryError under our own limit was told as the library's crash, and a busy clock as "does not end"."""

from pathlib import Path

import pytest

import pldverify as pv
from pldverify.accountants.ask import Answer
from pldverify.accountants.registry import accountant
from pldverify.accountants.worker import GIB, Worker, worker
from tests.unit.accountants.test_command import program

FILE = Path(__file__).with_name("limits.py")
QUERY = pv.Query(pv.Gaussian(1), epsilon=1)


def asked(name: str, timeout: float = 300, memory: int = GIB // 2) -> Answer:
    with Worker(timeout=timeout, memory=memory) as asks:
        return asks.ask(accountant(f"{FILE}:{name}"), QUERY)


@pytest.mark.parametrize(
    ("name", "timeout"),
    [("Allocates", 300), ("AllocatesBehindAnotherError", 300), ("CrashesOnce", 300), ("SleepsOnce", 0.5)],
)
def test_what_our_limits_ended_is_asked_again_with_larger_ones(
    name: str, timeout: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    if timeout < 1:  # the larger limit is large enough for any machine
        monkeypatch.setattr(worker, "_MORE", 1000)
    answer = asked(name, timeout)
    assert answer.claim is not None and float(answer.claim.value) == 1.0000000043, answer.failure


@pytest.mark.slow
def test_processor_time_is_the_limit_and_no_busy_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock is allowed to run a thousand times as long."""
    monkeypatch.setattr(worker, "_WAITS", 1000)
    for subject in (accountant(f"{FILE}:Burns"), program("burns")):
        with Worker(timeout=0.5) as asks:
            failure = asks.ask(subject, QUERY).failure
        assert failure is not None and failure.kind == "OUT OF PROCESSOR TIME"
        assert "gave no answer within our limit of 0.5 s; asked again, alone and with larger" in str(failure)
        assert str(failure).endswith("gave no answer within our limit of 2 s of processor time")


@pytest.mark.parametrize(
    ("name", "timeout", "kind", "last"),
    [
        ("Sleeps", 0.2, "TIMED OUT", "within our limit of 2 s, and used less than 1 s of processor time"),
        ("AllocatesTooMuch", 300, "OUT OF MEMORY", "within our limit of 2 GiB of memory"),
        ("Crashes", 300, "CRASHED", "ended its process (exit code 3)"),
    ],
)
def test_what_comes_again_names_both_limits(name: str, timeout: float, kind: str, last: str) -> None:
    failure = asked(name, timeout).failure
    assert failure is not None and failure.kind == kind
    assert "; asked again, alone and with larger limits: " in str(failure) and str(failure).endswith(last)


def test_a_check_is_as_fair() -> None:
    found = pv.check(f"{FILE}:Allocates", QUERY, memory=GIB // 2)
    assert found.verdict == "SOUND" and found.claim is not None, found
