import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pldverify.accountants.worker import Worker
from pldverify.errors import InvalidInput, NotSupported, SubjectFailure
from pldverify.mechanisms import Gaussian, Query
from tests.unit.accountants import subjects
from tests.unit.accountants.subjects import Subject

QUERY = Query(Gaussian(1), delta="1e-5")
ROOT = Path(__file__).parents[3]


def pid(worker: Worker) -> int:
    claim = worker.ask(Subject(subjects.process_id), QUERY).claim
    assert claim is not None
    return int(claim.value)


def exists(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def test_one_other_process_answers_all_queries_and_ends_with_the_context() -> None:
    with Worker() as worker:
        first = pid(worker)
        assert first != os.getpid()
        assert pid(worker) == first
    assert not exists(first)


def test_a_claim_comes_back_as_it_was_made() -> None:
    with Worker() as worker:
        answer = worker.ask(Subject(subjects.one), QUERY)
    assert answer.claim == Subject(subjects.one).claim(QUERY)
    assert answer.version == "1.2.3"


def test_exceptions_and_refusals_come_back_as_they_do_without_a_worker() -> None:
    with Worker() as worker:
        failure = worker.ask(Subject(subjects.raises), QUERY).failure
        assert isinstance(failure, SubjectFailure)
        assert str(failure) == "test-library/raises 1.2.3 raised ZeroDivisionError: the grid is empty"
        with pytest.raises(NotSupported, match="only add-or-remove"):
            worker.ask(Subject(subjects.one), Query(Gaussian(1), delta="1e-5", adjacency="add"))


def test_a_hanging_subject_is_stopped_and_the_next_query_gets_a_new_process() -> None:
    with Worker(timeout=3) as worker:
        first = pid(worker)
        start = time.perf_counter()
        answer = worker.ask(Subject(subjects.hangs), QUERY)
        assert str(answer.failure) == "test-library/hangs 1.2.3 exceeded 3 s and was stopped"
        assert 3 <= time.perf_counter() - start < 6
        assert not exists(first)
        assert pid(worker) != first


def test_a_subject_that_eats_memory_fails_within_the_limit() -> None:
    with Worker(memory=2**30) as worker:
        answer = worker.ask(Subject(subjects.eats_memory), QUERY)
        assert str(answer.failure) == "test-library/eats_memory 1.2.3 raised MemoryError: no message"
        assert worker.ask(Subject(subjects.one), QUERY).claim is not None


@pytest.mark.parametrize(
    ("behave", "ending"),
    [(subjects.exits, "exit code 7: last words"), (subjects.is_killed, "signal SIGKILL")],
)
def test_a_crash_is_a_failure_that_says_how_and_the_next_query_is_answered(behave, ending: str) -> None:
    with Worker() as worker:
        answer = worker.ask(Subject(behave), QUERY)
        assert str(answer.failure).endswith(f"1.2.3 ended its process ({ending})")
        assert worker.ask(Subject(subjects.one), QUERY).claim is not None


def test_what_a_subject_prints_is_not_taken_for_an_answer() -> None:
    with Worker() as worker:
        answer = worker.ask(Subject(subjects.prints), QUERY)
    assert answer.claim is not None and answer.claim.value == 1


def test_an_accountant_that_cannot_be_sent_is_bad_input() -> None:
    with Worker() as worker, pytest.raises(InvalidInput, match="importable"):
        worker.ask(Subject(lambda: None), QUERY)


@pytest.mark.parametrize(("limit", "value"), [("timeout", 0), ("timeout", float("nan")), ("memory", -1)])
def test_limits_are_positive(limit: str, value: float) -> None:
    with pytest.raises(InvalidInput, match=f"{limit} must be > 0 .*, got {limit}={value}"):
        Worker(**{limit: value})


def start_script(tmp_path: Path) -> tuple["subprocess.Popen[str]", int]:
    """A script that waits for a hanging subject, and the process id of its worker."""
    script = tmp_path / "script.py"
    script.write_text(
        "from pldverify.accountants.worker import Worker\n"
        "from pldverify.mechanisms import Gaussian, Query\n"
        "from tests.unit.accountants import subjects\n"
        "query = Query(Gaussian(1), delta='1e-5')\n"
        "with Worker() as worker:\n"
        "    print(worker.ask(subjects.Subject(subjects.process_id), query).claim.value, flush=True)\n"
        "    worker.ask(subjects.Subject(subjects.hangs), query)\n"
    )
    script_process = subprocess.Popen(
        [sys.executable, str(script)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert script_process.stdout is not None
    worker_process = int(script_process.stdout.readline())
    time.sleep(0.3)  # into the hanging claim
    return script_process, worker_process


def ends_within(seconds: float, process: int) -> bool:
    deadline = time.perf_counter() + seconds
    while exists(process) and time.perf_counter() < deadline:
        time.sleep(0.05)
    return not exists(process)


def test_ctrl_c_leaves_no_orphan_and_needs_no_main_guard(tmp_path: Path) -> None:
    script_process, worker_process = start_script(tmp_path)
    script_process.send_signal(signal.SIGINT)
    _, stderr = script_process.communicate(timeout=60)
    assert "KeyboardInterrupt" in stderr
    assert ends_within(5, worker_process)


def test_the_worker_ends_even_if_its_parent_is_killed(tmp_path: Path) -> None:
    script_process, worker_process = start_script(tmp_path)
    script_process.kill()
    script_process.communicate(timeout=60)
    assert ends_within(5, worker_process)
