"""Scatter plots as SVG paths: both axes logarithmic, one path for each accountant and kind of point.

A drawing is bounded: points that fall on the same spot are one.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Literal

from pldverify.report.mechanism import parameters, value_of
from pldverify.report.record import Record
from pldverify.web_page import Box, Tick

Kind = Literal["slack", "violation"]

BOX = Box(360, 230, left=46, right=12, top=10, bottom=40)
_SPOT = 2
"""Distance, in units of the drawing, below which points are drawn as one."""
_FLOOR = 1e-17
"""Least ordinate: smaller values are drawn there."""
MOST_FIGURES = 8
"""Figures over parameters."""
_NAMES = {
    "k": "steps k",
    "sigma": "noise σ",
    "q": "sampling probability q",
    "delta": "δ of the question",
    "epsilon": "ε of the question",
    "order": "order α of the question",
    "alpha": "type I error α of the question",
    "loss": "loss of the question",
}


@dataclass(frozen=True)
class Point:
    """A finding in a plot."""

    x: float
    y: float
    kind: Kind
    accountant: int


@dataclass(frozen=True)
class Mark:
    """All points of one kind and accountant, as one path."""

    kind: Kind
    accountant: int
    path: str


@dataclass(frozen=True)
class Median:
    """Where an accountant's medians are."""

    accountant: int
    x: float
    y: float


@dataclass(frozen=True)
class Figure:
    """A drawing, ready to be put into a page.

    Attributes:
        title: what is on the horizontal axis.
        description: for those who do not see it.
        left_out: findings with a margin of 0 or a parameter that is not > 0: a log axis has no place for it.
    """

    title: str
    unit: str
    description: str
    left_out: int
    xs: list[Tick]
    ys: list[Tick]
    marks: list[Mark]
    medians: list[Median]


def over_parameters(found: Sequence[Record], order: dict[str, int], unit: str) -> list[Figure]:
    """One figure for each parameter that takes several values, the most frequent ones first, ``MOST_FIGURES``
    at most.

    Args:
        order: number of each accountant.
        unit: ``ε``, or ``relative`` for margins over the true value.
    """
    values: dict[str, list[tuple[float, Record]]] = {}
    for record in found:
        for name, value in _arguments(record).items():
            values.setdefault(name, []).append((value, record))
    several = [name for name, pairs in values.items() if len({value for value, _ in pairs}) > 1]
    first = sorted(several, key=lambda name: -len(values[name]))[:MOST_FIGURES]
    figures = (figure(_NAMES.get(name, name), values[name], order, unit) for name in first)
    return [each for each in figures if each is not None]


def against_time(found: Sequence[Record], order: dict[str, int], unit: str) -> Figure | None:
    """Slack and violation against the seconds of an answer."""
    pairs = [(record.seconds, record) for record in found]
    return figure("seconds for one answer", pairs, order, unit)


def figure(
    title: str, pairs: Sequence[tuple[float, Record]], order: dict[str, int], unit: str
) -> Figure | None:
    """None where nothing is to be drawn."""
    known = [(x, record, margin) for x, record in pairs if (margin := _margin(record, unit)) is not None]
    points = [
        Point(x, max(y, _FLOOR), "violation" if r.verdict == "UNSOUND" else "slack", order[r.accountant])
        for x, r, y in known
        if x > 0 and y > 0
    ]
    if not points:
        return None
    across, up = _Axis(p.x for p in points), _Axis(p.y for p in points)
    xs = [Tick(BOX.across(across.share(x)), _label(x)) for x in across.ticks(6)]
    ys = [Tick(BOX.up(up.share(y)), _label(y)) for y in up.ticks(6)]
    return Figure(
        title, unit, _description(title, points, unit), len(known) - len(points), _apart(xs), ys,
        list(_marks(points, across, up)), list(_medians(points, across, up)),
    )  # fmt: skip


