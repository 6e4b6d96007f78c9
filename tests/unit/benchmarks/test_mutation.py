"""The mutation score: sampling, choice of tests, measuring, verdicts; and a planted tree from end to end."""

import math
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks import covering, mutation
from benchmarks.answers import Effect, Question, compared, settled
from benchmarks.covering import SAMPLES, Record, room_files
from benchmarks.mutants import Mutant, mutants
from benchmarks.mutation import Covering, Reason, Result, report, score, shares, stale, still_true, verdict

RESULT = Result(
    "n", "p/a.py", 3, "sign", "f.g", "x = -a", "-a → a", "survived", "file tests", mutated="x = (a)"
)
SAME = Effect((), (), 1.0, 1.0, 0)


@pytest.mark.parametrize(("rooms", "tests"), SAMPLES.values(), ids=SAMPLES)
def test_every_room_of_a_sample_and_every_folder_of_its_tests_is_there(
    rooms: tuple[str, ...], tests: tuple[str, ...]
) -> None:
    assert all(room_files(rooms=(room,)) for room in rooms)
    assert all(covering.test_files([name]) and (covering.ROOT / name).exists() for name in tests)


def planted(source: str = "def f(a):\n    if a < 0:\n        raise E\n    return a\n") -> Mutant:
    return next(mutants(source, "p/a.py"))


def covered(lines: dict[str, list[str]], seconds: dict[str, float]) -> Covering:
    return Covering({"t.py": Record("t.py", {"t.py": "1"}, seconds, {"p/a.py": lines})})


def test_shares_are_in_proportion_and_none_is_small() -> None:
    assert shares({"laws": 700, "balls": 10, "engines": 290}, 100) == {"laws": 61, "balls": 10, "engines": 29}
    assert shares({"balls": 3}, 100) == {"balls": 3}
    assert shares({}, 100) == {}


@pytest.mark.slow
def test_a_smaller_sample_is_part_of_a_larger_one() -> None:
    few, many = ({m.name for m in mutation.sample(size, seed=7)} for size in (20, 60))
    assert len(few) == 20 and len(many) == 60 and few < many
    assert {m.name for m in mutation.sample(20, seed=8)} != few


def test_the_fastest_tests_come_first_but_one_of_every_function() -> None:
    seconds = {"t.py::a[1]": 0.1, "t.py::a[2]": 0.2, "t.py::a[3]": 0.3, "t.py::b": 5.0}
    cover = covered({"2": list(seconds)}, seconds)
    assert cover.tests(planted(), 2) == ["t.py::a[1]", "t.py::b"]
    assert cover.tests(planted(), 3) == ["t.py::a[1]", "t.py::a[2]", "t.py::b"]


def test_tests_of_the_file_itself_come_before_all_others() -> None:
    """A bound that forgot a factor survived 60 tests of whole answers, not the one of the bound."""
    seconds = {
        "t.py::a": 0.1,
        "t.py::b": 0.2,
        "tests/unit/p/test_a.py::c[1]": 3.0,
        "tests/unit/p/test_a.py::c[2]": 4.0,
    }
    cover = covered({"2": list(seconds)}, seconds)
    assert cover.tests(planted(), 2) == ["tests/unit/p/test_a.py::c[1]", "tests/unit/p/test_a.py::c[2]"]
    assert cover.tests(planted(), 3)[0] == "t.py::a"
    assert mutation.own("pldverify/recheck.py") == "tests/unit/test_recheck.py"


def test_a_line_of_a_statement_stands_for_the_others_and_a_file_for_its_top_level() -> None:
    cover = covered({"1": ["t.py::a"]}, {"t.py::a": 1.0})
    inside = next(
        m for m in mutants("def f():\n    return (a\n        + b)\n", "p/a.py") if m.before == "a + b"
    )
    assert cover.tests(inside, 9) == []
    assert covered({"3": ["t.py::a"]}, {"t.py::a": 1.0}).tests(inside, 9) == ["t.py::a"]
    constant = next(mutants("\n\nX = 1\n", "p/a.py"))
    assert cover.tests(constant, 9) == ["t.py::a"]
    imported = covered({"3": ["t.py::a"], "9": ["t.py::b"]}, {"t.py::a": 1.0, "t.py::b": 2.0})
    assert imported.tests(constant, 9) == ["t.py::a", "t.py::b"]


def question(answer: tuple[str, str], truth: tuple[str, str] | None = None) -> Question:
    return Question("c", "1", "add", "delta", "contour", 12, answer, truth or answer)


