"""The plot of a privacy profile with claims on it; matplotlib is loaded when it is asked for."""

import math
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from pldverify.errors import InvalidInput
from pldverify.late_names import needs
from pldverify.numbers.enclosure import Enclosure
from pldverify.numbers.exact import brief, probability, rational

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Ask = Callable[..., tuple[Enclosure, ...]]
"""A method of the profile: exact numbers, and how many digits of each answer."""

_POINTS = 60
"""Intervals between the points of the line, if the caller names no points."""
_LAST = Fraction(1, 10**12)
"""δ at which the line ends then."""
_DIGITS = 6
"""Decimal digits of δ at each point: far more than a plot shows."""
_MARKS = "ovs^D<>p"


def plot(
    title: str, delta: Ask, epsilon: Ask, at: Iterable[object] | None, claims: object, axes: "Axes | None"
) -> "Axes":
    """δ(ε) of a profile as a line, and each claim as a mark: {name: pairs (ε, δ)}, both exact numbers.

    ``at``: where, by default from 0 to where δ is 1e-12, or to the largest loss.

    A mark below the line claims more privacy than there is. Raises InvalidInput for claims of another form,
    MissingLibrary without matplotlib.
    """
    if axes is None:
        with needs('plots need matplotlib: pip install "pldverify[plot]"'):
            from matplotlib import pyplot
        axes = pyplot.subplots(figsize=(7, 4.5), layout="constrained")[1]
    marks = _pairs(claims)
    points = list(at) if at is not None else _range(epsilon)
    curve = [
        (float(rational(x, "epsilon")), float(y))
        for x, y in zip(points, delta(points, digits=_DIGITS), strict=True)
    ]
    axes.plot(*zip(*curve, strict=True), color="0.25", label="proved δ(ε)")
    for i, (name, pairs) in enumerate(marks.items()):
        axes.plot(*zip(*pairs, strict=True), linestyle="", marker=_MARKS[i % len(_MARKS)], label=name)
    axes.set_yscale("log")
    axes.set_xlabel("ε")
    axes.set_ylabel("δ")
    axes.set_title(title, fontsize=9)
    axes.legend(fontsize=8, frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
    return axes


def _range(epsilon: Ask) -> list[Fraction]:
    (end,) = epsilon([_LAST], digits=3)
    last = Fraction(end.upper) if not math.isinf(end.upper) and end.upper > 0 else Fraction(1)
    return [last * i / _POINTS for i in range(_POINTS + 1)]


def _pairs(claims: object) -> dict[str, list[tuple[float, float]]]:
    """{name: (ε, δ) as floats}. Raises InvalidInput, which names the claim."""
    if claims is None:
        return {}
    if not isinstance(claims, Mapping):
        raise InvalidInput(f"claims must be {{name: pairs (epsilon, delta)}}, got {brief(claims)}")
    found: dict[str, list[tuple[float, float]]] = {}
    for name, pairs in claims.items():
        rows: list[Any] = list(pairs) if isinstance(pairs, Iterable) else [pairs]
        for i, pair in enumerate(rows):
            if not (isinstance(pair, tuple | list) and len(pair) == 2):
                raise InvalidInput(
                    f"claims[{name!r}][{i}] must be a pair (epsilon, delta), got {brief(pair)}"
                )
        where = f"claims[{name!r}]"
        found[str(name)] = [
            (float(rational(x, f"{where}[{i}][0]")), float(probability(y, f"{where}[{i}][1]")))
            for i, (x, y) in enumerate(rows)
        ]
    return found
