"""CSV: every finding, numbers that read back, and no cell that a spreadsheet runs."""

import csv
import io
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pldverify import report
from pldverify.foreign import harmless
from pldverify.report.csv_table import COLUMNS
from tests.unit.report.findings import HOSTILE_FIELDS, LONG, failed, finding, mixed

TEXTS = st.text(st.characters(), min_size=1).filter(lambda text: text.strip())


def rows(*documents: dict[str, Any]) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(report.csv(documents), newline="")))


def test_every_finding_is_a_row_in_its_order() -> None:
    found = rows(*mixed())
    assert [row["verdict"] for row in found] == [document["verdict"] for document in mixed()]
    assert all(set(row) == set(COLUMNS) for row in found)


def test_numbers_read_back() -> None:
    (row,) = rows(finding(claim=repr(0.1 + 0.2), upper="inf", upper_float=None, error_float=-1e-17))
    assert float(row["claim"]) == 0.1 + 0.2
    assert (row["truth_upper"], float(row["error"])) == ("inf", -1e-17)
    assert float(row["steps"]) == 10
    assert rows(failed())[0]["claim"] == ""


FORMULAS = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", " =1", "＝1", "'=1", "-", "=cmd|' /C calc'!A0"]


@pytest.mark.parametrize("field", HOSTILE_FIELDS)
@pytest.mark.parametrize("formula", FORMULAS)
def test_a_formula_is_text(field: str, formula: str) -> None:
    for cell in rows(finding(**{field: formula}))[0].values():
        assert cell[:1] not in set("=+-@＝＋－＠\t\r"), cell


@given(st.fixed_dictionaries({name: TEXTS for name in (*HOSTILE_FIELDS, "delta")}))
def test_no_cell_is_a_formula_whatever_the_texts_are(texts: dict[str, str]) -> None:
    (row,) = rows(finding(**texts))
    for name, cell in row.items():
        if name not in (
            "claim",
            "truth_lower",
            "truth_upper",
            "slack",
            "excess",
            "error",
            "seconds",
            "steps",
        ):
            assert not cell.startswith(("=", "+", "-", "@", "\t", "\r")), name
            assert cell.isprintable()


def test_what_is_quoted_can_be_read_back() -> None:
    assert (harmless("=1+1"), harmless("'=1+1"), harmless("1+1")) == ("'=1+1", "''=1+1", "1+1")


def test_a_long_message_is_cut() -> None:
    assert len(report.csv([finding(reason=LONG, composition=LONG, version=LONG)])) < 10_000
