"""Worker: asks accountants in a process of their own, with a time and a memory limit.

Some calls need several GB, some never return, and nobody has read what a library runs. The worker is a fresh
interpreter (nothing is forked) that lives from query to query, so that a library is imported once; after a
failure of the process the next query gets a new one. It is started without ``multiprocessing``, whose spawn
method runs the caller's main module again. Questions and answers are bounded JSON
(:mod:`pldverify.accountants.worker.frames`); what a library prints goes nowhere, but the last line on
standard error is quoted if the process dies.

The memory limit is RLIMIT_AS, the address space, where the system has it. Address space is more than memory
in use: numpy and scipy map a quarter of a GiB before they compute anything, and BLAS reserves more for every
thread (the worker gives it one). 4 GiB leaves an accountant well over 3 GiB of arrays.
"""

from itertools import count
from time import perf_counter
from types import TracebackType

from pldverify.accountants.accountant import Accountant
from pldverify.accountants.ask import UNKNOWN, Answer, speaker
from pldverify.accountants.worker import messages
from pldverify.accountants.worker.process import Process
from pldverify.errors import InvalidInput, NotSupported, SubjectFailure
from pldverify.mechanisms.query import Query

GIB = 2**30


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
        try:
            question = messages.question(number, accountant, query)
        except NotSupported as refusal:
            return _failed(accountant, UNKNOWN, 0.0, SubjectFailure(str(refusal), "REFUSED"))
        start = perf_counter()
        version = UNKNOWN
        try:
            self._process = self._process or _started(self.memory)
            for message in self._process.exchange(question, self.timeout):
                said = messages.answered(message, number, version)
                if isinstance(said, Answer):
                    return said
                version = said
            raise SubjectFailure("named its version twice", "INVALID")
        except SubjectFailure as failure:
            self.close()
            return _failed(accountant, version, perf_counter() - start, failure)
        except BaseException:
            self.close()  # else a late answer would stand before the answer to the next query
            raise

    def close(self) -> None:
        """End the process, if there is one."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()


def _started(memory: int) -> Process:
    try:
        return Process(memory)
    except OSError as error:  # a subject's children may have taken all processes that there are
        raise SubjectFailure(f"had no process: {error}", "CRASHED") from None


def _failed(accountant: Accountant, version: str, seconds: float, failure: SubjectFailure) -> Answer:
    told = f"{speaker(accountant, version)} {failure}"
    return Answer(version, seconds, failure=SubjectFailure(told, failure.kind))
