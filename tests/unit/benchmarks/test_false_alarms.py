"""The record of the questions that false alarms are looked for with: nothing that was told is lost."""

import json
from pathlib import Path

import pytest

import pldverify as pv
from benchmarks import false_alarms
from pldverify.testing.checks.subject import Subject


def test_what_was_told_of_a_part_is_in_its_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nothing = pv.Accountant.of(lambda query: 0.0, direction="upper", name="nothing")
    query, record = pv.Query(pv.Gaussian(1), epsilon=1), tmp_path / "record.jsonl"
    monkeypatch.setattr(false_alarms, "subjects", lambda: [Subject(nothing)])

    def part(strategy, judge, start):
        found = false_alarms.Found()
        if start == 0:
            judge(query, found)
        return found

    monkeypatch.setattr(false_alarms, "part", part)
    monkeypatch.setattr("sys.argv", ["false_alarms.py", "--examples=200", f"--record={record}"])
    assert false_alarms.main() == 0
    first, second = map(json.loads, record.read_text("utf-8").splitlines())
    assert first["found"] == {"nothing UNSOUND": 1} and second["told"] == []
    assert first["told"] == ['finding: nothing, pv.Query("gaussian(sigma=1)", epsilon="1")']
