"""Mutation score of what must be believed: how many planted errors the tests find.

    python -m benchmarks.mutation --store DIR [--size 400] [--seed 1] [--workers 2] [--of proofs] [--report]

A random sample of mutants (``mutants.py``), spread over the rooms, is run against tests that cover the
mutated line (``covering.py``), chosen among those of its own file first, until one fails, each in a copy of
the tree. More processor time than a multiple of what the tests took counts as killed. What survives, or no
test covers, is asked a fixed set of questions (``answers.py``) and called

* **wrong**: an answer excludes the truth; a hole in the tests;
* **wide**: an answer is lost or wider than ``--factor`` times what it was; a hole as well;
* **harmless (measured)**: an answer becomes wider, but by no more than that, and none narrower;
* **unseen**: answers are the same, or some are narrower: measuring proves nothing, and a reason is needed.

Reasons are in ``mutants_harmless.toml``. Score: killed / (all − harmless). A run can be stopped and gone on
with: what is known of a mutant holds until its file or, for survivors, its tests change.

``--of rulings`` does so with what turns proofs into verdicts, ``--of checker`` with ``pldverify/recheck.py``,
each in a store of its own. Their survivors are asked nothing: each needs a test or a reason.
"""

import argparse
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from queue import Queue

from benchmarks.answers import Answer, Effect, compared, read, settled, write
from benchmarks.covering import (
    PLUGINS,
    ROOMS,
    ROOT,
    SAMPLES,
    Record,
    cover,
    digest,
    environment,
    limited,
    load,
    room_files,
)
from benchmarks.mutants import Mutant, mutants

HARMLESS = Path(__file__).with_name("mutants_harmless.toml")
SHARE = 0.1
"""The least part of the sample that a room has."""
_START = 15
"""Processor seconds that a process of tests may take before the first test runs."""
_SLOWER = 5
"""A mutant may take so many times the seconds that its tests took."""
_MOST_SECONDS = 90.0
"""Recorded seconds of one mutant's tests."""
_CHANGED = 1.001
"""A width is another one beyond that factor."""
_COMPILED = ("pldverify", "benchmarks")
KILLED = ("killed", "timeout")
_NO_VERDICT = (1, 3, 5)
"""Exit codes that say nothing where no test has failed: of Python, of an error in pytest, of no test."""


@dataclass(frozen=True)
class Result:
    """How one mutant ended.

    Attributes:
        status: killed, timeout, survived, or no coverage.
        known: what the result depends on: the mutated file, and for survivors the tests too.
        killer: the test that failed.
        mutated: what ``line`` has become, for the report.
        effect: what the fixed questions say of a survivor.
    """

    name: str
    path: str
    at: int
    operator: str
    function: str
    line: str
    mutation: str
    status: str
    known: str
    tests: int = 0
    killer: str = ""
    effect: Effect | None = None
    mutated: str = ""


@dataclass(frozen=True)
class Reason:
    """Why survivors are harmless: one mutation, or all in a function or a folder of which only width depends.

    Attributes:
        factor: by which a width can grow; 1 where no answer changes.
    """

    module: str
    reason: str
    factor: float
    line: str = ""
    mutated: str = ""
    function: str = ""

    def names(self, result: Result) -> bool:
        """Whether it is about this mutation."""
        return (self.module, self.line, self.mutated) == (result.path, result.line, result.mutated)

    def surrounds(self, result: Result) -> bool:
        """Whether it is about the function, or the folder, in which this mutation stands."""
        if self.module.endswith("/"):
            return result.path.startswith(self.module)
        inside = f"{result.function}.".startswith(f"{self.function}.")
        return bool(self.function) and self.module == result.path and inside


# the sample


def sample(size: int, seed: int, rooms: tuple[str, ...] = ROOMS) -> list[Mutant]:
    """Mutants in an order that the seed fixes, each room's share by its size, but at least a tenth."""
    everything: dict[str, list[Mutant]] = {room: [] for room in rooms}
    for path in room_files(ROOT, rooms):
        for room in rooms:
            if within(path, room):
                everything[room] += mutants((ROOT / path).read_text("utf-8"), path)
    filled = {
        room: sorted(found, key=lambda m: order(m, seed)) for room, found in everything.items() if found
    }
    return [
        m
        for room, share in shares({r: len(f) for r, f in filled.items()}, size).items()
        for m in filled[room][:share]
    ]


def within(path: str, room: str) -> bool:
    return path == room or path.startswith(room + "/")


def order(mutant: Mutant, seed: int) -> str:
    return hashlib.sha256(f"{seed} {mutant.name}".encode()).hexdigest()


