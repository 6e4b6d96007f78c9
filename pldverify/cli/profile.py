"""``pldverify profile EXPR``: δ(ε) or ε(δ) at many points, as a table, a CSV file, a plot."""

import csv
import math
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from pldverify.cli import options
from pldverify.cli.answer import ASKED, NOT_EXACT, Quantity, echo_json
from pldverify.cli.options import option
from pldverify.cli.output import echo, writing
from pldverify.cli.run import run
from pldverify.errors import InvalidInput
from pldverify.late_names import needs
from pldverify.mechanisms.mechanism import Composition
from pldverify.mechanisms.relations import Adjacency
from pldverify.numbers.enclosure import Enclosure
from pldverify.numbers.exact import count
from pldverify.numbers.json import exact, text
from pldverify.numbers.scientific import outward, scientific

if TYPE_CHECKING:
    from pldverify.reference.quantities.profile import Profile

_POINTS = 11
"""Points where none are asked for."""
_MOST_POINTS = 10_000
"""Points of one FROM:TO:POINTS."""
_LAST = Fraction(1, 10**12)
"""δ at the last point where none are asked for."""
_DIGITS = 20
"""Digits of the ends in a CSV file, rounded outward."""
_PLOTS = (".png", ".svg")
"""Endings of a plot."""

Asked = tuple[Literal["delta", "epsilon"], Sequence[Fraction]]
"""What is asked for, and where."""


@click.command()
@run()
@option(
    "--epsilon E|FROM:TO:POINTS",
    "Where to ask for δ(ε); as often as you like. Left out, 11 points from 0 to where δ is below 1e-12.",
    click.STRING,
    multiple=True,
)
@option("--delta D", "Where to ask for ε(δ) instead; as often as you like.", click.STRING, multiple=True)
@options.adjacency
@options.digits
@option("--csv FILE", "Write the table there.", options.FILE, name="table")
@option("--plot FILE", "Draw δ(ε) there, as .png or .svg.", options.FILE)
@options.as_json
def profile(
    composition: Composition,
    epsilon: tuple[str, ...],
    delta: tuple[str, ...],
    adjacency: Adjacency | None,
    digits: int | None,
    table: Path | None,
    plot: Path | None,
    as_json: bool,
) -> None:
    """Enclose δ(ε) or ε(δ) of EXPR at many points."""
    from pldverify.reference.quantities.profile import profile as of

    if plot is not None and (plot.suffix.lower() not in _PLOTS or delta):
        allowed = "a plot of δ(ε), without --delta" if delta else f"a file that ends in {' or '.join(_PLOTS)}"
        raise InvalidInput(f"--plot must be {allowed}, got --plot {plot}")
    curve = of(composition, adjacency)
    quantity, points = _asked(curve, epsilon, delta)
    more = {} if digits is None else {"digits": digits}
    found = curve.delta(points, **more) if quantity == "delta" else curve.epsilon(points, **more)
    rows = list(zip(points, found, strict=True))
    if table is not None:
        _write(table, quantity, rows)
    if plot is not None:
        _draw(plot, curve, points)
    if as_json:
        echo_json(_document(curve, quantity, rows))
    else:
        _print(curve, quantity, rows)


def _asked(curve: "Profile", epsilon: tuple[str, ...], delta: tuple[str, ...]) -> Asked:
    """Raises InvalidInput."""
    if epsilon and delta:
        raise InvalidInput("--epsilon must stand without --delta")
    if delta:
        return "epsilon", [options.fraction(each, "delta") for each in delta]
    points = [point for each in epsilon for point in _points(each)]
    return "delta", points or _spaced(Fraction(0), _end(curve), _POINTS)


def _points(value: str) -> list[Fraction]:
    """A number, or so many from the first to the last. Raises InvalidInput."""
    first, *rest = value.split(":")
    if not rest:
        return [options.fraction(first, "epsilon")]
    if len(rest) != 2:
        raise InvalidInput(
            f"epsilon must be a number or FROM:TO:POINTS such as 0:8:17, got epsilon={value!r}"
        )
    ends = [options.fraction(each, "epsilon") for each in (first, rest[0])]
    return _spaced(ends[0], ends[1], count(options.fraction(rest[1], "points"), "points", cap=_MOST_POINTS))


def _spaced(first: Fraction, last: Fraction, points: int) -> list[Fraction]:
    return [first + (last - first) * i / max(1, points - 1) for i in range(points)]


def _end(curve: "Profile") -> Fraction:
    """Two digits of where δ falls below 1e-12, rounded up; 1 where it never does."""
    (end,) = curve.epsilon([_LAST], digits=3)
    if math.isinf(end.upper) or end.upper <= 0:
        return Fraction(1)
    return Fraction(scientific(Fraction(end.upper), 2, up=True))


def _print(curve: "Profile", quantity: Quantity, rows: Sequence[tuple[Fraction, Enclosure]]) -> None:
    argument, value = ("ε", "δ(ε)") if quantity == "delta" else ("δ", "ε(δ)")
    shown = [(_place(point), str(found)) for point, found in rows]
    width = max(len(argument), *(len(place) for place, _ in shown))
    echo(f"{argument.rjust(width)}  {value}")
    for place, found in shown:
        echo(f"{place.rjust(width)}  {found}")
    echo(f"of {curve.composition}, {curve.adjacency}")
    if curve.composition.standing != "exact":
        echo(NOT_EXACT[curve.composition.standing])


def _place(point: Fraction) -> str:
    """Exact where that is short, else six digits."""
    exact = str(text(point))
    return exact if len(exact) <= 12 else f"{float(point):.6g}…"


def _document(
    curve: "Profile", quantity: Quantity, rows: Sequence[tuple[Fraction, Enclosure]]
) -> dict[str, object]:
    return {
        "quantity": quantity,
        "composition": str(curve.composition),
        "adjacency": curve.adjacency,
        "pairs": curve.composition.standing,
        "points": [
            {
                ASKED[quantity][0]: text(point),
                **exact(lower=found.lower, upper=found.upper),
                "engine": found.engine,
            }
            for point, found in rows
        ],
    }


def _write(path: Path, quantity: Quantity, rows: Sequence[tuple[Fraction, Enclosure]]) -> None:
    """Three columns: where, and both ends, rounded outward. Raises InvalidInput."""
    with writing("--csv", path), path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow((ASKED[quantity][0], f"{quantity}_lower", f"{quantity}_upper"))
        for point, found in rows:
            ends = outward(found.lower, _DIGITS, -1), outward(found.upper, _DIGITS, 1)
            writer.writerow((text(point), *ends))


def _draw(path: Path, curve: "Profile", points: Sequence[Fraction]) -> None:
    with needs('plots need matplotlib: pip install "pldverify[plot]"'):
        from matplotlib.figure import Figure
    figure = Figure(figsize=(7, 4.5), layout="constrained")
    curve.plot(points, axes=figure.subplots())
    with writing("--plot", path):
        figure.savefig(path)
