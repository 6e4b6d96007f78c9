"""What others wrote is visible, short, and can be encoded; and nothing gets past it to a reader."""

import ast
import csv
import io
import json
import re
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import DictLoader
from markdown_it import MarkdownIt

from pldverify import foreign
from pldverify.foreign import brief, csv_table, html, json_text, passage, visible
from pldverify.web_page import environment
from tests.unit.claims.claims import HOSTILE

PACKAGE = Path(foreign.__file__).parent
ANY = st.text(st.characters())
"""Lone surrogates and control characters included."""
STEERS = st.sampled_from(HOSTILE)


@given(ANY)
def test_everything_is_printable_and_encodes(text: str) -> None:
    assert all(line.isprintable() for line in visible(text).split("\n"))
    visible(text).encode("utf-8")


@given(ANY, st.integers(1, 50))
def test_short_is_short(text: str, most: int) -> None:
    note = len(f"… ({len(text)} characters)")
    assert "\n" not in brief(text, most)
    assert len(brief(text, most)) <= most + note
    assert len(passage(text, most)) <= 10 * most + note


def test_what_is_cut_says_so() -> None:
    assert brief("x" * 1_000_000, 5) == "xxxxx… (1000000 characters)"
    assert passage("a\nb" * 100, 4) == "a\nba… (300 characters)"
    assert brief(" " * 1_000_000, 5).endswith("… (1000000 characters)")


def test_overrides_of_direction_are_seen() -> None:
    assert visible("sound\u202edno\u200b") == r"sound\u202edno\u200b"


@given(ANY | STEERS)
@pytest.mark.parametrize("shown", [foreign.markdown, foreign.code, foreign.code_cell])
def test_markdown_of_it_is_text_and_nothing_else(shown: Callable[[str], str], text: str) -> None:
    """In a heading, an item, a cell; with all that GitHub would make a link."""
    reader = MarkdownIt("commonmark", {"html": True}).enable("table")
    where = "# {}", "- {}", "| a |\n|---|\n| {} |", "It says {}."
    for page in where[: 4 if shown is foreign.code_cell else 2] + where[3:]:
        allowed = {"text", "code_inline", "softbreak"}
        tokens = [t for t in reader.parse(page.format(shown(text))) if t.type == "inline"]
        kinds = {child.type for token in tokens for child in token.children or ()}
        assert kinds <= allowed and len(tokens) == (2 if page.startswith("|") else 1)
        plain = "".join(c.content for t in tokens for c in t.children or () if c.type == "text")
        assert not any(mark in plain for mark in ("www.", "://", "@", "\x1b"))
        inside = [c.content for t in tokens for c in t.children or () if c.type == "code_inline"]
        assert inside in ([], [brief(text, 10**6) or " "]) or shown is foreign.code_cell


@given(ANY | STEERS)
def test_no_cell_is_a_formula(text: str) -> None:
    ((cell, number),) = csv.reader(io.StringIO(csv_table([[text, 2.5]]), newline=""))
    assert number == "2.5" and cell.isprintable()
    assert not cell.startswith(("=", "+", "-", "@", "＝", "＋", "－", "＠", " "))


@given(ANY | STEERS)
def test_html_of_it_is_one_text(text: str) -> None:
    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attrs: object) -> None:
            raise AssertionError(tag)

        handle_startendtag = handle_starttag  # type: ignore[assignment]

    Reader().feed(html(text))
    assert not {"<", ">", '"', "'", "\x1b"} & set(html(text))


@given(st.dictionaries(ANY, ANY | st.integers(), max_size=3) | STEERS)
def test_json_of_it_is_the_same_and_steers_nothing(document: object) -> None:
    for indent in (None, 2):
        shown = json_text(document, indent)
        assert json.loads(shown) == document and all(line.isprintable() for line in shown.split("\n"))


# --- nothing gets past it ---

SINKS = {
    "foreign.py": "the one that makes text harmless",
    "cli/output.py": "lines of the terminal, made visible there",
    "cli/console.py": "consoles, which make visible what they show",
    "recheck.py": "it imports nothing of ours, and makes visible what it prints",
    "accountants/standalone.py": "it runs where pldverify is not, and speaks to a pipe",
}
"""Files that write to a medium, and why they may."""
ALSO = {
    "web_page.py": {"Environment"},  # of templates that escape: asserted below
    "numbers/markup.py": {"html.escape"},  # our own rows, in notebooks
    "decomposition/result.py": {"html.escape", "HTML by hand"},
    "overviews/overview.py": {"HTML by hand"},  # each value is escaped: tests/unit/overviews
    "decomposition/printed_table.py": {"Console"},  # that writes to a string
    "symbolic/render.py": {"Console"},
    "cli/profile.py": {"csv.writer"},  # of numbers
    "certificate/again.py": {"Markup"},  # of JSON in which no character of markup is left
    "certificate/proof.py": {"Markup"},  # of our own docstrings, everything else in them escaped
}
"""What others write by themselves: numbers, and text of ours."""
WRITERS = {
    **dict.fromkeys(("print", "rich.print", "click.echo", "click.secho", "click.echo_via_pager"), "terminal"),
    **dict.fromkeys(("sys.stdout.write", "sys.stderr.write"), "terminal"),
    **dict.fromkeys(("traceback.print_exc", "traceback.print_exception"), "terminal"),
    "rich.console.Console": "Console",
    **dict.fromkeys(("csv.writer", "csv.DictWriter"), "csv.writer"),
    **dict.fromkeys(("jinja2.Environment", "jinja2.Template"), "Environment"),
    "markupsafe.Markup": "Markup",
    "html.escape": "html.escape",
}