def shares(sizes: dict[str, int], size: int) -> dict[str, int]:
    """How many of each room, in proportion, none below :data:`SHARE` of all."""
    total = sum(sizes.values())
    least = int(size * SHARE)
    wanted = {room: min(count, max(least, round(size * count / total))) for room, count in sizes.items()}
    largest = max(wanted, key=lambda room: wanted[room], default=None)
    if largest is not None:
        rest = size - sum(n for room, n in wanted.items() if room != largest)
        wanted[largest] = max(0, min(sizes[largest], rest))
    return wanted


# the tests of a mutant


class Covering:
    """Tests by line of every file."""

    def __init__(self, records: dict[str, Record]) -> None:
        self.seconds: dict[str, float] = {}
        self.files: dict[str, str] = {}
        self.lines: dict[str, dict[int, set[str]]] = defaultdict(lambda: defaultdict(set))
        for record in records.values():
            self.files[record.test] = record.digests[record.test]
            self.seconds |= record.seconds
            for path, by_line in record.lines.items():
                for line, tests in by_line.items():
                    self.lines[path][int(line)].update(tests)

    def tests(self, mutant: Mutant, most: int) -> list[str]:
        """Tests that execute the node, or else its statement, or, of a module's top level, the file."""
        by_line = self.lines.get(mutant.path, {})
        if mutant.top_level:  # an import runs these lines, in whichever test it happens to be
            return self.fastest(
                {test for tests in by_line.values() for test in tests}, most, own(mutant.path)
            )
        for first, last in (mutant.lines, mutant.statement):
            found = {test for line in range(first, last + 1) for test in by_line.get(line, ())}
            if found:
                return self.fastest(found, most, own(mutant.path))
        return []

    def fastest(self, tests: set[str], most: int, first: str) -> list[str]:
        """``most``, fastest first: of the file ``first`` and, if there is room, of others; the fastest of
        every test function, then a second of each, and so on.
        """
        turn: Counter[str] = Counter()
        ranked = []
        for test in sorted(tests, key=lambda test: (self.seconds[test], test)):
            function = test.partition("[")[0]
            ranked.append((not test.startswith(f"{first}::"), turn[function], self.seconds[test], test))
            turn[function] += 1
        chosen, spent = [], 0.0
        for *_, seconds, test in sorted(ranked)[:most]:
            if spent + seconds <= _MOST_SECONDS or not chosen:
                chosen.append(test)
                spent += seconds
        return sorted(chosen, key=lambda test: (self.seconds[test], test))


def own(path: str) -> str:
    """The unit tests of a file, which have its name."""
    place = Path(path.removeprefix("pldverify/"))
    return str(Path("tests/unit", place.parent, f"test_{place.name}"))


# running


def copy_tree(target: Path) -> Path:
    ignored = shutil.ignore_patterns(
        ".git", ".venv", "__pycache__", ".mypy_cache", ".ruff_cache", ".hypothesis"
    )
    shutil.copytree(ROOT, target, ignore=ignored)
    # by its hash, as a mutated file may have the size and the second of the file before it
    command = [sys.executable, "-m", "compileall", "-q", "--invalidation-mode", "checked-hash", *_COMPILED]
    subprocess.run(command, cwd=target, check=True)
    return target


def run(mutant: Mutant, tests: list[str], seconds: float, tree: Path, questions: Path | None) -> Result:
    """Run a mutant's tests in a copy of the tree, and ask the questions, if there are any, if it survives."""
    result = Result(
        mutant.name,
        mutant.path,
        mutant.at,
        mutant.operator,
        mutant.function,
        mutant.line,
        mutant.mutation,
        "no coverage",
        digest(mutant.path),
        len(tests),
    )
    target = tree / mutant.path
    source = target.read_text("utf-8")
    target.write_text(mutant.applied(source), "utf-8")
    try:
        if tests:
            status, killer = tested(tests, seconds, tree)
            result = replace(result, status=status, killer=killer)
        if result.status not in KILLED and questions is not None:
            result = replace(result, effect=measured(tree, questions))
    finally:
        target.write_text(source, "utf-8")
    return result


def tested(tests: list[str], seconds: float, tree: Path) -> tuple[str, str]:
    """killed, timeout or survived, and the test that failed."""
    with tempfile.NamedTemporaryFile("w", suffix=".json") as chosen:
        json.dump(tests, chosen)
        chosen.flush()
        files = sorted({test.partition("::")[0] for test in tests})
        command = [sys.executable, "-m", "pytest", "-x", "-q", "--tb=no", *PLUGINS, *files]
        code, output = child(
            command, tree, _START + _SLOWER * seconds, {"PLDVERIFY_CHOSEN_TESTS": chosen.name}
        )
    if code in (-signal.SIGXCPU, -signal.SIGKILL):
        return "timeout", ""
    if code == 0:
        return "survived", ""
    failed = [line for line in output.splitlines() if line.startswith(("FAILED ", "ERROR "))]
    if not failed and code in _NO_VERDICT:
        raise RuntimeError(f"pytest ended with {code}, which says nothing of the mutant: {output[-2000:]}")
    return "killed", failed[0].partition(" - ")[0].partition(" ")[2] if failed else f"exit code {code}"


