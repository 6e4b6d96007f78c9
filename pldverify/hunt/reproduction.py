"""Reproduction: what a report tells its reader to run is run first, and the report shows what came of it."""

import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from dataclasses import dataclass

from pldverify.accountants.outside import alone
from pldverify.accountants.standalone import PROCESSOR
from pldverify.accountants.worker import Limits
from pldverify.named import one_line

_LINES = 20
"""Lines kept of what is printed, the last ones."""
_KEPT = 2**14
"""Bytes of output that are kept, the last ones."""
_CHUNK = 2**16
"""Bytes that are read at once."""


@dataclass(frozen=True)
class Ran:
    """What came of running something.

    Attributes:
        lines: the last ones that it printed, each of printable characters.
        ending: how it ended; empty: well.
        is_stopped: whether a limit of time ended it.
    """

    lines: tuple[str, ...]
    ending: str
    is_stopped: bool

    def comment(self) -> str:
        """As comments of Python."""
        told = [f"# prints {line}" for line in self.lines]
        return "\n".join([*told, f"# {self.ending}"] if self.ending else told)


def ran(program: Sequence[str], limits: Limits) -> Ran:
    """Run a program within limits, with the modules that are found here."""
    path = os.pathsep.join(entry or os.curdir for entry in sys.path)
    popen = subprocess.Popen(
        alone(limits.memory, *program),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
        env={**os.environ, "PYTHONPATH": path, "COLUMNS": "100", PROCESSOR: str(limits.processor)},
    )
    late = threading.Event()

    def stop() -> None:
        late.set()
        if hasattr(os, "killpg"):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(popen.pid, signal.SIGKILL)
        popen.kill()

    timer = threading.Timer(limits.clock, stop)
    timer.start()
    kept, stopped = b"", False
    try:
        assert popen.stdout is not None  # opened as a pipe
        while part := popen.stdout.read1(_CHUNK):  # type: ignore[attr-defined]  # of a buffered reader
            kept = (kept + part)[-_KEPT:]
        code = popen.wait()
    finally:
        timer.cancel()
        stopped = late.is_set()
        stop()  # what it has started
    lines = tuple(map(one_line, kept.decode(errors="replace").splitlines()[-_LINES:]))
    if stopped:
        return Ran(lines, f"does not end within {limits.clock} s", True)
    if hasattr(signal, "SIGXCPU") and code == -signal.SIGXCPU:
        return Ran(lines, f"does not end within {limits.processor} s of processor time", True)
    how = f"exit code {code}" if code > 0 else f"signal {-code}"
    return Ran(lines, f"ends with {how}" if code else "", False)
