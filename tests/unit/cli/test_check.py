"""check: findings as JSON or as a table, a bar on standard error, the worst verdict as exit code."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from pldverify.accountants.machine import machine
from pldverify.cli.check import exit_code
from pldverify.cli.exits import Exit
from pldverify.mechanisms import Gaussian, Query
from pldverify.numbers import Claim, Enclosure
from pldverify.rulings.finding import Finding
from pldverify.sweeps.sweep import Cell

Run = Callable[..., Result]
QUERY = Query(3 * Gaussian(2), delta="1e-6")
TRUTH = Enclosure(Fraction("4.0000000001"), Fraction("4.0000000002"), "test")


def finding(verdict: str, value: str) -> Finding:
    claim = None if verdict == "UNDECIDED" else Claim(Fraction(value), "upper", "planted 1.0")
    reason = "it fell asleep" if verdict == "UNDECIDED" else ""
    return Finding(QUERY, "planted", "1.0", claim, TRUTH, verdict, 0.25, reason)  # type: ignore[arg-type]


SOUND, UNSOUND, UNDECIDED = finding("SOUND", "4.5"), finding("UNSOUND", "3.75"), finding("UNDECIDED", "0")


@pytest.fixture
def plant(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Make the sweep report these findings; a ``None`` is the user's Ctrl-C."""

    def with_findings(*findings: Finding | None) -> None:
        def sweep(
            *_: object, on_cell: Callable[[Cell], None] = lambda cell: None, **__: object
        ) -> Iterator[Finding]:
            for number, found in enumerate(findings):
                if found is None:
                    raise KeyboardInterrupt
                on_cell(Cell(number, len(findings), found.accountant, found.query))
                yield found

        monkeypatch.setattr("pldverify.sweeps.sweep.sweep", sweep)

    return with_findings


def test_what_stands_in_brackets_is_printed_and_not_taken_for_markup(
    run: Run, plant: Callable[..., None]
) -> None:
    query = Query(Gaussian(2), delta="1e-6", adjacency="remove")
    plant(Finding(query, "planted", "1.0 [/red]", None, TRUTH, "UNDECIDED", 0.25, "[/bold] fell asleep"))
    result = run("check", "dp-accounting")
    assert result.exit_code == Exit.UNDECIDED
    for text in ("1.0 [/red]", "[remove]", "[/bold] fell asleep"):
        assert text in result.stdout


@pytest.mark.parametrize(
    ("findings", "code"),
    [
        ([SOUND, SOUND], 0),
        ([SOUND, UNSOUND], 1),
        ([UNSOUND, UNDECIDED], 1),
        ([SOUND, UNDECIDED], 3),
    ],
)
def test_the_worst_verdict_is_the_exit_code(
    run: Run, plant: Callable[..., None], findings: list[Finding], code: int
) -> None:
    plant(*findings)
    assert run("check", "dp-accounting").exit_code == code
    result = run("check", "dp-accounting", "--json")
    assert result.exit_code == code
    assert json.loads(result.stdout) == {"findings": [found.to_json() for found in findings]}


def test_exit_code_of_nothing() -> None:
    """A grid that all refuse has no cells, and ended with 0."""
    assert exit_code([]) is Exit.UNDECIDED


def test_the_table_says_what_matters(run: Run, plant: Callable[..., None]) -> None:
    plant(SOUND, UNSOUND, UNDECIDED)
    result = run("check", "dp-accounting")
    lines = result.stdout.splitlines()
    places = {
        verdict: next(i for i, line in enumerate(lines) if line.startswith(f"  {verdict} "))
        for verdict in ("SOUND", "UNSOUND", "UNDECIDED")
    }
    rows = {verdict: lines[i] for verdict, i in places.items()}
    for verdict, row in rows.items():
        assert lines[places[verdict] - 1] == "ε at δ=1e-6 of 3 * gaussian(sigma=2)"
        assert "4.00000…" in row
        assert row.endswith(" 0.25")
        assert len(row) == len(rows["SOUND"]) == len(lines[1]), "columns"
    assert "4.5 " in rows["SOUND"]
    assert " 0.500 ε" in rows["SOUND"]
    assert "3.75 " in rows["UNSOUND"]
    assert "-0.250 ε" in rows["UNSOUND"]
    assert lines[places["UNDECIDED"] + 1] == "  it fell asleep"
    assert result.stdout.endswith("1 SOUND, 1 UNSOUND, 1 UNDECIDED\n")


