"""A store's truths had a digest without a key, its findings none: whoever could write it wrote verdicts."""

import json
import sqlite3
from contextlib import closing
from fractions import Fraction
from pathlib import Path

import pytest

import pldverify as pv
from pldverify.accountants.gdp import GDP
from pldverify.accountants.registry import accountant
from pldverify.reference.engines.conclude import enclosed
from pldverify.sweeps.kept import BRACKET, Kept
from pldverify.sweeps.keys import truth_version
from pldverify.sweeps.local import Local
from pldverify.sweeps.seal import Seal
from pldverify.sweeps.session import Session
from pldverify.sweeps.store import Store

QUERY = pv.Query(1000 * pv.PoissonSubsampled(pv.Gaussian(1), "0.01"), delta="1e-9")


def swept(path: Path) -> tuple[str, int]:
    """The verdict on the central limit as a bound, and how many cells were there before."""
    with Store(path) as store, Local(jobs=1) as place:
        session = Session([accountant("gdp/upper")], [QUERY], store)
        for _ in session.run(place):
            pass
        return session.findings()[0]["verdict"], session.before


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert GDP().supports(QUERY) is None
    assert swept(tmp_path / "s.sqlite") == ("UNSOUND", 0)
    assert swept(tmp_path / "s.sqlite") == ("UNSOUND", 1), "its own rows are believed"
    return tmp_path / "s.sqlite"


@pytest.mark.slow
def test_a_changed_finding_is_asked_again(path: Path) -> None:
    with closing(sqlite3.connect(path)) as data, data:
        ((text,),) = data.execute("SELECT finding FROM findings").fetchall()
        data.execute(
            "UPDATE findings SET finding = ?", (json.dumps({**json.loads(text), "verdict": "SOUND"}),)
        )
    assert swept(path) == ("UNSOUND", 0)


@pytest.mark.slow
def test_a_changed_truth_decides_nothing(path: Path) -> None:
    """Rows by somebody who knows everything but the key."""
    zero = enclosed(Fraction(0), Fraction(0), "contour")
    forger = Seal.of_this_process()
    with closing(sqlite3.connect(path)) as data, data:
        data.execute("DELETE FROM findings")
        ((question,),) = data.execute("SELECT DISTINCT question FROM truths").fetchall()
        for digits in (BRACKET, 15):
            text = Kept.of(digits, zero).text(question, truth_version(), forger)
            row = (question, truth_version(), digits, text, 1)
            data.execute("INSERT OR REPLACE INTO truths VALUES (?, ?, ?, ?, ?)", row)
    assert swept(path) == ("UNSOUND", 0)
