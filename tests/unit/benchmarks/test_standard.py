"""The table of the standard grid: counts, severities apart, a store that is half full, what is committed."""

import json
from pathlib import Path
from typing import Any

import pytest

import pldverify as pv
from benchmarks import standard
from benchmarks.standard import (
    Place,
    Row,
    committed,
    committed_places,
    headlines,
    page,
    places,
    read,
    rows,
    table,
    write,
)
from pldverify.accountants.registry import accountant
from pldverify.sweeps.grids import grid
from pldverify.sweeps.local import Local
from pldverify.sweeps.session import Session
from pldverify.sweeps.store import Store
from tests.unit.report.findings import failed, finding, unsound

GRID = {"schema": "pldverify-grid/1", "family": []}
FAMILY = {
    "name": "one",
    "expression": "2 * gaussian({sigma})",
    "values": {"sigma": [1, 3]},
    "delta": ["1e-5"],
}


def test_what_is_counted() -> None:
    promised_nothing = failed("UNDECIDED", "an estimate", claim="1", claim_float=1.0, cause="NO PROMISE")
    (row,) = rows(
        [
            finding(tightness_float=0.5, seconds=3.0),
            finding(tightness_float=0.25, seconds=1.0),
            unsound(),
            unsound(1e-13, severity="rounding-level"),
            unsound(1e-13, severity="undecided"),
            failed(),
            failed("INVALID"),
            failed("REFUSED"),
            promised_nothing,
        ]
    )
    assert (row.asked, row.answered, row.decided, row.sound) == (9, 5, 5, 2)
    assert (row.material, row.rounding, row.unclear) == (1, 1, 1)
    assert (row.crashed, row.invalid, row.refused, row.no_promise) == (1, 1, 1, 1)
    assert (row.median_slack, row.worst_slack, row.seconds) == ("0.38", "0.5", "0.5")
    text = "\n".join(table([row]))
    assert "| 9 | 5 | 100 % | 2 | **1 (+1?)** | 1 | 0.38 | 0.5 | 0.5 | 1 | 1 |" in text


def test_rows_come_as_the_registry_lists_them_and_headlines_are_first() -> None:
    found = rows(
        [finding(accountant=name) for name in ("mine", "rdp/mironov-2017", "gdp/upper", "dp-accounting/pld")]
    )
    assert [row.accountant for row in found] == ["dp-accounting/pld", "rdp/mironov-2017", "gdp/upper", "mine"]
    some = rows([finding(accountant=name) for name in ("opendp/pure", "prv/upper", "opendp/zcdp", "riskcal")])
    assert [row.accountant for row in headlines(some)] == ["riskcal", "opendp/zcdp"]


def test_an_accountant_on_each_shape() -> None:
    """Shapes that are asked most come first; what is no verdict on a claim is counted apart."""
    laplace = [finding(composition=f"{k} * laplace(b=1)") for k in range(3)]
    mine = [failed(), failed("INVALID"), unsound(composition="gaussian(sigma=1)"), failed("REFUSED")]
    gaussian = [{**each, "composition": "gaussian(sigma=1)", "accountant": "mine"} for each in mine]
    found = places([*gaussian, *({**each, "accountant": "mine"} for each in [*laplace, *laplace])])
    assert found == [Place("mine", "laplace", 6, 6, 0, 0, 0, 0), Place("mine", "gaussian", 4, 0, 1, 0, 0, 2)]


def test_a_file_reads_back(tmp_path: Path) -> None:
    findings = [finding(), failed(accountant="mine")]
    found, there = rows(findings), places(findings)
    write(found, there, {"numpy": "2", "cells": "1000"}, tmp_path)
    assert committed(tmp_path) == found and committed_places(tmp_path) == there
    assert "2 of 1,000 cells settled; 1 of 1 claims decided." in (tmp_path / "standard.md").read_text("utf-8")


@pytest.mark.slow
def test_a_sweep_has_a_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sweep a grid of two questions; the table says what the findings say."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    (tmp_path / "g.json").write_text(json.dumps({**GRID, "family": [FAMILY]}))
    subjects = [accountant("rdp"), accountant("gdp/upper")]
    with Store(tmp_path / "s.sqlite") as store, Local(jobs=1) as place:
        session = Session(subjects, grid(str(tmp_path / "g.json")), store)
        swept: list[dict[str, Any]] = list(session.run(place))
    found, there, sources = read(tmp_path / "s.sqlite")
    assert [(each.mechanism, each.asked) for each in there] == [("gaussian", 2)] * 2
    assert [row.accountant for row in found] == ["rdp/canonne-2020", "gdp/upper"]
    assert all(row.asked == row.decided == 2 for row in found) and sources["cells"] == "4"
    assert sum(row.sound for row in found) == sum(each["verdict"] == "SOUND" for each in swept)
    assert sources["pldverify"] == pv.__version__


def test_the_committed_page_is_that_of_the_committed_rows() -> None:
    text = (standard.RESULTS / "standard.md").read_text("utf-8").splitlines()
    written = page(committed(), {})
    assert text[-len(committed()) - 2 :] == list(written)[-len(committed()) - 2 :]
    assert all(isinstance(row, Row) for row in committed())


def test_the_readme_shows_the_committed_rows() -> None:
    text = (standard.RESULTS.parents[1] / "README.md").read_text("utf-8")
    shown = text.partition("<!-- accountants: python -m benchmarks.standard --readme -->\n")[2]
    assert shown.partition("\n<!-- end -->")[0].splitlines() == list(table(headlines(committed())))
