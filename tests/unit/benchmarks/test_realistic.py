"""The benchmark of realistic questions: its store, its report, and a run that goes on."""

import csv
import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest

import pldverify as pv
from benchmarks import realistic
from benchmarks.isolated import Outcome
from benchmarks.peers import DEFAULT, Attempt
from benchmarks.questions import Name, question
from benchmarks.realistic import Against, Answer, Store, Summary, quantile, share, table, worst, write_csv

NAME = Name("dp-sgd", 1, 0)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    made = Store(tmp_path / "store")
    yield made
    made.close()


def decided(number: int, seconds: float, **rest: object) -> Answer:
    row = {"engine": "contour", "mebibytes": 100.0, "lower": "1", "upper": "1.000001", **rest}
    return Answer("dp-sgd", 1, number, 6, "decided", seconds=seconds, **row)


def tried(number: int, interval: float, seconds: float, error: float | None) -> Attempt:
    return Attempt("dp-sgd", 1, number, interval, seconds, 90.0, "1.0" if error is not None else "", error)


def fill(store: Store) -> None:
    """Ten questions: nine decided, of them five with a peer that gets there, and one where it does not."""
    for number in range(9):
        narrow = {"bracket_seconds": 0.5 if number else 1.5, "bracket_width": 0.1 if number != 1 else 0.11}
        store.add(decided(number, 0.1 * (number + 1), **narrow))
    lost = Answer("dp-sgd", 1, 9, 6, "undecided", "", 20.0, 900.0, reason="no engine")
    store.add(lost)
    for number in range(5):
        store.add(tried(number, DEFAULT, 0.1, 1e-3), tried(number, DEFAULT / 2, 0.35, 1e-7))
    store.add(tried(5, DEFAULT, 0.1, 1e-3), tried(5, DEFAULT / 2, 60, None))
    store.add(Attempt("dp-sgd", 1, 6, DEFAULT, reason="no distribution", refused=True))


def test_a_row_is_read_back_as_it_was_written(store: Store) -> None:
    rows = decided(0, 0.25, bracket_seconds=0.5), decided(1, 0.5)
    store.add(*rows)
    fine = Answer("dp-sgd", 1, 0, 12, "decided")
    store.add(fine)
    assert store.answers(6) == list(rows) and store.answers(12) == [fine]
    attempts = tried(0, DEFAULT / 2, 1.0, 1e-7), tried(0, DEFAULT, 0.5, None)
    store.add(*attempts)
    assert store.attempts() == {("dp-sgd", 1, 0): [attempts[1], attempts[0]]}


def test_the_report_counts(store: Store) -> None:
    fill(store)
    summary = Summary.of("dp-sgd", store.answers(6), store.attempts())
    assert (summary.questions, summary.decided, summary.mebibytes) == (10, 9, 900)
    assert (summary.median, summary.most_of_them, summary.worst) == (0.5, 20.0, 20.0)
    assert summary.brackets == 7  # one is late, one is wide, and the undecided question has none
    assert (summary.faster, summary.slower, summary.not_reached) == (3, 2, 1)
    cells = summary.cells()
    assert cells[2] == "9 (90 %)" and cells[8:] == ["3 (60 %)", "1"]


def test_the_table_has_a_row_a_family_and_one_of_all(store: Store) -> None:
    fill(store)
    assert len(list(table(store.answers(6), {}))) == 3
    store.add(Answer("census", 1, 0, 6, "decided", "lattice", 1.0))
    lines = list(table(store.answers(6), {}))
    assert [line.split(" | ")[0] for line in lines[2:]] == ["| dp-sgd", "| census", "| all"]
    assert all(line.count("|") == lines[0].count("|") for line in lines)


def test_beside_the_peer() -> None:
    row = decided(0, 0.5)
    refused = Attempt("dp-sgd", 1, 0, DEFAULT, refused=True)
    assert Against.of(row, []).verdict == Against.of(row, [refused]).verdict == ""
    reached = [
        tried(0, 4 * DEFAULT, 0.2, 1e-2),
        tried(0, 2 * DEFAULT, 0.6, 1e-6),
        tried(0, DEFAULT, 1.0, 0.0),
    ]
    assert Against.of(row, reached) == Against(1.0, 0.0, 0.6, "faster")
    assert Against.of(decided(0, 0.7), reached).verdict == "slower"
    assert Against.of(row, [tried(0, DEFAULT, 60, None)]) == Against(None, None, None, "not reached")