def measured(tree: Path, questions: Path) -> Effect:
    return compared(read(questions), asked(tree, questions))


def asked(tree: Path, questions: Path) -> list[Answer]:
    """What the package of a tree answers."""
    command = [sys.executable, "benchmarks/answers.py", "ask", str(questions)]
    _, output = child(command, tree, 300, {})
    answers = [json.loads(line) for line in output.splitlines() if line.startswith(("[", '"'))]
    return [answer if isinstance(answer, str) else tuple(answer) for answer in answers]


def child(command: list[str], tree: Path, seconds: float, extra: dict[str, str]) -> tuple[int, str]:
    """Exit code and output of a process that has so much processor time, and ten times as much in all."""
    with subprocess.Popen(
        command,
        cwd=tree,
        env=environment(tree) | extra,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        preexec_fn=limited(seconds),
        start_new_session=True,
    ) as process:
        try:
            output, _ = process.communicate(timeout=10 * seconds + 60)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            output, _ = process.communicate()
        return process.returncode, output.decode(errors="replace")


# results


def stale(listed: list[Reason]) -> Iterator[str]:
    """Reasons that fit no mutant of the tree any more."""
    for reason in listed:
        path = ROOT / reason.module
        if path.is_dir():
            continue
        source = path.read_text("utf-8") if path.exists() else ""
        fits = (
            f"{m.function}.".startswith(f"{reason.function}.")
            if reason.function
            else reason.line == m.line and reason.mutated == m.mutated_line(source)
            for m in mutants(source, reason.module)
        )
        if not any(fits):
            yield f"stale reason: {reason.module}: {reason.function or reason.line}"


def known(store: Path) -> dict[str, Result]:
    """Results of earlier runs, the last of each mutant."""
    path = store / "results.jsonl"
    rows = path.read_text("utf-8").splitlines() if path.exists() else []
    results = {}
    for row in map(json.loads, rows):
        effect = row.pop("effect")
        results[row["name"]] = Result(**row, effect=Effect(**effect) if effect else None)
    return results


def still_true(result: Result | None, key: str) -> bool:
    """Whether a result of the same mutant needs no new run: a kill holds while the file stands."""
    return result is not None and (
        result.known == key
        or (result.status in KILLED and result.known.partition(" ")[0] == key.partition(" ")[0])
    )


def reasons(path: Path = HARMLESS) -> list[Reason]:
    """The written reasons."""
    return [Reason(**row) for row in tomllib.loads(path.read_text("utf-8")).get("harmless", [])]


def verdict(result: Result, listed: list[Reason], factor: float) -> str:
    """killed, timeout, harmless (listed), harmless (measured), wrong, wide, or unseen."""
    effect = result.effect
    if effect is None:
        listed_one = any(reason.names(result) or reason.surrounds(result) for reason in listed)
        return "harmless (listed)" if result.status == "survived" and listed_one else result.status
    if effect.wrong:
        return "wrong"
    if any(reason.names(result) for reason in listed):
        return "harmless (listed)"
    if effect.widest > factor:
        return "wide"
    if any(reason.surrounds(result) for reason in listed):
        return "harmless (listed)"
    wider = effect.narrowest > 1 / _CHANGED and effect.widest > _CHANGED
    return "harmless (measured)" if wider else "unseen"


def report(results: list[Result], listed: list[Reason], factor: float) -> Iterator[str]:
    """Tables of what became of the mutants, and the survivors one by one."""
    verdicts = {result.name: verdict(result, listed, factor) for result in results}
    columns = sorted(set(verdicts.values()), key=lambda name: (name not in KILLED, name))
    for title, key in (("room", room), ("operator", lambda result: result.operator)):
        yield f"| {title} | {' | '.join(columns)} | score |"
        yield "|---" * (len(columns) + 2) + "|"
        groups: dict[str, Counter[str]] = defaultdict(Counter)
        for result in results:
            for group in (key(result), "all"):
                groups[group][verdicts[result.name]] += 1
        for group in sorted(groups, key=lambda name: (name == "all", name)):
            counts = groups[group]
            yield f"| {group} | {' | '.join(str(counts[c]) for c in columns)} | {score(counts)} |"
        yield ""
    for result in results:
        found = verdicts[result.name]
        if found in KILLED:
            continue
        yield f"{found}: {result.path}:{result.at} in {result.function or 'the module'} [{result.operator}]"
        yield f"    - {result.line}"
        yield f"    + {result.mutated}"
        if result.effect is not None:
            yield f"    {result.status} {result.tests} tests; {described(result.effect)}"


