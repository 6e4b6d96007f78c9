"""The waterfall plot of an error budget; matplotlib is loaded when it is asked for."""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from pldverify.decomposition.term import Term
from pldverify.late_names import needs
from pldverify.numbers.enclosure import Bound, Enclosure
from pldverify.numbers.scientific import scientific

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

DECADES = 20
"""Decades below δ down to which a size is drawn: doubles have 16."""

_DELTA, _UP, _DOWN, _UNSIGNED, _PROMISE = "0.35", "#c1483b", "#3b6fb6", "0.75", "black"


def plot(
    title: str,
    start: str,
    true: Enclosure,
    terms: Sequence[Term],
    printed: Fraction,
    axes: "Axes | None" = None,
) -> "Axes":
    """From ``true``, called ``start``, to the printed δ: a bar for each term's size, on a log scale.

    A bar reaches |observed| (its upper end): red for an error upward, blue downward, grey where the sign is
    not proved. The tick is what the theorem promises, an arrow where that is off the scale or nothing. Less
    than 20 decades below δ is drawn there; the numbers under the bars are right.

    Raises MissingLibrary without matplotlib.
    """
    if axes is None:
        with needs('plots need matplotlib: pip install "pldverify[plot]"'):
            from matplotlib import pyplot
        axes = pyplot.subplots(figsize=(9, 4.5), layout="constrained")[1]
    first, last = float(true), abs(float(printed))
    sizes = [first, *(_size(t.observed.lower, t.observed.upper) for t in terms), last]
    promises = [_size(term.low, term.high) for term in terms]
    floor = max(max(first, last) / 10**DECADES, 1e-300)
    seen = [size for size in (*sizes, *promises) if size < 1e3 * max(sizes)]
    ceiling = max(seen, default=1.0)
    drawn = [max(floor, size) for size in sizes]
    colours = [_DELTA, *(_colour(term) for term in terms), _DELTA]
    labels = [
        f"{start}\n{scientific(Fraction(true.upper), 3)}",
        *(_label(term) for term in terms),
    ]
    labels.append(f"printed δ\n{scientific(printed, 3)}")
    axes.bar(range(len(drawn)), drawn, width=0.7, color=colours)
    for place, promise in enumerate(promises, start=1):
        if promise <= ceiling:
            height = max(floor, promise)
            axes.hlines(height, place - 0.42, place + 0.42, color=_PROMISE, linewidth=1.8)
        else:
            axes.plot([place], [3 * ceiling], marker="^", color=_PROMISE)
    axes.set_yscale("log")
    axes.set_ylim(min(drawn) / 30, 10 * ceiling)
    axes.set_xticks(range(len(labels)), labels, fontsize=8)
    axes.set_ylabel("δ, and changes of δ")
    axes.set_title(title, fontsize=9, pad=22)
    axes.legend(
        handles=_key(), fontsize=8, loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=5, frameon=False
    )
    axes.spines[["top", "right"]].set_visible(False)
    return axes


def _label(term: Term) -> str:
    sign = {_UP: "+", _DOWN: "−", _UNSIGNED: "≤ "}[_colour(term)]
    size, promise = max(-term.observed.lower, term.observed.upper), max(-term.low, term.high)
    said = "no bound" if promise == math.inf else f"promised {scientific(Fraction(promise), 2)}"
    broken = "OUTSIDE, " if term.verdict == "OUTSIDE" else ""
    return f"{term.name}\n{sign}{scientific(Fraction(size), 2)}\n{broken}{said}"


def _colour(term: Term) -> str:
    if term.observed.lower > 0:
        return _UP
    return _DOWN if term.observed.upper < 0 else _UNSIGNED


def _key() -> list["Artist"]:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    return [
        Patch(color=_UP, label="raises δ"),
        Patch(color=_DOWN, label="lowers δ"),
        Patch(color=_UNSIGNED, label="at most"),
        Line2D([], [], color=_PROMISE, linewidth=1.8, label="promised"),
        Line2D([], [], color=_PROMISE, marker="^", linestyle="", label="promised more, or nothing"),
    ]


def _size(low: Bound, high: Bound) -> float:
    """The larger of the two, up or down; +∞ where it overflows."""
    try:
        return max(abs(float(low)), abs(float(high)))
    except OverflowError:
        return math.inf
