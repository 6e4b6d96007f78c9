"""Programs that speak the accountant protocol: in shell and awk, and in Python, well-behaved and hostile."""

import json
import re
import shutil
import sys
import tracemalloc
from fractions import Fraction
from pathlib import Path

import pytest

from pldverify.accountants.ask import ask
from pldverify.accountants.command import Command, command
from pldverify.accountants.registry import accountant
from pldverify.accountants.worker import Worker, process
from pldverify.errors import InvalidInput
from pldverify.mechanisms import Gaussian, Laplace, PoissonSubsampled, Query
from pldverify.rulings.check import check
from tests.unit.accountants.test_worker import PATIENCE, PEAK, exists, session, until

DOCS = Path(__file__).parents[3] / "docs"
PROGRAM = Path(__file__).with_name("command.py")
QUERY = Query(Gaussian(1), delta="1e-5")


def program(behaviour: str) -> Command:
    return command(f"command:'{sys.executable}' '{PROGRAM}' {behaviour}")


def answer(behaviour: str, query: Query = QUERY):
    with Worker(timeout=PATIENCE) as worker:
        return worker.ask(program(behaviour), query)


def test_a_claim_has_the_exact_number_the_version_and_the_settings() -> None:
    said = answer("versioned")
    assert said.claim is not None
    assert (said.claim.value, said.claim.direction, said.version) == (Fraction(11, 2), "upper", "3.1")
    assert said.claim.source == f"{program('versioned').name} 3.1"
    assert dict(said.claim.parameters) == {"grid": "1e-4"}
    assert said.seconds == 0.5


def test_what_is_left_out_has_defaults() -> None:
    said = answer("five")
    assert said.claim is not None
    assert (said.claim.value, said.claim.direction, said.version) == (Fraction("5.5"), "upper", "unknown")
    assert said.claim.promise is None and not said.claim.parameters
    assert said.seconds > 0


def test_the_question_is_what_the_document_shows() -> None:
    asked = Query(1000 * PoissonSubsampled(Gaussian(2), "0.01"), delta="1e-5")
    said = answer("echoes", asked)
    assert said.claim is not None
    shown = re.search(
        r"```json\n(\{\n.*?\n\})\n```", (DOCS / "accountant_protocol.md").read_text("utf-8"), re.S
    )
    assert shown is not None
    question = json.loads(said.claim.parameters["asked"])
    assert {**question, "id": "7", "accountant": ""} == {**json.loads(shown[1]), "accountant": ""}


def test_one_process_answers_many_questions_and_ends() -> None:
    with Worker(timeout=PATIENCE) as worker:
        first, second = (worker.ask(program("process"), QUERY).claim for _ in range(2))
        assert first is not None and second is not None and first.value == second.value
        assert exists(int(first.value))
    assert until(lambda: not exists(int(first.value)))


def test_it_is_asked_without_a_worker_too() -> None:
    assert ask(program("five"), QUERY).claim == answer("five").claim
    finding = check(program("refuses"), QUERY)
    assert finding.verdict == "REFUSED"


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("behaviour", "kind", "what"),
    [
        ("refuses", "REFUSED", "refuses' does not support this: only Gaussians \\x1b[2J"),
        ("raises", "RAISED", "unknown raised the grid is empty"),
        ("nan", "INVALID", "a value that is none: -nan"),
        ("bare", "INVALID", "the bare number 5.5, and not with a string"),
        ("lower", "INVALID", "returned a claim of direction lower, and its own is upper"),
        ("nested", "INVALID", "nested more than 40 deep"),
        ("stale", "INVALID", "answered what it was not asked"),
        ("chatty", "INVALID", "what is no JSON"),
        ("endless", "INVALID", "a line of more than 1048576 bytes"),
        ("forks", "INVALID", "a line of more than 1048576 bytes"),
        ("dies", "CRASHED", "ended its process (exit code 7: last words)"),
        ("is_killed", "CRASHED", "ended its process (signal SIGKILL)"),
        ("closes", "CRASHED", "ended its process"),
        ("eats", "CRASHED", "ended its process (exit code 1: MemoryError)"),
        ("unknown_behaviour", "CRASHED", "KeyError: 'unknown_behaviour')"),
    ],
)
def test_whatever_else_it_does_is_a_finding(
    behaviour: str, kind: str, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "_SECONDS_TO_EXIT", 0.5)
    with Worker(timeout=PATIENCE) as worker:
        tracemalloc.start()
        failure = worker.once(program(behaviour), QUERY).failure
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert failure is not None and failure.kind == kind
        assert what in str(failure).replace(program(behaviour).name, f"{behaviour}'")
        assert str(failure).isprintable()
        assert peak < PEAK
        assert worker.ask(program("five"), QUERY).claim is not None


