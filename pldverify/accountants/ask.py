"""Ask: the one way to put a query to an accountant. Whatever comes back is an answer."""

import errno
import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import chain
from numbers import Real
from typing import get_args

from pldverify.accountants.accountant import Accountant
from pldverify.errors import FailureKind, InvalidInput, SubjectFailure
from pldverify.mechanisms.query import PROBABILITIES, Query
from pldverify.named import one_line
from pldverify.numbers.claim import Claim, Direction, Promise
from pldverify.numbers.enclosure import Bound
from pldverify.numbers.exact import MAX_BITS, nonnegative, rational
from pldverify.numbers.presentation import number

UNKNOWN = "unknown"
"""The version of what has none."""


@dataclass(frozen=True)
class Answer:
    """What came back from asking once: a claim, or the subject's failure.

    Attributes:
        version: of the accountant's library.
        seconds: processor time of the claim alone, without loading the library, which no other load on the
            machine changes; wall time of what was stopped, and of a program that tells its own.
        claim, failure: exactly one of them is not None.
    """

    version: str
    seconds: float
    claim: Claim | None = None
    failure: SubjectFailure | None = None


def ask(accountant: Accountant, query: Query, loaded: Callable[[str], None] = lambda version: None) -> Answer:
    """Ask once. Whatever goes wrong, a refusal too, becomes ``Answer.failure``, its exception the cause.

    A number is a claim in the accountant's direction; NotImplementedError is a refusal. ``loaded`` is called
    with the version when the library is loaded, before the claim. Irrational numbers are handed over as
    fractions next to them, 2^−300 apart: an accountant rounds them anyway.

    >>> import pldverify as pv
    >>> from pldverify.accountants.ask import ask
    >>> half = pv.Accountant.of(lambda query: 0.5, direction="upper", name="half")
    >>> ask(half, pv.Query(pv.Gaussian(1), epsilon=1)).claim.value
    Fraction(1, 2)
    """
    query = query.middle()
    outside: Callable[[Query], Answer | None] = getattr(accountant, "outside", lambda query: None)
    if (answer := outside(query)) is not None:
        return answer
    version, start = UNKNOWN, time.process_time()
    try:
        version = accountant.version()
        loaded(version)
        reason = refusal(accountant, query)
        if reason is not None:
            raise NotImplementedError(reason)
        start = time.process_time()
        claim = _claim(accountant, version, query)
        wrong = flaw(claim, query)
        if wrong is not None:
            raise SubjectFailure(f"{speaker(accountant, version)} returned {wrong}, which is not a claim")
        if claim.direction != accountant.direction:
            said = f"{speaker(accountant, version)} returned a claim of direction {claim.direction}"
            raise SubjectFailure(f"{said}, and its own is {accountant.direction}")
    except SubjectFailure as error:
        return Answer(version, time.process_time() - start, failure=error)
    except NotImplementedError as error:
        told = f"{accountant.name} does not support this: {one_line(error)}"
        return _failed(version, start, error, SubjectFailure(told, "REFUSED"))
    except Exception as error:  # the subject may raise anything, and that is what it said
        told = f"{speaker(accountant, version)} raised {type(error).__name__}: {one_line(error)}"
        return _failed(version, start, error, SubjectFailure(told, _kind(error)))
    return Answer(version, time.process_time() - start, claim=claim.exact)


def ask_here(accountant: Accountant, query: Query) -> Answer:
    """:func:`ask` in this process, which an accountant does not end.

    >>> import sys
    >>> import pldverify as pv
    >>> from pldverify.accountants.ask import ask_here
    >>> leaves = pv.Accountant.of(lambda query: sys.exit(3), direction="upper", name="leaves")
    >>> str(ask_here(leaves, pv.Query(pv.Gaussian(1), epsilon=1)).failure)
    'leaves would have ended its process (exit code 3)'
    """
    start = time.process_time()
    try:
        return ask(accountant, query)
    except SystemExit as error:
        told = f"{accountant.name} would have ended its process (exit code {one_line(error.code)})"
        failure = SubjectFailure(told, "CRASHED")
        failure.__cause__ = error
        return Answer(UNKNOWN, time.process_time() - start, failure=failure)


