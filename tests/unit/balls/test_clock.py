"""Clocks and allowances: they stop long loops, the one that ends first holds, and they leave no trace."""

import math
from types import SimpleNamespace

import pytest

from pldverify.balls import clock as module
from pldverify.balls.clock import allowance, clock, limit, overtime, paced, reserve, spend
from pldverify.errors import NoConvergence


class Watch:
    """The wall's clock moves by a hundredth of a second whenever it is looked at, the thread's by a
    ``share`` of that."""

    def __init__(self) -> None:
        self.now = 0.0
        self.share = 1.0
        self.looks = 0

    def perf_counter(self) -> float:
        self.now += 0.01
        return self.now

    def thread_time(self) -> float:
        self.looks += 1
        return self.now * self.share


@pytest.fixture(autouse=True)
def watch(monkeypatch: pytest.MonkeyPatch) -> Watch:
    moving = Watch()
    monkeypatch.setattr(
        module, "time", SimpleNamespace(thread_time=moving.thread_time, perf_counter=moving.perf_counter)
    )
    return moving


def turns(most: int = 1000) -> int:
    """How often a loop may go on, ``most`` times at most."""
    for turn in range(most):
        try:
            spend(1)
        except NoConvergence:
            return turn
    return most


def test_without_a_clock_nothing_stops() -> None:
    assert turns() == 1000


def test_a_clock_stops_what_takes_longer() -> None:
    with clock(0.095):
        assert turns() == 9
        with pytest.raises(NoConvergence, match=r"not decided within 0\.095 s of processor time"):
            spend()
    assert turns() == 1000


def test_a_thread_that_waits_has_all_its_processor_time(watch: Watch) -> None:
    watch.share = 0.1
    with clock(0.095):
        assert turns() == 94


def test_the_time_of_the_thread_is_seldom_asked_for(watch: Watch) -> None:
    with clock(5):
        assert turns(400) == 400
    assert watch.looks == 2  # when the clock was started, and once after that


def test_what_would_end_too_late_is_not_begun(watch: Watch) -> None:
    with clock(10):
        reserve(9)
        spend(11)  # what can be stopped may begin
        with pytest.raises(NoConvergence, match="not decided within 10 s of processor time"):
            reserve(10.5)


def test_the_clock_that_ends_first_holds() -> None:
    with clock(0.095), clock(60):
        assert turns() == 9
    with clock(60):
        with clock(0.095):
            assert turns() == 9
        assert turns() == 1000


def test_an_allowance_counts_work_and_no_time(watch: Watch) -> None:
    for hurry in (0.0, 1e6):
        watch.now += hurry
        with allowance(7):
            assert turns() == 7
            with pytest.raises(NoConvergence, match="far more work than predicted"):
                spend(0)
        assert turns() == 1000


def test_the_allowance_that_ends_first_holds() -> None:
    with allowance(5), allowance(60):
        assert turns() == 5
    with allowance(60):
        with allowance(5):
            assert turns() == 5
        assert turns() == 54  # what the inner one counted, the step that was refused too, is counted here


def test_an_error_leaves_no_clock_and_no_allowance_behind() -> None:
    with pytest.raises(KeyError), clock(0.01), allowance(1):
        raise KeyError
    assert turns() == 1000


def test_overtime_is_a_clock_of_its_own() -> None:
    with clock(0.095), allowance(60):
        assert turns() == 9
        with overtime(0.055):
            assert limit() == 0.055
            assert turns() == 5
        assert turns() == 0
    with allowance(2):
        assert turns() == 2
        with overtime(60):
            assert turns() == 1000
        assert turns() == 0
    assert turns() == 1000 and limit() == math.inf


def test_a_paced_line_stops_at_a_hundredth_item() -> None:
    seen = []
    with allowance(2.5e-4), pytest.raises(NoConvergence, match="more work"):
        for item in paced(range(1000)):
            seen.append(item)
    assert seen == list(range(200))
    assert list(paced("abc")) == ["a", "b", "c"] and list(paced([])) == []


def test_the_limit_is_the_shortest_of_the_clocks() -> None:
    """What the clocks were set to, however much of it is left."""
    assert limit() == math.inf
    with clock(5):
        with clock(20):
            assert limit() == 5
        with clock(1):
            assert limit() == 1
        assert limit() == 5
    assert limit() == math.inf