def test_impossible_numbers_are_told_first(run: Run, plant: Callable[..., None]) -> None:
    above = Finding(
        Query(Gaussian(1), epsilon=1),
        "planted",
        "1.0",
        Claim(Fraction("1.0000000043"), "upper", "planted 1.0"),
        Enclosure(Fraction(1, 10), Fraction(1, 9), "test"),
        "SOUND",
        0.25,
    )
    nothing = replace(UNDECIDED, verdict="INVALID", reason="planted 1.0 returned nan, which is not a claim")
    plant(SOUND, UNSOUND, above, nothing)
    printed = " ".join(run("check", "dp-accounting").stdout.split())  # however wide the terminal is
    told = "planted 1.0: no probability is 1.0000000043, above 1: δ at ε=1 of gaussian(sigma=1)"
    assert printed.startswith(f"{told} planted 1.0 returned nan, which is not a claim: ε at δ=1e-6")


@pytest.mark.parametrize(
    ("found", "times"),
    [
        (SOUND, 0),
        (replace(SOUND, claim=Claim(TRUTH.upper + Fraction(1, 10**10), "upper", "planted 1.0")), 1),
        (replace(UNSOUND, severity="rounding-level"), 1),
    ],
)
def test_what_rounding_decides_names_the_machine(
    run: Run, plant: Callable[..., None], found: Finding, times: int
) -> None:
    plant(found, UNSOUND)
    printed = " ".join(run("check", "dp-accounting").stdout.split())
    said = f"1 verdict is at rounding level, and may be another one elsewhere: this is {machine()}"
    assert printed.count(said) == times


def test_what_the_library_was_asked_is_shown_of_what_is_wrong(run: Run, plant: Callable[..., None]) -> None:
    claim = Claim(Fraction("3.75"), "upper", "planted 1.0", {"composition": "SelfComposed(Gaussian(2), 4)"})
    plant(replace(UNSOUND, claim=claim), replace(SOUND, claim=replace(claim, value=Fraction("4.5"))))
    assert run("check", "dp-accounting").stdout.count("asked as SelfComposed(Gaussian(2), 4)") == 1


def test_a_question_in_other_words_is_shown_of_what_is_sound(run: Run, plant: Callable[..., None]) -> None:
    settings = {"composition": "SelfComposed(Gaussian(2), 4)", "rewritten": "one Gaussian as four of 2σ"}
    plant(replace(SOUND, claim=Claim(Fraction("4.5"), "upper", "planted 1.0", settings)), SOUND)
    told = "  asked in other words: one Gaussian as four of 2σ\n  asked as SelfComposed(Gaussian(2), 4)\n"
    assert run("check", "dp-accounting").stdout.count(told) == 1


@pytest.mark.slow
def test_a_question_in_other_words_is_shown_whatever_the_verdict(run: Run) -> None:
    pytest.importorskip("dp_accounting")
    names = ["dp-accounting/rdp", "dp-accounting/rdp-nested"]
    run_of = ["--sigma", "1", "--q", "0.01", "--steps", "100", "--delta", "1e-6"]
    printed = " ".join(run("check", *names, *run_of).stdout.split())
    told = "asked in other words: a sampled Gaussian mechanism of noise σ as four of 2σ on the same sample"
    assert printed.count(told) == 1  # both are SOUND
    asked = "asked as 100 * PoissonSampledDpEvent(sampling_probability=0.01, event=SelfComposedDpEvent("
    assert printed.count("asked as ") == printed.count(asked) == 1


@pytest.mark.slow
def test_accountants_of_noise_are_asked_for_noise(run: Run) -> None:
    pytest.importorskip("dp_accounting")
    mixed = ["dp-accounting/sigma-gaussian", "gdp/upper"]
    found = json.loads(
        run("check", *mixed, "gaussian(2)", "--epsilon", "8", "--delta", "1e-5", "--json").stdout
    )
    (refused,) = [each for each in found["findings"] if each["accountant"] == "gdp/upper"]
    assert refused["reason"].endswith("it is not asked for the quantity noise")
    printed = run(
        "check", "dp-accounting/smallest-laplace", "laplace(1)", "--epsilon", "8", "--delta", "1e-10"
    )
    assert printed.exit_code == Exit.SOUND
    assert "noise for ε=8 at δ=1e-10 of laplace(b=1)\n  SOUND" in printed.stdout


