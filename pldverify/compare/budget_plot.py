"""The waterfall plot of an error budget; matplotlib is loaded when it is asked for."""

import math
from typing import TYPE_CHECKING

from pldverify.errors import MissingLibrary

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pldverify.compare.budget_terms import ErrorBudget

FLOOR = 1e-60
"""Smaller sizes are drawn here."""


def plot(budget: "ErrorBudget", axes: "Axes | None" = None) -> "Axes":
    """Bars of |observed| (the upper end), red for errors upward, blue downward; ticks mark the promises.

    Raises MissingLibrary without matplotlib.
    """
    if axes is None:
        try:
            from matplotlib import pyplot
        except ImportError as error:
            raise MissingLibrary("plots need matplotlib: pip install matplotlib") from error
        axes = pyplot.subplots(figsize=(8, 4), layout="constrained")[1]
    names = ["true δ", *(term.name for term in budget.terms), "printed"]
    sizes = [float(budget.true), *(_size(t.observed.lower, t.observed.upper) for t in budget.terms)]
    sizes.append(float(budget.printed))
    colours = ["black", *("tab:red" if t.observed.upper > 0 else "tab:blue" for t in budget.terms), "black"]
    places = range(len(names))
    axes.bar(places, [max(FLOOR, size) for size in sizes], color=colours)
    for place, term in enumerate(budget.terms, start=1):
        promise = _size(term.low, term.high)
        if math.isfinite(promise):
            axes.hlines(max(FLOOR, promise), place - 0.45, place + 0.45, color="black", linestyle="dotted")
    axes.set_yscale("log")
    axes.set_xticks(list(places), names, rotation=20)
    axes.set_ylabel("change of δ, absolute")
    axes.set_title(f"{budget.accountant}, {budget.direction}; dotted: promised")
    return axes


def _size(low: object, high: object) -> float:
    return max(abs(float(low)), abs(float(high)))  # type: ignore[arg-type]
