"""Local: processes of this machine.

Each is a fresh interpreter. It ends with the process that has started it, also with one that is killed, and
so do the accountants that it has started. A cell that uses more processor time than the reference ever takes,
or more memory, ends its process; the sweep finds out which one it was.
"""

import contextlib
import multiprocessing
import os
import signal
from concurrent.futures import Executor, ProcessPoolExecutor
from multiprocessing.connection import Connection

from pldverify.accountants.worker import GIB
from pldverify.errors import InvalidInput
from pldverify.sweeps import watch

MEMORY = 4 * GIB
"""Address space of a process that judges; the accountant's is another one."""
SECONDS = 900.0
"""Processor time of a cell in the process that judges."""


class Local:
    """So many processes, a :class:`~pldverify.sweeps.place.Place`. Raises InvalidInput for none."""

    def __init__(self, jobs: int = 1, *, memory: int = MEMORY, seconds: float = SECONDS) -> None:
        if jobs < 1:
            raise InvalidInput(f"jobs must be > 0, got jobs={jobs}")
        self._jobs, self._memory, self._seconds = jobs, memory, seconds
        self._pool: ProcessPoolExecutor | None = None
        self._pipe: Connection | None = None

    def __enter__(self) -> "Local":
        return self

    def __exit__(self, *_: object) -> None:
        self.renew()

    def room(self) -> int:
        """One cell a process."""
        return self._jobs

    def executor(self) -> Executor:
        """The pool."""
        if self._pool is None:
            context = multiprocessing.get_context("spawn")
            theirs, self._pipe = context.Pipe(duplex=False)
            limits = (theirs, self._memory, self._seconds)
            self._pool = ProcessPoolExecutor(self._jobs, context, _begin, limits)
        return self._pool

    def renew(self) -> None:
        """End the processes."""
        if self._pipe is not None:
            self._pipe.close()
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
        self._pool = self._pipe = None


def _begin(parent: Connection, memory: int, seconds: float) -> None:
    """What each process does first: Ctrl-C is the parent's, and standard output is for what it prints."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.dup2(2, 1)
    with contextlib.suppress(ImportError, OSError, ValueError):  # not on every system
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        soft = memory if hard == resource.RLIM_INFINITY else min(memory, hard)
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
    watch.end_with(parent, seconds)
