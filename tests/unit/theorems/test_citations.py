"""What the code cites of the five papers has a record."""

from pathlib import Path

import pytest

from website.citations import cited, meant

PACKAGE = Path(__file__).parents[3] / "pldverify"


@pytest.mark.sample(481)
@pytest.mark.parametrize(
    "path",
    [path for path in sorted(PACKAGE.rglob("*.py")) if "theorems" not in path.parts],
    ids=lambda path: path.relative_to(PACKAGE).as_posix(),
)
def test_every_citation_has_a_record(path: Path) -> None:
    assert [id for id in sorted(cited(path.read_text("utf-8"))) if not meant(id)] == []


def test_a_citation_without_a_record_would_be_seen() -> None:
    assert cited("Source: KH21 Lemma 99 and GLW21 equation (6).") == {"KH21/lem-99", "GLW21/eq-6"}
    assert not meant("KH21/lem-99") and meant("GLW21/eq-6")


def test_citations_are_found_at_all() -> None:
    text = "".join(path.read_text("utf-8") for path in (PACKAGE / "bounds").glob("*.py"))
    assert len(cited(text)) > 15
