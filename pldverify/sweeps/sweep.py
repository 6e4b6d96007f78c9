"""Sweep: many queries, several accountants, each asked in a worker process with limits."""

import warnings
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass

from pldverify.accountants.accountant import Accountant, Asked
from pldverify.accountants.ask import ask_here
from pldverify.accountants.registry import accountant as subject_of
from pldverify.accountants.worker import GIB, Worker, objects
from pldverify.errors import InvalidInput
from pldverify.mechanisms.query import Query
from pldverify.rulings.check import finding
from pldverify.rulings.finding import Finding
from pldverify.sweeps.grid import Grid

Subject = str | Accountant | type[Accountant] | Asked
"""What a sweep takes for an accountant, see :func:`pldverify.check`; a function by ``pv.Accountant.of``."""


@dataclass(frozen=True)
class Cell:
    """One accountant and one query of a sweep.

    Attributes:
        number, total: which cell it is, from 0, of how many.
        accountant: its name.
        query: what it is asked.
    """

    number: int
    total: int
    accountant: str
    query: Query


def sweep(
    accountants: Subject | Iterable[Subject],
    grid: Query | Iterable[Query] | None = None,
    *,
    timeout: float = 60,
    memory: int = 4 * GIB,
    on_cell: Callable[[Cell], None] | None = None,
    on_finding: Callable[[Finding], None] | None = None,
) -> "Sweep":
    """Ask every accountant every query; one finding for each pair, query by query, as they come.

    Args:
        accountants: one or several; no two of the same name.
        grid: a :class:`pldverify.Grid` or any queries; left out, ``Grid.builtin()``.
        timeout, memory: seconds and bytes of address space for one answer.
        on_cell: called with each :class:`Cell` before it is asked.
        on_finding: called with each finding before it is handed on.

    Nothing is skipped: a refusal, an exception, a NaN, a time-out or a crash is a finding that says so. The
    truth of a query is computed once for all accountants, and not at all where all refuse. Every library has
    a process of its own, so that none can change what another one says. An accountant that another process
    could not make, because its class stands in a notebook, is asked in this one, without limits: a warning
    says so.

    Raises InvalidInput for what is no accountant or no query and for a name that comes twice, MissingLibrary:
    all before the first finding.

    >>> import pldverify as pv
    >>> grid = pv.Grid.of(pv.Gaussian, sigma=[10], steps=[1, 10], delta="1e-5")
    >>> [(f.accountant, f.verdict) for f in pv.sweep(["rdp", "moments"], grid)]
    [('rdp/canonne-2020', 'SOUND'), ('moments', 'SOUND'), ('rdp/canonne-2020', 'SOUND'), ('moments', 'SOUND')]
    """
    one = isinstance(accountants, str | Accountant) or not isinstance(accountants, Iterable)
    subjects = [subject_of(each) for each in ([accountants] if one else accountants)]  # type: ignore[union-attr]
    twice = [name for name, times in Counter(subject.name for subject in subjects).items() if times > 1]
    if twice:
        raise InvalidInput(f"accountants must have different names, got {twice[0]} twice")
    queries = Grid.builtin() if grid is None else Grid([grid] if isinstance(grid, Query) else grid)
    return Sweep(subjects, queries, _askers(subjects, timeout, memory), on_cell, on_finding)


class Sweep(Iterator[Finding]):
    """The findings of a sweep, as they come; made by :func:`sweep`.

    Ctrl-C, or leaving a loop, loses no finding: those that came are in ``findings``, and going on asks the
    cell that was interrupted again.

    Attributes:
        findings: what was found so far.
        total: number of cells.

    >>> import pldverify as pv
    >>> found = pv.sweep("moments", pv.Grid.of(pv.Gaussian, sigma=[10, 20], delta="1e-5"))
    >>> next(found).verdict, len(found.findings), found.total
    ('SOUND', 1, 2)
    >>> [finding.verdict for finding in found], len(found.findings)
    (['SOUND'], 2)
    """

    def __init__(
        self,
        subjects: list[Accountant],
        grid: Grid,
        askers: dict[str, Worker | None],
        on_cell: Callable[[Cell], None] | None,
        on_finding: Callable[[Finding], None] | None,
    ) -> None:
        self.findings: list[Finding] = []
        self.total = len(subjects) * len(grid)
        self._cells = [(subject, query) for query in grid for subject in subjects]
        self._askers, self._on_cell, self._on_finding = askers, on_cell, on_finding
        self._running = self._run()

    def __next__(self) -> Finding:
        try:
            return next(self._running)
        except StopIteration:
            raise
        except BaseException:
            self._running = self._run()  # a generator ends with what it raises
            raise

    def close(self) -> None:
        """End the processes. The sweep can still go on.

        >>> import pldverify as pv
        >>> found = pv.sweep("moments", pv.Grid.of(pv.Gaussian, sigma=[10, 20], delta="1e-5"))
        >>> next(found).accountant
        'moments'
        >>> found.close()
        >>> found
        Sweep: 1 of 2 findings
        """
        self._running.close()
        self._running = self._run()

    def __repr__(self) -> str:
        return f"Sweep: {len(self.findings)} of {self.total} findings"

    def _run(self) -> Generator[Finding, None, None]:
        try:
            for number in range(len(self.findings), self.total):
                subject, query = self._cells[number]
                if self._on_cell is not None:
                    self._on_cell(Cell(number, self.total, subject.name, query))
                worker = self._askers[subject.name]
                answer = ask_here(subject, query) if worker is None else worker.ask(subject, query)
                found = finding(subject.name, query, answer)
                self.findings.append(found)
                if self._on_finding is not None:
                    self._on_finding(found)
                yield found
        finally:
            for worker in filter(None, self._askers.values()):
                worker.close()


def _askers(subjects: list[Accountant], timeout: float, memory: int) -> dict[str, Worker | None]:
    """Who asks each accountant, by its name: one worker a library, and none where that can't be."""
    workers = {subject.library: Worker(timeout=timeout, memory=memory) for subject in subjects}
    askers: dict[str, Worker | None] = {}
    for subject in subjects:
        try:
            objects.write(subject)
            askers[subject.name] = workers[subject.library]
        except InvalidInput as reason:
            askers[subject.name] = None
            warnings.warn(
                f"{subject.name} is asked in this process, without limits of time and memory: {reason}. Put "
                "it into a file, and name it by file.py:Class, to give it a process of its own",
                stacklevel=3,
            )
    return askers
