"""Grids: the built-in ones by name, and those in files."""

from typing import get_args

from pldverify.errors import InvalidInput
from pldverify.judge.grid import Grid
from pldverify.sweeps.families.sized import Size

NAMES: tuple[Size, ...] = get_args(Size)

STANDARD_MOST = 500
"""Questions of ``standard`` for one accountant, of those that it takes."""


def most(name: str) -> int | None:
    """How many questions of a grid an accountant is asked, of those that it takes; None: all.

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
        from pldverify.sweeps.families import FAMILIES

        return Grid(query for each in FAMILIES for query in each.at(name).questions())
    if name.endswith((".toml", ".json")):
        from pldverify.sweeps.grid_file import read

        return Grid(query for family in read(name) for query in family.questions())
    raise InvalidInput(f"grid must be one of {', '.join(NAMES)}, or a .toml or .json file, got {name!r}")
