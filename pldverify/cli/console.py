"""Consoles: as wide as the terminal or as COLUMNS says, coloured on a terminal alone, never with NO_COLOR."""

import shutil
import sys
from textwrap import fill

from rich.console import Console
from rich.table import Table
from rich.text import Text

_WIDTH = 100
"""Columns where there is no terminal to ask."""
_NARROW = 72
"""Columns that five cells of a row need."""
GAP = "  "


class _Output(Console):
    """A pipe that is closed ends the command, see :mod:`~pldverify.cli.outcomes`; rich would exit with 1."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def width() -> int:
    """Columns of standard output."""
    return shutil.get_terminal_size((_WIDTH, 24)).columns


def output() -> Console:
    """Standard output."""
    return _Output(file=sys.stdout, width=width(), highlight=False, markup=False, emoji=False)


def messages() -> Console:
    """Standard error."""
    return Console(stderr=True, highlight=False, markup=False, emoji=False)


def wrapped(console: Console, text: str, style: str = "") -> Text:
    """Between words; all lines but the first are set in."""
    return Text(fill(text, console.width, subsequent_indent=GAP, break_on_hyphens=False), style=style)


def print_table(console: Console, table: Table) -> None:
    """As it is, or where that would be too narrow each cell of a row in a line of its own."""
    if console.width >= _NARROW:
        console.print(table)
        return
    console.print(wrapped(console, str(table.title), "bold"))
    headings = [str(column.header) for column in table.columns[1:]]
    for first, *cells in zip(*(column.cells for column in table.columns), strict=True):
        console.print(wrapped(console, str(first)))
        for heading, cell in zip(headings, cells, strict=True):
            if str(cell):
                console.print(wrapped(console, f"{GAP}{heading} {cell}"))
