"""Limits, crashes and attacks, with real processes. No test measures time: PATIENCE only ends what hangs."""

import importlib.util
import json
import os
import signal
import subprocess
import sys
import threading
import time
import tracemalloc
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Literal

import numpy
import pytest

from pldverify.accountants.accountant import Accountant
from pldverify.accountants.ask import Answer
from pldverify.accountants.registry import accountant
from pldverify.accountants.standalone import encode
from pldverify.accountants.worker import Worker, lines, messages, objects, process
from pldverify.errors import InvalidInput, SubjectFailure
from pldverify.mechanisms import Composition, FinitePair, Gaussian, Laplace, PoissonSubsampled, Query
from pldverify.mechanisms.density_pair import DensityPair
from pldverify.numbers import Claim, Promise
from tests.unit.accountants import hostile, subjects
from tests.unit.accountants.installed import installed
from tests.unit.accountants.subjects import Subject

PATIENCE = 600
QUERY = Query(Gaussian(1), delta="1e-5")
ROOT = Path(__file__).parents[3]
PEAK = 24 * 2**20
"""Bytes that the asking process may take for one answer, whatever the subject does."""


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


def until(condition: Callable[[], bool]) -> bool:
    """Waits for what must come; a loaded machine takes longer, and only what never comes fails."""
    deadline = time.monotonic() + PATIENCE
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.02)
    return condition()


def test_one_other_process_answers_all_queries_and_ends_with_the_context() -> None:
    with Worker(timeout=PATIENCE) as worker:
        first = pid(worker)
        assert first != os.getpid()
        assert pid(worker) == first
    assert not exists(first)


def test_a_claim_comes_back_as_it_was_made() -> None:
    with Worker(timeout=PATIENCE) as worker:
        answer = worker.ask(Subject(subjects.one), QUERY)
    assert answer.claim == Subject(subjects.one).claim(QUERY)
    assert answer.version == "1.2.3"


def test_exceptions_and_refusals_are_failures_of_their_kind() -> None:
    with Worker(timeout=PATIENCE) as worker:
        raised = worker.ask(Subject(subjects.raises), QUERY).failure
        refused = worker.ask(Subject(subjects.one), Query(Gaussian(1), delta="1e-5", adjacency="add"))
    assert raised is not None and raised.kind == "RAISED"
    assert str(raised) == "test-library/raises 1.2.3 raised ZeroDivisionError: the grid is empty"
    assert refused.failure is not None and refused.failure.kind == "REFUSED"
    assert refused.version == "1.2.3"
    assert str(refused.failure).endswith("only add-or-remove")


def test_a_hanging_subject_is_stopped_and_the_next_query_gets_a_new_process() -> None:
    with Worker(timeout=PATIENCE) as worker:
        first = pid(worker)
        worker.timeout = 0.2
        failure = worker.once(Subject(subjects.hangs), QUERY).failure
        assert failure is not None and failure.kind == "TIMED OUT"
        assert str(failure).endswith("gave no answer within our limit of 0.2 s")
        assert not exists(first)
        worker.timeout = PATIENCE
        assert pid(worker) != first


def test_a_subject_that_eats_memory_fails_within_the_limit() -> None:
    with Worker(timeout=PATIENCE, memory=2**30) as worker:
        failure = worker.once(Subject(subjects.eats_memory), QUERY).failure
        assert failure is not None and failure.kind == "OUT OF MEMORY"
        said = "test-library/eats_memory 1.2.3 raised MemoryError: no message"
        assert str(failure) == f"{said}, within our limit of 1 GiB of memory"
        assert worker.ask(Subject(subjects.one), QUERY).claim is not None


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("behave", "ending"),
    [
        (subjects.exits, "(exit code 7: last words)"),
        (subjects.is_killed, "(signal SIGKILL)"),
        (hostile.leaves, "(exit code 5)"),
        (hostile.complains_and_exits, r"(exit code 7: last \x1b[2J words)"),
        (hostile.exits_in_a_line, "in the middle of an answer"),
    ],
)
def test_a_crash_is_a_failure_that_says_how_and_the_next_query_is_answered(behave, ending: str) -> None:
    with Worker(timeout=PATIENCE) as worker:
        answer = worker.once(Subject(behave), QUERY)
        assert answer.failure is not None and answer.failure.kind == "CRASHED"
        assert answer.version == "1.2.3" and " 1.2.3 ended its process " in str(answer.failure)
        assert str(answer.failure).endswith(ending)
        assert worker.ask(Subject(subjects.one), QUERY).claim is not None


