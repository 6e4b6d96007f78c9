"""Check: ask an accountant and the reference the same question."""

from pldverify.accountants.accountant import Accountant, Answer, ask
from pldverify.accountants.registry import accountant as registered
from pldverify.judge.decide import Truth, decide, look_up
from pldverify.judge.finding import Finding
from pldverify.judge.truth import truth as reference_truth
from pldverify.mechanisms.query import Query


def check(accountant: str | Accountant, query: Query) -> Finding:
    """Ask the accountant (by name, or the headline one of a library), judge its claim by the truth.

    A failure of the accountant is a finding: UNDECIDED, with its message as the reason. It is asked in this
    process, without limits; :func:`pldverify.judge.sweep.sweep` sets limits.

    Raises NotSupported where the adapter refuses the query, InvalidInput for an unknown name, MissingLibrary.
    """
    subject = registered(accountant) if isinstance(accountant, str) else accountant
    return finding(subject.name, query, ask(subject, query))


def finding(name: str, query: Query, answer: Answer, truth: Truth = reference_truth) -> Finding:
    """The finding on an answer that is already there."""
    if answer.claim is None:
        failure = answer.failure
        assert failure is not None  # an answer has exactly one of the two
        return Finding(
            query,
            name,
            answer.version,
            None,
            look_up(query, truth),
            "UNDECIDED",
            answer.seconds,
            str(failure),
            failure.kind,
        )
    decision = decide(answer.claim, query, truth)
    return Finding(
        query,
        name,
        answer.version,
        None if decision.cause == "INVALID" else answer.claim,
        decision.truth,
        decision.verdict,
        answer.seconds,
        decision.reason,
        decision.cause,
    )
