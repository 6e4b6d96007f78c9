"""A rich table that ``print`` shows too."""

from io import StringIO

from rich.console import Console
from rich.table import Table


class PrintedTable(Table):
    """As rich draws it; as text without colour, as wide as the terminal, or 80 columns."""

    def __str__(self) -> str:
        console = Console(file=StringIO(), color_system=None)
        with console.capture() as captured:
            console.print(self)
        return "\n".join(line.rstrip() for line in captured.get().rstrip("\n").split("\n"))
