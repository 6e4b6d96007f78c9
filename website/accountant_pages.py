"""Page of the accountants: what a sweep of the standard grid found of each, in all and on each mechanism."""

import html
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import reduce

from benchmarks.standard import RESULTS, Place, committed_places

MOST = 10
"""Mechanisms that have a column."""
OTHERS = "all others"
WHOLE_WINDOW = "---\nhide: [navigation, toc]\n---\n"
"""The table is as wide as the window: no bars beside it."""


def pages() -> dict[str, str]:
    """File names and their Markdown."""
    text = (RESULTS / "standard.md").read_text("utf-8").partition("\n")[2]
    found = f"{_opening()}\n{matrix(committed_places())}\n\n## Each accountant\n{text}"
    return {"accountants.md": f"{WHOLE_WINDOW}# What a sweep found\n\n{found}\n"}


def _opening() -> str:
    return """## On each mechanism

How many answers are unsound by more than rounding (red, where any is), by rounding, or without a number
(amber); green where all that are decided are sound. *Several* are compositions of different parameters. What
[`check`](check.md) finds, with a file for each defect; [how to ask again](sweeps.md). A click on a
heading sorts.
"""


def matrix(places: Sequence[Place]) -> str:
    """Accountants by mechanisms, in HTML.

    >>> text = matrix([Place("mine", "gaussian", 5, 3, 2, 0, 0, 0)])
    >>> '<span class="verdict bad">2 of 5 unsound</span>' in text
    True
    """
    asked: dict[str, int] = {}
    for each in places:
        asked[each.mechanism] = asked.get(each.mechanism, 0) + each.asked
    shown = sorted(asked, key=lambda what: -asked[what])[:MOST]
    columns = [*shown, *([OTHERS] if len(asked) > MOST else [])]
    found: dict[str, dict[str, Place]] = {}
    for each in places:
        row = found.setdefault(each.accountant, {})
        column = each.mechanism if each.mechanism in shown else OTHERS
        row[column] = _sum(row[column], each) if column in row else replace(each, mechanism=column)
    return "".join(_table(columns, found))


def _sum(a: Place, b: Place) -> Place:
    counts = ("asked", "sound", "material", "rounding", "unclear", "failed")
    return replace(a, **{name: getattr(a, name) + getattr(b, name) for name in counts})


def _table(columns: list[str], found: dict[str, dict[str, Place]]) -> Iterator[str]:
    heads = "".join(_head(f"<code>{html.escape(column)}</code>") for column in columns)
    yield f"<table data-sortable><thead><tr>{_head('accountant')}{_head('in all')}{heads}</tr></thead><tbody>"
    for accountant, row in found.items():
        yield f'<tr><th scope="row"><code>{html.escape(accountant)}</code></th>'
        yield "".join(_cell(place) for place in (reduce(_sum, row.values()), *map(row.get, columns)))
        yield "</tr>"
    yield "</tbody></table>"


def _head(name: str) -> str:
    return f'<th scope="col"><button type="button">{name}</button></th>'


def _cell(place: Place | None) -> str:
    if place is None:
        return "<td></td>"
    if wrong := place.material + place.unclear:
        return _badge("bad", wrong, place, "unsound")
    if place.rounding:
        return _badge("fair", place.rounding, place, "by rounding")
    if place.failed:
        return _badge("fair", place.failed, place, "failed")
    return _badge("good", place.sound, place, "sound") if place.sound else _badge("open", 0, place, "decided")


def _badge(colour: str, count: int, place: Place, word: str) -> str:
    """A cell. It is sorted by its colour, then by the share of what is counted in it."""
    worst = ("good", "open", "fair", "bad").index(colour) + count / place.asked / 2
    badge = f'<span class="verdict {colour}">{count} of {place.asked} {word}</span>'
    return f'<td data-worst="{worst:.6f}">{badge}</td>'
