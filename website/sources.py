"""Statements that the package takes from other papers, and whether the cited number was seen."""

import tomllib
from pathlib import Path
from typing import NamedTuple


class Source(NamedTuple):
    """A statement of an outside source: who, where, what we take, in which file, how its number is known."""

    name: str
    place: str
    taken: str
    file: str
    seen: str


def _read() -> tuple[Source, ...]:
    text = Path(__file__).with_name("sources.toml").read_text("utf-8")
    return tuple(Source(**row) for row in tomllib.loads(text)["source"])


SOURCES = _read()
"""All, as sources.toml has them."""


def table() -> str:
    """All, as Markdown.

    >>> print(table().splitlines()[0])
    | source | place | what is taken | where | the number |
    """
    rows = [f"| {s.name} | {s.place} | {s.taken} | `{s.file}` | {s.seen} |" for s in SOURCES]
    return "\n".join(
        ["| source | place | what is taken | where | the number |", "|---|---|---|---|---|", *rows]
    )
