import os
import subprocess
import sys
import warnings
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest

import pldverify as pv
from pldverify.errors import InvalidInput
from pldverify.mechanisms import Gaussian, Query
from pldverify.reference.quantities import bracket
from pldverify.sweeps.sweep import Cell, sweep
from pldverify.values import truth
from tests.unit.accountants import hostile, subjects
from tests.unit.accountants.subjects import Subject

PATIENCE = 600
QUERIES = [Query(Gaussian(10), delta="1e-5"), Query(Gaussian("0.1"), delta="1e-5")]
REFUSED = Query(Gaussian(10), delta="1e-5", adjacency="remove")


def test_every_pair_has_a_finding_in_order_and_failures_are_findings() -> None:
    """True ε: 0.3 or so for σ = 10 and 90 or so for σ = 0.1, so 1 is an upper bound once."""
    behaviours = [subjects.one, subjects.raises, subjects.nan, hostile.bare_nan, subjects.exits]
    seen = []
    found = list(
        sweep([Subject(b) for b in behaviours], [*QUERIES, REFUSED], timeout=PATIENCE, on_finding=seen.append)
    )
    assert seen == found
    names = [f"test-library/{behave.__name__}" for behave in behaviours]
    assert [(f.query, f.accountant) for f in found] == [
        (query, name) for query in [*QUERIES, REFUSED] for name in names
    ]
    for number, query in enumerate(QUERIES):
        one, raises, nan, garbage, exits = found[5 * number : 5 * number + 5]
        assert one.verdict == ("SOUND", "UNSOUND")[number]
        assert one.claim is not None and one.claim.value == Fraction(1)
        assert raises.reason == "test-library/raises 1.2.3 raised ZeroDivisionError: the grid is empty"
        assert nan.reason.endswith("which is not a claim")
        assert garbage.reason.endswith("answered with the bare number NaN, and not with a string")
        assert exits.reason.endswith("ended its process (exit code 7: last words)")
        causes = [failed.cause for failed in (raises, nan, garbage, exits)]
        assert causes == ["RAISED", "INVALID", "INVALID", "CRASHED"]
        verdicts = [failed.verdict for failed in (raises, nan, garbage, exits)]
        assert verdicts == ["CRASHED", "INVALID", "INVALID", "CRASHED"]
        for failed in (raises, nan, garbage, exits):
            assert failed.claim is None
            assert failed.truth == one.truth
            assert failed.query == query
    for refused in found[10:]:
        assert (refused.verdict, refused.claim, refused.cause) == ("REFUSED", None, "REFUSED")
        assert refused.truth is None
        assert refused.version == "1.2.3"
        assert refused.reason.endswith("only add-or-remove")


def test_a_hanging_subject_is_a_finding() -> None:
    (found,) = sweep([Subject(subjects.hangs)], QUERIES[:1], timeout=0.2)
    assert (found.verdict, found.claim, found.cause) == ("CRASHED", None, "TIMED OUT")
    assert found.truth is not None
    assert "gave no answer within our limit of 0.2 s; asked again, alone" in found.reason


def test_a_library_cannot_spoil_the_answer_of_another() -> None:
    spoiling, honest = Subject(subjects.spoils, library="spoiling"), Subject(subjects.one, library="honest")
    spoiled, sound = sweep([spoiling, honest], QUERIES[:1], timeout=PATIENCE)
    assert sound.claim is not None and sound.claim.value == 1
    assert spoiled.claim is not None


def test_findings_come_one_by_one() -> None:
    findings = sweep([Subject(subjects.one)], (query for query in QUERIES), timeout=PATIENCE)
    assert next(findings).verdict == "SOUND"
    findings.close()  # type: ignore[attr-defined]


def test_accountants_are_found_by_name_before_the_first_finding() -> None:
    with pytest.raises(InvalidInput, match="accountant must be one of"):
        sweep(["dp-accounting", "no-such-accountant"], QUERIES)
    with pytest.raises(InvalidInput, match="timeout must be > 0"):
        sweep(["dp-accounting"], QUERIES, timeout=0)
    found = list(sweep(["dp-accounting"], QUERIES[:1], timeout=PATIENCE))
    assert [(f.accountant, f.verdict) for f in found] == [("dp-accounting/pld", "SOUND")]


# --- what the truth costs ---


@pytest.fixture
def truths(monkeypatch: pytest.MonkeyPatch) -> Iterator[Counter[Query]]:
    """How often the reference was asked for each query, from nothing on."""
    asked = Counter[Query]()

    class Counted(bracket.Narrowing):
        def __init__(self, query: Query) -> None:
            asked[query] += 1
            super().__init__(query)

    monkeypatch.setattr(bracket, "Narrowing", Counted)
    truth._narrowing.cache_clear()
    yield asked
    truth._narrowing.cache_clear()


def test_a_truth_is_asked_for_once_and_shared(truths: Counter[Query]) -> None:
    behaviours = [subjects.one, subjects.raises, subjects.prints]
    found = list(sweep([Subject(b) for b in behaviours], QUERIES, timeout=PATIENCE))
    assert len(found) == 6 and truths == dict.fromkeys(QUERIES, 1)


def test_a_refusal_costs_no_truth(truths: Counter[Query]) -> None:
    (found,) = sweep(Subject(subjects.one), REFUSED, timeout=PATIENCE)
    assert (found.verdict, found.truth) == ("REFUSED", None) and not truths
    list(sweep(Subject(subjects.one), QUERIES[:1], timeout=PATIENCE))
    assert truths  # it would have been seen


