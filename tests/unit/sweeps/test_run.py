"""Run: each cell once, a question at most once at a time, and who loses cells is found out."""

import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, ThreadPoolExecutor
from dataclasses import replace

import pytest

import pldverify as pv
from pldverify.accountants.moments import Moments
from pldverify.errors import InvalidInput
from pldverify.sweeps import run as run_module
from pldverify.sweeps.cell import Cell, Settled, Task, cells
from pldverify.sweeps.kept import Kept
from pldverify.sweeps.run import Run
from pldverify.sweeps.store import Store

QUERIES = [pv.Query(k * pv.Gaussian(10), delta="1e-5") for k in range(1, 9)]
Behaves = Callable[[Task, int], Settled]


class Threads:
    """A place whose executor does what the test says; it hears how many run beside a task."""

    def __init__(self, behaves: Behaves, monkeypatch: pytest.MonkeyPatch, room: int = 2) -> None:
        self._pool, self._room = ThreadPoolExecutor(room), room
        self._lock, self._busy = threading.Lock(), 0
        self.asked: list[Task] = []
        self.renewed = 0

        def settle(task: Task) -> Settled:
            with self._lock:
                self._busy += 1
                self.asked.append(task)
                beside = self._busy
            try:
                return behaves(task, beside)
            finally:
                with self._lock:
                    self._busy -= 1

        monkeypatch.setattr(run_module, "settle", settle)

    def __enter__(self) -> "Threads":
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown()

    def executor(self) -> Executor:
        return self._pool

    def renew(self) -> None:
        self.renewed += 1

    def room(self) -> int:
        return self._room


def settled(task: Task, beside: int = 0) -> Settled:
    learnt = (Kept(15, "NotSupported", "it is a test"),)
    return Settled({"verdict": "SOUND", "query": str(task.cell.query)}, 0.01, learnt)


def of(names: list[str]) -> list[Cell]:
    made = cells(Moments(), QUERIES)
    return [replace(cell, subject=replace(cell.subject, name=name)) for cell in made for name in names]


def swept(place: Threads, todo: list[Cell], store: Store) -> list[tuple[Cell, Settled]]:
    with place:
        return list(Run(todo, store, place, timeout=1, memory=1))


def test_every_cell_is_settled_and_stored_once(monkeypatch: pytest.MonkeyPatch) -> None:
    todo = of(["a", "b"])
    with Store() as store:
        place = Threads(settled, monkeypatch)
        assert Counter(cell for cell, _ in swept(place, todo, store)) == Counter(todo)
        assert len(place.asked) == len(todo)
        for cell in todo:
            assert cell.question in store.findings(cell.subject, "1 s, 1 bytes")


def test_the_second_accountant_is_told_what_the_first_one_learnt(monkeypatch: pytest.MonkeyPatch) -> None:
    with Store() as store:
        place = Threads(settled, monkeypatch)
        swept(place, of(["a", "b"]), store)
        known = {name: [t.known for t in place.asked if t.cell.subject.name == name] for name in ("a", "b")}
    assert set(known["a"]) == {()} and {len(each) for each in known["b"]} == {1}


def test_a_cell_that_ends_its_process_is_found_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its neighbour, which takes longer, is lost with it once, and is settled then."""
    todo = of(["a"])
    neighbour, bad = todo[0].question, todo[1].question
    lost: Counter[str] = Counter()
    beside_bad = []

    def behaves(task: Task, beside: int) -> Settled:
        question = task.cell.question
        if question == bad or (question == neighbour and not lost[question]):
            lost[question] += 1
            if question == bad:
                beside_bad.append(beside)
            else:
                time.sleep(0.3)
            raise BrokenExecutor("a process ended")
        return settled(task)

    with Store() as store:
        place = Threads(behaves, monkeypatch)
        found = {cell.question: result for cell, result in swept(place, todo, store)}
    assert set(found) == {cell.question for cell in todo}
    assert lost == {bad: 2, neighbour: 1} and place.renewed == 3
    assert found[bad].finding["verdict"] == "UNDECIDED"
    assert found[bad].finding["reason"] == (
        "the process that judges it ended: BrokenExecutor: a process ended"
    )
    assert found[neighbour].finding["verdict"] == "SOUND"
    assert beside_bad == [2, 1], "alone at last"


def test_a_process_of_another_version_stops_the_sweep(monkeypatch: pytest.MonkeyPatch) -> None:
    def behaves(task: Task, beside: int) -> Settled:
        raise InvalidInput("every process must have the same pldverify")

    with Store() as store, pytest.raises(InvalidInput, match="same pldverify"):
        swept(Threads(behaves, monkeypatch), of(["a"]), store)
