"""Check: ask an accountant and the reference the same question."""

from pldverify.accountants.accountant import Accountant, Answer, ask
from pldverify.accountants.registry import accountant as registered
from pldverify.errors import NotSupported
from pldverify.judge.decide import DIGITS, Bracket, Truth, decide
from pldverify.judge.finding import Finding
from pldverify.judge.truth import bracket as reference_bracket
from pldverify.judge.truth import truth as reference_truth
from pldverify.mechanisms.query import Query
from pldverify.numbers.enclosure import Enclosure


def check(accountant: str | Accountant, query: Query) -> Finding:
    """Ask the accountant (by name, or the headline one of a library), judge its claim by the truth.

    A failure of the accountant is a finding: UNDECIDED, with its message as the reason. It is asked in this
    process, without limits; :func:`pldverify.judge.sweep.sweep` sets limits.

    Raises NotSupported where the adapter refuses the query, InvalidInput for an unknown name, MissingLibrary.
    """
    subject = registered(accountant) if isinstance(accountant, str) else accountant
    return finding(subject.name, query, ask(subject, query))


def finding(
    name: str,
    query: Query,
    answer: Answer,
    truth: Truth = reference_truth,
    bracket: Bracket = reference_bracket,
) -> Finding:
    """The finding on an answer that is already there.

    Beside the verdict it shows the digits that the ``bracket`` reaches in its time, or more where the verdict
    needs more.
    """
    if answer.claim is None:
        failure = answer.failure
        assert failure is not None  # an answer has exactly one of the two
        return Finding(
            query,
            name,
            answer.version,
            None,
            _shown(query, bracket),
            "UNDECIDED",
            answer.seconds,
            str(failure),
            failure.kind,
        )
    decision = decide(answer.claim, query, truth, bracket)
    return Finding(
        query,
        name,
        answer.version,
        None if decision.cause == "INVALID" else answer.claim,
        decision.truth if decision.digits else _shown(query, bracket),
        decision.verdict,
        answer.seconds,
        decision.reason,
        decision.cause,
    )


def _shown(query: Query, bracket: Bracket) -> Enclosure | None:
    """The truth, with the digits that are worth a second."""
    try:
        return bracket(query, lambda found: found.digits >= DIGITS[0])
    except NotSupported:
        return None