def test_a_child_that_holds_the_pipes_does_not_keep_us(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sign = tmp_path / "sign"
    monkeypatch.setenv("PLDVERIFY_TEST_SIGN", str(sign))
    with Worker(timeout=PATIENCE) as worker:
        failure = worker.once(Subject(hostile.leaves_a_child_behind), QUERY).failure
        child = int(sign.read_text())
        assert exists(child)
        os.kill(child, signal.SIGKILL)
        assert failure is not None and failure.kind == "CRASHED"
        assert str(failure).endswith("(exit code 9: gone)")


def test_a_closed_pipe_is_a_crash(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "_SECONDS_TO_EXIT", 0.1)
    with Worker(timeout=PATIENCE) as worker:
        first = pid(worker)
        failure = worker.once(Subject(hostile.closes_the_pipe), QUERY).failure
        assert failure is not None and failure.kind == "CRASHED"
        assert str(failure).endswith("ended its process (it closed its output)")
        assert until(lambda: not exists(first))


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("behave", "what"),
    [
        (hostile.garbage, "no JSON"),
        (hostile.endless_line, "a line of more than 1048576 bytes"),
        (hostile.long_line, "a line of more than 1048576 bytes"),
        (hostile.no_json, "no JSON"),
        (hostile.no_text, "no JSON"),
        (hostile.no_object, "no object"),
        (hostile.bare_nan, "bare number NaN"),
        (hostile.bare_number, "bare number 1e5"),
        (hostile.nested, "nested more than 40 deep"),
        (hostile.other_question, "not asked"),
        (hostile.terminal_codes, r"a version that is none: \x1b[2J"),
        (hostile.half_a_character, r"a version that is none: \ud800"),
        (hostile.forged_nan, "a value that is none"),
        (hostile.endless_versions, "its version twice"),
    ],
)
def test_what_is_no_answer_in_the_channel_is_invalid_and_ends_the_process(behave, what: str) -> None:
    with Worker(timeout=PATIENCE) as worker:
        tracemalloc.start()
        failure = worker.ask(Subject(behave), QUERY).failure
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert failure is not None and failure.kind == "INVALID"
        assert what in str(failure)
        assert peak < PEAK
        assert worker.ask(Subject(subjects.one), QUERY).claim is not None


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("behave", "what"),
    [
        (subjects.nan, "returned a claim of nan, which is not a claim"),
        (subjects.minus_infinity, "returned a claim of -inf, which is not a claim"),
        (subjects.nothing, "returned a NoneType, which is not a claim"),
        (hostile.huge_of_text, "returned a claim of more than the 1048576 bytes of a line"),
        (hostile.megabyte_of_settings, "returned a claim of more than the 1048576 bytes of a line"),
        (hostile.huge_number, "returned a claim of a Fraction without a text, which is not a claim"),
        (hostile.nested_settings, "no text, which is not a claim"),
        (hostile.unknown_direction, "without a direction, which is not a claim"),
        (hostile.promises_nan, "a promise that promises nothing, which is not a claim"),
    ],
)
def test_what_is_no_claim_is_invalid_and_the_process_lives(behave, what: str) -> None:
    with Worker(timeout=PATIENCE, memory=2**34) as worker:
        first = pid(worker)
        failure = worker.ask(Subject(behave), QUERY).failure
        assert failure is not None and failure.kind == "INVALID"
        assert what in str(failure)
        assert pid(worker) == first


def test_an_exception_without_a_text_is_told() -> None:
    with Worker(timeout=PATIENCE) as worker:
        failure = worker.ask(Subject(hostile.raises_without_a_text), QUERY).failure
    assert failure is not None and failure.kind == "RAISED"
    assert str(failure).endswith("raised _Speechless: a _Speechless without a text")


