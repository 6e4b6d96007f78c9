"""Warned: what a library warned of while it answered, through ``warnings`` and through ``logging``."""

import logging
import warnings
from types import TracebackType

from pldverify.named import one_line

_MOST = 5
"""Cap on the different warnings that are kept."""


class Warned(logging.Handler):
    """A context manager; nothing that is warned of inside it is shown, and all of it is kept."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self._said: dict[str, None] = {}
        self._catcher = warnings.catch_warnings()

    def __enter__(self) -> "Warned":
        self._catcher.__enter__()
        warnings.simplefilter("always")
        warnings.showwarning = self._show  # type: ignore[assignment]  # the rest of its arguments is not used
        logging.getLogger().addHandler(self)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        logging.getLogger().removeHandler(self)
        self._catcher.__exit__(kind, error, trace)

    def emit(self, record: logging.LogRecord) -> None:
        """Keep what was logged."""
        self._keep(record.levelname, record.getMessage())

    def __str__(self) -> str:
        """The different warnings, each once."""
        return "; ".join(self._said)

    def _show(self, message: Warning | str, category: type[Warning], *rest: object) -> None:
        self._keep(category.__name__, message)

    def _keep(self, kind: str, message: object) -> None:
        if len(self._said) < _MOST:
            self._said[f"{kind}: {one_line(message)}"] = None
