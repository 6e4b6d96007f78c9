"""Work in a process of its own: what it returns, and how it may end."""

import os
import signal
from collections.abc import Callable

import pytest

from benchmarks import isolated
from benchmarks.isolated import alone, spread


def endless() -> None:
    while True:
        pass


def test_a_value_comes_back_with_its_cost(monkeypatch: pytest.MonkeyPatch) -> None:
    readings = iter((5.0, 7.5))
    monkeypatch.setattr(isolated.time, "process_time", lambda: next(readings))
    outcome = alone(lambda: "done", seconds=60)
    assert (outcome.value, outcome.seconds, outcome.failure) == ("done", 2.5, "")


def test_nothing_is_remembered() -> None:
    memory: list[int] = []
    assert [alone(lambda: memory.append(1) or len(memory), seconds=60).value for _ in range(2)] == [1, 1]


def test_too_much_time_is_an_outcome() -> None:
    outcome = alone(endless, seconds=0.1)
    assert (outcome.value, outcome.seconds, outcome.failure) == (None, 0.1, "out of time")


def test_too_much_memory_is_an_outcome() -> None:
    outcome = alone(lambda: len(bytearray(2**32)), seconds=60, address_space=2**32)
    assert outcome.failure == "out of memory"


def fill(size: int, *, then: Callable[[], object]) -> None:
    kept = bytearray(size)
    kept[::4096] = b"1" * len(kept[::4096])
    then()


def test_memory_is_measured_even_of_the_dead() -> None:
    small, large = (alone(lambda n=n: fill(n, then=int), seconds=60).mebibytes for n in (1, 2**28))
    assert 200 < large - small < 400
    died = alone(lambda: fill(2**28, then=lambda: os._exit(3)), seconds=60)
    assert died.mebibytes - small > 200


def test_an_exception_and_a_death_are_outcomes() -> None:
    assert alone(lambda: 1 // 0, seconds=60).failure.startswith("ZeroDivisionError: ")
    assert alone(lambda: os._exit(3), seconds=60).failure == "died with exit code 3"
    died = alone(lambda: os.kill(os.getpid(), signal.SIGKILL), seconds=60)
    assert died.failure == f"died with exit code {-signal.SIGKILL}"


def double(task: int) -> tuple[int | None, int]:
    return alone(lambda: 2 * task, seconds=60).value, os.getpid()


def test_a_child_that_sleeps_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(isolated, "_MOST", 0.1)
    monkeypatch.setattr(isolated, "_PATIENCE", 0)
    assert alone(signal.pause, seconds=60).failure == "hangs"


@pytest.mark.parametrize("workers", [1, 2])
def test_tasks_are_spread(workers: int) -> None:
    results = dict(spread(double, range(5), workers))
    assert {task: value for task, (value, _) in results.items()} == {n: 2 * n for n in range(5)}
    assert ({process for _, process in results.values()} == {os.getpid()}) == (workers == 1)