@pytest.mark.parametrize("behave", [hostile.prints_for_ever, hostile.complains_for_ever])
def test_endless_output_ends_at_the_limit(behave) -> None:
    with Worker(timeout=PATIENCE) as worker:
        first = pid(worker)
        worker.timeout = 1
        tracemalloc.start()
        failure = worker.once(Subject(behave), QUERY).failure
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert failure is not None and failure.kind == "TIMED OUT"
        assert peak < PEAK
        assert not exists(first)


def test_long_complaints_are_read_and_not_kept() -> None:
    """256 MiB on standard error: unread they would block the subject, kept they would fill us."""
    with Worker(timeout=PATIENCE) as worker:
        tracemalloc.start()
        answer = worker.ask(Subject(hostile.complains_long), QUERY)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert answer.claim is not None
    assert peak < PEAK


def session(leader: int) -> set[int]:
    """Processes of the session that ``leader`` led, zombies apart."""
    members = set()
    for entry in Path("/proc").iterdir():
        try:
            state, _, _, owner = (entry / "stat").read_text().rpartition(")")[2].split()[:4]
        except (OSError, ValueError):
            continue
        if int(owner) == leader and state != "Z":
            members.add(int(entry.name))
    return members


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="sessions are read from /proc")
def test_children_that_write_into_everything_end_with_their_parent() -> None:
    with Worker(timeout=PATIENCE) as worker:
        leader = pid(worker)
        assert session(leader) == {leader}
        failure = worker.ask(Subject(hostile.multiplies), QUERY).failure
        assert failure is not None and failure.kind == "INVALID"
        assert until(lambda: not session(leader))


def test_what_a_subject_prints_is_not_taken_for_an_answer() -> None:
    with Worker(timeout=PATIENCE) as worker:
        answer = worker.ask(Subject(subjects.prints), QUERY)
    assert answer.claim is not None and answer.claim.value == 1


class Stateful(Accountant):
    """Attributes of its own, and no dataclass."""

    direction = "upper"

    def __init__(self, **attributes: object) -> None:
        vars(self).update(attributes)

    def claim(self, query: Query) -> int:
        return sum(self.grid["sizes"])  # type: ignore[attr-defined]


def test_an_object_arrives_with_its_attributes() -> None:
    stateful = Stateful(grid={"sizes": [1, 2, 4], "kind": Stateful})
    with Worker(timeout=PATIENCE) as worker:
        claim = worker.ask(stateful, QUERY).claim
    assert claim is not None and claim.value == 7
    assert vars(objects.read(json.loads(json.dumps(objects.write(stateful))))) == vars(stateful)


class Slotted:
    __slots__ = ("size",)

    def __init__(self) -> None:
        self.size = 3


class Restored:
    """What it says of itself is not what it holds."""

    def __getstate__(self) -> dict[str, int]:
        return {"half": 1}

    def __setstate__(self, state: dict[str, int]) -> None:
        self.size = 2 * state["half"]


def rebuild(kind: type) -> object:
    return kind()


class Rebuilt:
    def __reduce__(self) -> tuple[object, ...]:
        return rebuild, (Rebuilt,), {"size": 3}


@pytest.mark.parametrize(
    ("subject", "what"),
    [
        (Subject(lambda: None), "importable by module and name"),
        (Stateful(grid=threading.Lock()), "must be a dataclass, or have attributes that are numbers"),
        (Stateful(grid=Decimal("0.1")), r"got Decimal\('0.1'\)"),
        (Stateful(grid=numpy.zeros(2)), "got array"),
        (Stateful(grid=Slotted()), "got <tests"),
        (Stateful(grid=Restored()), "got <tests"),
        (Stateful(grid=Rebuilt()), "got <tests"),
    ],
)
def test_an_accountant_that_cannot_be_sent_is_bad_input(subject, what: str) -> None:
    with Worker() as worker, pytest.raises(InvalidInput, match=what):
        worker.ask(subject, QUERY)


