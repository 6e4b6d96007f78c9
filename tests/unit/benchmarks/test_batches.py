"""The figures of docs/batches.md: every end is proved again, of the composition that its row means."""

from fractions import Fraction
from pathlib import Path

import pytest

import pldverify as pv
from benchmarks.batches import DELTA, SCHEMES, SETTINGS

ROOT = Path(__file__).parents[3]
QUICK = {"poisson", "a known order", "cyclic-poisson"}
"""Rows that take no time."""


def table() -> dict[str, list[str]]:
    """The cells of three settings, by row."""
    text = (ROOT / "docs" / "batches.md").read_text("utf-8").partition("| drawn | elsewhere |")[2]
    rows = text.partition("\n\n")[0].splitlines()[2:]
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]
    return {row[0]: row[2:5] for row in cells}


TABLE = table()


def test_no_row_is_forgotten() -> None:
    assert list(TABLE) == list(SCHEMES) and all(len(row) == 3 for row in TABLE.values())


@pytest.mark.parametrize(
    "name", [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in TABLE]
)
def test_the_ends_are_proved(name: str) -> None:
    """And no end is further out than its digits, where a second is enough for the mechanism's own value."""
    for (sigma, batches, epochs), cell in zip(SETTINGS, TABLE[name], strict=True):
        run = SCHEMES[name](sigma, batches, epochs)
        low, _, high = cell.partition(" to ")
        found = pv.bracket(run, delta=DELTA, digits=4, seconds=10)
        assert found.upper <= Fraction(high)
        if low == "–":
            assert run.standing == "upper bound" and not found.two_sided
        else:
            assert found.two_sided or run.standing == "exact"
            assert Fraction(low) <= found.lower
        if not found.two_sided and low != "–":
            step = Fraction(10) ** -3 if Fraction(high) < 1 else Fraction(10) ** -2
            assert Fraction(high) - Fraction(low) == step
