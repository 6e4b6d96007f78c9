"""One call's time budget: no question may hang, so every long loop asks :func:`spend` if it may go on.

Processor time, not wall time: a verdict should not depend on what else the machine does.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from pldverify.errors import NoConvergence

SECONDS = 20.0
"""Processor time of one call of ``delta``, ``epsilon``, ``rdp`` or ``tail``."""
_deadline: float | None = None


@contextmanager
def budget() -> Iterator[None]:
    """Start the clock, unless an outer call has started it."""
    global _deadline
    before = _deadline
    _deadline = time.process_time() + SECONDS if before is None else before
    try:
        yield
    finally:
        _deadline = before


def spend() -> None:
    """Raise NoConvergence when the budget is used up."""
    if _deadline is not None and time.process_time() > _deadline:
        raise NoConvergence(f"not decided within {SECONDS:.0f} s of processor time")
