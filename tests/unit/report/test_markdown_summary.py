"""Markdown: short enough to paste, and every word of others stays code."""

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from pldverify import report
from pldverify.foreign import code_cell as code
from tests.unit.report.findings import HOSTILE_FIELDS, LONG, SCRIPT, failed, finding, mixed, unsound

PIECES = st.sampled_from(
    ["`", "``", "|", "\\", "<b>", "[a](b)", "*", "_", "\n", "\n\n", "# ", "@all", "a", " ", "&lt;"]
)
TEXTS = st.lists(PIECES, min_size=1, max_size=10).map("".join).filter(lambda text: text.strip())


def tokens(text: str) -> list[Token]:
    """As a reader of CommonMark with tables sees it."""
    found = []
    for token in MarkdownIt("commonmark").enable("table").parse(text):
        found += [token, *(token.children or [])]
    return found


def test_totals_matrix_and_what_is_wrong() -> None:
    text = report.markdown(mixed())
    assert (
        "8 findings: 2 UNSOUND (1 material), 1 CRASHED, 1 INVALID, 1 UNDECIDED, 2 SOUND, 1 REFUSED." in text
    )
    assert "| accountant | version | `poisson(gaussian)` | `laplace` | `gaussian + laplace` |" in text
    assert text.count("- **UNSOUND**") == 2 and text.count("- **CRASHED**") == 1
    assert text.index("wrong by at least 0.499") < text.index("wrong by at least 9.99e-14"), "the worst first"
    assert "| 0.499 | `planted/upper` |" in text


def test_nothing_wrong_and_nothing_loose_has_no_heading() -> None:
    text = report.markdown([failed("REFUSED")])
    assert "## " not in text
    assert report.markdown([]).startswith("# Accountants against the truth\n\n0 findings")


@settings(max_examples=60)
@given(st.fixed_dictionaries({name: TEXTS for name in HOSTILE_FIELDS}))
def test_no_text_adds_markup(texts: dict[str, str]) -> None:
    def kinds(*documents: dict[str, Any]) -> set[tuple[str, str]]:
        return {
            (t.type, t.content if t.type.startswith("html") else "")
            for t in tokens(report.markdown(documents))
        }

    own = kinds(*mixed())
    assert kinds(unsound(**texts), finding(**texts)) <= own


@given(TEXTS)
def test_code_is_one_span(text: str) -> None:
    inline = [t for t in tokens(f"| a |\n|---|\n| {code(text)} |") if t.type == "inline"][-1]
    assert [child.type for child in inline.children or []] == ["code_inline"]


def test_code_that_can_be_ended_would_be_seen() -> None:
    careless = "`a`b`"
    inline = [t for t in tokens(careless) if t.type == "inline"][-1]
    assert [child.type for child in inline.children or []] != ["code_inline"]


@pytest.mark.parametrize("field", HOSTILE_FIELDS)
def test_a_script_is_code_and_a_long_message_is_cut(field: str) -> None:
    text = report.markdown([unsound(**{field: SCRIPT + LONG})])
    assert len(text) < 5_000
    assert "<script" not in re.sub(r"`[^`]*`", "", text)


def test_ten_thousand_findings_can_be_pasted() -> None:
    many = [unsound((i + 1) * 1e-5, accountant=f"a{i % 300}") for i in range(10_000)]
    text = report.markdown(many)
    assert len(text) < 65_536, "what GitHub takes as a comment"
    assert "9,970 more are left out." in text
