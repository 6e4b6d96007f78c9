"""Worker: asks accountants in a process of their own, with a time and a memory limit.

Some calls need several GB, some never return. The worker is a fresh interpreter (nothing is forked) that
lives from query to query, so that a library is imported once; after a time-out or a crash the next query
gets a new one. It is started without ``multiprocessing``, whose spawn method runs the caller's main module
again. Requests and answers are pickled frames on its standard input and output; what a library prints
goes nowhere, but the last line on standard error is quoted if the process dies.

The memory limit is RLIMIT_AS, the address space, where the system has it. Address space is more than memory
in use: numpy and scipy map a quarter of a GiB before they compute anything, and BLAS reserves more for every
thread (the worker gives it one). 4 GiB leaves an accountant well over 3 GiB of arrays.
"""

import contextlib
import os
import pickle
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import time
from types import TracebackType
from typing import BinaryIO

from pldverify.accountants.accountant import Accountant, Answer
from pldverify.errors import InvalidInput, PldverifyError, SubjectFailure
from pldverify.mechanisms.query import Query

GIB = 2**30
_ENTRY = "from pldverify.accountants.serve import serve; serve({memory})"
_ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
_SECONDS_TO_EXIT = 5
_LAST_WORDS = 1000  # bytes of standard error that are looked at


class Worker:
    """A context manager; leaving it, also by Ctrl-C, ends the process.

    Args:
        timeout: wall seconds for one answer, starting the process and loading the library included.
        memory: address space in bytes.
    """

    def __init__(self, *, timeout: float = 60, memory: int = 4 * GIB) -> None:
        if not timeout > 0:
            raise InvalidInput(f"timeout must be > 0 seconds, got timeout={timeout}")
        if not memory > 0:
            raise InvalidInput(f"memory must be > 0 bytes, got memory={memory}")
        self._timeout = timeout
        self._memory = memory
        self._process: _Process | None = None

    def __enter__(self) -> "Worker":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def ask(self, accountant: Accountant, query: Query) -> Answer:
        """:func:`pldverify.accountants.accountant.ask` in the worker; a time-out or crash is a failure too.

        Raises as it does, and InvalidInput for an accountant of a class that the worker cannot import.
        """
        request = _request(accountant, query)
        start = time.perf_counter()
        try:
            if self._process is None:
                self._process = _Process(self._memory)
            frame = self._process.exchange(request, self._timeout)
            what = f"ended its process ({self._process.ending()})" if frame is None else ""
        except queue.Empty:
            frame, what = None, f"exceeded {self._timeout:g} s and was stopped"
        except BaseException:
            self.close()  # else a late answer would pass for the answer to the next query
            raise
        if frame is None:
            self.close()
            version = accountant.version()
            failure = SubjectFailure(f"{accountant.name} {version} {what}")
            return Answer(version, time.perf_counter() - start, failure=failure)
        answer: Answer | PldverifyError = pickle.loads(frame)
        if isinstance(answer, PldverifyError):
            raise answer
        return answer

    def close(self) -> None:
        """End the process, if there is one."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()


class _Process:
    """One run of :func:`pldverify.accountants.serve.serve`."""

    def __init__(self, memory: int) -> None:
        self._stderr = tempfile.TemporaryFile()  # noqa: SIM115 (closed by kill)
        self._frames: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        path = os.pathsep.join(entry or os.curdir for entry in sys.path)
        self._popen = subprocess.Popen(
            [sys.executable, "-P", "-c", _ENTRY.format(memory=memory)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._stderr,
            env={**os.environ, **_ONE_THREAD, "PYTHONPATH": path},
        )
        threading.Thread(target=_read_frames, args=(self._popen.stdout, self._frames), daemon=True).start()

    def exchange(self, request: bytes, timeout: float) -> bytes | None:
        """Send a request; the answer, or None if the process ended. Raises queue.Empty after timeout."""
        assert self._popen.stdin is not None  # opened as a pipe
        with contextlib.suppress(BrokenPipeError):  # then the reader sees the end of file
            pickle.dump(request, self._popen.stdin)
            self._popen.stdin.flush()
        return self._frames.get(timeout=timeout)

    def ending(self) -> str:
        """How the process ended, and its last words."""
        try:
            code = self._popen.wait(timeout=_SECONDS_TO_EXIT)
        except subprocess.TimeoutExpired:
            return "it closed its output"
        how = f"exit code {code}" if code >= 0 else f"signal {signal.Signals(-code).name}"
        self._stderr.seek(max(0, self._stderr.seek(0, os.SEEK_END) - _LAST_WORDS))
        lines = self._stderr.read().decode(errors="replace").split("\n")
        return f"{how}: {lines[-2]}" if len(lines) > 1 else how

    def kill(self) -> None:
        """End it now, and release its pipes."""
        self._popen.kill()
        self._popen.wait()
        self._stderr.close()
        for pipe in (self._popen.stdin, self._popen.stdout):
            assert pipe is not None  # opened as pipes
            with contextlib.suppress(BrokenPipeError):  # an unsent request
                pipe.close()


def _request(accountant: Accountant, query: Query) -> bytes:
    try:
        return pickle.dumps((accountant, query))
    except (AttributeError, TypeError, pickle.PicklingError) as error:
        raise InvalidInput(f"accountant must be importable by module and name: {error}") from None


def _read_frames(pipe: BinaryIO, frames: "queue.SimpleQueue[bytes | None]") -> None:
    """Hand on every frame, and None at the end. A thread, because pipes have no portable time-out."""
    try:
        while True:
            frames.put(pickle.load(pipe))
    except (EOFError, OSError, ValueError, pickle.UnpicklingError):
        frames.put(None)
