"""Cell: one accountant, one question; what is sent to the process that settles it, and what comes back."""

import json
import threading
from dataclasses import dataclass
from functools import partial
from time import perf_counter
from typing import Any, cast

from pldverify.accountants.accountant import Accountant
from pldverify.accountants.worker import objects
from pldverify.errors import InvalidInput
from pldverify.mechanisms.query import Query
from pldverify.named import one_line
from pldverify.rulings.check import finding
from pldverify.rulings.finding import Finding
from pldverify.sweeps import subjects, watch
from pldverify.sweeps.kept import Kept
from pldverify.sweeps.keys import Subject, question, subject, verdict_version, written
from pldverify.sweeps.remembered import Remembered

_one_at_a_time = threading.Lock()
"""The reference's precision and clock belong to the process, and Dask's workers have threads."""


@dataclass(frozen=True)
class Cell:
    """One accountant and one question of a sweep.

    Attributes:
        subject: what identifies the accountant.
        library: that it comes from; a sweep goes library by library, as loading one takes seconds.
        accountant: itself, as JSON.
        query, question: what is asked, and its key.
    """

    subject: Subject
    library: str
    accountant: str
    query: Query
    question: str

    def __str__(self) -> str:
        return f"{self.subject.name}: {self.query}"


@dataclass(frozen=True)
class Task:
    """A cell on its way to another process: plain data, and the query.

    Attributes:
        cell: what is to be settled.
        known: what the store has of the question.
        timeout, memory: seconds and bytes for the answer.
        version: of the judge; another one must not settle it.
    """

    cell: Cell
    known: tuple[Kept, ...]
    timeout: float
    memory: int
    version: str


@dataclass(frozen=True)
class Settled:
    """What came of a cell.

    Attributes:
        finding: as ``Finding.to_json`` gives it.
        seconds: wall time of all of it.
        learnt: of the truth, to be kept.
    """

    finding: dict[str, Any]
    seconds: float
    learnt: tuple[Kept, ...] = ()


def cells(accountant: Accountant, queries: list[Query]) -> list[Cell]:
    """The cells of an accountant. Raises InvalidInput for one that no other process could make."""
    made = partial(Cell, subject(accountant), accountant.library, written(accountant))
    return [made(query, question(query)) for query in queries]


def settle(task: Task) -> Settled:
    """Ask the accountant and judge the answer; what runs in a process of the sweep, one at a time.

    Whatever the accountant does is a finding; so is an error of ours: it is UNDECIDED, and the reason says
    that it is ours. Raises InvalidInput where this process has another version, or not the accountant.
    """
    if task.version != verdict_version():
        raise InvalidInput(
            f"every process of a sweep must have the same pldverify: {task.version} asks {verdict_version()}"
        )
    with _one_at_a_time, watch.running():
        start = perf_counter()
        accountant = _made(task.cell)
        remembered = Remembered(task.cell.query, task.known)
        found = _found(accountant, task, remembered)
        return Settled(found.to_json(), perf_counter() - start, tuple(remembered.new))


def lost(cell: Cell, reason: str) -> Settled:
    """The finding on a cell that ended its process, whenever it was alone there."""
    return Settled(_undecided(cell, f"the process that judges it ended: {reason}").to_json(), 0.0)


def _made(cell: Cell) -> Accountant:
    try:
        return cast(Accountant, objects.read(json.loads(cell.accountant)))
    except Exception as error:  # a module of the user's may raise anything
        raise InvalidInput(f"a process of the sweep can't make {cell.subject.name}: {error}") from None


def _found(accountant: Accountant, task: Task, remembered: Remembered) -> Finding:
    cell = task.cell
    answer = subjects.ask(accountant, cell.query, task.timeout, task.memory)
    try:
        return finding(cell.subject.name, cell.query, answer, remembered.truth, remembered.bracket)
    except Exception as error:  # ours: a sweep of hours says so and goes on
        return _undecided(cell, f"pldverify failed: {type(error).__name__}: {one_line(error)}")


def _undecided(cell: Cell, reason: str) -> Finding:
    return Finding(
        cell.query,
        cell.subject.name,
        cell.subject.version,
        None,
        None,
        "UNDECIDED",
        0.0,
        reason,
        "NO TRUTH",
    )
