"""The regime matrix: δ(ε) enclosed in every regime that the oracle claims, cell by cell.

    python benchmarks/regimes.py [--sample N] [--seed S] [--only TEXT] [--workers W]

A cell is a composition, a direction and a level. The level fixes ε: the mean privacy loss ("bulk"), or ε(δ)
for a δ, which is asked of ``pv.epsilon`` to three digits and rounded to four. Then ``pv.delta`` is asked
for 12 digits at that ε. A cell is *decided* when δ has 12 proved digits, or a relative width of at most
1e-6 where an engine of six digits alone applies (grid, parts, smoothing); it *cannot exist* when δ(0) is
below the level already; otherwise it is *undecided*, with the reason. Seconds are processor time of the
slower of the two calls.

Every finished cell is a line of ``benchmarks/regimes.csv``; a second run goes on where the first was stopped.
``--sample`` and ``--only`` choose cells, and write nothing.
"""

import argparse
import csv
import itertools
import math
import multiprocessing
import random
import re
import resource
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields, replace
from decimal import Context, Decimal
from fractions import Fraction
from multiprocessing.connection import Connection, wait
from pathlib import Path

from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress, TimeRemainingColumn
from rich.table import Table

import pldverify as pv
from pldverify.mechanisms.expression import parse
from pldverify.questions.written import families

TABLE = Path(__file__).with_suffix(".csv")
DIGITS = 12
WIDTH = Fraction(1, 10**6)
SECONDS, MEBIBYTES = 20.0, 2048
COARSE = ("grid", "parts", "smoothing")
"""Engines that are content with a relative width of 1e-6."""
_HANGS = 120
"""Seconds of processor time after which a cell's process is killed."""
LEVELS = ("bulk", "1e-5", "1e-10", "1e-30", "1e-100")
DP_SGD = """{k} * poisson(gaussian(sigma={sigma}), q={q})
    | k 1 2 10 1000 1000000 1000000000 | sigma 0.2 0.5 1 5 50 | q 1e-5 1e-3 0.1 0.5 1"""
OTHERS = """\
laplace(b=0.5)
laplace(b=20)
poisson(laplace(b=1), q=0.01)
poisson(laplace(b=0.3), q=0.2)
discrete_gaussian(sigma=2)
discrete_gaussian(sigma=50)
poisson(discrete_gaussian(sigma=3), q=0.05)
discrete_laplace(b=2)
binomial(n=1000, p=1/2)
binomial(n=100, p=1/4)
randomized_response(p=0.75)
randomized_response(p=0.3, categories=10)
poisson(randomized_response(p=0.9), q=0.1)
pure_dp(epsilon=0.1)
approximate_dp(epsilon=0.5, delta=1e-12)
finite_pair(p=[0.6, 0.3, 0.1], q=[0.1, 0.3, 0.6])
sampled_without_replacement(gaussian(sigma=2), q=0.1)
sampled_with_replacement(gaussian(sigma=4), m=2, n=100)
kjh19_substitute(gaussian(sigma=2), q=0.05)
kjh20_with_replacement(gaussian(sigma=4), m=2, n=100)
"""
MIXED = """\
1000 * poisson(gaussian(sigma=1), q=0.01) + 10 * laplace(b=5)
100 * poisson(gaussian(sigma=2), q=0.02) + 5 * discrete_gaussian(sigma=10)
500 * poisson(gaussian(sigma=1.5), q=0.01) + 500 * poisson(gaussian(sigma=1), q=0.005)
20 * discrete_laplace(b=3) + 30 * randomized_response(p=0.6)
50 * gaussian(sigma=20) + 3 * pure_dp(epsilon=0.2) + approximate_dp(epsilon=0.1, delta=1e-12)
10 * laplace(b=10) + 10 * laplace(b=7)
"""
SCHEDULE = " + ".join(f"poisson(gaussian(sigma={1 + i / 1000}), q=0.01)" for i in range(1000))
"""1000 distinct mechanisms: a noise schedule."""


@dataclass(frozen=True)
class Cell:
    """One question."""

    composition: str
    direction: str
    level: str

    @property
    def label(self) -> str:
        """The composition, short enough to be read."""
        return self.composition if len(self.composition) < 110 else "1000 noise multipliers from 1 to 1.999"


