"""docs/errata.md, and every table of counts, is what the ledger says."""

import re
from pathlib import Path

import pytest

from pldverify.theorems import records
from pldverify.theorems.errata import errata
from pldverify.theorems.summary import WRONG, counts

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs" / "errata.md"
BLOCK = re.compile(r"<!-- counts: pldverify theorems counts -->\n(.*?)<!-- end -->", re.DOTALL)


def test_the_page_is_current() -> None:
    """``pldverify theorems errata > docs/errata.md`` makes it so."""
    assert PAGE.read_text("utf-8") == errata() + "\n"


def test_every_wrong_statement_is_on_it() -> None:
    page = errata()
    assert all(f"({each.id}, " in page for each in records() if each.verdict in WRONG)


def test_a_reader_is_told_what_was_read() -> None:
    """A sign may be the transcription's, and tables print approximations."""
    head = errata().split("## ")[0]
    assert "transcriptions" in head and "approximate" in head
    assert errata().count("Printed approximations of tables") == 4
    assert "which print does not give and a search found" in errata()


@pytest.mark.parametrize(
    "id",
    (
        "KJH20s/lem-D.4/hypothesis",  # σ ≥ 1 is printed
        "KJH20s/cor-C.4/best",  # print does not say it
        "KJH20s/ex-2",  # of a lemma of the main article, which was not read
        "GLW21/lem-5.4",  # “(ε, δ)-DP algorithm” says both orders
        "MTZ19/def-3",  # “independently” says Poisson
    ),
)
def test_nothing_is_held_against_a_paper_that_its_hypotheses_exclude(id: str) -> None:
    assert f"({id}, " not in errata()


def tables() -> dict[str, str]:
    """Pages with a table of counts, and that table."""
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    return {page.name: found for page in pages for found in BLOCK.findall(page.read_text("utf-8"))}


def test_counts_are_those_of_the_ledger() -> None:
    """``pldverify theorems counts`` prints them."""
    assert "errata.md" in tables()
    assert {name: table for name, table in tables().items() if table != counts() + "\n"} == {}


def test_counts_add_up() -> None:
    *_, last = counts().splitlines()
    numbers = [int(cell) for cell in last.split("|")[2:-1]]
    assert numbers[-1] == sum(numbers[:-1]) == len(records())
