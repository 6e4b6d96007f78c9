"""Tables and the page: a row a meaning, nothing hostile gets through."""

import csv
import io

import pytest

from pldverify.claims.page import html
from pldverify.claims.tables import csv_table, markdown, source
from pldverify.rulings.ruling import Ruling
from tests.unit.claims.claims import noise, ruled


def of_shuffled() -> Ruling:
    return ruled(noise(sampling="shuffled", accounted_as="poisson"), id="shuffled")


def of_hostile() -> Ruling:
    return ruled(
        id="hostile",
        note="=1+1 <script>alert(1)</script> | a\n# b",
        source={"title": "<img src=x onerror=y>", "quotes": ["<b>"]},
    )


@pytest.fixture(scope="module")
def shuffled() -> Ruling:
    return of_shuffled()


@pytest.fixture(scope="module")
def hostile() -> Ruling:
    return of_hostile()


def test_a_row_for_each_meaning(shuffled: Ruling) -> None:
    rows = list(csv.DictReader(io.StringIO(csv_table([shuffled]))))
    assert [(row["case"], row["literally"]) for row in rows] == [
        ("shuffled batches, zero-out", "REFUTED"),
        ("shuffled batches, add-or-remove", "UNDECIDED"),
        ("Poisson batches", "CERTIFIED"),
    ]
    assert rows[0]["truth"].startswith("true ε in [4.68")


def test_a_row_says_where_one_record_is_a_group() -> None:
    one = ruled({"mechanism": "expression", "expression": "group(gaussian(sigma=1), 3)"})
    (row,) = csv.DictReader(io.StringIO(csv_table([one])))
    assert row["case"] == "as stated, of groups of up to 3 records"


def test_no_formula_in_a_spreadsheet(hostile: Ruling) -> None:
    (row,) = csv.DictReader(io.StringIO(csv_table([hostile])))
    assert row["note"].startswith("'=1+1")


def test_markdown_counts_and_explains(shuffled: Ruling, hostile: Ruling) -> None:
    text = markdown([shuffled, hostile])
    assert "2 claims: 1 CERTIFIED, 1 CONDITIONAL." in text
    assert "- `shuffled`: CONDITIONAL: shuffled batches, zero-out: the true ε exceeds 1 by" in text
    assert "<script" not in text


def test_the_page_escapes_everything_and_runs_nothing(shuffled: Ruling, hostile: Ruling) -> None:
    page = html([shuffled, hostile], ["claims.toml: <bad>"])
    assert "&lt;script&gt;" in page and "&lt;img" in page and "&lt;bad&gt;" in page
    for word in ("<script", "<img", "http://", "https://", "javascript:"):
        assert word not in page
    assert "default-src 'none'" in page


def test_a_source_is_one_line() -> None:
    said = {"repository": "https://github.com/a/b", "path": "c.md", "commit": "0123456789abcdef"}
    assert source(ruled(source=said)) == "https://github.com/a/b c.md@0123456789"
    assert source(ruled()) == ""
