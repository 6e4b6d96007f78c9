"""Panel: the accountants that are hunted, each in a worker with limits, judged by what is proved soon.

During the search no digits are asked for: the bracket of a third of a second decides, or nothing does. What
it decides is proved nevertheless.
"""

from collections import Counter
from collections.abc import Sequence
from functools import partial
from types import TracebackType

from pldverify.accountants.accountant import Accountant
from pldverify.accountants.ask import Answer, refusal
from pldverify.accountants.worker import Worker
from pldverify.errors import NotSupported, SubjectFailure
from pldverify.hunt.grouping import shape
from pldverify.judge.check import finding
from pldverify.judge.finding import Finding
from pldverify.judge.truth import bracket
from pldverify.mechanisms.query import Query
from pldverify.numbers.enclosure import Enclosure

_HANGS = 2
"""Time-outs of an accountant on questions of one shape, after which it gets less time for them."""
_LESS = 4
_BRACKET = partial(bracket, seconds=0.3)


class Panel:
    """A context manager; leaving it ends the processes.

    Attributes:
        subjects: by name.
        timeout: seconds for one answer.
        asked: how many questions were asked, by accountant.
    """

    def __init__(self, subjects: Sequence[Accountant], *, timeout: float, memory: int) -> None:
        self.subjects = {subject.name: subject for subject in subjects}
        self.timeout = timeout
        self.asked: Counter[str] = Counter()
        self._workers = {
            library: Worker(timeout=timeout, memory=memory)
            for library in {subject.library for subject in subjects}
        }
        self._hangs: Counter[tuple[str, str]] = Counter()

    def __enter__(self) -> "Panel":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for worker in self._workers.values():
            worker.close()

    def takes(self, name: str, query: Query) -> bool:
        """Whether the accountant says that it answers such a question."""
        try:
            return refusal(self.subjects[name], query) is None
        except SubjectFailure:
            return True

    def ask(self, name: str, query: Query) -> Finding:
        """What it says, judged by a bracket; UNDECIDED where that does not decide."""
        return finding(name, query, self._answer(name, query), _no_digits, _BRACKET)

    def confirm(self, name: str, query: Query) -> Finding:
        """What ``pv.check`` finds, with as many digits as it takes."""
        return finding(name, query, self._answer(name, query))

    def _answer(self, name: str, query: Query) -> Answer:
        subject = self.subjects[name]
        worker, kind = self._workers[subject.library], (name, shape(query))
        worker.timeout = self.timeout / (_LESS if self._hangs[kind] >= _HANGS else 1)
        self.asked[name] += 1
        answer = worker.ask(subject, query)
        self._hangs[kind] += answer.failure is not None and answer.failure.kind == "TIMED OUT"
        return answer


def _no_digits(query: Query, digits: int) -> Enclosure:
    raise NotSupported("only a bracket is asked for")
