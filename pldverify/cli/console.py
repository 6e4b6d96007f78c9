"""Consoles: as wide as the terminal or as COLUMNS says, coloured on a terminal alone, never with NO_COLOR.

They make visible what would steer the terminal, as :func:`~pldverify.cli.output.echo` does.
"""

import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from textwrap import fill

from rich.console import Console, ConsoleOptions, ConsoleRenderable, RenderHook
from rich.segment import Segment
from rich.text import Text

from pldverify.foreign import visible

_WIDTH = 100
"""Columns where there is no terminal to ask."""
GAP = "  "
"""Between columns, and before what is set in."""


class _Output(Console):
    """A pipe that is closed ends the command, see :mod:`~pldverify.cli.outcomes`; rich would exit with 1."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


@dataclass(frozen=True)
class _Visible:
    """What is shown, with its colours; whatever else would steer the terminal is an escape."""

    shown: ConsoleRenderable

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Segment]:
        for part in console.render(self.shown, options):
            yield part if part.control else Segment(visible(part.text), part.style)


class _Hook(RenderHook):
    def process_renderables(self, renderables: list[ConsoleRenderable]) -> list[ConsoleRenderable]:
        return [_Visible(each) for each in renderables]


def output() -> Console:
    """Standard output."""
    width = shutil.get_terminal_size((_WIDTH, 24)).columns
    return _hooked(_Output(file=sys.stdout, width=width, highlight=False, markup=False, emoji=False))


def messages() -> Console:
    """Standard error."""
    return _hooked(Console(stderr=True, highlight=False, markup=False, emoji=False))


def _hooked(console: Console) -> Console:
    console.push_render_hook(_Hook())
    return console


def say(text: str, style: str = "") -> None:
    """On standard output, as :func:`wrapped` sets it."""
    console = output()
    console.print(wrapped(console, text, style))


def wrapped(console: Console, text: str, style: str = "") -> Text:
    """Between words; all lines but the first are set in."""
    lines = fill(visible(text), console.width, subsequent_indent=GAP, break_on_hyphens=False)
    return Text(lines, style=style)
