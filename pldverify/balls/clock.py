"""The lock and the clocks: one proof at a time, and every long loop asks :func:`spend` whether to go on.

FLINT's precision belongs to the process, so threads take turns behind one lock. Time is the processor time
of the thread: a verdict should not depend on what else the machine does. It only decides where work stops;
what gives way to what is decided by counted work (:func:`allowance`), so the same question takes the same
path everywhere.
"""

import math
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from pldverify.errors import NoConvergence

Item = TypeVar("Item")

SECONDS = 20.0
"""Processor seconds of one call of ``delta``, ``epsilon``, ``rdp`` or ``tail``."""
TURN = threading.RLock()
"""Held while a precision is set."""
_clock = (math.inf, math.inf)
"""Processor time of the thread at which the time is up, and how long the clock was set to, in seconds."""
_limit = math.inf
"""The shortest time, in seconds, that a running clock was set to."""
_sure = 0.0
"""Wall time before which the limit cannot be reached, so the slow processor clock is not read."""
_UNIT = 10**9
"""Units of counted work in a second: integers, as rounded sums would depend on what was counted before."""
_spent = 0
"""Work counted so far, in units of 1/``_UNIT`` seconds."""
_allowed: float = math.inf
"""Largest ``_spent`` that is allowed."""


@contextmanager
def clock(seconds: float = SECONDS) -> Iterator[None]:
    """Start a clock; inside of another one, whichever ends first holds."""
    global _clock, _limit, _sure
    with TURN:
        before = _clock, _limit
        _clock, _sure = min(_clock, (time.thread_time() + seconds, seconds)), 0.0
        _limit = min(_limit, seconds)
        try:
            yield
        finally:
            (_clock, _limit), _sure = before, 0.0


@contextmanager
def overtime(seconds: float) -> Iterator[None]:
    """A clock that replaces the others: it gives time to conclude what was proved before they ran out."""
    global _clock, _limit, _sure, _allowed
    with TURN:
        before = _clock, _limit, _allowed
        _clock, _limit, _allowed, _sure = (time.thread_time() + seconds, seconds), seconds, math.inf, 0.0
        try:
            yield
        finally:
            (_clock, _limit, _allowed), _sure = before, 0.0


def late() -> bool:
    """Whether the time is up."""
    return time.thread_time() >= _clock[0]


def limit() -> float:
    """The shortest time, in seconds, that a running clock was set to; ∞ without a clock."""
    return _limit


@contextmanager
def allowance(seconds: float) -> Iterator[None]:
    """Allow ``seconds`` of counted work; inside of another allowance, whichever ends first holds."""
    global _allowed
    before = _allowed
    _allowed = min(before, math.inf if math.isinf(seconds) else _spent + round(seconds * _UNIT))
    try:
        yield
    finally:
        _allowed = before


def counted() -> float:
    """Counted seconds of all work so far."""
    return _spent / _UNIT


def spend(seconds: float = 1e-4) -> None:
    """Count work of about ``seconds``. Raises NoConvergence when the time or the allowance is used up."""
    global _spent
    _spent += round(seconds * _UNIT)
    if _spent > _allowed:
        raise NoConvergence("it takes far more work than predicted")
    now = time.perf_counter()
    if now >= _sure:
        _in_time(now, 0.0)


def paced(items: Iterable[Item]) -> Iterator[Item]:
    """The items; every hundredth asks :func:`spend`, as a node of thousands of bits takes milliseconds."""
    for i, item in enumerate(items):
        if i % 100 == 0:
            spend()
        yield item


def reserve(seconds: float) -> None:
    """:func:`spend` for one piece of work that nothing can stop: it isn't begun if it would end too late."""
    spend(seconds)
    _in_time(time.perf_counter(), seconds)


def _in_time(now: float, more: float) -> None:
    """Look at the clock, ``now`` on the wall. Raises NoConvergence unless there are ``more`` seconds left."""
    global _sure
    deadline, limit = _clock
    left = deadline - time.thread_time()
    if left < more:
        raise NoConvergence(f"not decided within {limit:.3g} s of processor time")
    _sure = now + left
