"""``pldverify theorems``."""

from dataclasses import replace

import pytest
from click.testing import CliRunner

from pldverify.cli import main
from pldverify.theorems import ledger
from pldverify.theorems.record import Verdict


def run(*args: str, code: int = 0) -> str:
    result = CliRunner().invoke(main, ["theorems", *args])
    assert result.exit_code == code, result.output
    return result.output


def test_list_by_paper_and_verdict() -> None:
    everything, some = run(), run("--paper", "glw21", "--verdict", "corrected")
    assert "GLW21/eq-6/X" in some and "KJH19" not in some and "CORRECTED" in some
    assert len(everything.splitlines()) == len(ledger.records()) + 1 or "records:" in everything


def test_the_list_has_the_statements() -> None:
    some = run("--paper", "mtz19", "--verdict", "corrected")
    record = ledger.record("MTZ19/sec-4/no-zcdp")
    assert "".join(f"{record.place}:{record.statement}".split()) in "".join(some.split())


@pytest.mark.parametrize("id", ["Lemma 5.99", "GLW21/lem-5.15", "lemm 5.4"])
def test_what_is_near_is_suggested(id: str) -> None:
    said = run("show", id, code=2)
    assert f"got '{id}'; near it: " in said and "GLW21/lem-5.4" in said


@pytest.mark.slow
def test_show_has_digits_and_the_correction() -> None:
    shown = run("show", "GLW21/eq-6/X")
    assert "correct: X(t)=e^{-t}" in shown and "0.906" in shown and "CORRECTED" in shown


@pytest.mark.slow
def test_verify_some() -> None:
    assert "2 of 2 verdicts as stored" in run("verify", "GLW21/eq-6/X", "GLW21/lem-5.2")
    assert "ID must be" in run("verify", "nonsense", code=2)


def test_verify_tells_a_wrong_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = replace(ledger.record("GLW21/eq-6/X"), verdict=Verdict.PROVED)
    monkeypatch.setattr(ledger, "records", lambda: (wrong,))
    found = run("verify", "GLW21/eq-6/X", code=1)
    assert "stored PROVED, found CORRECTED" in found and "0 of 1" in found


def test_errata_is_markdown() -> None:
    assert run("errata").startswith("# Errata")
