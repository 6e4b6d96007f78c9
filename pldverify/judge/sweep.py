"""Sweep: many queries, several accountants, each asked in a worker process with limits."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack

from pldverify.accountants.accountant import Accountant
from pldverify.accountants.registry import accountant as registered
from pldverify.accountants.worker import Worker
from pldverify.judge.check import finding
from pldverify.judge.finding import Finding
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
    Every library has a process of its own, so that none can change what another one says.
    ``on_finding`` is called with each finding before it is handed on.

    Raises InvalidInput for an unknown name and MissingLibrary, both before the first finding.
    """
    subjects = [registered(subject) if isinstance(subject, str) else subject for subject in accountants]
    workers = {subject.library: Worker(timeout=timeout) for subject in subjects}
    return _findings(subjects, queries, workers, on_finding)


def _findings(
    subjects: list[Accountant],
    queries: Iterable[Query],
    workers: Mapping[str, Worker],
    on_finding: Callable[[Finding], None] | None,
) -> Iterator[Finding]:
    with ExitStack() as stack:
        for worker in workers.values():
            stack.enter_context(worker)
        for query in queries:
            for subject in subjects:
                found = finding(subject.name, query, workers[subject.library].ask(subject, query))
                if on_finding is not None:
                    on_finding(found)
                yield found
