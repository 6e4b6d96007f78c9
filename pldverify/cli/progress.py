"""How far a command is, on standard error: a bar on a terminal, else a line now and then."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn
from rich.table import Column
from rich.text import Text

from pldverify.cli.console import messages
from pldverify.foreign import visible

_EVERY = 10.0
"""Seconds between two lines where there is no terminal."""
_BAR = 16
"""Columns of the bar."""
_ROOM_FOR_BAR = 70
"""Columns of a terminal that has room for one."""


class Tell(Protocol):
    """How many are done, what is being done now, and the seconds that are left, if the caller knows."""

    def __call__(self, done: int, now: str, left: float | None = None) -> None: ...


@contextmanager
def progress(total: int) -> Iterator[Tell]:
    """Tells how many of ``total`` questions are done, which one is next, and when all will be."""
    console = messages()
    if not console.is_terminal:
        yield _lines(console, total)
        return
    bar = [BarColumn(bar_width=_BAR)] if console.width >= _ROOM_FOR_BAR else []
    question = TextColumn("{task.description}", markup=False, table_column=Column(no_wrap=True, ratio=1))
    with Progress(MofNCompleteColumn(), *bar, _Left(), question, console=console, expand=True) as shown:
        task = shown.add_task("", total=total)

        def tell(done: int, now: str, left: float | None = None) -> None:
            shown.update(task, completed=done, description=visible(now), left=left)

        yield tell


class _Left(ProgressColumn):
    """Seconds that have passed, then those that are left."""

    def render(self, task: Task) -> Text:
        elapsed, done, total = task.elapsed or 0.0, int(task.completed), int(task.total or 0)
        return Text(_left(elapsed, done, total, task.fields.get("left")), style="cyan")


def _left(seconds: float, done: int, total: int, left: float | None = None) -> str:
    """What is left as the caller says, else if the rest takes as long as what is done; the time so far where
    that says nothing.
    """
    if left is not None and done < total:
        return f"{duration(left)} left"
    if not 0 < done < total:
        return f"{seconds:.0f} s"
    return f"{seconds / done * (total - done):.0f} s left"


def duration(seconds: float) -> str:
    """In the unit that people would use.

    >>> from pldverify.cli.progress import duration
    >>> duration(119), duration(120), duration(7300)
    ('119 s', '2 min', '2 h 02 min')
    """
    minutes = round(seconds / 60)
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{minutes} min" if minutes < 120 else f"{minutes // 60} h {minutes % 60:02} min"


def _lines(console: Console, total: int) -> Tell:
    """The first question is told at once, another one every ten seconds, and the end."""
    start = time.monotonic()
    last = [start - _EVERY]

    def tell(done: int, now: str, left: float | None = None) -> None:
        moment = time.monotonic()
        if moment - last[0] < _EVERY and done < total:
            return
        last[0] = moment
        console.print(f"{done}/{total}, {_left(moment - start, done, total, left)}: {now}", soft_wrap=True)

    return tell
