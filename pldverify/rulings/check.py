"""Check: ask an accountant and the reference the same question."""

import math
from dataclasses import replace

from pldverify.accountants.accountant import Accountant, Asked
from pldverify.accountants.ask import Answer, ask_here
from pldverify.accountants.registry import accountant as subject_of
from pldverify.accountants.worker import GIB, Worker
from pldverify.errors import InvalidInput, NotSupported, SubjectFailure
from pldverify.mechanisms.query import Query
from pldverify.numbers.claim import Direction
from pldverify.numbers.enclosure import Enclosure
from pldverify.numbers.exact import Number, brief
from pldverify.rulings.decide import DIGITS, Bracket, Truth, decide
from pldverify.rulings.finding import Finding
from pldverify.rulings.soundness import Outcome
from pldverify.rulings.tightness import slack_in_epsilon
from pldverify.values.truth import bracket as reference_bracket
from pldverify.values.truth import truth as reference_truth


def check(
    accountant: str | Accountant | type[Accountant] | Asked,
    query: Query,
    *,
    direction: Direction | None = None,
    error: Number | None = None,
    timeout: float | None = None,
    memory: int | None = None,
) -> Finding:
    """Ask the accountant, judge its claim by the truth.

    Args:
        accountant: a name of ``pv.accountant_names()``, ``module:Class`` or ``file.py:Class``; a class or an
            object (see :class:`pldverify.Accountant`); or a function of a query that returns a number.
        direction: of a function: ``upper``, ``lower`` or ``estimate``.
        error: of a function that estimates: what it is wrong by at most, in the unit of its answer.
        timeout, memory: seconds and bytes for the answer, given in a process of its own. Without both it is
            asked in this process, without limits.

    Whatever the accountant does is a finding: REFUSED (the truth is not asked for), CRASHED, INVALID. Raises
    InvalidInput for what is no accountant or no query, or can't be sent to a process; MissingLibrary.

    >>> import pldverify as pv
    >>> query = pv.Query(pv.Gaussian(1), epsilon=1)
    >>> finding = pv.check(lambda query: 0.13, query, direction="upper")
    >>> finding.verdict, round(float(finding.slack), 4), round(float(finding.tightness), 3)
    ('SOUND', 0.0031, 0.017)
    >>> pv.check(lambda query: 0.12, query, direction="upper").severity
    'material'
    """
    if not isinstance(query, Query):
        raise InvalidInput(f"query must be a pv.Query, got {brief(query)}")
    subject = subject_of(accountant, direction, error)
    if timeout is None and memory is None:
        return finding(subject.name, query, ask_here(subject, query))
    seconds, size = 60 if timeout is None else timeout, 4 * GIB if memory is None else memory
    with Worker(timeout=seconds, memory=size) as worker:
        return finding(subject.name, query, worker.ask(subject, query))


def finding(
    name: str,
    query: Query,
    answer: Answer,
    truth: Truth = reference_truth,
    bracket: Bracket = reference_bracket,
) -> Finding:
    """The finding on an answer that is already there.

    Beside the verdict it shows the digits that the ``bracket`` reaches in its time, or more where the verdict
    needs more. Of a refusal nothing is asked.
    """
    if answer.claim is None:
        failure = answer.failure
        assert failure is not None  # an answer has exactly one of the two
        return _failed(name, query, answer, failure, bracket)
    decision = decide(answer.claim, query, truth, bracket)
    invalid, sound = decision.cause == "INVALID", decision.verdict == "SOUND"
    return Finding(
        query,
        name,
        answer.version,
        None if invalid else answer.claim,
        decision.truth if decision.digits else _shown(query, bracket),
        "INVALID" if invalid else decision.verdict,
        answer.seconds,
        decision.reason,
        decision.cause,
        decision.severity,
        slack_in_epsilon(answer.claim, query, bracket) if sound else None,
        replace(decision.value, upper=None) if decision.value.ends[1] == math.inf else decision.value,
    )


def _failed(name: str, query: Query, answer: Answer, failure: SubjectFailure, bracket: Bracket) -> Finding:
    kind = failure.kind
    outcome: Outcome = kind if kind == "REFUSED" or kind == "INVALID" else "CRASHED"  # or it was stopped
    known = None if outcome == "REFUSED" else _shown(query, bracket)
    version, seconds = answer.version, answer.seconds
    return Finding(query, name, version, None, known, outcome, seconds, str(failure), kind)


def _shown(query: Query, bracket: Bracket) -> Enclosure | None:
    """The truth, with the digits that are worth a second."""
    try:
        return bracket(query, lambda found: found.digits >= DIGITS[0])
    except NotSupported:
        return None