class _Axis:
    """A logarithmic axis over some numbers > 0."""

    def __init__(self, numbers: Iterable[float]) -> None:
        self.values = sorted(set(numbers))
        self.low, self.high = math.log10(self.values[0]), math.log10(self.values[-1])
        margin = 0.05 * (self.high - self.low) or 0.5
        self.low, self.high = self.low - margin, self.high + margin

    def share(self, value: float) -> float:
        """Where a number stands, from 0 to 1."""
        return (math.log10(value) - self.low) / (self.high - self.low)

    def ticks(self, most: int) -> list[float]:
        """The numbers themselves where they are few, else powers of ten, else both ends."""
        if len(self.values) <= most:
            return self.values
        first, last = math.ceil(self.low), math.floor(self.high)
        step = max(1, -(-(last - first + 1) // most))
        powers = [10.0**power for power in range(first, last + 1, step)]
        return powers if len(powers) > 1 else [self.values[0], self.values[-1]]


def _marks(points: Sequence[Point], across: _Axis, up: _Axis) -> Iterable[Mark]:
    spots: dict[tuple[Kind, int], dict[tuple[int, int], None]] = {}
    for point in points:
        x, y = BOX.across(across.share(point.x)), BOX.up(up.share(point.y))
        spot = (_SPOT * round(x / _SPOT), _SPOT * round(y / _SPOT))
        spots.setdefault((point.kind, point.accountant), {})[spot] = None
    for (kind, accountant), places in sorted(spots.items()):
        draw = "M{} {}h0" if kind == "slack" else "M{} {}m0-4l4 7h-8z"
        yield Mark(kind, accountant, "".join(draw.format(*place) for place in places))


def _medians(points: Sequence[Point], across: _Axis, up: _Axis) -> Iterable[Median]:
    for accountant in sorted({point.accountant for point in points}):
        mine = [point for point in points if point.accountant == accountant]
        x, y = median(point.x for point in mine), median(point.y for point in mine)
        yield Median(accountant, BOX.across(across.share(x)), BOX.up(up.share(y)))


def _arguments(record: Record) -> dict[str, float]:
    """Parameters of the mechanism and of the question; one name of both is the question's."""
    names = ("delta", "epsilon", "order", "alpha", "loss")
    asked = {name: getattr(record, name) for name in names}
    return parameters(record.composition) | {
        name: value for name, text in asked.items() if text and math.isfinite(value := value_of(text))
    }


def _margin(record: Record, unit: str) -> float | None:
    if record.verdict not in ("SOUND", "UNSOUND"):
        return None
    margin = record.in_epsilon if unit == "ε" else record.relative
    return margin if margin is not None and math.isfinite(margin) else None


def _apart(ticks: Sequence[Tick]) -> list[Tick]:
    """Without those whose label would touch the one before."""
    kept: list[Tick] = []
    for tick in ticks:
        if not kept or tick.at - kept[-1].at >= 14 + 3 * (len(tick.label) + len(kept[-1].label)):
            kept.append(tick)
    return kept


def _label(value: float) -> str:
    power = math.log10(value)
    if not -3 <= power < 4:
        return f"{value:.2g}".replace("e-0", "e-").replace("e+0", "e").replace("e+", "e")
    return f"{float(f'{value:.3g}'):g}"


def _description(title: str, points: Sequence[Point], unit: str) -> str:
    slack = [point.y for point in points if point.kind == "slack"]
    wrong = [point.y for point in points if point.kind == "violation"]
    of = " in ε" if unit == "ε" else " over the true value"
    parts = []
    if slack:
        gives = f"{median(slack):.2g} in the median, {max(slack):.2g} at most"
        parts.append(f"{len(slack)} sound claims give away{of} {gives}")
    if wrong:
        parts.append(f"{len(wrong)} unsound claims are wrong{of} by {max(wrong):.2g} at most")
    return f"Slack and violation against {title}: {'; '.join(parts)}."
