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

The memory limit is RLIMIT_AS, the address space, where the system has it. Address space is more than memory
in use: numpy and scipy map a quarter of a GiB before they compute anything, and BLAS reserves more for every
thread (the worker gives it one). 4 GiB leaves an accountant well over 3 GiB of arrays.
"""

import os
import sys
from itertools import count
from time import perf_counter
from types import TracebackType
from typing import cast

from pldverify.accountants.accountant import Accountant
from pldverify.accountants.ask import UNKNOWN, Answer, speaker
from pldverify.accountants.worker import messages
from pldverify.accountants.worker.process import Process
from pldverify.errors import InvalidInput, NotSupported, SubjectFailure
from pldverify.mechanisms.query import Query

GIB = 2**30
_OURS = "from pldverify.accountants.worker.serve import serve; serve({memory})"


class Worker:
    """A context manager; leaving it, also by Ctrl-C, ends the process.

    Attributes:
        timeout: wall seconds for one answer, starting the process and loading the library included.
        memory: address space in bytes.

    Raises InvalidInput unless both are > 0.
    """

    def __init__(self, *, timeout: float = 60, memory: int = 4 * GIB) -> None:
        if not timeout > 0:
            raise InvalidInput(f"timeout must be > 0 seconds, got timeout={timeout}")
        if not memory > 0:
            raise InvalidInput(f"memory must be > 0 bytes, got memory={memory}")
        self.timeout = timeout
        self.memory = memory
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

        Raises InvalidInput for an accountant of a class that the worker cannot import.
        """
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
                    return said if program is None else messages.told(accountant, query, said)
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
            self._process, self._runs = _started(program, self.memory), program
        return self._process

    def close(self) -> None:
        """End the process, if there is one."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()


def _program(accountant: Accountant, memory: int) -> tuple[str, ...] | None:
    """What is to be run for an accountant, None for our own environment."""
    program = getattr(accountant, "program", None)
    return None if program is None else cast("tuple[str, ...] | None", program(memory))


def _started(program: tuple[str, ...] | None, memory: int) -> Process:
    try:
        if program is not None:
            return Process(program, {})
        path = os.pathsep.join(entry or os.curdir for entry in sys.path)
        return Process((sys.executable, "-P", "-c", _OURS.format(memory=memory)), {"PYTHONPATH": path})
    except OSError as error:  # a subject's children may have taken all processes that there are
        raise SubjectFailure(f"had no process: {error}", "CRASHED") from None


def _failed(accountant: Accountant, version: str, seconds: float, failure: SubjectFailure) -> Answer:
    told = f"{speaker(accountant, version)} {failure}"
    return Answer(version, seconds, failure=SubjectFailure(told, failure.kind))
