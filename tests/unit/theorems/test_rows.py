"""Rows of the ledger: what a row says becomes a record, and a slip in it is refused."""

import ast
import re
from pathlib import Path
from typing import Any

import pytest

from pldverify.errors import InvalidInput
from pldverify.theorems.ledger import PAPERS, check, record
from pldverify.theorems.record import Kind, Verdict
from pldverify.theorems.rows import evidence, made, named, rows

PACKAGE = Path(__file__).parents[3] / "pldverify/theorems"
ATTACKS = sorted((PACKAGE / "attacks").glob("[!_]*.py"))
ROW = {"line": 1, "statement": "1", "verdict": "SUPPORTED", "attacked": "pairs.tails"}


def one(place: str = "lem-9", **row: Any) -> Any:
    (found,) = made("KH21", {place: ROW | row})
    return found


def test_place_and_file_say_what_the_row_does_not() -> None:
    found = one("lem-9/proof", depends=["eq-5.5", "KJH19/lem-5"])
    assert (found.id, found.kind, found.place) == ("KH21/lem-9/proof", Kind.STEP, "Lemma 9, proof")
    assert found.depends == ("KH21/eq-5.5", "KJH19/lem-5")
    assert one("lem-9").kind is Kind.LEMMA and one("lem-9", kind="remark").kind is Kind.REMARK


@pytest.mark.parametrize(
    ("row", "error"),
    [
        ({"statment": "1"}, TypeError),
        ({"verdict": "TRUE"}, ValueError),
        ({"kind": "lema"}, ValueError),
        ({"attacked": "pairs.nothing"}, InvalidInput),
        ({"attacked": "nothing.tails"}, InvalidInput),
        ({"attacked": []}, InvalidInput),
        ({"attacked": "1 and 2"}, InvalidInput),
        ({"attacked": "a: 1 ≤ 2 ≤ 3"}, InvalidInput),
        ({"attacked": "a: 1 ≤ root(2)"}, InvalidInput),
    ],
)
def test_a_slip_is_refused(row: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        one(**row)


FALSE, TRUE = {"counterexample": "grids.shifted_grid"}, {"attacked": "grids.ordered"}


@pytest.mark.parametrize(
    ("row", "verdict"),
    [
        (TRUE, Verdict.SUPPORTED),
        (TRUE | {"proof": "By hand."}, Verdict.PROVED),
        ({"decided": "grids.shifted_grid"}, Verdict.REFUTED),
        (FALSE, Verdict.REFUTED),
        ({"counterexample": "grids.ordered"}, Verdict.SUPPORTED),
        (FALSE | TRUE, Verdict.CORRECTED),
        (FALSE | TRUE | {"needed": "1"}, Verdict.CONDITIONAL),
        (FALSE | {"attacked": "grids.shifted_grid"}, Verdict.REFUTED),
        ({"counterexample": "grids.ordered", "attacked": "grids.ordered"}, Verdict.SUPPORTED),
        ({"necessary": "grids.shifted_grid"}, Verdict.PROVED),
        (TRUE | {"proof": "By hand.", "necessary": "grids.ordered"}, Verdict.NOT_CHECKABLE),
        (TRUE | {"proof": "By hand.", "attacked": ["grids.ordered", "grids.shifted_grid"]}, Verdict.REFUTED),
        ({"facts": "grids.jump_at_the_end", "because": "so"}, Verdict.REFUTED),
        ({"facts": "grids.shifted_grid", "because": "so"}, Verdict.SUPPORTED),
        ({"derived": {"of": "gaussian", "says": "α-RDP is"}}, Verdict.PROVED),
        ({"derived": {"of": "gaussian", "says": "nothing"}}, Verdict.NOT_CHECKABLE),
        ({"decided": ["1 < 2", "x ≤ y: 1/2 = 2/4", "at 1: sqrt(2)*sqrt(3) < exp(1)"]}, Verdict.PROVED),
        ({"decided": ["1 < 2", "2 < 2"]}, Verdict.REFUTED),
        ({"decided": "ln(2) = 0.6931471805"}, Verdict.REFUTED),
        ({"decided": "sqrt(2)*sqrt(2) = 2"}, Verdict.SUPPORTED),  # balls decide no equation
        ({"counterexample": "x: sqrt(2) ≤ 7/5"}, Verdict.REFUTED),
        ({"unchecked": "no number is printed"}, Verdict.NOT_CHECKABLE),
    ],
)
def test_what_the_keys_come_to(row: dict[str, Any], verdict: Verdict) -> None:
    assert evidence(row)().verdict is verdict


def test_evidence_of_another_record_is_taken_but_for_what_the_row_has_itself() -> None:
    row = {"line": 1, "statement": "1", "verdict": "PROVED", "evidence_of": "KJH19/lem-7"}
    (found,) = made("KH21", {"lem-9": row})
    assert check(found).outcome == check(record("KJH19/lem-7")).outcome
    (broken,) = made("KH21", {"lem-9": row | {"attacked": "grids.shifted_grid"}})
    assert check(broken).outcome.verdict is Verdict.REFUTED


def test_entries_of_a_table_are_one_row() -> None:
    first, last = record("KJH19/tab-1/1"), record("KJH19/tab-1/20")
    assert r"\sigma=1,\ L=2.5,\ n=4000000" in first.statement and r"\sigma=2" in last.statement
    assert (first.line, last.line) == (459, 463) and first.correction == r"\varepsilon=6.90738449504508"
    assert record("KH21/tab-3/delta/3").verdict is Verdict.CORRECTED
    assert record("KH21/tab-3/delta/4").verdict is Verdict.PROVED


# --- nothing lies about ---


def names(value: Any) -> set[str]:
    """Texts in a value of a row."""
    if isinstance(value, dict | list):
        return {
            name for each in (value.values() if isinstance(value, dict) else value) for name in names(each)
        }
    return {str(value)}


def offered(path: Path) -> set[str]:
    """What an attack's file has for rows: functions and ``partial``s that no file of the folder uses."""
    found = set()
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.FunctionDef):
            found.add(node.name)
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            found.add(node.targets[0].id)
    everything = "".join(each.read_text("utf-8") for each in ATTACKS)
    return {name for name in found if name[0].islower() and len(re.findall(rf"\b{name}\b", everything)) == 1}


@pytest.mark.parametrize("path", ATTACKS, ids=lambda path: path.stem)
def test_every_attack_is_of_use(path: Path) -> None:
    said = {name for paper in PAPERS for row in rows(paper).values() for name in names(row)}
    assert {name for name in offered(path) if f"{path.stem}.{name}" not in said} == set()
    assert offered(path)


def test_a_name_that_is_not_there_is_told() -> None:
    with pytest.raises(InvalidInput, match=r"module\.function"):
        named("ordered")