@dataclass(frozen=True)
class Row:
    """One line of the table; ``epsilon``, ``lower`` and ``upper`` are decimals, the last two rounded out."""

    composition: str
    direction: str
    level: str
    status: str
    epsilon: str = ""
    lower: str = ""
    upper: str = ""
    digits: str = ""
    engine: str = ""
    seconds: str = ""
    mebibytes: str = ""
    reason: str = ""


def cells() -> Iterator[Cell]:
    """The whole matrix."""
    for text in families(DP_SGD)[0].compositions():
        yield from (Cell(text, d, level) for d in ("remove", "add") for level in LEVELS)
    repeated = (f"{k} * {law}" for law in OTHERS.splitlines() for k in (1, 10, 1000, 10**6))
    for text in (*repeated, *MIXED.splitlines(), SCHEDULE):
        yield from asked(text)


def asked(text: str) -> Iterator[Cell]:
    """The adjacency that the composition is made for, direction by direction where they have names."""
    both = "replace-one" if parse(text).adjacency == "replace-one" else "remove add"
    yield from (Cell(text, d, level) for d in both.split() for level in ("bulk", "1e-5", "1e-30"))


def evaluate(cell: Cell) -> Row:
    """Decide one cell; never raises a PldverifyError."""
    composition = parse(cell.composition)
    start, first = time.process_time(), 0.0
    try:
        epsilon = choose(composition, cell)
        if epsilon is None:
            return row(cell, "cannot exist", reason=f"δ(0) is at most {cell.level}, or δ_∞ more")
        first, start = time.process_time() - start, time.process_time()
        delta = pv.delta(composition, epsilon=epsilon, adjacency=cell.direction, digits=DIGITS)
    except pv.errors.PldverifyError as reason:
        seconds = max(first, time.process_time() - start)
        return row(cell, "undecided", seconds=f"{seconds:.2f}", reason=" ".join(str(reason).split())[:300])
    seconds = max(first, time.process_time() - start)
    middle = (delta.lower + delta.upper) / 2
    good = delta.digits >= DIGITS or (delta.engine in COARSE and delta.width <= WIDTH * middle)
    return row(
        cell,
        "decided" if good else "undecided",
        epsilon=str(epsilon),
        lower=rounded(delta.lower, "ROUND_FLOOR"),
        upper=rounded(delta.upper, "ROUND_CEILING"),
        digits=str(delta.digits),
        engine=delta.engine,
        seconds=f"{seconds:.2f}",
    )


def row(cell: Cell, status: str, **rest: str) -> Row:
    return Row(cell.label, cell.direction, cell.level, status, **rest)


def choose(composition: pv.Composition, cell: Cell) -> Decimal | None:
    """ε of the cell; None if no ε ≥ 0 has that δ."""
    if cell.level == "bulk":
        mean = pv.moments(composition, adjacency=cell.direction).mean
        return Context(prec=4).create_decimal(f"{float(mean):.3e}")
    epsilon = pv.epsilon(composition, delta=cell.level, adjacency=cell.direction, digits=3)
    exists = 0 < epsilon.upper < math.inf
    return Context(prec=4).create_decimal(f"{float(epsilon):.3e}") if exists else None


def rounded(value: Fraction, rounding: str) -> str:
    context = Context(prec=16, rounding=rounding, Emin=-99999, Emax=99999)
    return str(context.divide(Decimal(value.numerator), Decimal(value.denominator)))


def finished(path: Path) -> list[Row]:
    """Rows of an earlier run."""
    if not path.exists():
        return []
    with path.open(newline="", encoding="utf-8") as file:
        return [Row(**line) for line in csv.DictReader(file)]


def work(cell: Cell, answer: Connection) -> None:
    """One cell in a process of its own, so that its memory can be measured and its death survived."""
    resource.setrlimit(resource.RLIMIT_CPU, (_HANGS, _HANGS))
    row = evaluate(cell)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    answer.send(replace(row, mebibytes=f"{peak:.0f}"))


