"""Sweep: many queries, several accountants, each asked in a worker process with limits."""

from collections.abc import Callable, Iterable, Iterator

from pldverify.accountants.accountant import Accountant
from pldverify.accountants.registry import accountant as registered
from pldverify.accountants.worker import Worker
from pldverify.compare.check import finding
from pldverify.compare.decide import look_up
from pldverify.compare.finding import Finding
from pldverify.errors import NotSupported
from pldverify.mechanisms.query import Query


def sweep(
    accountants: Iterable[str | Accountant],
    queries: Iterable[Query],
    *,
    timeout: float = 60,
    on_finding: Callable[[Finding], None] | None = None,
) -> Iterator[Finding]:
    """Ask every accountant every query; one finding for each pair, query by query, as they come.

    Nothing is skipped: a refusal, an exception, a NaN, a time-out (``timeout`` seconds for one answer) or
    a crash is an UNDECIDED finding that says so. The truth of a query is computed once for all accountants.
    ``on_finding`` is called with each finding before it is handed on.

    Raises InvalidInput for an unknown name and MissingLibrary, both before the first finding.
    """
    subjects = [registered(subject) if isinstance(subject, str) else subject for subject in accountants]
    return _findings(subjects, queries, Worker(timeout=timeout), on_finding)


def _findings(
    subjects: list[Accountant],
    queries: Iterable[Query],
    worker: Worker,
    on_finding: Callable[[Finding], None] | None,
) -> Iterator[Finding]:
    with worker:
        for query in queries:
            for subject in subjects:
                found = _finding(worker, subject, query)
                if on_finding is not None:
                    on_finding(found)
                yield found


def _finding(worker: Worker, subject: Accountant, query: Query) -> Finding:
    try:
        answer = worker.ask(subject, query)
    except NotSupported as refusal:
        truth = look_up(query)
        return Finding(query, subject.name, subject.version(), None, truth, "UNDECIDED", 0.0, str(refusal))
    return finding(subject.name, query, answer)
