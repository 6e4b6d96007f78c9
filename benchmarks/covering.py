"""Which tests execute which line of the proof rooms, and how long each takes.

    python benchmarks/covering.py --store mutation.store [tests/unit/reference …]

Every test file runs in a process of its own under coverage.py, which is told the name of the running test by
a pytest plugin, this module. Caches of the rooms are emptied before each test, so that a line is not credited
to the first of many tests that need it. A record is measured again when the test file, or a file of a room
that it executed, has changed; a run can be stopped and gone on with.
"""

import argparse
import hashlib
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from functools import _lru_cache_wrapper
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ROOMS = (
    "pldverify/balls",
    "pldverify/reference/lemmas",
    "pldverify/reference/laws",
    "pldverify/reference/engines",
    "pldverify/reference/fast",
    "pldverify/symbolic/check",
)
"""Folders whose lines are believed and therefore mutated; one that does not exist is passed over."""
FOLDERS = (
    "tests/unit/balls",
    "tests/unit/reference",
    "tests/unit/symbolic",
    "tests/property",
    "tests/oracle",
    "tests/teeth",
    "tests/regression",
)
"""Folders whose tests are asked to kill mutants: those of the rooms, and all that cross rooms."""
SAMPLES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "proofs": (ROOMS, FOLDERS),
    "rulings": (
        ("pldverify/values", "pldverify/rulings", "pldverify/symbolic/check"),
        (
            "tests/unit/rulings",
            "tests/unit/values",
            "tests/unit/symbolic",
            "tests/unit/certificate",
            "tests/unit/claims",
            "tests/unit/cli/test_certify.py",
            "tests/unit/cli/test_certify_files.py",
            "tests/property/test_findings_support_verdicts.py",
            "tests/property/test_random_proofs.py",
            "tests/property/test_rulings.py",
            "tests/oracle/test_random_claims.py",
            "tests/oracle/test_reported_budgets.py",
            "tests/teeth",
            "tests/regression",
        ),
    ),
    "checker": (
        ("pldverify/recheck.py",),
        (
            "tests/unit/test_recheck.py",
            "tests/unit/test_recheck_decides.py",
            "tests/unit/cli/test_recheck.py",
            "tests/oracle/test_recheck.py",
            "tests/teeth/test_recheck_teeth.py",
        ),
    ),
}
"""What is mutated, and which tests are asked to kill its mutants: each sample has a score of its own."""
PLUGINS = ("-p", "benchmarks.covering", *(f"-pno:{name}" for name in ("cacheprovider", "xdist", "pldverify")))
"""Ours alone: the package's plugin need not exist in a tree that is measured."""
_SECONDS = 1500
"""Processor time after which a test file is left without a record."""
_DURATIONS = "PLDVERIFY_TEST_SECONDS"
_CHOSEN = "PLDVERIFY_CHOSEN_TESTS"


@dataclass(frozen=True)
class Record:
    """What one test file executes: seconds by test, and tests by line by file of a room."""

    test: str
    digests: dict[str, str]
    seconds: dict[str, float]
    lines: dict[str, dict[str, list[str]]]


def room_files(root: Path = ROOT, rooms: tuple[str, ...] = ROOMS) -> list[str]:
    """Every file of the rooms, as a path relative to ``root``; a room may be a single file."""
    return sorted(str(path.relative_to(root)) for room in rooms for path in _sources(root / room))


def _sources(room: Path) -> Iterator[Path]:
    return iter([room]) if room.is_file() else room.rglob("*.py")


def digest(name: str) -> str:
    path = ROOT / name
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.exists() else "gone"


def test_files(folders: list[str]) -> list[str]:
    """Test files below the given folders or files."""
    paths = [path for name in folders for path in ([ROOT / name] if name.endswith(".py") else files(name))]
    return sorted({str(path.relative_to(ROOT)) for path in paths})


def files(folder: str) -> Iterator[Path]:
    return (ROOT / folder).rglob("test_*.py")


def load(store: Path) -> dict[str, Record]:
    """The records that are still true, by test file."""
    records = {}
    for path in sorted(store.glob("cover/*.json")):
        record = Record(**json.loads(path.read_text("utf-8")))
        if all(digest(name) == known for name, known in record.digests.items()):
            records[record.test] = record
    return records


