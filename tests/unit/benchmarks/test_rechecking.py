"""What is told of the checker's reach is of one checker."""

import json
import sys
from pathlib import Path

import pytest

from benchmarks import rechecking
from benchmarks.rechecking import CHECKER

ROW = {"slack": "0.1", "outcome": "CONFIRMED", "seconds": 2.0, "epsilon": 1.5}


def test_rows_of_another_checker_do_not_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [("random 1 0", CHECKER, ROW), ("random 1 1", "0" * 64, {**ROW, "outcome": "UNDECIDED"})]
    (tmp_path / "rechecking.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    monkeypatch.setattr(sys, "argv", ["rechecking", "--store", str(tmp_path), "report"])
    rechecking.main()
    told = capsys.readouterr().out
    assert told.startswith(f"recheck.py, SHA-256 {CHECKER}\n") and "| 0.1 | 1 | 1 | 1 | 0 | 0 | 2 s |" in told
