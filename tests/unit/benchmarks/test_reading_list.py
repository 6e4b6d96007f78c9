"""What one number rests on: few files, all that ran, and no search."""

import sys

import pytest

import pldverify as pv
from benchmarks import reading_list
from benchmarks.reading_list import EXAMPLES, ROOT, asked, read, sums, table
from benchmarks.trusted_lines import code_lines
from pldverify.reference.choice import ENGINES

BEGIN, END = "<!-- reading list: python -m benchmarks.reading_list -->", "<!-- end -->"
GOAL = 4_000


@pytest.fixture(scope="module")
def printed() -> list[str]:
    return list(table())


@pytest.mark.slow
def test_the_page_quotes_what_the_script_prints(printed: list[str]) -> None:
    page = (ROOT / "docs" / "trust.md").read_text("utf-8")
    assert page.partition(BEGIN)[2].partition(END)[0].split("\n")[1:-1] == printed


@pytest.mark.slow
def test_no_example_needs_more_lines_than_the_goal(printed: list[str]) -> None:
    rows = [[cell.strip() for cell in row.split("|")[1:-1]] for row in printed[2:]]
    assert len(rows) == len(EXAMPLES) and {row[1] for row in rows} < set(ENGINES)
    assert all(0 < int(row[3].replace(",", "")) <= GOAL for row in rows)


def test_what_ran_is_listed_and_what_only_chose_is_not() -> None:
    found = pv.delta(100 * pv.PoissonSubsampled(pv.Gaussian(1), "0.01"), epsilon=2, digits=4)
    files = read(found)
    assert found.engine == "contour"
    assert {
        "reference/engines/inversion/contour.py",
        "reference/fast/gaussian_mixture.py",
        "reference/fast/hints/gaussian_mixture.py",
        "reference/lemmas/layers.py",
        "balls/compare.py",
    } <= set(files)
    assert "reference/engines/closed/residues.py" not in files
    assert not any(
        name.startswith(("reference/search", "reference/quantities", "symbolic")) for name in files
    )
    for name, lines in files.items():
        assert lines == code_lines((ROOT / "pldverify" / name).read_text("utf-8"))


@pytest.mark.slow
def test_files_without_functions_count_where_they_are_imported() -> None:
    found = pv.delta(
        300 * pv.SampledWithoutReplacement(pv.Gaussian(2), "0.01"), epsilon=1, adjacency="replace-one"
    )
    assert "reference/lemmas/piece.py" in read(found)


def test_mechanisms_are_counted_beside() -> None:
    assert sums({"balls/ball.py": 3, "mechanisms/gaussian.py": 5, "numbers/enclosure.py": 1}) == (2, 4, 5)


def test_a_profiler_that_ran_before_runs_on() -> None:
    seen: list[str] = []
    found = asked("gaussian(1)", {"epsilon": "1"})
    before = sys.getprofile()
    sys.setprofile(lambda frame, event, argument: seen.append(event))
    try:
        read(found)
        seen.clear()
        len([])
    finally:
        sys.setprofile(before)
    assert seen


def test_an_expression_is_listed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["reading_list", "gaussian(1)", "--delta", "1e-5"])
    reading_list.main()
    lines = capsys.readouterr().out.splitlines()
    files = sum(int(line.split()[0].replace(",", "")) for line in lines[:-1] if "mechanisms/" not in line)
    assert int(lines[-1].split()[0].replace(",", "")) == files


@pytest.mark.parametrize(
    "arguments",
    [
        ["gaussian(1)"],
        ["--epsilon", "1"],
        ["gaussian(1)", "--epsilon", "1", "--delta", "0.1"],
        ["gaussian(0)", "--epsilon", "1"],
        ["gaussian(1)", "--delta", "2"],
    ],
)
def test_bad_input_is_said_and_nothing_else(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["reading_list", *arguments])
    with pytest.raises(SystemExit) as caught:
        reading_list.main()
    assert caught.value.code == 2 and "must be" in capsys.readouterr().err
