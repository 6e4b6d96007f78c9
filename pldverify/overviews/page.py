"""An overview as one HTML page that needs nothing else: one axis as SVG, the table, and its sentences."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pldverify.foreign import visible
from pldverify.numbers.enclosure import Bound
from pldverify.overviews.plot import Line, place, reach
from pldverify.version import __version__
from pldverify.web_page import Box, Tick, digest, environment

_FOLDER = Path(__file__).with_name("page")
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
    name: str,
    labels: Sequence[str],
    lines: tuple[Sequence[Line], Sequence[Line]],
    proved: tuple[Bound | None, Bound | None],
    table: tuple[Sequence[str], Sequence[Sequence[str]]],
    sentences: Sequence[str],
) -> str:
    """The first lines, the proved number and the others from top to bottom, with a label each; the headings
    and rows of ``table``; sentences below.
    """
    above, below = lines
    box = Box(640, _ROW * len(labels) + 60, left=16, right=24, top=10, bottom=44)
    end = reach((*above, *below), proved)
    band = tuple(
        _across(box, default if value is None else value, end)
        for value, default in zip(proved, (0, math.inf), strict=True)
    )
    ys = [round(box.top + _ROW * (i + 0.7), 2) for i in range(len(labels))]
    numbers: list[Line | None] = [*above, None, *below]
    rows = [
        _row(box, end, band, line, visible(label), y)
        for line, label, y in zip(numbers, labels, ys, strict=True)
    ]
    style = (_FOLDER / "overview.css").read_text("utf-8")
    return (
        environment(_FOLDER)
        .get_template("overview.html")
        .render(
            title=visible(title),
            name=name,
            box=box,
            band=band,
            is_proved=proved != (None, None),
            rows=rows,
            rise=_RISE,
            ticks=_ticks(box, end),
            headings=table[0],
            table=[[visible(cell) for cell in row] for row in table[1]],
            sentences=[visible(sentence) for sentence in sentences],
            style=style,
            policy=digest(style),
            version=__version__,
        )
    )


def _row(box: Box, end: float, band: Sequence[float], line: Line | None, label: str, y: float) -> Row:
    if line is None:
        return Row("truth", label, y, f"M{band[0]} {y}H{band[1]}", "")
    x = _across(box, line.value, end)
    kind = line.verdict.lower() or "audit"
    if line.relation == "=":
        return Row(kind, label, y, f"M{x} {y - _HEAD}V{y + _HEAD}", "")
    to, side = (box.end, -_HEAD) if line.relation == ">=" else (box.left, _HEAD)
    return Row(kind, label, y, f"M{x + side} {y - _HEAD}L{x} {y}L{x + side} {y + _HEAD}", f"M{x} {y}H{to}")


def _ticks(box: Box, end: float) -> list[Tick]:
    """Round numbers from 0 on."""
    power = 10.0 ** math.floor(math.log10(end / _TICKS))
    step = next(power * by for by in (1, 2, 5, 10) if power * by * _TICKS >= end)
    return [Tick(_across(box, step * i, end), f"{step * i:g}") for i in range(int(end / step) + 1)]


def _across(box: Box, value: Bound | float, end: float) -> float:
    return box.across(place(value, end) / end)
