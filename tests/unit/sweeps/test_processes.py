"""Real processes: one is killed, and what ran is all that is lost; limits are findings; Dask too."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import pldverify as pv
from pldverify.accountants.registry import accountant
from pldverify.errors import InvalidInput
from pldverify.sweeps import keys
from pldverify.sweeps.cell import cells
from pldverify.sweeps.cluster import Cluster
from pldverify.sweeps.local import Local
from pldverify.sweeps.session import Session
from pldverify.sweeps.store import Store

SUBJECTS = Path(__file__).with_name("subjects.py")
ROOT = Path(__file__).parents[3]
QUERIES = [pv.Query(k * pv.Gaussian(10), delta="1e-5") for k in range(1, 13)]
GRID = {
    "schema": "pldverify-grid/1",
    "family": [
        {
            "name": "test",
            "expression": "{k} * gaussian(sigma=10)",
            "values": {"k": list(range(1, 13))},
            "delta": ["1e-5"],
        }
    ],
}
PATIENCE = 300.0


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What the accountants write down, in every process."""
    monkeypatch.setenv("SWEEP_LOG", str(tmp_path / "log"))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]))
    return tmp_path / "log"


def asked(log: Path) -> Counter[str]:
    """How often each question was asked."""
    lines = log.read_text().splitlines() if log.exists() else []
    return Counter(line.partition(" ")[2] for line in lines)


def until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < deadline, "never"
        time.sleep(0.05)


def stored(path: Path) -> int:
    try:
        with sqlite3.connect(path) as data:
            (number,) = data.execute("SELECT count(*) FROM findings").fetchone()
            return int(number)
    except sqlite3.OperationalError:
        return 0