def test_each_is_asked_the_built_in_questions_of_what_it_answers(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("dp_accounting")
    asked: dict[str, set[str]] = {}

    def sweep(subjects: list[Any], queries: list[Query], **_: object) -> Iterator[Finding]:
        asked.update({subject.name: {query.quantity for query in queries} for subject in subjects})
        return iter([SOUND])

    monkeypatch.setattr("pldverify.sweeps.sweep.sweep", sweep)
    run("check", "dp-accounting/calibrate-pld", "dp-accounting/rdp-curve", "dp-accounting/rdp")
    assert asked == {
        "dp-accounting/calibrate-pld": {"noise"},
        "dp-accounting/rdp-curve": {"rdp"},
        "dp-accounting/rdp": {"epsilon", "delta"},
    }


@pytest.mark.parametrize(("flags", "number"), [((), 2), (("--variants",), 21)])
def test_variants_are_asked_on_demand(
    run: Run, monkeypatch: pytest.MonkeyPatch, flags: tuple[str, ...], number: int
) -> None:
    pytest.importorskip("dp_accounting")
    heard: list[int] = []

    def sweep(subjects: list[object], *_: object, **__: object) -> Iterator[Finding]:
        heard.append(len(subjects))
        return iter([SOUND])

    monkeypatch.setattr("pldverify.sweeps.sweep.sweep", sweep)
    assert run("check", "dp-accounting", *flags).exit_code == Exit.SOUND
    assert sum(heard) == number


def test_a_list_says_what_each_asks_and_asks_nothing(run: Run) -> None:
    listed = run("check", "dp-accounting", "--list")
    assert listed.exit_code == Exit.SOUND
    assert listed.stdout.startswith("dp-accounting/pld: pld.PLDAccountant with its default parameters: ")
    told = "dp-accounting/rdp-integers (with --variants): RdpAccountant, as rdp-nested, with whole numbers"
    assert told in " ".join(listed.stdout.split())
    assert run("check", "dp-acounting", "--list").exit_code == Exit.BAD_INPUT


def test_a_list_of_a_file_has_what_it_defines(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        'class Moments:\n    """My moments.\n\n    More."""\n\ndef plain(query):\n    return 1 / 0\n'
    )
    told = "".join(run("check", str(file), "--list").stdout.split())
    assert told == f"{file}:Moments:Mymoments.{file}:plain"
    assert "must be a Python file" in run("check", str(tmp_path / "no.py"), "--list").stderr


def test_an_estimate_without_a_promise_weighs_nothing_beside_others(
    run: Run, plant: Callable[..., None]
) -> None:
    guess = replace(UNDECIDED, cause="NO PROMISE")
    for findings, code in (([SOUND, guess], 0), ([guess], 3), ([UNSOUND, guess], 1), ([UNDECIDED, guess], 3)):
        plant(*findings)
        assert run("check", "dp-accounting").exit_code == code


def test_each_accountant_has_its_counts_and_an_estimate_its_error(
    run: Run, plant: Callable[..., None]
) -> None:
    estimate = Finding(
        QUERY,
        "guess",
        "1.0",
        Claim(Fraction("3.5"), "estimate", "guess"),
        TRUTH,
        "UNDECIDED",
        0.1,
        "it says so",
        "NO PROMISE",
    )
    plant(SOUND, UNSOUND, estimate)
    printed = run("check", "dp-accounting").stdout
    assert "planted: 1 SOUND, 1 UNSOUND, 0 UNDECIDED\n" in printed
    assert "guess: 0 SOUND, 0 UNSOUND, 1 UNDECIDED\n" in printed
    assert " error -5.00e-01 ε" in printed
    assert "\n  UNDECIDED (no promise)  " in printed
    assert printed.endswith("1 SOUND, 1 UNSOUND, 1 UNDECIDED\n")


def test_the_bar_stays_off_standard_output(run: Run, plant: Callable[..., None]) -> None:
    plant(SOUND)
    result = run("check", "dp-accounting", "--json")
    assert "planted: ε at δ=1e-6 of 3 * gaussian(sigma=2)" in result.stderr
    assert "planted: ε" not in result.stdout


@pytest.mark.parametrize("extra", [[], ["--json"]])
def test_ctrl_c_prints_what_was_found(run: Run, plant: Callable[..., None], extra: list[str]) -> None:
    plant(SOUND, None, UNSOUND)
    result = run("check", "dp-accounting", *extra)
    assert result.exit_code == 130
    assert "SOUND" in result.stdout
    assert "UNSOUND" not in result.stdout.replace("0 UNSOUND", "")


def test_a_real_accountant_is_asked(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pldverify.sweeps.builtin_queries.builtin_queries", lambda asks: [QUERY])
    result = run("check", "dp-accounting/rdp", "--json")
    (found,) = json.loads(result.stdout)["findings"]
    assert (result.exit_code, found["verdict"]) == (0, "SOUND")
    assert found["accountant"] == "dp-accounting/rdp"
    assert Fraction(found["lower"]) <= Fraction(found["upper"]) <= Fraction(found["claim"])


def test_a_question_of_your_own(run: Run) -> None:
    for question in (
        ["10 * gaussian(sigma=4)", "--delta", "1e-5"],
        ["--sigma", "4", "--q", "1", "--steps", "10", "--delta", "1e-5"],
    ):
        result = run("check", "rdp/canonne-2020", *question, "--adjacency", "remove", "--json")
        (found,) = json.loads(result.stdout)["findings"]
        assert (result.exit_code, found["verdict"]) == (0, "SOUND")
        assert found["query"] == "ε at δ=1e-5 of 10 * gaussian(sigma=4) [remove]"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["gaussian(1)"], "one of --epsilon and --delta must be given"),
        (["--delta", "0.1"], "EXPR or the flags of a run must be given with --epsilon or --delta"),
        (["gaussian(1)", "--epsilon", "1", "--memory", "inf"], "memory must be finite, got memory=inf"),
        (
            ["gaussian(1)", "--epsilon", "1", "--memory", "1e400"],
            "memory must be > 0 and at most 100000, got",
        ),
        (["gaussian(1)", "--epsilon", "1", "--timeout", "0"], "timeout must be > 0 and at most 100000, got"),
    ],
)
def test_bad_questions(run: Run, arguments: list[str], message: str) -> None:
    result = run("check", "gdp", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"Error: {message}")


