"""docs/errata.md is what the ledger says."""

from pathlib import Path

from pldverify.theorems import records
from pldverify.theorems.errata import WRONG, errata

PAGE = Path(__file__).parents[3] / "docs" / "errata.md"


def test_the_page_is_current() -> None:
    """``pldverify theorems errata > docs/errata.md`` makes it so."""
    assert PAGE.read_text("utf-8") == errata() + "\n"


def test_every_wrong_statement_is_on_it() -> None:
    page = errata()
    assert all(f"({each.id}, " in page for each in records() if each.verdict in WRONG)