def refusal(accountant: Accountant, query: Query) -> str | None:
    """Why the accountant is not asked: it has no answer to such a query, or it says so itself; None if it is.
    Raises SubjectFailure, kind INVALID, for a ``supports`` that returns something else.

    >>> import pldverify as pv
    >>> from pldverify.accountants.ask import refusal
    >>> from pldverify.mechanisms.renyi_query import RenyiQuery
    >>> half = pv.Accountant.of(lambda query: 0.5, direction="upper", name="half")
    >>> refusal(half, RenyiQuery(pv.Gaussian(1), order=2))
    'it is not asked for the quantity rdp'
    """
    if type(query) not in getattr(accountant, "asks", (Query,)):
        return f"it is not asked for the quantity {query.quantity}"
    reason: object = accountant.supports(query)
    if reason is None or isinstance(reason, str):
        return reason
    told = f"{accountant.name} returned {one_line(reason)} from supports, which says None or why not"
    raise SubjectFailure(f"{told}, in a text")


def speaker(accountant: Accountant, version: str) -> str:
    """Who said something: the name, with the version if there is one.

    >>> import pldverify as pv
    >>> from pldverify.accountants.ask import speaker
    >>> half = pv.Accountant.of(lambda query: 0.5, direction="upper", name="half")
    >>> speaker(half, "1.0"), speaker(half, "unknown")
    ('half 1.0', 'half')
    """
    return accountant.name if version == UNKNOWN else f"{accountant.name} {version}"


def flaw(claim: object, query: Query | None = None) -> str | None:
    """What an accountant returned instead of a claim, in a few words; None for a claim.

    A claim is a :class:`~pldverify.numbers.claim.Claim` of a number above −∞ that takes at most 14000 bits,
    with a direction, a source and settings in text, and a promise, if any, of finite numbers >= 0. No δ,
    and no other probability, is infinite.
    """
    if type(claim) is not Claim:
        return f"a {type(claim).__name__}"
    if not _is_number(claim.value) or claim.value == -math.inf:
        return f"a claim of {one_line(claim.value)}"
    if claim.value == math.inf and query is not None and query.quantity in PROBABILITIES:
        return f"a {'δ' if query.quantity == 'delta' else 'probability'} of inf"
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


def impossible(claim: Claim, query: Query) -> str | None:
    """What is impossible of a claimed number, though it may be a true bound; None if nothing is.

    >>> import pldverify as pv
    >>> from pldverify.accountants.ask import impossible
    >>> impossible(pv.Claim(1 + 2**-52, "upper", "an FFT"), pv.Query(pv.Gaussian(1), epsilon=1))
    'no probability is 1.0000000000000002, above 1'
    """
    if claim.value < 0:
        return f"no answer is {number(claim.value)}, below 0"
    if claim.value > 1 and query.quantity in PROBABILITIES:
        return f"no probability is {number(claim.value)}, above 1"
    return None


def _claim(accountant: Accountant, version: str, query: Query) -> Claim:
    """What the accountant claims, its number exactly. Raises what it raises, SubjectFailure for no number."""
    said: object = accountant.claim(query)
    if isinstance(said, Claim):
        return said
    source = speaker(accountant, version)
    value = _number(said)
    if value is None:
        shown = one_line(said) if _is_real(said) else f"a {type(said).__name__}"
        raise SubjectFailure(f"{source} returned {shown}, which is not a claim")
    return Claim(value, accountant.direction, source, {}, _promise(accountant, query))


def _promise(accountant: Accountant, query: Query) -> Promise | None:
    if getattr(accountant, "error", None) is None:
        return None
    return promise_of(nonnegative(accountant.error, "error"), query)


def promise_of(error: Fraction, query: Query) -> Promise:
    """An error of the number that is asked for, in its unit."""
    return Promise(Fraction(0), error) if query.quantity in PROBABILITIES else Promise(error, Fraction(0))


def _number(said: object) -> Bound | None:
    """The exact number that was returned, of whatever library; None for what is none, NaN and −∞."""
    if isinstance(said, str):
        return None
    try:
        return rational(said, "claim")
    except InvalidInput:
        pass
    try:
        return math.inf if _is_real(said) and said == math.inf else None
    except ArithmeticError:  # a signalling NaN
        return None


def _is_real(said: object) -> bool:
    return isinstance(said, Real | Decimal) and not isinstance(said, bool)


def _is_number(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float | Fraction):
        return False
    if isinstance(value, float):
        return not math.isnan(value)
    return max(value.numerator.bit_length(), value.denominator.bit_length()) <= MAX_BITS


def _kind(error: BaseException | None) -> FailureKind:
    """RAISED, or OUT OF MEMORY where that is behind it."""
    while error is not None:
        if isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno == errno.ENOMEM):
            return "OUT OF MEMORY"
        error = error.__cause__ or error.__context__
    return "RAISED"


def _failed(version: str, start: float, cause: Exception, failure: SubjectFailure) -> Answer:
    failure.__cause__ = cause
    return Answer(version, time.process_time() - start, failure=failure)
