"""Random questions as users ask them, family by family: decided or not, processor time, memory, and the peer.

    python -m benchmarks.realistic --store FILE [--questions N] [--family NAME] [--seed S] [--digits 6|12]
                                   [--seconds S] [--workers W]
    python -m benchmarks.realistic --store FILE --peers [...]
    python -m benchmarks.realistic --store FILE --report [--csv FILE] [--worst N] [...]

The questions are those of :mod:`benchmarks.questions`. Each is asked in a process of its own
(:mod:`benchmarks.isolated`) with all modules imported; seconds are processor time of ``pv.epsilon`` alone.
It is *decided* when ε has the digits asked. A bracket is asked for in another process, for at most a second.

``--peers`` is a second, dear pass: dp-accounting is asked the same, at its default discretisation interval
and at the one that it needs (:mod:`benchmarks.peers`). A question that no interval settles within the limits
is "not reached", counted apart.

Every answer is a row of the store, an SQLite file, as soon as it is known: a run that was stopped goes on.
"""

import argparse
import csv
import dataclasses
import math
import sqlite3
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import Any

from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress, TimeRemainingColumn

import pldverify as pv
from benchmarks import peers
from benchmarks.isolated import Outcome, alone, spread
from benchmarks.questions import FAMILIES, Name, Question, question
from benchmarks.regimes import rounded
from pldverify.balls.clock import SECONDS, clock
from pldverify.numbers.enclosure import Bound

GRACE = 10.0
"""Processor seconds beyond the limit after which a child is killed: not every loop looks at the clock."""
BRACKET_SECONDS, BRACKET_WIDTH = 1.0, 0.1
BRACKET_ASKED = 0.9
"""Processor seconds that are asked for: what has begun is ended."""
SMALL = Fraction(1, 1000)
"""Relative widths are relative to ε, or to this where ε is smaller."""


@dataclass(frozen=True)
class Answer:
    """pldverify's answer to a question; numbers are decimals, ends rounded outward, empty where unknown."""

    family: str
    seed: int
    number: int
    digits: int
    status: str
    engine: str = ""
    seconds: float = 0.0
    mebibytes: float = 0.0
    lower: str = ""
    upper: str = ""
    reason: str = ""
    bracket_seconds: float | None = None
    bracket_width: float | None = None

    @property
    def name(self) -> Name:
        return Name(self.family, self.seed, self.number)

    @property
    def decided(self) -> bool:
        return self.status == "decided"


Key = tuple[str, int, int]


# the store


class Store:
    """Answers, and the peer's attempts, in an SQLite file."""

    def __init__(self, path: Path) -> None:
        self.connection = sqlite3.connect(path)
        for table, row, key in (
            ("answers", Answer, "family, seed, number, digits"),
            ("attempts", peers.Attempt, "family, seed, number, interval"),
        ):
            columns = ", ".join(field.name for field in dataclasses.fields(row))
            self.connection.execute(f"CREATE TABLE IF NOT EXISTS {table} ({columns}, PRIMARY KEY ({key}))")

    def close(self) -> None:
        self.connection.close()

    def add(self, *rows: Answer | peers.Attempt) -> None:
        """Write rows, all or none."""
        with self.connection:
            for row in rows:
                table = "answers" if isinstance(row, Answer) else "attempts"
                values = dataclasses.astuple(row)
                marks = ", ".join("?" * len(values))
                self.connection.execute(f"INSERT OR REPLACE INTO {table} VALUES ({marks})", values)

    def answers(self, digits: int) -> list[Answer]:
        """All answers to so many digits."""
        order = "SELECT * FROM answers WHERE digits = ? ORDER BY family, seed, number"
        return [Answer(*row) for row in self.connection.execute(order, (digits,))]

    def attempts(self) -> dict[Key, list[peers.Attempt]]:
        """The peer's attempts by question, the coarsest interval first."""
        found: dict[Key, list[peers.Attempt]] = {}
        order = "SELECT * FROM attempts ORDER BY family, seed, number, interval DESC"
        for row in self.connection.execute(order):
            attempt = peers.Attempt(*row)
            found.setdefault((attempt.family, attempt.seed, attempt.number), []).append(attempt)
        return found

    def truths(self) -> dict[Key, tuple[Fraction, Fraction]]:
        """The narrowest enclosure of each decided question."""
        order = "SELECT * FROM answers WHERE status = 'decided' ORDER BY digits"
        answers = [Answer(*row) for row in self.connection.execute(order)]
        return {(a.family, a.seed, a.number): (Fraction(a.lower), Fraction(a.upper)) for a in answers}


# asking


def ask(name: Name, *, digits: int, seconds: float) -> Answer:
    """Ask pldverify in a process of its own."""
    asked = question(name)
    outcome = alone(partial(epsilon, asked, digits, seconds), seconds=seconds + GRACE)
    row = answer(name, digits, outcome)
    bracket = alone(partial(bracket_width, asked), seconds=BRACKET_SECONDS + GRACE)
    width = math.inf if bracket.value is None else bracket.value
    return dataclasses.replace(row, bracket_seconds=bracket.seconds, bracket_width=width)


