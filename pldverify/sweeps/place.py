"""Place: where cells are settled, behind a ``concurrent.futures.Executor``."""

from concurrent.futures import Executor
from typing import Protocol


class Place(Protocol):
    """A context manager; leaving it ends what it has started, and what runs there is lost."""

    def __enter__(self) -> "Place": ...

    def __exit__(self, *_: object) -> None: ...

    def executor(self) -> Executor:
        """Where to submit. Raises InvalidInput where there is none any more."""

    def renew(self) -> None:
        """The executor has broken: the next one is another one."""

    def room(self) -> int:
        """How many cells may run at once, now."""
