"""What is planted in the checkers changes one token that means something."""

import re
from pathlib import Path

import pytest

from benchmarks import mutated_checkers
from benchmarks.mutated_checkers import changed_tokens
from benchmarks.two_checkers import case


def mutated(source: str) -> list[str]:
    return [source[:first] + text + source[last:] for first, last, text in changed_tokens(source)]


def test_an_integer_an_operator_and_a_word_have_neighbours() -> None:
    assert mutated("a < 1n") == ["a <= 1n", "a > 1n", "a < 2n", "a < 0n"]
    assert mutated("up(x) && !y") == ["down(x) && !y", "up(x) || !y", "up(x) && y"]
    assert mutated("7_000;") == ["7001;", "6999;"]


def test_texts_comments_patterns_and_arrows_are_left_alone() -> None:
    for source in (
        '"1 < 2"',
        "// 1",
        "/** 1 */",
        "`${1}`",
        "f(/[+-]\\d{1,3}/)",
        "(x) => x",
        "...x",
        "i++",
        "a >>> b",
    ):
        assert mutated(source) == [], source


@pytest.mark.slow
@pytest.mark.parametrize("what", ["python", "javascript"])
def test_mutants_of_both_checkers_are_as_many_lines(what: str) -> None:
    rows = list(mutated_checkers.sources(what))
    assert len(rows) > 2000 and len({source.count("\n") for _, source in rows}) == 1
    assert all(re.match(r"\d+ \| ", name) for name, _ in rows)


@pytest.mark.parametrize(
    ("what", "code"), [("python", "x = a\nif (a <\n  b): c\n"), ("javascript", "a;\nb < 1n;\n")]
)
def test_mutants_of_a_few_lines_are_as_many(
    what: str, code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "checker"
    path.write_text(code)
    monkeypatch.setattr(mutated_checkers.recheck, "__file__", str(path))
    monkeypatch.setattr(mutated_checkers, "JAVASCRIPT", path)
    rows = list(mutated_checkers.sources(what))
    assert {source.count("\n") for _, source in rows} == {code.count("\n")} and len(rows) > 1
    assert {name.partition(" | ")[0] for name, _ in rows} == {"2"}
    assert all(name.split(" | ")[1] == code.splitlines()[1].strip() for name, _ in rows)
    assert all(name.split(" | ")[2] == source.splitlines()[1].strip() for name, source in rows)


def test_a_planted_error_is_killed_and_the_checker_survives() -> None:
    asked, seconds = mutated_checkers.timed([case("gate 1"), case("gate 3")])
    seconds += 10  # of so few, a busy machine takes several times as long as it took
    source = mutated_checkers.Path(mutated_checkers.recheck.__file__).read_text("utf-8")
    assert mutated_checkers.by_python(source, asked, seconds) == ("survived", None)
    broken = source.replace('"CONFIRMED" if found == verdict', '"CONFIRMED" if found != verdict')
    broken = broken.replace("class Rejected(Exception)", "class Rejected(BaseException)")
    assert mutated_checkers.by_python(broken, asked, seconds)[0] == "killed"