@pytest.mark.parametrize(
    ("answer", "effect"),
    [
        (("1/4", "3/4"), Effect((), (), 1.0, 1.0, 0)),
        (("0", "1"), Effect((), (), 2.0, 1.0, 1)),
        (("2/5", "3/5"), Effect((), (), 1.0, 0.4, 1)),
        (("3/5", "3/4"), Effect((0,), (), 1.0, 0.3, 1)),
        ("NoConvergence", Effect((), (0,), math.inf, 1.0, 1)),
        ("ZeroDivisionError", Effect((0,), (), 1.0, 1.0, 1)),
    ],
)
def test_answers_are_compared_with_the_truth_and_with_what_they_were(
    answer: tuple[str, str] | str, effect: Effect
) -> None:
    assert compared([question(("1/4", "3/4"), ("1/2", "1/2"))], [answer]) == effect


def test_questions_without_one_answer_are_left_out() -> None:
    questions = [question(("0", "1")), question(("1", "2")), question(("2", "3"))]
    first, again = [("0", "1"), ("1", "3/2"), "NoConvergence"], [("0", "1"), ("1", "2"), "NoConvergence"]
    assert settled(questions, first, again) == questions[:1]  # type: ignore[arg-type]


def test_a_package_that_dies_is_wrong() -> None:
    assert compared([question(("0", "1"))] * 2, [("0", "1")]).wrong == (1,)


@pytest.mark.parametrize(
    ("effect", "expected"),
    [
        (replace(SAME, wrong=(1,), changed=1), "wrong"),
        (replace(SAME, widest=11.0, changed=1), "wide"),
        (replace(SAME, widest=math.inf, lost=(3,), changed=1), "wide"),
        (replace(SAME, widest=2.0, changed=1), "harmless (measured)"),
        (replace(SAME, widest=2.0, narrowest=0.5, changed=2), "unseen"),
        (replace(SAME, widest=1.0001, changed=2), "unseen"),
        (SAME, "unseen"),
    ],
)
def test_survivors_are_judged_by_their_answers(effect: Effect, expected: str) -> None:
    assert verdict(replace(RESULT, effect=effect), [], 10.0) == expected


def test_a_reason_names_a_mutation_or_a_function_but_excuses_nothing_wrong() -> None:
    named = Reason("p/a.py", "why", 1.0, line="x = -a", mutated="x = (a)")
    around = Reason("p/a.py", "why", 10.0, function="f")
    folder = Reason("p/", "why", 10.0)
    assert verdict(replace(RESULT, path="q/a.py", effect=SAME), [folder], 10.0) == "unseen"
    assert verdict(replace(RESULT, effect=replace(SAME, wrong=(1,))), [folder], 10.0) == "wrong"
    for reason in (named, around):
        assert verdict(replace(RESULT, effect=SAME), [reason], 10.0) == "harmless (listed)"
        assert verdict(replace(RESULT, path="p/b.py", effect=SAME), [reason], 10.0) == "unseen"
        assert verdict(replace(RESULT, effect=replace(SAME, wrong=(1,))), [reason], 10.0) == "wrong"
    wide = replace(RESULT, effect=replace(SAME, widest=20.0))
    assert verdict(wide, [named], 10.0) == "harmless (listed)"
    assert verdict(wide, [around], 10.0) == verdict(wide, [folder], 10.0) == "wide"
    assert verdict(replace(RESULT, effect=SAME), [folder], 10.0) == "harmless (listed)"
    assert verdict(replace(RESULT, function="fg", effect=SAME), [around], 10.0) == "unseen"


def test_the_score_leaves_out_the_harmless() -> None:
    results = [replace(RESULT, name=str(i), path="pldverify/balls/a.py", status="killed") for i in range(3)]
    results.append(replace(results[0], name="t", status="timeout"))
    results.append(
        replace(results[0], name="h", status="survived", effect=replace(SAME, widest=2.0, changed=1))
    )
    results.append(replace(results[0], name="u", status="survived", effect=SAME))
    text = "\n".join(report(results, [], 10.0))
    assert "4/5 = 80.0%" in text
    assert "unseen: pldverify/balls/a.py:3 in f.g [sign]" in text
    assert score(Counter({"harmless (listed)": 2})) == "none"


def test_a_kill_holds_while_the_file_stands_and_a_survivor_while_its_tests_do() -> None:
    killed = replace(RESULT, status="killed")
    assert still_true(killed, "file other") and still_true(RESULT, "file tests")
    assert not still_true(RESULT, "file other")
    assert not still_true(killed, "changed tests") and not still_true(None, "file tests")


