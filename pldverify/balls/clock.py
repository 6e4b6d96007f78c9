"""One call's time budget: no question may hang, so every long loop asks :func:`spend` if it may go on.

Processor time, not wall time: a verdict should not depend on what else the machine does.
"""

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager

from pldverify.errors import NoConvergence

SECONDS = 20.0
"""Processor time of one call of ``delta``, ``epsilon``, ``rdp`` or ``tail``."""
_clock = (math.inf, math.inf)
"""When the time is up, and how long it was."""


@contextmanager
def budget(seconds: float = SECONDS) -> Iterator[None]:
    """Start a clock; inside of another one, whichever ends first holds."""
    global _clock
    before = _clock
    _clock = min(before, (time.process_time() + seconds, seconds))
    try:
        yield
    finally:
        _clock = before


def spend() -> None:
    """Raise NoConvergence when the budget is used up."""
    deadline, seconds = _clock
    if time.process_time() > deadline:
        raise NoConvergence(f"not decided within {seconds:.0f} s of processor time")