def measure(test: str, rooms: tuple[str, ...] = ROOMS) -> Record | None:
    """Run one test file under coverage; None where no test passes or it does not end in time."""
    from coverage import CoverageData

    with tempfile.TemporaryDirectory() as folder:
        data, seconds = Path(folder, "coverage"), Path(folder, "seconds")
        command = [sys.executable, "-m", "coverage", "run", f"--data-file={data}"]
        included = (f"{ROOT / room}{'' if room.endswith('.py') else '/*'}" for room in rooms)
        command += [f"--include={','.join(included)}", "-m", "pytest", "-q"]
        command += [*PLUGINS, test]
        subprocess.run(
            command,
            cwd=ROOT,
            env=environment(ROOT) | {_DURATIONS: str(seconds)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            preexec_fn=limited(_SECONDS),
        )
        if not (data.exists() and seconds.exists()):
            return None
        durations = dict(json.loads(line) for line in seconds.read_text("utf-8").splitlines())
        if not durations:
            return None
        known = CoverageData(str(data))
        known.read()
        lines: dict[str, dict[str, list[str]]] = {}
        for path in known.measured_files():
            by_line = known.contexts_by_lineno(path)
            kept = {str(n): [t for t in tests if t in durations] for n, tests in by_line.items()}
            lines[str(Path(path).relative_to(ROOT))] = {n: tests for n, tests in kept.items() if tests}
    names = [test, *lines]
    return Record(test, {name: digest(name) for name in names}, durations, lines)


def environment(root: Path) -> dict[str, str]:
    """Ours, with ``root`` as the package's home and the same Hypothesis examples each time."""
    ours = {"PYTHONPATH": str(root), "HYPOTHESIS_PROFILE": "ci", "HYPOTHESIS_NO_PLUGINS": "1"}
    return {**os.environ, **ours}


def limited(seconds: float, memory: int = 3 * 2**30):  # type: ignore[no-untyped-def]
    """For a child: so much processor time, so much memory, no core file."""

    def set_limits() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 2))
        resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    return set_limits


def cover(
    store: Path, folders: list[str], workers: int = 1, rooms: tuple[str, ...] = ROOMS
) -> dict[str, Record]:
    """Measure what is not known yet; all records."""
    (store / "cover").mkdir(parents=True, exist_ok=True)
    known = load(store)
    missing = [test for test in test_files(folders) if test not in known]
    with ThreadPoolExecutor(workers) as pool:
        waiting = {pool.submit(measure, test, rooms): test for test in missing}
        for at, done in enumerate(as_completed(waiting)):
            test, record = waiting[done], done.result()
            if record is not None:
                known[test] = record
                name = test.removesuffix(".py").replace("/", ".") + ".json"
                (store / "cover" / name).write_text(json.dumps(asdict(record)), "utf-8")
            how = "no record" if record is None else f"{len(record.seconds)} tests"
            print(f"{at + 1}/{len(missing)} {test}: {how}", flush=True)
    return known


# the plugin


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item):  # type: ignore[no-untyped-def]
    """Tell coverage which test runs."""
    running = _coverage()
    if running is None:
        return (yield)
    empty_caches()
    running.switch_context(item.nodeid)
    start = time.process_time()
    try:
        return (yield)
    finally:
        item.config.stash[_spent][item.nodeid] = time.process_time() - start
        running.switch_context("")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(call: pytest.CallInfo[None]):  # type: ignore[no-untyped-def]
    """A test that finds its own line to plant changed by a mutant is skipped: it has compared nothing."""
    report = yield
    if call.excinfo is not None and call.excinfo.typename == "NoSuchLine":
        report.outcome = "skipped"
        report.longrepr = (report.nodeid, 0, str(call.excinfo.value))
    return report


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Remember the tests that fail or are skipped: they kill nothing."""
    if report.outcome != "passed":
        _not_passed.add(report.nodeid)


def pytest_configure(config: pytest.Config) -> None:
    config.stash[_spent] = {}


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep the chosen tests alone, in their order."""
    if _CHOSEN not in os.environ:
        return
    chosen = json.loads(Path(os.environ[_CHOSEN]).read_text("utf-8"))
    rank = {name: at for at, name in enumerate(chosen)}
    config.hook.pytest_deselected(items=[item for item in items if item.nodeid not in rank])
    items[:] = sorted((item for item in items if item.nodeid in rank), key=lambda item: rank[item.nodeid])


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Write the seconds of the tests that passed."""
    if _DURATIONS in os.environ:
        spent = session.config.stash[_spent].items()
        lines = [json.dumps([name, round(s, 4)]) for name, s in spent if name not in _not_passed]
        Path(os.environ[_DURATIONS]).write_text("\n".join(lines), "utf-8")


_spent = pytest.StashKey[dict[str, float]]()
_not_passed: set[str] = set()


def _coverage():  # type: ignore[no-untyped-def]
    try:
        from coverage import Coverage
    except ImportError:
        return None
    return Coverage.current()


def empty_caches() -> None:
    """Forget what functions of the rooms have cached."""
    names = tuple(room.replace("/", ".") for rooms, _ in SAMPLES.values() for room in rooms)
    for name, module in list(sys.modules.items()):
        if name.startswith(names):
            for value in list(vars(module).values()):
                if isinstance(value, _lru_cache_wrapper):
                    value.cache_clear()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--store", type=Path, required=True)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("tests", nargs="*", default=FOLDERS)
    options = parser.parse_args()
    cover(options.store, list(options.tests), options.workers)


if __name__ == "__main__":
    main()