@pytest.mark.parametrize(("count", "place"), [(1, 1), (2, 2), (19, 19), (20, 19), (100, 95), (1000, 950)])
def test_ninety_five_percent_do_not_exceed_it(count: int, place: int) -> None:
    assert quantile([float(i) for i in range(1, count + 1)], 0.95) == place


def test_a_hundred_percent_means_all() -> None:
    assert share(9_999, 10_000) == "9,999 (99.9 %)" and share(3, 3) == "3 (100 %)"


def test_worst_questions_are_code(store: Store) -> None:
    fill(store)
    lines = "\n".join(worst(store.answers(6), 2))
    assert [lines.count(f"# {number}:") for number in (9, 8, 7, 6)] == [1, 1, 1, 0]
    assert question(Name("dp-sgd", 1, 9)).code(6) in lines and "undecided: no engine" in lines


def test_the_narrowest_enclosure_is_the_truth(store: Store) -> None:
    store.add(decided(0, 1.0), Answer("dp-sgd", 1, 0, 12, "decided", lower="1.1", upper="1.2"))
    store.add(Answer("dp-sgd", 1, 1, 6, "undecided"))
    assert store.truths() == {("dp-sgd", 1, 0): (Fraction("1.1"), Fraction("1.2"))}


def test_the_csv_has_a_line_a_question(store: Store, tmp_path: Path) -> None:
    fill(store)
    write_csv(tmp_path / "table.csv", store.answers(6), store.attempts())
    rows = list(csv.DictReader((tmp_path / "table.csv").open(encoding="utf-8")))
    assert [row["number"] for row in rows] == [str(number) for number in range(10)]
    assert rows[0]["peer_equal_seconds"] == "0.35" and rows[0]["peer_verdict"] == "faster"
    assert rows[5]["peer_verdict"] == "not reached" and rows[9]["status"] == "undecided"


def test_an_answer_of_too_few_digits_is_undecided() -> None:
    one = Fraction(1, 3), Fraction(334, 1000)
    few = realistic.answer(NAME, 6, Outcome((*one, 5, "grid"), 1.0, 99.6))
    assert (few.status, few.reason, few.mebibytes) == ("undecided", "5 digits", 100)
    good = realistic.answer(NAME, 5, Outcome((*one, 5, "grid"), 1.0, 99.6))
    assert good.decided and Fraction(good.lower) <= one[0] and one[1] <= Fraction(good.upper)
    none = realistic.answer(NAME, 6, Outcome(None, 20.0, 99.6, "NoConvergence: no"))
    assert (none.status, none.reason) == ("undecided", "NoConvergence: no")


def arguments(monkeypatch: pytest.MonkeyPatch, store: Path, *rest: str) -> None:
    line = ["realistic", "--store", str(store), "--family", "pure-dp", "--questions", "3", *rest]
    monkeypatch.setattr(sys, "argv", line)


def test_a_run_goes_on_where_it_was_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[int] = []

    def stopped(name: Name, *, digits: int, seconds: float) -> Answer:
        asked.append(name.number)
        if asked == [0, 1]:
            raise KeyboardInterrupt
        return Answer("pure-dp", 1, name.number, digits, "decided", seconds=1.0)

    monkeypatch.setattr(realistic, "ask", stopped)
    path = tmp_path / "store"
    for expected in ([0, 1], [0, 1, 1, 2], [0, 1, 1, 2]):
        arguments(monkeypatch, path)
        assert realistic.main() == 0
        assert asked == expected
    arguments(monkeypatch, path, "--digits", "12")
    realistic.main()
    assert asked == [0, 1, 1, 2, 0, 1, 2]
    assert "3 (100 %)" in capsys.readouterr().out


def test_a_question_is_really_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "store"
    arguments(monkeypatch, path)
    assert realistic.main() == 0
    store = Store(path)
    for row in store.answers(6):
        asked = question(row.name)
        again = pv.epsilon(asked.composition, delta=asked.delta, digits=9)
        assert again.lower <= Fraction(row.upper) and Fraction(row.lower) <= again.upper
        assert row.decided and row.seconds > 0 and row.mebibytes > 10
    store.close()


def test_a_bracket_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    bracket = pv.epsilon(pv.PureDP(1), delta="1e-3", digits=6)
    monkeypatch.setattr(pv, "bracket", lambda query, seconds: bracket)
    row = realistic.ask(Name("pure-dp", 1, 0), digits=6, seconds=20.0)
    assert row.bracket_width == float(bracket.width / bracket.upper) and row.bracket_seconds is not None
