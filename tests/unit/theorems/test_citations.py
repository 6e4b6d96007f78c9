"""What the code cites of the five papers has a record."""

import re
from pathlib import Path

import pytest

from pldverify.theorems import records
from pldverify.theorems.ledger import PAPERS

PACKAGE = Path(__file__).parents[3] / "pldverify"
KINDS = {"Algorithm": "alg", "Corollary": "cor", "Definition": "def", "Lemma": "lem", "Theorem": "thm"}
KINDS |= {"Remark": "rem", "Proposition": "prop", "Table": "tab", "section": "sec", "equation": "eq"}
CITED = re.compile(
    rf"\b({'|'.join(PAPERS)}) (?:({'|'.join(KINDS)}) \(?([\dA-F][\d.]*\d|\d)\)?|\(([A-F]?\.?\d[\d.]*)\))"
)


def cited(text: str) -> set[str]:
    """Ids of what is cited in ``text``."""
    found = set()
    for key, word, number, equation in CITED.findall(text):
        id = f"{key}/{KINDS[word]}-{number}" if word else f"{key}/eq-{equation}"
        found.add(id)
    return found


def known(id: str) -> bool:
    """Whether a record has this id, is a part of it, or is an equation of that section."""
    starts = (id + "/", id + ".", id.replace("/sec-", "/eq-") + ".")
    return any(each.id == id or each.id.startswith(starts) for each in records())


@pytest.mark.parametrize(
    "path",
    [path for path in sorted(PACKAGE.rglob("*.py")) if "theorems" not in path.parts],
    ids=lambda path: path.relative_to(PACKAGE).as_posix(),
)
def test_every_citation_has_a_record(path: Path) -> None:
    assert [id for id in sorted(cited(path.read_text("utf-8"))) if not known(id)] == []


def test_a_citation_without_a_record_would_be_seen() -> None:
    assert cited("Source: KH21 Lemma 99 and GLW21 equation (6).") == {"KH21/lem-99", "GLW21/eq-6"}
    assert not known("KH21/lem-99") and known("GLW21/eq-6")


def test_citations_are_found_at_all() -> None:
    text = "".join(path.read_text("utf-8") for path in (PACKAGE / "bounds").glob("*.py"))
    assert len(cited(text)) > 15
