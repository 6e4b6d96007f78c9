"""The plot of an overview; matplotlib is loaded when it is asked for."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pldverify.errors import MissingLibrary
from pldverify.numbers.enclosure import Bound
from pldverify.values.verdict import Relation

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_ROOM = 1.15
"""Of the axis to the right of the largest number; an infinite one stands at its end."""
_FAR = 10**300
"""From which on a number stands at the end of the axis: it may be no double."""
_COLOURS = {"SOUND": "tab:green", "UNSOUND": "tab:red", "UNDECIDED": "tab:gray", "": "tab:blue"}
"""By verdict; an audit has none."""
_MARKS: dict[Relation, str] = {"<=": "<", ">=": ">", "=": "|"}


@dataclass(frozen=True)
class Line:
    """One number that is not proved: how the true one is said to stand to it, and the verdict on that."""

    value: Bound
    relation: Relation
    verdict: str = ""


def plot(
    title: str,
    name: str,
    labels: Sequence[str],
    lines: tuple[Sequence[Line], Sequence[Line]],
    proved: tuple[Bound | None, Bound | None],
    axes: "Axes | None",
) -> "Axes":
    """From top to bottom the first lines, the proved number, and the others, with a label each.

    Raises MissingLibrary without matplotlib.
    """
    if axes is None:
        try:
            from matplotlib import pyplot
        except ImportError as error:
            raise MissingLibrary('plots need matplotlib: pip install "pldverify[plot]"') from error
        axes = pyplot.subplots(figsize=(7, 1.2 + 0.4 * len(labels)), layout="constrained")[1]
    above, below = lines
    end = reach((*above, *below), proved)
    for i, line in enumerate(above):
        _draw(axes, line, i, end)
    _draw_proved(axes, proved, len(above), end)
    for i, line in enumerate(below, len(above) + 1):
        _draw(axes, line, i, end)
    axes.set_yticks(range(len(labels)), labels)
    axes.set_ylim(len(labels) - 0.3, -0.7)
    axes.set_xlim(0, end)
    axes.set_xlabel(name)
    axes.set_title(title, fontsize=9)
    axes.spines[["top", "right"]].set_visible(False)
    return axes


def reach(lines: Sequence[Line], proved: tuple[Bound | None, Bound | None]) -> float:
    """Where the axis ends."""
    numbers = [*(line.value for line in lines), *(end for end in proved if end is not None)]
    return _ROOM * max((float(value) for value in numbers if value < _FAR), default=0.0) or 1.0


def _draw(axes: "Axes", line: Line, y: int, end: float) -> None:
    """A mark at the number, and a line to where it says that the true one is."""
    x, colour = place(line.value, end), _COLOURS[line.verdict]
    axes.plot([x], [y], color=colour, marker=_MARKS[line.relation], markersize=9)
    if line.relation != "=":
        axes.plot([x, end if line.relation == ">=" else 0], [y, y], color=colour, linestyle=":")


def _draw_proved(axes: "Axes", proved: tuple[Bound | None, Bound | None], y: int, end: float) -> None:
    """A bar from end to end; an end that is not proved is that of the axis."""
    lower, upper = proved
    left, right = 0.0 if lower is None else place(lower, end), end if upper is None else place(upper, end)
    axes.axvspan(left, right, color="0.9", zorder=0)
    axes.plot([left, right], [y, y], color="black", marker="|", linewidth=4, solid_capstyle="butt")


def place(value: Bound | float, end: float) -> float:
    """Of a number on the axis, in its units; the last one for what is beyond."""
    return float(min(value, end))