def test_every_written_reason_says_why() -> None:
    for reason in mutation.reasons():
        assert reason.reason and reason.factor >= 1
        kinds = [reason.function, reason.line and reason.mutated, reason.module.endswith("/")]
        assert [bool(kind) for kind in kinds].count(True) == 1


def test_reasons_that_fit_nothing_any_more_are_named(tree: Path) -> None:
    path = "pldverify/balls/a.py"
    kept = [
        Reason(path, "why", 1.0, function="capped"),
        Reason(path, "why", 1.0, line="return a + 0", mutated="return (a - 0)"),
    ]
    gone = [
        Reason(path, "why", 1.0, function="cap"),
        Reason(path, "why", 1.0, line="return a + 0", mutated="return a"),
        Reason("pldverify/balls/b.py", "why", 1.0, function="capped"),
    ]
    assert list(stale(kept)) == []
    assert len(list(stale(gone))) == 3


PACKAGE = "def capped(a):\n    if a < 0:\n        raise ValueError\n    return a + 0\n"
ENDINGS = {
    "a < 0 → a > 0": "killed",
    "if a < 0 → if False": "killed",
    "a + 0 → a - 0": "survived",
}
TESTS = (
    "import pytest\nfrom pldverify.balls.a import capped\n\n"
    "def test_value():\n    assert capped(2) == 2\n\n"
    "def test_refusal():\n    with pytest.raises(ValueError):\n        capped(-1)\n"
)


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    files = {"pldverify/__init__.py": "", "pldverify/balls/__init__.py": "", "pldverify/balls/a.py": PACKAGE}
    files |= {"tests/unit/test_a.py": TESTS, "benchmarks/__init__.py": ""}
    files["benchmarks/covering.py"] = Path(covering.__file__).read_text("utf-8")
    files["pyproject.toml"] = '[tool.pytest.ini_options]\npythonpath = ["."]\n'
    for name, text in files.items():
        path = tmp_path / "tree" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    for module in (covering, mutation):
        monkeypatch.setattr(module, "ROOT", tmp_path / "tree")
    return tmp_path / "tree"


@pytest.mark.slow
def test_planted_errors_are_run_against_the_tests_of_their_line(tree: Path, tmp_path: Path) -> None:
    pytest.importorskip("coverage")
    records = covering.cover(tmp_path / "store", ["tests/unit"])
    assert set(covering.load(tmp_path / "store")) == {"tests/unit/test_a.py"}
    cover = Covering(records)
    statuses = {}
    for mutant in mutants(PACKAGE, "pldverify/balls/a.py"):
        if mutant.mutation not in ENDINGS:
            continue
        tests = cover.tests(mutant, 10)
        (tree / mutant.path).write_text(mutant.applied(PACKAGE), "utf-8")
        status, killer = mutation.tested(tests, 1.0, tree)
        statuses[mutant.mutation] = status
        assert (killer.rpartition("::")[2] in ("test_value", "test_refusal")) == (status == "killed")
    (tree / "pldverify/balls/a.py").write_text(PACKAGE, "utf-8")
    assert statuses == ENDINGS
    (tree / "tests/unit/test_a.py").write_text(TESTS + "\n", "utf-8")
    assert covering.load(tmp_path / "store") == {}


def test_a_run_that_says_nothing_kills_nothing(tree: Path) -> None:
    with pytest.raises(RuntimeError, match="ended with 5"):
        mutation.tested(["tests/unit/test_a.py::test_of_no_name"], 1.0, tree)


def test_a_plant_whose_line_the_mutant_has_changed_kills_nothing(tree: Path) -> None:
    planting = "class NoSuchLine(AssertionError):\n    pass\n\ndef test_plant():\n    raise NoSuchLine\n"
    (tree / "tests/unit/test_a.py").write_text(planting, "utf-8")
    assert mutation.tested(["tests/unit/test_a.py::test_plant"], 1.0, tree) == ("survived", "")
    (tree / "tests/unit/test_a.py").write_text(planting.replace("NoSuchLine", "Other"), "utf-8")
    assert mutation.tested(["tests/unit/test_a.py::test_plant"], 1.0, tree)[0] == "killed"


def test_a_mutant_that_never_ends_is_a_timeout(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tree / "pldverify/balls/a.py").write_text("def capped(a):\n    while True:\n        pass\n", "utf-8")
    monkeypatch.setattr(mutation, "_START", 0)
    assert mutation.tested(["tests/unit/test_a.py::test_value"], 0.1, tree) == ("timeout", "")
