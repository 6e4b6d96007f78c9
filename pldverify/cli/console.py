"""Consoles: as wide as the terminal or as COLUMNS says, coloured on a terminal alone, never with NO_COLOR."""

import shutil
import sys
from textwrap import fill

from rich.console import Console
from rich.text import Text

_WIDTH = 100
"""Columns where there is no terminal to ask."""
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
