"""A rich table that ``print`` shows too."""

from collections.abc import Sequence
from io import StringIO

from rich.console import Console
from rich.table import Table
from rich.text import Text

_NARROW = 72
"""Least width of a console, in characters, for a table of five columns."""


class PrintedTable(Table):
    """As rich draws it; as text without colour, as wide as the terminal, or 80 columns.

    A narrow terminal gets a block of lines for each row.
    """

    def __str__(self) -> str:
        console = Console(file=StringIO(), color_system=None)
        with console.capture() as captured:
            if console.width >= _NARROW:
                console.print(self)
            else:
                for line in self._blocks():
                    console.print(line, markup=False, highlight=False)
        return "\n".join(line.rstrip() for line in captured.get().rstrip("\n").split("\n"))

    def _blocks(self) -> list[str]:
        """The title; of every row the first cell, and below it the others with their headings."""
        lines = [str(self.title)]
        headings = [str(column.header) for column in self.columns]
        for first, *others in zip(*(map(str, column.cells) for column in self.columns), strict=True):
            lines += ["", first]
            lines += [f"  {name}: {cell}" for name, cell in zip(headings[1:], others, strict=True) if cell]
        return lines


def printed_table(title: str, headings: Sequence[str], rows: Sequence[Sequence[str]]) -> PrintedTable:
    """The rows under their headings."""
    shown = PrintedTable(title=Text(title), title_justify="left")
    for heading in headings:
        shown.add_column(heading, overflow="fold")
    for row in rows:
        shown.add_row(*map(Text, row))
    return shown