def past(source: str) -> list[tuple[int, str]]:
    """Where a file writes to a terminal, a table, a page or Markdown by itself: line, and what."""
    tree = ast.parse(source)
    names = {
        alias.asname or alias.name: f"{node.module}.{alias.name}"
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    } | {
        alias.asname: alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
        if alias.asname
    }
    found = []
    for node in ast.walk(tree):
        called = isinstance(node, ast.Call)
        first, dot, rest = _dotted(node.func if isinstance(node, ast.Call) else node).partition(".")
        whole = names.get(first, first) + dot + rest
        if whole in WRITERS and (called or whole == "html.escape"):
            found.append((getattr(node, "lineno", 0), WRITERS[whole]))
        if isinstance(node, ast.JoinedStr):
            found += [(node.lineno, kind) for kind in _by_hand(node)]
    return sorted(set(found))


def _dotted(node: ast.AST) -> str:
    if isinstance(node, ast.Attribute):
        return f"{_dotted(node.value)}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else ""


def _by_hand(text: ast.JoinedStr) -> Iterator[str]:
    """A value between backticks, or in an f-string with a tag."""
    constants = [str(part.value) for part in text.values if isinstance(part, ast.Constant)]
    values = [part for part in text.values if isinstance(part, ast.FormattedValue)]
    after = [
        before.value
        for before, value in zip(text.values, text.values[1:], strict=False)
        if isinstance(before, ast.Constant) and isinstance(value, ast.FormattedValue)
    ]
    if any(str(before).endswith("`") and not str(before).endswith("```") for before in after):
        yield "Markdown by hand"
    tags = [
        c for c in constants if any(f"<{tag}" in c for tag in ("td", "th", "p>", "b>", "a ", "div", "tr"))
    ]
    if values and tags:
        yield "HTML by hand"


@pytest.mark.slow
def test_nothing_gets_past_it() -> None:
    """Each file that writes by itself is in a list, with its reason; a new one has to go through foreign."""
    files = {path.relative_to(PACKAGE).as_posix(): path for path in PACKAGE.rglob("*.py")}
    found = {name: {kind for _, kind in past(path.read_text("utf-8"))} for name, path in files.items()}
    assert {name: kinds for name, kinds in found.items() if kinds and name not in SINKS} == ALSO


@pytest.mark.parametrize(
    "source",
    [
        "print(note)",
        "import click\nclick.echo(note)",
        "from click import echo as say\nsay(note)",
        "import sys\nsys.stderr.write(note)",
        "import csv as writing\nwriting.writer(file)",
        "from csv import DictWriter\nDictWriter(file, names)",
        "from rich.console import Console\nConsole()",
        "import jinja2\njinja2.Template(text)",
        "from markupsafe import Markup\nMarkup(note)",
        "from html import escape\nmap(escape, notes)",
        "import traceback\ntraceback.print_exc()",
        "line = f'- `{note}`'",
        "line = f'<td>{note}</td>'",
    ],
)
def test_what_gets_past_it_would_be_seen(source: str) -> None:
    assert past(source)


@pytest.mark.parametrize(
    "source", ["echo(note)", "line = f'{code(note)} `fixed`'", "line = f'{a} < {b}'", "foreign.html(note)"]
)
def test_what_goes_through_it_passes(source: str) -> None:
    assert past(source) == []


FILES = {"style", "script", "checker", "glue"}
"""What stands in pages as it is: files of the package, with nothing foreign in them."""


def test_every_template_escapes() -> None:
    assert environment(PACKAGE).from_string("{{ it }}").render(it="<b>") == "&lt;b&gt;"
    for template in PACKAGE.rglob("page/*.html"):
        text = template.read_text("utf-8")
        assert environment(template.parent).autoescape(template.name)  # type: ignore[operator]
        assert "autoescape" not in text and set(re.findall(r"(\w+)\s*\|\s*safe", text)) <= FILES


def test_no_template_of_markdown_makes_spans_of_code_itself() -> None:
    """A value between backticks can end them; a digest and the names of our own records can't."""
    templates = list(PACKAGE.rglob("page/*.md"))
    spans = {span for path in templates for span in re.findall(r"`\s*\{\{(.*?)\}\}", path.read_text("utf-8"))}
    assert len(templates) >= 6 and spans <= {" document.sha256 ", " each.id "}


def test_what_stands_in_markdown_is_visible() -> None:
    found = DictLoader({"a.md": "{{ it }} {{ it|code }}"})
    template = environment(PACKAGE).overlay(loader=found).get_template("a.md")
    assert template.render(it="<b>\u202e") == "<b>\\u202e `<b>\\u202e`"