def described(effect: Effect) -> str:
    lost = f", {len(effect.lost)} lost" if effect.lost else ""
    wrong = f", {len(effect.wrong)} wrong" if effect.wrong else ""
    widths = f"widths × {effect.narrowest:.4g} to {effect.widest:.4g}"
    return f"{effect.changed} answers differ{lost}{wrong}, {widths}"


def score(counts: Counter[str]) -> str:
    """killed / (all − harmless)."""
    killed = sum(counts[name] for name in KILLED)
    rest = counts.total() - sum(n for name, n in counts.items() if name.startswith("harmless"))
    return f"{killed}/{rest} = {killed / rest:.1%}" if rest else "none"


def room(result: Result) -> str:
    rooms = (room for rooms, _ in SAMPLES.values() for room in rooms)
    return next(name for name in rooms if within(result.path, name)).removeprefix("pldverify/")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--store", type=Path, required=True, help="folder of what was measured before")
    parser.add_argument("--size", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--tests", type=int, default=60, help="most tests of one mutant")
    parser.add_argument("--factor", type=float, default=10.0, help="a width that grows by more is a hole")
    parser.add_argument("--of", choices=SAMPLES, default="proofs", help="what is mutated")
    parser.add_argument("--no-cover", action="store_true", help="use the coverage that is in the store")
    parser.add_argument("--report", action="store_true", help="run nothing")
    options = parser.parse_args()
    run_nothing = options.no_cover or options.report
    rooms, tests = SAMPLES[options.of]
    if run_nothing:
        records = load(options.store)
    else:
        records = cover(options.store, list(tests), options.workers, rooms)
    chosen = sample(options.size, options.seed, rooms)
    if not options.report:
        run_all(chosen, Covering(records), options)
    results = known(options.store)
    sources = {m.path: (ROOT / m.path).read_text("utf-8") for m in chosen}
    found = [
        replace(results[m.name], mutated=m.mutated_line(sources[m.path])) for m in chosen if m.name in results
    ]
    print("\n".join([*report(found, reasons(), options.factor), *stale(reasons())]))


def run_all(chosen: list[Mutant], covering: Covering, options: argparse.Namespace) -> None:
    """Run what is not known yet, each worker in a copy of its own."""
    questions = selected(options.store) if options.of == "proofs" else None
    before = known(options.store)
    todo = []
    for mutant in chosen:
        tests = covering.tests(mutant, options.tests)
        key = f"{digest(mutant.path)} {tests_digest(tests, covering)}"
        if not still_true(before.get(mutant.name), key):
            todo.append((mutant, tests, key))
    print(f"{len(chosen)} mutants, {len(todo)} to run", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        trees: Queue[Path] = Queue()
        for number in range(options.workers):
            trees.put(copy_tree(Path(folder, str(number))))

        def one(job: tuple[Mutant, list[str], str]) -> Result:
            mutant, tests, key = job
            tree = trees.get()
            try:
                seconds = sum(covering.seconds[test] for test in tests)
                return replace(run(mutant, tests, seconds, tree, questions), known=key)
            finally:
                trees.put(tree)

        start = time.perf_counter()
        with ThreadPoolExecutor(options.workers) as pool, (options.store / "results.jsonl").open("a") as out:
            for at, done in enumerate(as_completed([pool.submit(one, job) for job in todo])):
                result = done.result()
                out.write(json.dumps(asdict(result)) + "\n")
                out.flush()
                where = f"{result.path}:{result.at} {result.mutation[:60]}"
                print(
                    f"{at + 1}/{len(todo)} {time.perf_counter() - start:.0f} s {result.status} {where}",
                    flush=True,
                )


def tests_digest(tests: list[str], covering: Covering) -> str:
    text = "\n".join(f"{test} {covering.files[test.partition('::')[0]]}" for test in sorted(tests))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def selected(store: Path) -> Path:
    """The fixed questions with the answers of this tree, chosen anew when a room's file has changed.

    They are asked twice in new processes; what is not answered alike both times measures nothing.
    """
    state = hashlib.sha256("".join(digest(path) for path in room_files()).encode()).hexdigest()[:16]
    path = store / f"questions.{state}.json"
    if not path.exists():
        chosen = path.with_suffix(".chosen")
        command = [sys.executable, "benchmarks/answers.py", "select", str(chosen)]
        subprocess.run(command, cwd=ROOT, env=environment(ROOT), check=True)
        first, again = asked(ROOT, chosen), asked(ROOT, chosen)
        write(path, settled(read(chosen), first, again))
    return path


if __name__ == "__main__":
    main()