def test_refusals_are_told_once_for_each_reason(run: Run) -> None:
    result = run("check", "gdp/upper", "laplace(b=1)", "--epsilon", "1")
    assert result.exit_code == Exit.UNDECIDED  # a refusal says nothing
    lines = result.stdout.splitlines()
    assert lines[1].startswith("1 REFUSED: gdp/upper does not support this: ")
    assert lines[-1] == "0 SOUND, 0 UNSOUND, 0 UNDECIDED, 1 REFUSED"
    assert lines.count("  δ at ε=1 of laplace(b=1)") == 1


def test_what_a_file_prints_when_it_is_read_is_no_answer(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "talks.py"
    file.write_text("print('hello')\ndef f(query):\n    return 50.0\n")
    result = run("check", f"{file}:f", "gaussian(1)", "--delta", "1e-5", "--direction", "upper", "--json")
    assert json.loads(result.stdout)["findings"][0]["verdict"] == "SOUND"
    assert "hello" in result.stderr


def test_findings_are_written_beside_the_table(run: Run, plant: Callable[..., None], tmp_path: Path) -> None:
    plant(SOUND, UNSOUND)
    result = run("check", "dp-accounting", "--csv", str(tmp_path / "a.csv"), f"--json={tmp_path / 'a.json'}")
    assert result.exit_code == Exit.REFUTED
    assert "1 SOUND, 1 UNSOUND" in result.stdout
    assert (tmp_path / "a.csv").read_text("utf-8").count('"planted"') == 2
    stored = json.loads((tmp_path / "a.json").read_text("utf-8"))
    assert stored == {"findings": [SOUND.to_json(), UNSOUND.to_json()]}
    assert "2 findings" in run("report", str(tmp_path / "a.json")).stdout


def test_findings_are_written_after_ctrl_c(run: Run, plant: Callable[..., None], tmp_path: Path) -> None:
    plant(SOUND, None)
    result = run("check", "dp-accounting", "--html", str(tmp_path / "a.html"))
    assert result.exit_code == Exit.INTERRUPTED
    assert "1 findings" in (tmp_path / "a.html").read_text("utf-8")


def test_a_file_that_cannot_be_written_is_told_before_anything_is_asked(run: Run, tmp_path: Path) -> None:
    for place in (tmp_path / "no" / "a.html", tmp_path):
        result = run("check", "dp-accounting", "--html", str(place))
        assert result.exit_code == Exit.BAD_INPUT
        assert result.stderr.startswith("Error: --html must be a file that can be written")


# --- several accountants, and grids ---

GRID = """
schema = "pldverify-grid/1"
[[family]]
name = "two"
expression = "{k} * gaussian(sigma=10)"
values = { k = [1, 4] }
delta = ["1e-5"]
"""


def test_several_accountants_are_asked_one_question(run: Run) -> None:
    result = run("check", "moments", "gdp/upper", "moments", "gaussian(10)", "--delta", "1e-5", "--json")
    found = json.loads(result.stdout)["findings"]
    assert [each["accountant"] for each in found] == ["moments", "gdp/upper"]


@pytest.mark.parametrize(
    ("arguments", "split"),
    [
        (("rdp",), (("rdp",), None)),
        (("rdp", "gdp"), (("rdp", "gdp"), None)),
        (("rdp", "gaussian(1)"), (("rdp",), "gaussian(1)")),
        (("rdp", "mine.py:Own"), (("rdp", "mine.py:Own"), None)),
        (("rdp", "command:sh -c 'f(x)'"), (("rdp", "command:sh -c 'f(x)'"), None)),
    ],
)
def test_the_last_word_may_be_what_is_asked_about(
    arguments: tuple[str, ...], split: tuple[tuple[str, ...], str | None]
) -> None:
    from pldverify.cli.check import _split

    assert _split(arguments, False, False, None) == split
    assert _split(arguments, False, True, "quick") == (arguments, None)


def test_a_reference_is_what_is_asked_about_where_something_is_asked() -> None:
    from pldverify.cli.check import _split

    assert _split(("rdp", "mine.py:pair"), True, False, None) == (("rdp",), "mine.py:pair")
    assert _split(("rdp", "mine.py:Own"), True, True, None) == (("rdp", "mine.py:Own"), None)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("rdp", "--grid", "quik"), "grid must be one of quick, standard, full"),
        (("rdp", "--grid", "quick", "--delta", "1e-5"), "--grid must stand without a question"),
        (("rdp", "--store", "s.sqlite"), "--store must stand with --grid"),
        (("rdp", "--jobs", "2"), "--jobs must stand with --grid"),
        (("rdp", "--grid", "quick", "--jobs", "1.5"), "jobs must be an integer from 1"),
        (("rdp", "--grid", "quick", "--jobs", "2", "--scheduler", "tcp://h:1"), "without --scheduler"),
    ],
)
def test_options_of_a_sweep_that_do_not_fit(run: Run, arguments: tuple[str, ...], said: str) -> None:
    result = run("check", *arguments)
    assert result.exit_code == Exit.BAD_INPUT and said in result.stderr


@pytest.mark.slow
@pytest.mark.parametrize("columns", [40, 80])
def test_a_sweep_is_summed_up_and_taken_up_again(
    shell: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    (tmp_path / "g.toml").write_text(GRID)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    line = "pldverify check moments rdp/canonne-2020 rdp/mironov-2017"
    line += f" --grid {tmp_path}/g.toml --store {tmp_path}/s.sqlite"
    first = shell(line, COLUMNS=str(columns))  # type: ignore[operator]
    assert first.returncode == Exit.SOUND, first.stderr
    assert all(len(line) <= columns for line in first.stdout.splitlines())
    assert first.stdout.endswith("6 of 6 cells\n") and "2 SOUND, 0 UNSOUND; 2 of 2" in first.stdout
    assert "6/6" in first.stderr
    again = shell(line, COLUMNS=str(columns))  # type: ignore[operator]
    assert again.stdout == first.stdout.replace("6 of 6 cells", "6 of 6 cells, 6 of them from before")
