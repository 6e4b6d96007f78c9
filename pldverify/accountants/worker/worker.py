"""Worker: asks accountants in a process of their own, with a time and a memory limit.

Some calls need several GB, some never return, and nobody has read what a library runs. The worker is a fresh
interpreter (nothing is forked) that lives from query to query, so that a library is imported once; after a
failure of the process the next query gets a new one. It is started without ``multiprocessing``, whose spawn
method runs the caller's main module again. Questions and answers are bounded JSON
(:mod:`pldverify.accountants.worker.lines`); what a library prints goes nowhere, but the last line on
standard error is quoted if the process dies.

An accountant that is a program, or stands beside a library in another environment, says by ``program`` what
is to be run, and is asked in the plain protocol (:mod:`pldverify.accountants.outside`). All others run in our
own environment.

Our own limits accuse nobody: what a limit may have ended is asked again, alone in a process with a larger
one, and its time is then processor time, which a busy machine does not use up.

The memory limit is RLIMIT_AS, the address space, where the system has it. Address space is more than memory
in use: numpy and scipy map a quarter of a GiB before they compute anything, and BLAS reserves more for every
thread (the worker gives it one). 4 GiB leaves an accountant well over 3 GiB of arrays.
"""

import math
import os
import sys
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import count
from time import perf_counter
from types import TracebackType
from typing import cast

from pldverify.accountants.accountant import Accountant
from pldverify.accountants.ask import UNKNOWN, Answer, speaker
from pldverify.accountants.worker import messages
from pldverify.accountants.worker.process import Process
from pldverify.errors import FailureKind, InvalidInput, NotSupported, SubjectFailure
from pldverify.mechanisms.query import Query

GIB = 2**30
"""Bytes of a gibibyte."""
_MORE = 4
"""Factor on the limits of a question that is asked again."""
_WAITS = 2
"""Ratio of the limit on wall time to that on processor time: beyond it a process waits for something."""
_LIMITED: tuple[FailureKind, ...] = ("TIMED OUT", "OUT OF MEMORY", "CRASHED")
"""What a limit may be behind; a library without memory may end its process."""
_OURS = "from pldverify.accountants.worker.serve import serve; serve({memory})"


@dataclass(frozen=True)
class Limits:
    """The larger limits, for what is asked again.

    Attributes:
        processor, clock: seconds of processor time, and on the clock.
        memory: address space in bytes.
    """

    processor: int
    clock: int
    memory: int