Found = tuple[Bound, Bound, float, str]
"""Both ends, proved digits, engine."""


def epsilon(asked: Question, digits: int, seconds: float) -> Found:
    with clock(seconds):
        found = pv.epsilon(asked.composition, delta=asked.delta, adjacency=asked.adjacency, digits=digits)
    return found.lower, found.upper, found.digits, found.engine


def bracket_width(asked: Question) -> float:
    """Relative width of the bracket; ∞ where it has no finite upper end."""
    found = pv.bracket(asked.query, seconds=BRACKET_ASKED)
    if found.upper == math.inf:
        return math.inf
    return float((found.upper - found.lower) / max(found.upper, SMALL))


def answer(name: Name, digits: int, outcome: Outcome[Found]) -> Answer:
    """The row of the store."""
    spent = round(outcome.seconds, 4), round(outcome.mebibytes)
    if outcome.value is None:
        return Answer(*key(name), digits, "undecided", "", *spent, reason=outcome.failure)
    lower, upper, proved, engine = outcome.value
    status, reason = ("decided", "") if proved >= digits else ("undecided", f"{proved} digits")
    ends = end(lower, "ROUND_FLOOR"), end(upper, "ROUND_CEILING")
    return Answer(*key(name), digits, status, engine, *spent, *ends, reason)


def end(value: Bound, rounding: str) -> str:
    return "inf" if math.isinf(value) else rounded(Fraction(value), rounding)


def load_everything() -> None:
    """Import all that a question or a peer may need, before children are forked."""
    for info in walk_packages(import_module("pldverify.reference").__path__, "pldverify.reference."):
        import_module(info.name)
    for public in pv.__all__:
        getattr(pv, public)


# a run


def names(families: Iterable[str], seed: int, questions: int) -> Iterator[Name]:
    """The first of every family, then the second, …: a run that is stopped has something of each."""
    for number in range(questions):
        yield from (Name(family, seed, number) for family in families)


def run(todo: list[Name], work: Callable[[Name], list[Any]], store: Store, workers: int) -> None:
    """Do ``work`` for each name, and store its rows as they come."""
    columns = (*Progress.get_default_columns()[:2], MofNCompleteColumn(), TimeRemainingColumn())
    try:
        with Progress(*columns, console=Console(stderr=True)) as progress:
            bar = progress.add_task("questions", total=len(todo))
            for _, rows in spread(work, todo, workers):
                store.add(*rows)
                progress.advance(bar)
    except KeyboardInterrupt:
        print("stopped; answers are kept, run again to go on", file=sys.stderr)


def own_rows(name: Name, *, digits: int, seconds: float) -> list[Answer]:
    return [ask(name, digits=digits, seconds=seconds)]


def peer_rows(name: Name, *, truths: dict[Key, tuple[Fraction, Fraction]]) -> list[peers.Attempt]:
    return peers.attempts(question(name), truths[key(name)])


def key(row: Name | Answer) -> Key:
    return row.family, row.seed, row.number


# the report


@dataclass(frozen=True)
class Against:
    """How a question went beside the peer: seconds at the default interval and at equal accuracy."""

    default: float | None
    error: float | None
    equal: float | None
    verdict: str

    @staticmethod
    def of(row: Answer, attempts: list[peers.Attempt]) -> "Against":
        default = next((a for a in attempts if a.interval == peers.DEFAULT and a.value), None)
        seconds, error = (default.seconds, default.error) if default else (None, None)
        equal = min((a.seconds for a in attempts if a.within), default=None)
        if not attempts or any(a.refused for a in attempts):
            verdict = ""
        elif equal is None:
            verdict = "not reached"
        else:
            verdict = "faster" if row.seconds < equal else "slower"
        return Against(seconds, error, equal, verdict)


@dataclass(frozen=True)
class Summary:
    """One family; seconds are processor time, of undecided questions too."""

    family: str
    questions: int
    decided: int
    median: float
    most_of_them: float
    worst: float
    mebibytes: float
    brackets: int | None
    faster: int
    slower: int
    not_reached: int

    @staticmethod
    def of(family: str, rows: list[Answer], attempts: dict[Key, list[peers.Attempt]]) -> "Summary":
        seconds = sorted(row.seconds for row in rows)
        tried = [row for row in rows if row.bracket_seconds is not None]
        verdicts = [Against.of(row, attempts.get(key(row), [])).verdict for row in rows]
        return Summary(
            family,
            len(rows),
            sum(row.decided for row in rows),
            quantile(seconds, 0.5),
            quantile(seconds, 0.95),
            seconds[-1],
            max(row.mebibytes for row in rows),
            sum(good_bracket(row) for row in tried) if tried else None,
            *(verdicts.count(verdict) for verdict in ("faster", "slower", "not reached")),
        )

    def cells(self) -> list[str]:
        counted = self.faster + self.slower
        return [
            self.family,
            f"{self.questions:,}",
            share(self.decided, self.questions),
            *(f"{seconds:.2f}" for seconds in (self.median, self.most_of_them, self.worst)),
            f"{self.mebibytes:.0f}",
            "" if self.brackets is None else share(self.brackets, self.questions),
            share(self.faster, counted) if counted else "",
            f"{self.not_reached:,}" if counted or self.not_reached else "",
        ]


