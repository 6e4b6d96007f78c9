"""Text that others wrote, made fit for a medium: titles, notes, names, quotes, what third-party code says.

One function a medium: terminal, Markdown, CSV, HTML, JSON. Whatever is shown passes one of them, which a test
sees to. Text never becomes code, a link or a command of the terminal.
"""

import csv
import io
import json
import re
from collections.abc import Iterable, Sequence
from html import escape

FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "'")
"""Beginnings that a spreadsheet may run; an apostrophe too, so that the quoting can be undone. Spaces
go first, and control characters are escapes by then."""
_WORDS = re.compile(r"(?!.*(?:www\.|://))[^\W_](?:[^\W_]|[ .,:;/+()=≤≥-])*")
MOST_IN_CELL = 2_000
"""Characters of a text in a table that a spreadsheet reads."""


def visible(text: str) -> str:
    r"""For a terminal: control characters, bidirectional overrides, half characters as escapes; lines stay.

    >>> from pldverify.foreign import visible
    >>> visible("a\x1b[31mb\u202e")
    'a\\x1b[31mb\\u202e'
    """
    return "".join(c if c.isprintable() or c == "\n" else ascii(c)[1:-1] for c in text)


def brief(text: str, most: int) -> str:
    """One line of at most so many characters, and how many there were.

    >>> from pldverify.foreign import brief
    >>> brief("line one,\\nline two", 12)
    'line one, li… (18 characters)'
    """
    line = " ".join(visible(text[: 4 * most]).split())
    return line if len(line) <= most and len(text) <= 4 * most else f"{line[:most]}… ({len(text)} characters)"


def passage(text: str, most: int) -> str:
    """The same with its lines."""
    shown = visible(text[:most]).strip()
    return shown if len(text) <= most else f"{shown}… ({len(text)} characters)"


def markdown(text: str) -> str:
    """For Markdown: as it stands where nothing in it can be markup, a link or a mention, else a code span.

    >>> from pldverify.foreign import markdown
    >>> print(markdown("a library 1.2"), markdown("www.example.org"), markdown("*"))
    a library 1.2 `www.example.org` `*`
    """
    return text if _WORDS.fullmatch(text) else code(text)


def code(text: str, most: int | None = None) -> str:
    """For Markdown: a code span that nothing in it can end; what stands in one is no link and no mention.

    >>> from pldverify.foreign import code
    >>> print(code("a `b` | <script>"))
    `` a `b` | <script> ``
    """
    line = brief(text, most or 10 * len(text) + 1) or " "
    fence = "`" * (1 + max(map(len, re.findall("`+", line)), default=0))
    gap = " " if line[0] == "`" or line[-1] == "`" or len(fence) > 1 else ""
    return f"{fence}{gap}{line}{gap}{fence}"


def code_cell(text: str, most: int = 200) -> str:
    """The same in a table of Markdown.

    >>> from pldverify.foreign import code_cell
    >>> print(code_cell("a | b"))
    `a \\| b`
    """
    return code(text, most).replace("|", "\\|")


def csv_table(rows: Iterable[Sequence[str | float]]) -> str:
    r"""For a spreadsheet: every text is in quotes, and none is a formula; numbers stay numbers.

    >>> from pldverify.foreign import csv_table
    >>> csv_table([["=1+1", 2.5]])
    '"\'=1+1",2.5\r\n'
    """
    file = io.StringIO(newline="")
    writer = csv.writer(file, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\r\n")
    for row in rows:
        writer.writerow([harmless(cell) if isinstance(cell, str) else cell for cell in row])
    return file.getvalue()


def harmless(text: str) -> str:
    """Text that no spreadsheet runs: one line; an apostrophe before what begins like a formula.

    >>> from pldverify.foreign import harmless
    >>> harmless("=1+1"), harmless(" ＝1"), harmless("fine")
    ("'=1+1", "'＝1", 'fine')
    """
    line = brief(text, MOST_IN_CELL)
    return f"'{line}" if line.startswith(FORMULA) else line


def html(text: str) -> str:
    r"""For HTML that is not a template's, which escapes by itself.

    >>> from pldverify.foreign import html
    >>> html("<b>\u202e")
    '&lt;b&gt;\\u202e'
    """
    return escape(visible(text))


def json_text(document: object, indent: int | None = 2) -> str:
    r"""JSON that can be shown on a terminal: what is not printable is an escape of JSON.

    >>> from pldverify.foreign import json_text
    >>> json_text("ε\x9b2J", indent=None)
    '"ε\\u009b2J"'
    """
    text = json.dumps(document, indent=indent, ensure_ascii=False, allow_nan=False)
    return "".join(c if c.isprintable() or c == "\n" else json.dumps(c)[1:-1] for c in text)