# --- order, progress, interruption ---


def test_each_cell_is_named_before_it_is_asked() -> None:
    told: list[object] = []
    names = ["test-library/one", "test-library/raises"]
    subjects_ = [Subject(subjects.one), Subject(subjects.raises)]
    list(sweep(subjects_, QUERIES, timeout=PATIENCE, on_cell=told.append, on_finding=told.append))
    cells = [
        Cell(2 * i + j, 4, name, query) for i, query in enumerate(QUERIES) for j, name in enumerate(names)
    ]
    assert told[::2] == cells
    assert [(f.accountant, f.query) for f in told[1::2]] == [(c.accountant, c.query) for c in cells]  # type: ignore[attr-defined]


def test_ctrl_c_keeps_what_was_found_and_the_rest_can_be_asked() -> None:
    pressed: list[Cell] = []

    def press(cell: Cell) -> None:
        if cell.number == 1 and not pressed:
            pressed.append(cell)
            raise KeyboardInterrupt

    whole = sweep(Subject(subjects.one), QUERIES, timeout=PATIENCE, on_cell=press)
    with pytest.raises(KeyboardInterrupt):
        list(whole)
    assert [f.query for f in whole.findings] == QUERIES[:1] and repr(whole) == "Sweep: 1 of 2 findings"
    assert [f.query for f in whole] == QUERIES[1:]
    assert [f.query for f in whole.findings] == QUERIES
    assert list(whole) == []


def test_leaving_a_loop_loses_nothing_and_ends_the_process() -> None:
    whole = sweep(Subject(subjects.process_id), QUERIES, timeout=PATIENCE)
    found = next(whole)
    assert found.claim is not None
    process = int(found.claim.value)
    whole.close()
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)
    (rest,) = whole
    assert rest.query == QUERIES[1] and rest.claim is not None and rest.claim.value != process


def test_left_out_the_grid_is_the_builtin_one() -> None:
    assert sweep("moments").total == 42
    assert sweep(["moments", "rdp"], pv.Grid.of(pv.Gaussian, sigma=[1, 2], delta="1e-5")).total == 4


@pytest.mark.parametrize(
    ("accountants", "message"),
    [
        (["moments", "moments"], "accountants must have different names, got moments twice"),
        (["rdp", "rdp/canonne-2020"], "got rdp/canonne-2020 twice"),
        ([subjects.one], "function one must say what its number is"),
        ([5], "accountant must be a name"),
    ],
)
def test_what_can_not_be_swept_is_told(accountants, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        sweep(accountants, QUERIES)


def test_limits_of_memory_reach_the_worker() -> None:
    (found,) = sweep(Subject(subjects.eats_memory), QUERIES[:1], timeout=PATIENCE, memory=2**30)
    assert (found.verdict, found.cause) == ("CRASHED", "OUT OF MEMORY") and "MemoryError" in found.reason


def test_a_check_with_a_limit_has_a_process_of_its_own() -> None:
    found = pv.check(Subject(subjects.process_id), QUERIES[0], timeout=PATIENCE)
    assert found.claim is not None and found.claim.value != os.getpid()
    found = pv.check(Subject(subjects.process_id), QUERIES[0])
    assert found.claim is not None and found.claim.value == os.getpid()
    with pytest.raises(InvalidInput, match="timeout must be > 0"):
        pv.check(Subject(subjects.one), QUERIES[0], timeout=0)


# --- what no other process could make ---


def test_a_local_class_is_asked_here_and_that_is_said() -> None:
    class Local(pv.Accountant):
        direction = "lower"

        def claim(self, query: Query) -> int:
            return os.getpid()

    with pytest.warns(
        UserWarning, match=r"^Local is asked in this process, without limits of time and memory: .*"
    ):
        whole = sweep([Local, Subject(subjects.process_id)], QUERIES[:1], timeout=PATIENCE)
    here, there = whole
    assert here.claim is not None and here.claim.value == os.getpid() and here.verdict == "UNSOUND"
    assert there.claim is not None and there.claim.value != os.getpid()
    with pytest.raises(InvalidInput, match="must be importable by module and name"):
        pv.check(Local, QUERIES[0], timeout=PATIENCE)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sweep([Subject(subjects.one), "moments"], QUERIES)


SCRIPT = """
import pldverify as pv

class Mine(pv.Accountant):
    direction = "upper"

    def claim(self, query):
        return 5.5

print("once")
for finding in pv.sweep(Mine, pv.Grid.of(pv.Gaussian, sigma=[1, "0.1"], delta="1e-5")):
    print(finding.accountant, finding.verdict)
"""


@pytest.mark.parametrize("way", ["script", "prompt"])
def test_a_class_of_the_main_module_works_and_the_script_runs_once(tmp_path: Path, way: str) -> None:
    """Without a main guard; from standard input, as in a notebook, there is no file at all."""
    (tmp_path / "script.py").write_text(SCRIPT)
    done = subprocess.run(
        [sys.executable, "script.py" if way == "script" else "-"],
        input=SCRIPT,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])},
    )
    assert done.stdout == "once\nMine SOUND\nMine UNSOUND\n", done.stderr
    assert "Mine is asked in this process" in done.stderr and "name it by file.py:Class" in done.stderr