def answers(todo: list[Cell], workers: int) -> Iterator[Row]:
    """Rows as they come, from at most ``workers`` processes."""
    running: dict[Connection, tuple[multiprocessing.Process, Cell]] = {}
    waiting = iter(todo)
    try:
        while True:
            for cell in itertools.islice(waiting, workers - len(running)):
                here, there = multiprocessing.Pipe(duplex=False)
                process = multiprocessing.Process(target=work, args=(cell, there))
                process.start()
                there.close()
                running[here] = process, cell
            if not running:
                return
            for connection in wait(list(running)):
                process, cell = running.pop(connection)  # type: ignore[index]
                try:
                    yield connection.recv()  # type: ignore[union-attr]
                except EOFError:
                    process.join()
                    yield row(cell, "undecided", reason=f"the process died, exit code {process.exitcode}")
                process.join()
    finally:
        for process, _ in running.values():
            process.terminate()


def run(todo: list[Cell], workers: int, path: Path | None) -> list[Row]:
    """Evaluate cells with progress; each row is written as soon as it is known."""
    done: list[Row] = []
    file = path.open("a", newline="", encoding="utf-8") if path else None
    writer = csv.DictWriter(file, [f.name for f in fields(Row)], lineterminator="\n") if file else None
    if writer and file and file.tell() == 0:
        writer.writeheader()
    columns = (*Progress.get_default_columns()[:2], MofNCompleteColumn(), TimeRemainingColumn())
    try:
        with Progress(*columns, console=Console(stderr=True)) as progress:
            for answer in progress.track(answers(todo, workers), total=len(todo), description="cells"):
                done.append(answer)
                if writer and file:
                    writer.writerow(asdict(answer))
                    file.flush()
    except KeyboardInterrupt:
        print("stopped; finished cells are kept, run again to go on", file=sys.stderr)
    finally:
        if file:
            file.close()
    return done


def family(composition: str) -> str:
    """What a row is summarised under."""
    if "+" in composition or composition.startswith("1000 noise"):
        return "mixed compositions"
    if match := re.fullmatch(r"(\d+) \* poisson\(gaussian\(.*", composition):
        return f"Poisson-subsampled Gaussian, k = {int(match[1]):,}"
    name = re.fullmatch(r"\d+ \* (.*)\(.*?\)+", composition)
    return re.sub(r"\(.*", "", name[1]) if name else composition


def summary(rows: list[Row]) -> Table:
    """Counts and the slowest cell of each family."""
    heads = ("family", "cells", "decided", "of them to 6 digits", "cannot exist", "undecided", "slowest, s")
    table = Table(*heads)
    groups: dict[str, list[Row]] = {}
    for one in rows:
        groups.setdefault(family(one.composition), []).append(one)
    for name, group in [*groups.items(), ("all", rows)]:
        count = Counter(one.status for one in group)
        coarse = sum(one.status == "decided" and float(one.digits) < DIGITS for one in group)
        slowest = max((float(one.seconds) for one in group if one.seconds), default=0.0)
        figures = (len(group), count["decided"], coarse, count["cannot exist"], count["undecided"])
        table.add_row(name, *map(str, figures), f"{slowest:.1f}")
    return table


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sample", type=int, help="that many cells, chosen at random")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="", help="cells whose composition contains this text")
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    chosen = [cell for cell in cells() if options.only in cell.composition]
    if options.sample:
        chosen = random.Random(options.seed).sample(chosen, min(options.sample, len(chosen)))
    path = None if options.sample or options.only else TABLE
    known = finished(path) if path else []
    done = {(one.composition, one.direction, one.level) for one in known}
    todo = [cell for cell in chosen if (cell.label, cell.direction, cell.level) not in done]
    # costs vary by orders of magnitude from one corner to the next: a fixed shuffle spreads them
    random.Random(1).shuffle(todo)
    rows = [*known, *run(todo, options.workers, path)]
    console = Console(width=130)
    console.print(summary(rows))
    for one in rows:
        if one.status == "undecided":
            console.print(f"undecided: {one.composition}, {one.direction}, {one.level}: {one.reason}")
    peak = max((float(one.mebibytes) for one in rows if one.mebibytes), default=0.0)
    slow = [one for one in rows if one.seconds and float(one.seconds) > SECONDS]
    print(f"slower than {SECONDS:.0f} s: {len(slow)} cells; most memory of one cell: {peak:.0f} MiB")
    return int(bool(slow) or peak > MEBIBYTES or any(one.status == "undecided" for one in rows))


if __name__ == "__main__":
    raise SystemExit(main())
