"""Outside: an accountant that answers in a process of another environment, asked in the plain protocol.

``docs/accountant_protocol.md`` says what is spoken. The process is started for each question, and by
:class:`~pldverify.accountants.worker.Worker` once for many.
"""

import sys
from abc import abstractmethod

from pldverify.accountants import standalone
from pldverify.accountants.accountant import Accountant
from pldverify.accountants.ask import Answer
from pldverify.accountants.worker import Worker
from pldverify.errors import NotSupported
from pldverify.mechanisms.query import Query
from pldverify.numbers.claim import Claim, Direction


class Outside(Accountant):
    """Base of these accountants."""

    name: str
    library: str
    direction: Direction

    @abstractmethod
    def program(self, memory: int) -> tuple[str, ...] | None:
        """What is run within ``memory`` bytes to answer; None where this process can."""

    def outside(self, query: Query) -> Answer | None:
        """Ask once, within the limits of a :class:`Worker`; None where this process can answer."""
        if self.program(0) is None:
            return None
        with Worker() as worker:
            answer = worker.ask(self, query)
        failure = answer.failure
        if failure is not None and failure.kind == "REFUSED":
            failure.__cause__ = NotSupported(str(failure))
        return answer

    def claim(self, query: Query) -> Claim:
        """The answer. Raises NotSupported for a refusal, SubjectFailure for any other failure."""
        answer = self.outside(query) or self.here(query)
        if answer.claim is not None:
            return answer.claim
        assert answer.failure is not None  # an answer has exactly one of the two
        raise NotSupported(str(answer.failure)) if answer.failure.kind == "REFUSED" else answer.failure

    def here(self, query: Query) -> Answer:
        """Answer in this process, for what has no program."""
        raise NotImplementedError


def beside(python: str, memory: int, *arguments: str) -> tuple[str, ...]:
    """:mod:`~pldverify.accountants.standalone` run by the Python of an environment."""
    return python, "-I", standalone.__file__, str(memory), *arguments


def alone(memory: int, *program: str) -> tuple[str, ...]:
    """A program that speaks the protocol itself, within limits."""
    return beside(sys.executable, memory, "--", *program)