FILE = """
import pldverify as pv

class Mine(pv.Accountant):
    direction = "upper"

    def __init__(self, size=5):
        self.size = size

    def claim(self, query):
        return self.size + 0.5

@pv.Accountant.of(direction="upper")
def decorated(query):
    return 5.5

def plain(query):
    return 5.5
"""


@pytest.mark.parametrize("registered", [False, True])
def test_what_stands_in_a_file_is_asked_in_a_worker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, registered: bool
) -> None:
    """By its file, also where it was imported under a name that no other process knows."""
    path = tmp_path / "mine.py"
    path.write_text(FILE)
    if registered:
        spec = importlib.util.spec_from_file_location("only_here.mine", path)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        monkeypatch.setitem(sys.modules, "only_here.mine", module)
        spec.loader.exec_module(module)
        things = [module.Mine(), module.decorated, Accountant.of(module.plain, direction="upper")]
    else:
        things = [accountant(f"{path}:{name}", way) for name, way in FILED]
    with Worker(timeout=PATIENCE) as worker:
        for thing in things:
            claim = worker.ask(thing, QUERY).claim
            assert claim is not None and claim.value == Fraction("5.5")


FILED: list[tuple[str, Literal["upper"] | None]] = [("Mine", None), ("decorated", None), ("plain", "upper")]


def test_what_a_main_module_or_a_function_holds_is_not_sent() -> None:
    def inner(query: Query) -> float:
        return 1.0

    outer = type("Outer", (Stateful,), {"__module__": "__main__"})
    for thing in (Accountant.of(inner, direction="upper"), outer()):
        with pytest.raises(InvalidInput, match="must be importable by module and name"):
            objects.write(thing)


def test_a_query_longer_than_a_line_is_refused() -> None:
    long = Fraction(1, 3**8000)
    pair = FinitePair([1 - 300 * long, *[long] * 300], [1, *[0] * 300])
    with Worker() as worker:
        failure = worker.ask(Subject(subjects.one), Query(pair, epsilon=1)).failure
    assert failure is not None and failure.kind == "REFUSED"
    assert "too long to be sent" in str(failure)


def test_where_no_process_can_start_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    def none_left(*_: object, **__: object) -> None:
        raise BlockingIOError("Resource temporarily unavailable")

    monkeypatch.setattr(subprocess, "Popen", none_left)
    with Worker() as worker:
        failure = worker.ask(Subject(subjects.one), QUERY).failure
    assert failure is not None and failure.kind == "CRASHED"


@pytest.mark.parametrize(("limit", "value"), [("timeout", 0), ("timeout", float("nan")), ("memory", -1)])
def test_limits_are_positive(limit: str, value: float) -> None:
    with pytest.raises(InvalidInput, match=f"{limit} must be > 0 .*, got {limit}={value}"):
        Worker(**{limit: value})


@dataclass(frozen=True)
class Everything:
    """One of each value that goes to a worker."""

    number: int = 10**30
    double: float = 0.1
    infinity: float = float("inf")
    ratio: Fraction = Fraction(1, 3)
    text: str = "δ\ud800"
    nothing: None = None
    flag: bool = True
    items: tuple[object, ...] = (1, ["a"], Fraction)
    inner: object = Subject(subjects.one)


QUERIES = [
    QUERY,
    Query(10 * PoissonSubsampled(Gaussian("1/3"), "0.01") + Laplace(2), epsilon="-0.1", adjacency="add"),
    Query(FinitePair(["0.5", "0.5"], [1, 0]), epsilon=10**4000),
    Query(DensityPair("t", (("-oo", "oo", "f(t)", "g(t)"),), is_integer=True), epsilon=1),
]


@pytest.mark.parametrize("value", [Everything(), *QUERIES, Composition.of((Gaussian(1), 10**12))])
def test_what_is_sent_arrives_as_it_was(value: object) -> None:
    assert objects.read(json.loads(json.dumps(objects.write(value)))) == value


@pytest.mark.parametrize("name", installed())
def test_every_accountant_arrives_as_it_was(name: str) -> None:
    subject = accountant(name)
    arrived = objects.read(json.loads(json.dumps(objects.write(subject))))
    assert type(arrived) is type(subject)
    assert vars(arrived) == vars(subject)


