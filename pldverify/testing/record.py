"""Record: the findings and results that tests make, kept in order while the pytest plugin writes a report."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

_T = TypeVar("_T")
_OPEN: ContextVar[list[object] | None] = ContextVar("pldverify_record", default=None)


@contextmanager
def recorded() -> Iterator[list[object]]:
    """What is noted inside.

    >>> from pldverify.testing import assert_sound_upper
    >>> from pldverify.testing.record import recorded
    >>> with recorded() as noted:
    ...     found = assert_sound_upper(1, pv.Query(pv.Gaussian(1), epsilon=1))
    >>> noted == [found]
    True
    """
    noted: list[object] = []
    token = _OPEN.set(noted)
    try:
        yield noted
    finally:
        _OPEN.reset(token)


def recording() -> bool:
    """Whether anybody reads what is noted."""
    return _OPEN.get() is not None


def note(thing: _T) -> _T:
    """Keep a finding or a result, if a record is open; returns it."""
    if (noted := _OPEN.get()) is not None:
        noted.append(thing)
    return thing
