"""Session: one sweep from a store: what is there already, what is to be done, and all findings at the end."""

import platform
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from importlib import metadata

from pldverify.accountants.accountant import Accountant
from pldverify.mechanisms.query import Query
from pldverify.sweeps.cell import Cell
from pldverify.sweeps.keys import Subject, verdict_version
from pldverify.sweeps.pace import Pace
from pldverify.sweeps.place import Place
from pldverify.sweeps.plan import Most, plan
from pldverify.sweeps.run import Run, limits
from pldverify.sweeps.store import FindingJSON, Store
from pldverify.version import __version__

_SOURCES = ("numpy", "scipy", "python-flint", "mpmath", "sympy")


class Session:
    """Accountants on a grid, with a store between its runs.

    Args:
        accountants: of different names.
        queries: a grid.
        store: is read, and written by :meth:`run`.
        most: questions for each accountant, see :func:`pldverify.sweeps.plan.plan`.
        timeout, memory: seconds and bytes of address space for one answer.

    Attributes:
        total: number of cells.
        before: how many were in the store already.
        refused: {accountant: questions that it does not take}; they are no cells.

    Raises InvalidInput for an accountant that no other process could make.
    """

    def __init__(
        self,
        accountants: Sequence[Accountant],
        queries: Sequence[Query],
        store: Store,
        *,
        most: Most | None = None,
        timeout: float = 60,
        memory: int = 4 * 2**30,
    ) -> None:
        planned = plan(accountants, queries, most)
        self._cells, self.refused = planned.cells, planned.refused
        self._store, self._timeout, self._memory = store, timeout, memory
        self._there = self._look()
        self._waiting = [cell for cell in self._cells if self._place(cell) not in self._there]
        self.total, self.before = len(self._cells), len(self._cells) - len(self._waiting)
        self._pace = Pace(Counter(cell.subject.name for cell in self._waiting), store.seconds())

    def run(self, place: Place, began: Callable[[Cell], None] = lambda cell: None) -> Iterator[FindingJSON]:
        """Settle what is not in the store, one by one; see :class:`~pldverify.sweeps.run.Run`.

        Leaving the loop, by Ctrl-C too, loses the cells that were running; a new session goes on.
        """
        self._store.describe({**_sources(), "cells": str(self.total)})
        settled = Run(
            self._waiting, self._store, place, timeout=self._timeout, memory=self._memory, began=began
        )
        for cell, result in settled:
            self._there[self._place(cell)] = result.finding
            self._pace.done(cell.subject.name, result.seconds)
            yield result.finding

    def left(self, jobs: int) -> float | None:
        """Seconds that the rest may take."""
        return self._pace.left(jobs)

    def findings(self) -> list[FindingJSON]:
        """What was found so far, in the order of the plan, each cell once."""
        places = map(self._place, self._cells)
        return [self._there[place] for place in places if place in self._there]

    def _look(self) -> dict[tuple[Subject, str], FindingJSON]:
        under = limits(self._timeout, self._memory)
        return {
            (subject, question): finding
            for subject in {cell.subject for cell in self._cells}
            for question, finding in self._store.findings(subject, under).items()
        }

    @staticmethod
    def _place(cell: Cell) -> tuple[Subject, str]:
        return cell.subject, cell.question


def _sources() -> dict[str, str]:
    """What this machine runs the sweep with."""
    return {
        "pldverify": __version__,
        "source": verdict_version(),
        "python": platform.python_version(),
        "platform": platform.platform(),
        **{name: metadata.version(name) for name in _SOURCES},
    }
