"""Run: settle cells on an executor, so many at once, and put each into the store as it is done.

No question is asked twice at the same time: the second accountant has the truth that the first one needed.
A cell that its executor loses, because the process died, is settled again alone, with nothing else there to
blame; if it is lost again, that is its finding.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Future, wait

from pldverify.errors import InvalidInput
from pldverify.sweeps.cell import Cell, Settled, Task, lost, settle
from pldverify.sweeps.keys import verdict_version
from pldverify.sweeps.place import Place
from pldverify.sweeps.store import Store

_AHEAD = 1000
"""Waiting cells searched for one whose question is not being asked."""
_LOOK = 1.0
"""Seconds after which the number of workers is asked for again."""


def limits(timeout: float, memory: int) -> str:
    """What a finding is kept under beside its key, see :meth:`Store.findings`."""
    return f"{timeout:g} s, {memory} bytes"


class Run:
    """All cells settled, in about their order; each is in the store when it is handed on.

    ``began`` is called with each cell as it is sent out. Leaving the loop loses what was running. Raises
    InvalidInput where a process has another version or can't make an accountant, and where the place is gone.
    """

    def __init__(
        self,
        cells: Iterable[Cell],
        store: Store,
        place: Place,
        *,
        timeout: float,
        memory: int,
        began: Callable[[Cell], None] = lambda cell: None,
    ) -> None:
        self._store, self._place, self._began = store, place, began
        self._timeout, self._memory = timeout, memory
        self._waiting = deque(cells)
        self._suspects: deque[Cell] = deque()
        self._running: dict[Future[Settled], Cell] = {}
        self._alone = False

    def __iter__(self) -> Iterator[tuple[Cell, Settled]]:
        while self._waiting or self._suspects or self._running:
            self._send()
            done, _ = wait(self._running, timeout=_LOOK, return_when=FIRST_COMPLETED)
            for future in done:
                cell = self._running.pop(future)
                result = self._result(future, cell)
                if result is not None:
                    self._keep(cell, result)
                    yield cell, result

    def _send(self) -> None:
        """Submit as much as there is room for; a suspect alone."""
        if self._suspects:
            if not self._running:
                self._alone = True
                self._submit(self._suspects.popleft())
            return
        self._alone = self._alone and bool(self._running)
        while not self._alone and len(self._running) < self._place.room():
            cell = self._next()
            if cell is None or not self._submit(cell):
                return

    def _next(self) -> Cell | None:
        """The first waiting cell whose question is not being asked."""
        asked = {cell.question for cell in self._running.values()}
        for at, cell in zip(range(_AHEAD), self._waiting, strict=False):
            if cell.question not in asked:
                del self._waiting[at]
                return cell
        return None

    def _submit(self, cell: Cell) -> bool:
        """Whether the executor took it."""
        known = tuple(self._store.truths(cell.question))
        task = Task(cell, known, self._timeout, self._memory, verdict_version())
        try:
            future = self._place.executor().submit(settle, task)
        except BrokenExecutor:
            self._waiting.appendleft(cell)
            self._place.renew()
            return False
        self._running[future] = cell
        self._began(cell)
        return True

    def _result(self, future: "Future[Settled]", cell: Cell) -> Settled | None:
        """What came back; None for a cell that was lost and is settled again."""
        try:
            return future.result()
        except InvalidInput:
            raise
        except (Exception, CancelledError) as reason:
            if isinstance(reason, BrokenExecutor):
                self._place.renew()
            self._place.executor()  # raises where it is gone
            if self._alone:
                return lost(cell, f"{type(reason).__name__}: {reason}")
            self._suspects.append(cell)
            return None

    def _keep(self, cell: Cell, result: Settled) -> None:
        self._store.put(
            cell.subject,
            cell.question,
            limits(self._timeout, self._memory),
            result.finding,
            result.seconds,
            result.learnt,
        )
