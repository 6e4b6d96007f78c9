"""An overview as one HTML page that needs nothing else: one axis as SVG, the table, and its sentences."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pldverify.overviews.plot import Drawing
from pldverify.web_page import Box, Tick, digest, filled

_ROW = 44
"""Height of a number's part of the drawing: a label, and its line."""
_TICKS = 5
"""Labelled places of the axis beside 0, at most."""
_HEAD = 7
"""Half the height of an arrow."""
_RISE = 10
"""Height of a label above its line."""


@dataclass(frozen=True)
class Row:
    """A number in the drawing: a label above a mark, and a line to where the true number is said to be."""

    kind: str
    label: str
    y: float
    mark: str
    reach: str


def page(
    title: str,
    drawn: Drawing,
    headings: Sequence[str],
    table: Sequence[Sequence[str]],
    sentences: Sequence[str],
) -> str:
    """The drawing, the table of its numbers, and sentences below."""
    box = Box(640, _ROW * len(drawn.rows) + 60, left=16, right=24, top=10, bottom=44)
    style = Path(__file__).with_name("page").joinpath("overview.css").read_text("utf-8")
    return filled(
        __file__,
        "overview.html",
        title=title,
        drawn=drawn,
        box=box,
        band=[box.across(place / drawn.end) for place in drawn.bar],
        rows=[_row(box, drawn, i) for i in range(len(drawn.rows))],
        rise=_RISE,
        ticks=_ticks(box, drawn),
        headings=headings,
        table=table,
        sentences=sentences,
        style=style,
        policy=digest(style),
    )


def _row(box: Box, drawn: Drawing, i: int) -> Row:
    (label, line), y = drawn.rows[i], round(box.top + _ROW * (i + 0.7), 2)
    if line is None:
        left, right = (box.across(place / drawn.end) for place in drawn.bar)
        return Row("truth", label, y, f"M{left} {y}H{right}", "")
    x = box.across(drawn.place(line.value) / drawn.end)
    kind = line.verdict.lower() or "audit"
    if line.relation == "=":
        return Row(kind, label, y, f"M{x} {y - _HEAD}V{y + _HEAD}", "")
    to, side = (box.end, -_HEAD) if line.relation == ">=" else (box.left, _HEAD)
    return Row(kind, label, y, f"M{x + side} {y - _HEAD}L{x} {y}L{x + side} {y + _HEAD}", f"M{x} {y}H{to}")


def _ticks(box: Box, drawn: Drawing) -> list[Tick]:
    """Round numbers from 0 on."""
    power = 10.0 ** math.floor(math.log10(drawn.end / _TICKS))
    step = next(power * by for by in (1, 2, 5, 10) if power * by * _TICKS >= drawn.end)
    places = (step * i for i in range(int(drawn.end / step) + 1))
    return [Tick(box.across(place / drawn.end), f"{place:g}") for place in places]
