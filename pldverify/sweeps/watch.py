"""Watch: how long the running cell of this process has taken, and the end of a process that nobody needs."""

import contextlib
import os
import threading
import time
from collections.abc import Iterator
from multiprocessing.connection import Connection

from pldverify.sweeps import subjects

_LOOK = 1.0
"""Seconds between two looks at the processor time."""

_began: float | None = None
"""Processor time of this process at which the running cell began."""


@contextlib.contextmanager
def running() -> Iterator[None]:
    """A cell runs."""
    global _began
    _began = time.process_time()
    try:
        yield
    finally:
        _began = None


def end_with(parent: Connection, seconds: float) -> None:
    """End this process, and the accountants that it has started, as soon as ``parent`` closes its end of the
    pipe, which the system does for one that is killed; or as a cell has used so many ``seconds`` of processor
    time.
    """
    threading.Thread(target=_watch, args=(parent, seconds), daemon=True).start()


def _watch(parent: Connection, seconds: float) -> None:
    with contextlib.suppress(OSError):
        while not parent.poll(_LOOK):
            began = _began
            if began is not None and time.process_time() - began > seconds:
                break
    try:
        subjects.close()
    finally:
        os._exit(1)
