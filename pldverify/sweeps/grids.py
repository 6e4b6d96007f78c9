"""Grids: the built-in ones by name, and those in files."""

from typing import get_args

from pldverify.errors import InvalidInput
from pldverify.sweeps.families import FAMILIES, Size
from pldverify.sweeps.grid import Grid
from pldverify.sweeps.plan import Most

NAMES: tuple[Size, ...] = get_args(Size)

STANDARD_MOST = Most(first=500, variants=125)
"""Questions of the grid ``standard`` for one accountant."""


def most(name: str) -> Most | None:
    """How many questions of a grid accountants are asked, of those that they take; None: all.

    Families overlap, and an accountant of many mechanisms would be asked thousands.
    """
    return STANDARD_MOST if name == "standard" else None


def grid(name: str) -> Grid:
    """The questions of a built-in grid, or of a file (docs/sweeps.md).

    Raises InvalidInput for what is neither, and as :func:`pldverify.sweeps.grid_file.read` does.

    >>> from pldverify.sweeps.grids import grid
    >>> 100 < len(grid("quick")) < 300
    True
    """
    if name in NAMES:
        return Grid(query for each in FAMILIES for query in each.at(name).questions())
    if name.endswith((".toml", ".json")):
        from pldverify.sweeps.grid_file import read

        return Grid(query for family in read(name) for query in family.questions())
    raise InvalidInput(f"grid must be one of {', '.join(NAMES)}, or a .toml or .json file, got {name!r}")
