"""Panel: the accountants that are hunted, each in a worker with limits, judged by what is proved soon.

During the search no digits are asked for: the bracket of a third of a second decides, or nothing does. What
it decides is proved nevertheless.
"""

from collections import Counter
from collections.abc import Sequence
from functools import partial

from pldverify.accountants.accountant import Accountant
from pldverify.accountants.ask import Answer, refusal
from pldverify.accountants.worker import Limits, Worker
from pldverify.errors import NotSupported, SubjectFailure
from pldverify.hunt.grouping import shape
from pldverify.mechanisms.gaussian import Gaussian
from pldverify.mechanisms.query import Query
from pldverify.mechanisms.renyi_query import RenyiQuery
from pldverify.named import one_line
from pldverify.numbers.enclosure import Enclosure
from pldverify.rulings.check import finding
from pldverify.rulings.decide import Bracket, Truth
from pldverify.rulings.finding import Finding
from pldverify.values.truth import bracket, truth

_HANGS = 2
"""Time-outs of an accountant on questions of one shape, from which on it gets less time for them."""
_LESS = 4
"""Divisor of the time for questions of a shape that hangs."""
_MOST_BROKEN = 20
"""Errors of our own that are kept."""
_LOADING = 120.0
"""Seconds for a process to load a library."""
_BRACKET = partial(bracket, seconds=0.3)


class Panel:
    """A context manager; leaving it ends the processes.

    Attributes:
        subjects: by name.
        timeout: seconds for one answer.
        asked: how many questions were asked, by accountant.
        broken: a question on which pldverify itself raised, by what it raised.
    """

    def __init__(self, subjects: Sequence[Accountant], *, timeout: float, memory: int) -> None:
        self.subjects = {subject.name: subject for subject in subjects}
        self.timeout = timeout
        self.asked: Counter[str] = Counter()
        self.broken: dict[str, Query] = {}
        self._workers = {
            library: Worker(timeout=timeout, memory=memory)
            for library in {subject.library for subject in subjects}
        }
        self._loaded: set[str] = set()
        self._hangs: Counter[tuple[str, str]] = Counter()

    def __enter__(self) -> "Panel":
        return self

    def __exit__(self, *_: object) -> None:
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
        return self._judged(name, query, self._answer(name, query), _no_digits, _BRACKET)

    def confirm(self, name: str, query: Query) -> Finding:
        """What ``pv.check`` finds, with as many digits as it takes; asked alone in a new process, with larger
        limits and by processor time, so that neither our limits nor other questions are behind it.
        """
        subject = self.subjects[name]
        worker = self._workers[subject.library]
        worker.timeout = self.timeout  # of which the larger one is made
        self.asked[name] += 1
        return self._judged(name, query, worker.alone(subject, query), truth, bracket)

    def limits(self, name: str) -> Limits:
        """Those of what is asked again."""
        worker = self._workers[self.subjects[name].library]
        worker.timeout = self.timeout
        return worker.larger

    def _judged(self, name: str, query: Query, answer: Answer, digits: Truth, soon: Bracket) -> Finding:
        try:
            return finding(name, query, answer, digits, soon)
        except Exception as error:  # a bug in pldverify, which is told at the end and ends no hunt
            if len(self.broken) < _MOST_BROKEN:
                self.broken.setdefault(f"{type(error).__name__}: {one_line(error)}", query)
            return Finding(query, name, answer.version, answer.claim, None, "UNDECIDED", answer.seconds)

    def _answer(self, name: str, query: Query) -> Answer:
        subject = self.subjects[name]
        worker, kind = self._workers[subject.library], (name, shape(query))
        self._load(subject)
        worker.timeout = self.timeout / (_LESS if self._hangs[kind] >= _HANGS else 1)
        self.asked[name] += 1
        answer = worker.once(subject, query)
        if answer.failure is not None and answer.failure.kind in ("TIMED OUT", "CRASHED"):
            self._loaded.discard(subject.library)  # with its process
            self._hangs[kind] += answer.failure.kind == "TIMED OUT"
        return answer

    def _load(self, subject: Accountant) -> None:
        """Let a new process load the library before the clock of a question starts.

        A question of a class that it is not asked is refused as soon as the library is there.
        """
        if subject.library in self._loaded:
            return
        asks = getattr(subject, "asks", (Query,))
        strange = (
            RenyiQuery(Gaussian(1), order=2) if RenyiQuery not in asks else Query(Gaussian(1), epsilon=1)
        )
        if type(strange) not in asks:
            worker = self._workers[subject.library]
            worker.timeout = _LOADING
            worker.once(subject, strange)
        self._loaded.add(subject.library)


def _no_digits(query: Query, digits: int) -> Enclosure:
    raise NotSupported("only a bracket is asked for")