@pytest.mark.parametrize("behaviour", ["hangs", "floods_errors_for_ever"])
def test_what_never_answers_ends_at_the_limit(behaviour: str) -> None:
    with Worker(timeout=1) as worker:
        tracemalloc.start()
        failure = worker.once(program(behaviour), QUERY).failure
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert failure is not None and failure.kind == "TIMED OUT"
    assert peak < PEAK


def test_a_flood_of_errors_is_read_and_not_kept() -> None:
    assert answer("floods_errors").claim is not None


def test_infinity_is_a_claim_of_epsilon_and_no_delta() -> None:
    assert answer("infinite").claim.value == float("inf")
    failure = answer("infinite", Query(Gaussian(1), epsilon=1)).failure
    assert failure is not None and failure.kind == "INVALID" and "a δ of inf" in str(failure)


def test_a_negative_number_is_judged_as_it_is() -> None:
    finding = check(program("negative"), QUERY)
    assert finding.claim is not None and finding.claim.value == Fraction("-0.25")
    assert finding.verdict == "UNSOUND"


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="sessions are read from /proc")
def test_its_children_end_with_it() -> None:
    with Worker(timeout=PATIENCE) as worker:
        worker.ask(program("five"), QUERY)
        assert worker._process is not None
        leader = worker._process._popen.pid
        worker.ask(program("forks"), QUERY)
        assert until(lambda: not session(leader))


@pytest.mark.skipif(not (shutil.which("sh") and shutil.which("awk")), reason="there is no shell or no awk")
def test_the_example_of_the_document_is_sound_and_refuses(tmp_path: Path) -> None:
    source = re.search(r"```sh\n(.*?)```", (DOCS / "accountant_protocol.md").read_text("utf-8"), re.S)
    assert source is not None
    (tmp_path / "zcdp.sh").write_text(source[1], "utf-8")
    subject = accountant(f"command:sh {tmp_path / 'zcdp.sh'}")
    finding = check(subject, Query(100 * Gaussian(20), delta="1e-6"))
    assert finding.verdict == "SOUND"
    assert finding.claim is not None
    expected = 0.125 + 2 * (0.125 * 13.815510557964274) ** 0.5
    assert abs(float(finding.claim.value) / expected - 1) < 1e-14
    with Worker(timeout=PATIENCE) as worker:
        for query in (Query(Laplace(1), delta="1e-6"), Query(Gaussian(1), epsilon=1)):
            failure = worker.ask(subject, query).failure
            assert failure is not None and failure.kind == "REFUSED"


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("command:", "must name a program"),
        ("command:'awk", "words as a shell reads them"),
        ("command:no-such-program-anywhere -x", "that can be executed, got 'no-such-program-anywhere'"),
        (f"command:{PROGRAM}", "that can be executed"),
    ],
)
def test_a_command_that_can_not_be_run_is_bad_input(text: str, what: str) -> None:
    with pytest.raises(InvalidInput, match=re.escape(what)):
        accountant(text)


def test_no_shell_reads_the_command(tmp_path: Path) -> None:
    sign = tmp_path / "sign"
    words = command(f"'{sys.executable}' x; touch {sign}").words
    assert words == (sys.executable, "x;", "touch", str(sign))


def test_its_direction_is_stated_where_it_is_named() -> None:
    with Worker(timeout=PATIENCE) as worker:
        claim = worker.ask(accountant(program("lower").name, "lower"), QUERY).claim
    assert claim is not None and claim.direction == "lower"