def gone(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().split()[2] == "Z"
    except FileNotFoundError:
        return True


@pytest.mark.slow
def test_a_killed_sweep_loses_what_ran_and_goes_on(tmp_path: Path, log: Path) -> None:
    """By kill -9, in the middle of two cells; every process that it has started ends with it."""
    grid, path = tmp_path / "grid.json", tmp_path / "sweep.sqlite"
    grid.write_text(json.dumps(GRID))
    command = [sys.executable, "-m", "pldverify", "check", f"{SUBJECTS}:Slow"]
    command += ["--grid", str(grid), "--store", str(path), "--jobs", "2", "--json"]
    first = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    until(lambda: stored(path) >= 3)
    first.send_signal(signal.SIGKILL)
    first.wait()
    there = stored(path)
    assert 3 <= there < len(QUERIES)
    processes = {int(line.split()[0]) for line in log.read_text().splitlines()}
    until(lambda: all(map(gone, processes)))
    then = sum(asked(log).values())
    assert there <= then <= there + 2, "the running cells are lost, and no others"
    second = subprocess.run(command, capture_output=True, text=True)
    assert second.returncode == 0, second.stderr
    findings = json.loads(second.stdout)["findings"]
    assert [each["query"] for each in findings] == [str(query) for query in QUERIES]
    assert {each["verdict"] for each in findings} == {"SOUND"}
    assert stored(path) == len(QUERIES) and set(asked(log)) == set(map(str, QUERIES))
    assert sum(asked(log).values()) == then + len(QUERIES) - there, "none of what was stored is asked again"
    third = subprocess.run(command, capture_output=True, text=True)
    assert json.loads(third.stdout)["findings"] == findings and sum(asked(log).values()) <= 14


def test_what_hangs_or_eats_memory_is_a_finding(log: Path) -> None:
    hanging, *others = (accountant(f"{SUBJECTS}:{name}") for name in ("Hangs", "Eats", "Logged"))
    with Store() as store, Local() as place:
        (hangs,) = Session([hanging], QUERIES[:1], store, timeout=0.2).run(place)
        eats, sound = Session(others, QUERIES[:1], store).run(place)
    assert (hangs["verdict"], hangs["cause"]) == ("CRASHED", "TIMED OUT")
    assert (eats["verdict"], eats["cause"]) == ("CRASHED", "OUT OF MEMORY")
    assert "within our limit of 4 GiB of memory; asked again" in eats["reason"]
    assert sound["verdict"] == "SOUND"


def test_a_judge_that_takes_too_long_is_ended_and_its_cell_is_a_finding(log: Path) -> None:
    """The time allowed is planted to be none, and the cell lasts until it is looked at."""
    with Store() as store, Local(seconds=1e-9) as place:
        (found,) = Session([accountant(f"{SUBJECTS}:Hangs")], QUERIES[:1], store).run(place)
    assert found["verdict"] == "UNDECIDED" and found["reason"].startswith("the process that judges it ended")


@pytest.fixture
def cluster(tmp_path: Path, log: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """The address of a scheduler on loopback, and two workers."""
    pytest.importorskip("distributed")
    file = tmp_path / "scheduler.json"
    module = [sys.executable, "-m"]
    near = ["--host", "127.0.0.1", "--no-dashboard", "--dashboard-address", ":0"]
    quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": tmp_path}
    scheduler = subprocess.Popen(
        [*module, "distributed.cli.dask_scheduler", "--port", "0", *near, "--scheduler-file", str(file)],
        **quiet,
    )
    until(file.exists)
    worker = [*module, "distributed.cli.dask_worker", "--scheduler-file", str(file), "--nthreads", "2"]
    worker += ["--no-nanny", *near]
    workers = [subprocess.Popen(worker, **quiet) for _ in range(2)]
    until(lambda: file.stat().st_size > 0)
    try:
        yield json.loads(file.read_text())["address"], workers
    finally:
        for process in (*workers, scheduler):
            process.kill()
            process.wait()


@pytest.mark.slow
def test_a_dask_worker_is_killed_and_nothing_is_lost_or_counted_twice(
    cluster: tuple[str, list[subprocess.Popen[bytes]]], log: Path, tmp_path: Path
) -> None:
    address, workers = cluster
    until(lambda: both_are_there(address))
    subject, path = accountant(f"{SUBJECTS}:Slow"), tmp_path / "sweep.sqlite"
    found = []
    with Store(path) as store, Cluster(address) as place:
        assert place.room() >= 4
        session = Session([subject], QUERIES, store)
        for finding in session.run(place):
            found.append(finding)
            if len(found) == 3:
                workers[0].kill()
    assert Counter(each["query"] for each in found) == Counter(map(str, QUERIES))
    assert {each["verdict"] for each in found} == {"SOUND"}
    assert stored(path) == len(QUERIES) and session.findings() == sorted(found, key=place_of)


def place_of(finding: dict[str, Any]) -> int:
    return list(map(str, QUERIES)).index(finding["query"])


def both_are_there(address: str) -> bool:
    try:
        with Cluster(address) as place:
            return place.room() >= 8
    except InvalidInput:
        return False


def nobody(*_: object, **__: object) -> None:
    raise OSError("timed out")


@pytest.mark.parametrize("dask", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_a_cluster_that_is_not_there_is_told(monkeypatch: pytest.MonkeyPatch, dask: bool) -> None:
    if dask:
        pytest.importorskip("distributed")
        monkeypatch.setattr("pldverify.sweeps.cluster._PATIENCE", "1s")
    else:
        monkeypatch.setitem(sys.modules, "distributed", SimpleNamespace(Client=nobody))
    with pytest.raises(InvalidInput, match="scheduler must be an address where one runs"):
        Cluster("tcp://127.0.0.1:9")


def test_a_worker_of_another_version_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from pldverify.sweeps import cell
    from pldverify.sweeps.cell import Task, settle

    (one,) = cells(accountant("moments"), QUERIES[:1])
    task = Task(one, (), 60, 2**32, keys.verdict_version())
    monkeypatch.setattr(cell, "verdict_version", lambda: "another")
    with pytest.raises(InvalidInput, match="same pldverify"):
        settle(task)


def test_threads_of_one_process_settle_one_cell_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """Dask's workers have threads, and the precision of a proof belongs to the process."""
    from pldverify.rulings.finding import Finding
    from pldverify.sweeps import cell
    from pldverify.sweeps.cell import Task, settle

    inside = []

    def found(_: object, task: Task, __: object) -> Finding:
        inside.append(1)
        time.sleep(0.05)
        assert len(inside) == 1, "two at once"
        inside.pop()
        return cell._undecided(task.cell, "a test")

    monkeypatch.setattr(cell, "_found", found)
    tasks = [
        Task(each, (), 60, 2**32, keys.verdict_version())
        for each in cells(accountant("moments"), QUERIES[:4])
    ]
    with ThreadPoolExecutor(4) as threads:
        assert len(list(threads.map(settle, tasks))) == 4