class Worker:
    """A context manager; leaving it, also by Ctrl-C, ends the process.

    Attributes:
        timeout: wall seconds for one answer, starting the process and loading the library included; four
            times as many of processor time where it is asked again.
        memory: address space in bytes; four times as many where it is asked again, and the machine has them.

    Raises InvalidInput unless both are > 0.
    """

    def __init__(self, *, timeout: float = 60, memory: int = 4 * GIB, processor: int | None = None) -> None:
        """``processor`` is how many seconds of processor time the process may use, starting included."""
        if not timeout > 0:
            raise InvalidInput(f"timeout must be > 0 seconds, got timeout={timeout}")
        if not memory > 0:
            raise InvalidInput(f"memory must be > 0 bytes, got memory={memory}")
        self.timeout = timeout
        self.memory = memory
        self._processor = processor
        self._process: Process | None = None
        self._runs: tuple[str, ...] | None = None
        self._numbers = count()

    def __enter__(self) -> "Worker":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def ask(self, accountant: Accountant, query: Query) -> Answer:
        """:func:`pldverify.accountants.ask.ask` in the worker: whatever goes wrong is a failure.

        A failure that our limits may be behind is told only if it comes again :meth:`alone`. Raises
        InvalidInput for an accountant of a class that the worker cannot import.
        """
        first = self.once(accountant, query)
        if first.failure is None or first.failure.kind not in _LIMITED:
            return first
        self.close()
        second = self.alone(accountant, query)
        if second.failure is None or second.failure.kind in ("REFUSED", "RAISED", "INVALID"):
            return second
        told = f"{first.failure}; asked again, alone and with larger limits: {second.failure}"
        return replace(second, failure=SubjectFailure(told, second.failure.kind))

    def alone(self, accountant: Accountant, query: Query) -> Answer:
        """Ask in a new process with larger limits, by processor time. Raises InvalidInput as :meth:`ask`."""
        larger = self.larger
        with Worker(timeout=larger.clock, memory=larger.memory, processor=larger.processor) as worker:
            return worker.once(accountant, query)

    @property
    def larger(self) -> Limits:
        """For what is asked again."""
        processor = math.ceil(_MORE * self.timeout)
        return Limits(processor, _WAITS * processor, _more(self.memory))

    def once(self, accountant: Accountant, query: Query) -> Answer:
        """Ask within the limits, and tell what comes of it. Raises InvalidInput as :meth:`ask`."""
        number = next(self._numbers)
        program = _program(accountant, self.memory)
        try:
            question = (
                messages.question(number, accountant, query)
                if program is None
                else messages.plain_question(number, accountant.name, query)
            )
        except NotSupported as refusal:
            return _failed(accountant, UNKNOWN, 0.0, SubjectFailure(str(refusal), "REFUSED"))
        start = perf_counter()
        version = UNKNOWN
        try:
            for message in self._running(program).exchange(question, self.timeout):
                seconds = perf_counter() - start
                said = messages.answered(message, number, accountant, version, seconds)
                if isinstance(said, Answer):
                    return self._named(said if program is None else messages.told(accountant, query, said))
                version = said
            raise SubjectFailure("named its version twice", "INVALID")
        except SubjectFailure as failure:
            self.close()
            return _failed(accountant, version, perf_counter() - start, failure)
        except BaseException:
            self.close()  # else a late answer would stand before the answer to the next query
            raise

    def _running(self, program: tuple[str, ...] | None) -> Process:
        """The process of a program, None for ours; that of another program ends. Raises SubjectFailure."""
        if self._process is None or program != self._runs:
            self.close()
            self._process = _started(program, self.memory, self._processor)
            self._runs = program
        return self._process

    def _named(self, answer: Answer) -> Answer:
        """The answer; what is out of memory names the limit."""
        failure = answer.failure
        if failure is None or failure.kind != "OUT OF MEMORY":
            return answer
        told = f"{failure}, within our limit of {self.memory / GIB:.3g} GiB of memory"
        return replace(answer, failure=SubjectFailure(told, failure.kind))

    def close(self) -> None:
        """End the process, if there is one."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()


def _program(accountant: Accountant, memory: int) -> tuple[str, ...] | None:
    """What is to be run for an accountant, None for our own environment."""
    program = getattr(accountant, "program", None)
    return None if program is None else cast("tuple[str, ...] | None", program(memory))


def _more(memory: int) -> int:
    """A larger limit, as far as the machine has the memory, where the system says how much that is."""
    most = math.inf
    with suppress(AttributeError, ValueError, OSError):
        most = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return max(memory, int(min(_MORE * memory, most)))


def _started(program: tuple[str, ...] | None, memory: int, processor: int | None) -> Process:
    try:
        if program is not None:
            return Process(program, {}, processor)
        path = os.pathsep.join(entry or os.curdir for entry in sys.path)
        ours = (sys.executable, "-P", "-c", _OURS.format(memory=memory))
        return Process(ours, {"PYTHONPATH": path}, processor)
    except OSError as error:  # a subject's children may have taken all processes that there are
        raise SubjectFailure(f"had no process: {error}", "CRASHED") from None


def _failed(accountant: Accountant, version: str, seconds: float, failure: SubjectFailure) -> Answer:
    told = f"{speaker(accountant, version)} {failure}"
    return Answer(version, seconds, failure=SubjectFailure(told, failure.kind))