CLAIM = Claim(
    Fraction(0.1), "estimate", "x 1", {"grid": "1e-4", "δ": "1"}, Promise(Fraction(1, 3), Fraction(0))
)


@pytest.mark.parametrize(
    "answer",
    [
        Answer("2", 0.25, claim=CLAIM),
        Answer("2", 0.25, claim=Claim(float("inf"), "upper", "x")),
        Answer("2", 0.0, claim=Claim(Fraction(5e-324), "lower", "x")),
    ],
)
def test_an_answer_arrives_as_it_was(answer: Answer) -> None:
    line = encode({"id": "3", **messages.report(answer)})
    heard = messages.answered(lines.decode(line), 3, Subject(subjects.one), "2")
    assert heard == answer
    assert isinstance(heard, Answer) and heard.claim is not None and answer.claim is not None
    assert heard.claim.parameters == answer.claim.parameters


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (["kind"], "claims"),
        (["id"], None),
        (["seconds"], "nan"),
        (["seconds"], "-1"),
        (["value"], "-inf"),
        (["value"], "1" * 10_000),
        (["value"], None),
        (["direction"], ["upper"]),
        (["direction"], "sideways"),
        (["source"], "a\nb"),
        (["parameters"], []),
        (["parameters"], {"grid": {}}),
        (["promise"], {"epsilon": "inf", "delta": "0"}),
        (["promise"], {"epsilon": "-1", "delta": "0"}),
        (["promise"], {"epsilon": "1"}),
    ],
)
def test_an_answer_outside_the_schema_is_invalid(path: list[str], value: object) -> None:
    message = json.loads(json.dumps({"id": "3", **messages.report(Answer("2", 0.25, claim=CLAIM))}))
    place = message
    for name in path[:-1]:
        place = place[name]
    place[path[-1]] = value
    with pytest.raises(SubjectFailure) as caught:
        messages.answered(message, 3, Subject(subjects.one), "2")
    assert caught.value.kind == "INVALID"


def start_script(tmp_path: Path) -> tuple["subprocess.Popen[str]", int]:
    """A script that waits for a hanging subject, and the process id of its worker.

    It restores Ctrl-C, which is ignored by all children of a shell's background job.
    """
    script, sign = tmp_path / "script.py", tmp_path / "sign"
    script.write_text(
        "import signal\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from pldverify.accountants.worker import Worker\n"
        "from pldverify.mechanisms import Gaussian, Query\n"
        "from tests.unit.accountants import subjects\n"
        "query = Query(Gaussian(1), delta='1e-5')\n"
        f"with Worker(timeout={PATIENCE}) as worker:\n"
        "    print(worker.ask(subjects.Subject(subjects.process_id), query).claim.value, flush=True)\n"
        "    worker.ask(subjects.Subject(subjects.hangs_after_a_sign), query)\n"
    )
    script_process = subprocess.Popen(
        [sys.executable, str(script)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PLDVERIFY_TEST_SIGN": str(sign)},
    )
    assert script_process.stdout is not None
    worker_process = int(script_process.stdout.readline())
    assert until(sign.exists)
    return script_process, worker_process


@pytest.fixture(params=["SIGINT as it is", "SIGINT ignored"])
def disposition(request: pytest.FixtureRequest):
    """As under ``nohup``, or in the background of a script."""
    before = signal.getsignal(signal.SIGINT)
    if request.param == "SIGINT ignored":
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("disposition")
def test_ctrl_c_leaves_no_orphan_and_needs_no_main_guard(tmp_path: Path) -> None:
    script_process, worker_process = start_script(tmp_path)
    script_process.send_signal(signal.SIGINT)
    _, stderr = script_process.communicate(timeout=PATIENCE)
    assert "KeyboardInterrupt" in stderr
    assert until(lambda: not exists(worker_process))


def test_the_worker_ends_even_if_its_parent_is_killed(tmp_path: Path) -> None:
    script_process, worker_process = start_script(tmp_path)
    script_process.kill()
    script_process.communicate(timeout=PATIENCE)
    assert until(lambda: not exists(worker_process))
