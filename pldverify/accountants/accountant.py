"""Accountant: the interface of every subject under test, and the one way to ask it."""

import math
import time
from dataclasses import dataclass
from typing import Protocol

from pldverify.errors import InvalidInput, MissingLibrary, NotSupported, SubjectFailure
from pldverify.mechanisms.query import Query
from pldverify.numbers.claim import Claim, Direction

_MAX_MESSAGE = 300


class Accountant(Protocol):
    """A subject: float64, may be wrong, never repaired.

    Attributes:
        name: registry name, such as ``dp-accounting/pld``.
        library: the distribution that it comes from, such as ``dp-accounting``.
        direction: what its number is meant to be, ``upper``, ``lower`` or ``estimate``.
    """

    @property
    def name(self) -> str: ...

    @property
    def library(self) -> str: ...

    @property
    def direction(self) -> Direction: ...

    def version(self) -> str:
        """The library's version. Loads the library, so that :meth:`claim` is timed without it."""
        ...

    def supports(self, query: Query) -> str | None:
        """None if the query can be passed on unchanged, else one line that says why not."""
        ...

    def claim(self, query: Query) -> Claim:
        """The answer, with its settings in ``parameters``; raises whatever the subject raises."""
        ...


@dataclass(frozen=True)
class Answer:
    """What came back from asking once: a claim, or the subject's failure.

    Attributes:
        version: of the accountant's library.
        seconds: wall time of the claim alone, without loading the library.
        claim, failure: exactly one of them is not None.
    """

    version: str
    seconds: float
    claim: Claim | None = None
    failure: SubjectFailure | None = None


def ask(accountant: Accountant, query: Query) -> Answer:
    """Ask once. An exception or a non-number of the subject becomes ``Answer.failure``.

    Raises NotSupported where the accountant refuses the query, MissingLibrary and InvalidInput.
    """
    refusal = accountant.supports(query)
    if refusal is not None:
        raise NotSupported(f"{accountant.name} does not support {query}: {refusal}")
    version = accountant.version()
    source = f"{accountant.name} {version}"
    start = time.perf_counter()
    try:
        claim = accountant.claim(query)
        if not isinstance(claim, Claim) or not claim.value > -math.inf:
            raise SubjectFailure(f"{source} returned {claim!r}, which is not a claim")
    except (InvalidInput, MissingLibrary, NotSupported):
        raise
    except SubjectFailure as error:
        return Answer(version, time.perf_counter() - start, failure=error)
    except Exception as error:  # the subject may raise anything, and that is what it said
        failed = SubjectFailure(f"{source} raised {type(error).__name__}: {_one_line(error)}")
        return Answer(version, time.perf_counter() - start, failure=failed)
    return Answer(version, time.perf_counter() - start, claim=claim)


def _one_line(error: Exception) -> str:
    text = " ".join(str(error).split()) or "no message"
    return text if len(text) <= _MAX_MESSAGE else text[: _MAX_MESSAGE - 1] + "…"
