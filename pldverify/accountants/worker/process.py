"""Process: a program that answers questions line by line, and the three pipes to it.

What comes out of the pipes is not trusted: a question takes at most two lines of bounded size, of standard
error only the end is kept, and everything waits at most until a deadline. Pipes have no portable time-out, so
threads read them. The process leads a session of its own, and what it has started ends with it; what has left
that session may live on, but nobody listens to it.
"""

import contextlib
import os
import queue
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from time import monotonic
from typing import IO

from pldverify.accountants.standalone import PROCESSOR
from pldverify.accountants.worker.lines import Lines, Message
from pldverify.errors import SubjectFailure
from pldverify.named import one_line

LINES = 2
"""Lines of one answer: first the version, then the claim or the failure."""

_ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
_SECONDS_TO_EXIT = 5.0
"""How long the end of a process is waited for, in seconds."""
_SECONDS_TO_CLOSE = 1.0
"""How long a thread is waited for that reads or writes a pipe of an ended process, in seconds."""
_SECONDS_TO_NOTICE = 0.5
"""Seconds between two looks whether the process still runs."""
_LAST_WORDS = 1000
"""Bytes of the end of standard error that are kept."""
_CHUNK = 2**16
"""Bytes of standard error read at once."""

Heard = Message | SubjectFailure | None
"""A message, what is wrong with one, or None for the end of the process."""


class Process:
    """Starts at once. Use :meth:`exchange` until it raises, then :meth:`kill`."""

    def __init__(
        self, program: Sequence[str], environment: Mapping[str, str], processor: int | None = None
    ) -> None:
        """``processor`` is how many seconds of processor time it may use in all."""
        limit = {} if processor is None else {PROCESSOR: str(processor)}
        self._popen = subprocess.Popen(
            program,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
            env={**os.environ, **_ONE_THREAD, **environment, **limit},
        )
        self._processor = processor
        self._lines = Lines(self._pipes[1])
        self._closing = threading.Event()
        self._last_words = b""
        self._listener = _start(self._listen)
        self._talker: threading.Thread | None = None

    def exchange(self, question: bytes, timeout: float) -> Iterator[Message]:
        """Send a question, and hand on what is said until ``timeout`` seconds have passed.

        Raises SubjectFailure: TIMED OUT, OUT OF PROCESSOR TIME, CRASHED if the process ended otherwise,
        INVALID for what is no answer.
        """
        heard: queue.SimpleQueue[Heard] = queue.SimpleQueue()
        self._talker = _start(self._talk, question, heard)
        deadline = monotonic() + timeout
        for _ in range(LINES):
            try:
                said = self._next(heard, deadline)
            except queue.Empty:
                raise SubjectFailure(f"gave no answer within {self._limit(timeout)}", "TIMED OUT") from None
            if said is None:
                raise self._ended()
            if isinstance(said, SubjectFailure):
                raise said
            yield said

    def kill(self) -> None:
        """End it now with all that it has started, and release its pipes."""
        self._closing.set()
        if hasattr(os, "killpg"):  # the number of a group stays taken while a member lives
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._popen.pid, signal.SIGKILL)
        self._popen.kill()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._popen.wait(_SECONDS_TO_EXIT)
        self._listener.join(_SECONDS_TO_CLOSE)
        if self._talker is not None:
            self._talker.join(_SECONDS_TO_CLOSE)
        if self._talker is None or not self._talker.is_alive():  # else it closes them when it ends
            self._close()

    def _next(self, heard: "queue.SimpleQueue[Heard]", deadline: float) -> Heard:
        """What is heard next. A process may end while its children hold its pipes open: then None."""
        while self._popen.poll() is None:
            wait = deadline - monotonic()
            with contextlib.suppress(queue.Empty):
                return heard.get(timeout=min(max(0.0, wait), _SECONDS_TO_NOTICE))
            if wait <= 0:
                raise queue.Empty
        try:
            return heard.get(timeout=_SECONDS_TO_CLOSE)
        except queue.Empty:
            return None

    def _limit(self, timeout: float) -> str:
        if self._processor is None:
            return f"our limit of {timeout:g} s"
        return f"our limit of {timeout:g} s, and used less than {self._processor} s of processor time"

    def _ended(self) -> SubjectFailure:
        how = self._ending()
        if self._processor is not None and _signal(-(self._popen.returncode or 0)) == "SIGXCPU":
            told = f"gave no answer within our limit of {self._processor} s of processor time"
            return SubjectFailure(told, "OUT OF PROCESSOR TIME")
        return SubjectFailure(f"ended its process ({how})", "CRASHED")

    def _ending(self) -> str:
        """How the process ended, and its last words."""
        try:
            code = self._popen.wait(timeout=_SECONDS_TO_EXIT)
        except subprocess.TimeoutExpired:
            return "it closed its output"
        how = f"exit code {code}" if code >= 0 else f"signal {_signal(-code)}"
        self._listener.join(_SECONDS_TO_CLOSE)
        lines = self._last_words.decode(errors="replace").split("\n")
        return f"{how}: {one_line(lines[-2])}" if len(lines) > 1 else how

    def _talk(self, question: bytes, heard: "queue.SimpleQueue[Heard]") -> None:
        """Send the question, and put what is said, up to the end of the answer."""
        with contextlib.suppress(OSError):  # then the reading sees the end of the file
            self._send(question)
        try:
            for _ in range(LINES):
                message = self._lines.read()
                heard.put(message)
                if message is None or message.get("kind") != "loaded":
                    break
        except SubjectFailure as failure:
            heard.put(failure)
        except OSError:
            heard.put(None)
        if self._closing.is_set():
            self._close()

    def _send(self, question: bytes) -> None:
        rest = memoryview(question)
        while rest:
            rest = rest[self._pipes[0].write(rest) or 0 :]

    def _listen(self) -> None:
        """Keep the end of standard error; all of it is read, or the process would wait for a reader."""
        _, _, stderr = self._pipes
        with stderr, contextlib.suppress(OSError):
            while (part := stderr.read(_CHUNK)) and not self._closing.is_set():
                self._last_words = (self._last_words + part)[-_LAST_WORDS:]

    def _close(self) -> None:
        stdin, stdout, _ = self._pipes
        stdin.close()
        stdout.close()

    @property
    def _pipes(self) -> tuple[IO[bytes], IO[bytes], IO[bytes]]:
        popen = self._popen
        assert popen.stdin and popen.stdout and popen.stderr  # opened as pipes
        return popen.stdin, popen.stdout, popen.stderr


def _start(target: Callable[..., None], *arguments: object) -> threading.Thread:
    thread = threading.Thread(target=target, args=arguments, daemon=True)
    thread.start()
    return thread


def _signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:  # a real-time signal
        return str(number)
