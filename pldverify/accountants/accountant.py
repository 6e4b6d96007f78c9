"""Accountant: the interface of every subject under test, and the one way to ask it."""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from typing import Protocol, get_args

from pldverify.errors import InvalidInput, MissingLibrary, NotSupported, SubjectFailure
from pldverify.mechanisms.query import Query
from pldverify.numbers.claim import Claim, Direction, Promise
from pldverify.numbers.exact import MAX_BITS

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
    answer = attempt(accountant, query)
    cause = None if answer.failure is None else answer.failure.__cause__
    if isinstance(cause, (InvalidInput, MissingLibrary, NotSupported)):
        raise cause
    return answer


def attempt(
    accountant: Accountant, query: Query, loaded: Callable[[str], None] = lambda version: None
) -> Answer:
    """Ask once. Whatever goes wrong, a refusal too, becomes ``Answer.failure``, its exception the cause.

    ``loaded`` is called with the version when the library is loaded, before the claim.
    """
    outside: Callable[[Query], Answer | None] = getattr(accountant, "outside", lambda query: None)
    if (answer := outside(query)) is not None:
        return answer
    version, start = "unknown", time.perf_counter()
    try:
        version = accountant.version()
        loaded(version)
        refusal = accountant.supports(query)
        if refusal is not None:
            raise NotSupported(f"{accountant.name} does not support {query}: {refusal}")
        start = time.perf_counter()
        claim = accountant.claim(query)
        wrong = flaw(claim)
        if wrong is not None:
            raise SubjectFailure(f"{accountant.name} {version} returned {wrong}, which is not a claim")
    except SubjectFailure as error:
        return Answer(version, time.perf_counter() - start, failure=error)
    except NotSupported as error:
        return _failed(version, start, error, SubjectFailure(str(error), "REFUSED"))
    except Exception as error:  # the subject may raise anything, and that is what it said
        said = f"{accountant.name} {version} raised {type(error).__name__}: {one_line(error)}"
        return _failed(version, start, error, SubjectFailure(said, "RAISED"))
    return Answer(version, time.perf_counter() - start, claim=claim)


def flaw(claim: object) -> str | None:
    """What an accountant returned instead of a claim, in a few words; None for a claim.

    A claim is a :class:`~pldverify.numbers.claim.Claim` of a number above −∞ that takes at most 14000 bits,
    with a direction, a source and settings in text, and a promise, if any, of finite numbers >= 0.
    """
    if type(claim) is not Claim:
        return f"a {type(claim).__name__}"
    if not _is_number(claim.value) or claim.value == -math.inf:
        return f"a claim of {one_line(claim.value)}"
    if claim.direction not in get_args(Direction):
        return "a claim without a direction"
    if not all(isinstance(text, str) for text in (claim.source, *chain(*claim.parameters.items()))):
        return "a claim whose source or settings are no text"
    promise = claim.promise
    if promise is not None and not (
        type(promise) is Promise
        and all(_is_number(error) and 0 <= error < math.inf for error in (promise.epsilon, promise.delta))
    ):
        return "a claim with a promise that promises nothing"
    return None


def one_line(said: object) -> str:
    """The text of what a subject said, on one line of printable characters, cut at 300 of them."""
    try:
        text = str(said)
    except Exception:  # the subject's own __str__, or an integer of too many digits
        return f"a {type(said).__name__} without a text"
    words = " ".join(text[: 10 * _MAX_MESSAGE].split()) or "no message"
    printable = "".join(letter if letter.isprintable() else "\ufffd" for letter in words)
    return printable if len(printable) <= _MAX_MESSAGE else printable[: _MAX_MESSAGE - 1] + "…"


def _is_number(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float | Fraction):
        return False
    if isinstance(value, float):
        return not math.isnan(value)
    return max(value.numerator.bit_length(), value.denominator.bit_length()) <= MAX_BITS


def _failed(version: str, start: float, cause: Exception, failure: SubjectFailure) -> Answer:
    failure.__cause__ = cause
    return Answer(version, time.perf_counter() - start, failure=failure)
