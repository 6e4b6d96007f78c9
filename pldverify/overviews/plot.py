"""The plot of an overview; matplotlib is loaded when it is asked for."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from pldverify.late_names import needs
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


@dataclass(frozen=True)
class Drawing:
    """What is drawn on one axis, whose name is that of the number.

    Attributes:
        rows: from top to bottom a label and a line each; the one without a line is the proved number.
        proved: both ends of that, None where nothing is.
    """

    name: str
    rows: Sequence[tuple[str, Line | None]]
    proved: tuple[Bound | None, Bound | None]

    @cached_property
    def end(self) -> float:
        """Where the axis ends."""
        said = [line.value for _, line in self.rows if line is not None]
        numbers = [*said, *(end for end in self.proved if end is not None)]
        return _ROOM * max((float(value) for value in numbers if value < _FAR), default=0.0) or 1.0

    @property
    def bar(self) -> tuple[float, float]:
        """The places of the proved ends; one that is not proved is that of the axis."""
        lower, upper = self.proved
        return 0.0 if lower is None else self.place(lower), self.end if upper is None else self.place(upper)

    def place(self, value: Bound) -> float:
        """Of a number on the axis, in its units; the last one for what is beyond."""
        return float(min(value, self.end))


def plot(title: str, drawn: Drawing, axes: "Axes | None") -> "Axes":
    """An arrow for a bound, a bar for what is proved. Raises MissingLibrary without matplotlib."""
    labels = [label for label, _ in drawn.rows]
    if axes is None:
        with needs('plots need matplotlib: pip install "pldverify[plot]"'):
            from matplotlib import pyplot
        axes = pyplot.subplots(figsize=(7, 1.2 + 0.4 * len(labels)), layout="constrained")[1]
    for y, (_, line) in enumerate(drawn.rows):
        if line is None:
            axes.axvspan(*drawn.bar, color="0.9", zorder=0)
            axes.plot(drawn.bar, [y, y], color="black", marker="|", linewidth=4, solid_capstyle="butt")
        else:
            _draw(axes, drawn, line, y)
    axes.set_yticks(range(len(labels)), labels)
    axes.set_ylim(len(labels) - 0.3, -0.7)
    axes.set_xlim(0, drawn.end)
    axes.set_xlabel(drawn.name)
    axes.set_title(title, fontsize=9)
    axes.spines[["top", "right"]].set_visible(False)
    return axes


def _draw(axes: "Axes", drawn: Drawing, line: Line, y: int) -> None:
    """A mark at the number, and a line to where it says that the true one is."""
    x, colour = drawn.place(line.value), _COLOURS[line.verdict]
    axes.plot([x], [y], color=colour, marker=_MARKS[line.relation], markersize=9)
    if line.relation != "=":
        axes.plot([x, drawn.end if line.relation == ">=" else 0], [y, y], color=colour, linestyle=":")