HEADS = (
    "family",
    "questions",
    "decided",
    "median, s",
    "95 %, s",
    "worst, s",
    "worst MiB",
    "bracket within 1 s and 10 %",
    "faster than dp-accounting at equal accuracy",
    "dp-accounting: not reached",
)


def quantile(ordered: list[float], level: float) -> float:
    """The least value that a share ``level`` of them does not exceed."""
    return ordered[max(0, math.ceil(level * len(ordered)) - 1)]


def share(part: int, whole: int) -> str:
    """Rounded down: 100 % means all."""
    return f"{part:,} ({math.floor(1000 * part / whole) / 10:g} %)"


def good_bracket(row: Answer) -> bool:
    """Whether there is a bracket, in time and narrow."""
    if row.bracket_seconds is None or row.bracket_width is None:
        return False
    return row.bracket_seconds <= BRACKET_SECONDS and row.bracket_width <= BRACKET_WIDTH


def summaries(rows: list[Answer], attempts: dict[Key, list[peers.Attempt]]) -> list[Summary]:
    """A row a family, in the order of the families, and one of all."""
    groups = {family: [row for row in rows if row.family == family] for family in FAMILIES}
    found = [Summary.of(family, group, attempts) for family, group in groups.items() if group]
    return [*found, Summary.of("all", rows, attempts)] if len(found) > 1 else found


def table(rows: list[Answer], attempts: dict[Key, list[peers.Attempt]]) -> Iterator[str]:
    """Markdown, for docs/regimes.md."""
    yield f"| {' | '.join(HEADS)} |"
    yield "|---" * len(HEADS) + "|"
    for one in summaries(rows, attempts):
        yield f"| {' | '.join(one.cells())} |"


def worst(rows: list[Answer], count: int) -> Iterator[str]:
    """Undecided questions and the slowest ones of each family, as Python."""
    for family in FAMILIES:
        group = sorted((row for row in rows if row.family == family), key=lambda row: -row.seconds)
        undecided = [row for row in group if not row.decided]
        slow = [row for row in group if row.decided][:count]
        if undecided or slow:
            yield f"\n## {family}\n"
        for row in [*undecided, *slow]:
            what = row.engine if row.decided else f"undecided: {row.reason}"
            yield f"{question(row.name).code(row.digits)}\n    # {row.number}: {row.seconds:.2f} s, {what}"


OWN = [field.name for field in dataclasses.fields(Answer) if field.name != "reason"]
PEER = ["peer_seconds", "peer_error", "peer_equal_seconds", "peer_verdict"]


def write_csv(path: Path, rows: list[Answer], attempts: dict[Key, list[peers.Attempt]]) -> None:
    """A line a question; it is made again from family, seed and number."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([*OWN, *PEER])
        for row in rows:
            against = Against.of(row, attempts.get(key(row), []))
            own = [getattr(row, name) for name in OWN]
            writer.writerow([*own, *dataclasses.astuple(against)])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--store", type=Path, required=True, help="SQLite file of answers, to go on from")
    parser.add_argument("--questions", type=int, default=1000, help="of each family")
    parser.add_argument("--family", action="append", choices=FAMILIES, help="all families if left out")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--digits", type=int, choices=(6, 12), default=6)
    parser.add_argument("--seconds", type=float, default=SECONDS, help="processor seconds of one answer")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--peers", action="store_true", help="ask dp-accounting what has been answered")
    parser.add_argument("--report", action="store_true", help="ask nothing")
    parser.add_argument("--worst", type=int, metavar="N", help="print undecided and the N slowest questions")
    parser.add_argument("--csv", type=Path, help="write a line a question")
    options = parser.parse_args()
    chosen = list(names(options.family or FAMILIES, options.seed, options.questions))
    with closing(Store(options.store)) as store:
        if not options.report:
            ask_all(chosen, options, store)
        wanted = set(map(key, chosen))
        rows = [row for row in store.answers(options.digits) if key(row) in wanted]
        attempts = store.attempts()
    if not rows:
        print("no answers")
        return 0
    print("\n".join(table(rows, attempts)))
    if options.worst is not None:
        print("\n".join(worst(rows, options.worst)))
    if options.csv:
        write_csv(options.csv, rows, attempts)
    return int(not all(row.decided for row in rows))


def ask_all(chosen: list[Name], options: argparse.Namespace, store: Store) -> None:
    """The pass that the options name, over what the store lacks."""
    load_everything()
    work: Callable[[Name], list[Any]]
    if options.peers:
        peers.load()
        truths, done = store.truths(), set(store.attempts())
        todo = [name for name in chosen if key(name) in truths and key(name) not in done]
        work = partial(peer_rows, truths=truths)
    else:
        done = {key(row) for row in store.answers(options.digits)}
        todo = [name for name in chosen if key(name) not in done]
        work = partial(own_rows, digits=options.digits, seconds=options.seconds)
    run(todo, work, store, options.workers)


if __name__ == "__main__":
    raise SystemExit(main())
