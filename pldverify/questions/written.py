"""Written: families as lines of text.

A line is one expression or several, separated by ``;``, and columns behind ``|``: a place, or what is asked,
with its values. Values are separated by spaces, or by ``;`` where they have spaces themselves; ``1e-5..0.3``
is a range to draw from, of integers between integers. A ``goal``, ``1,1e-5``, is an ε and a δ for which
noise is asked. What is indented goes on with the line before. A file of them has sections, each behind a line
``# heading``.
"""

import re
from pathlib import Path
from textwrap import dedent
from typing import Any

from pldverify.errors import InvalidInput
from pldverify.mechanisms.query import Query
from pldverify.questions.family import Family
from pldverify.questions.numbers import Numbers

_ASKED = ("adjacency", "delta", "epsilon", "order", "alpha", "goal")


def sections(file: Path) -> list[tuple[str, str]]:
    """Heading and text of each section of a file, in order. Raises InvalidInput if text stands above them."""
    first, *parts = re.split(r"^# (.*)\n", file.read_text("utf-8"), flags=re.MULTILINE)
    nothing_above(first)
    return list(zip(parts[::2], parts[1::2], strict=True))


def nothing_above(text: str) -> None:
    """Raises InvalidInput if there is a text above the first heading: its own heading is none.

    >>> nothing_above("DP-SGD (12,380): gaussian(1)")
    Traceback (most recent call last):
    pldverify.errors.InvalidInput: above the first heading stands 'DP-SGD (12,380): gaussian(1)'
    """
    if text.strip():
        raise InvalidInput(f"above the first heading stands {text.strip()!r}")


def families(text: str) -> list[Family]:
    """The families of a text, each called as its expression. What is no question is told when it is asked.

    >>> [family] = families("{k} * gaussian({sigma}) | k 1 10 | sigma 2 3 | delta 1e-5")
    >>> family.size()
    4
    """
    joined = re.sub(r"\n[ \t]+", " ", dedent(text))
    return [family for line in joined.splitlines() if line.strip() for family in _line(line)]


def queries(text: str) -> list[Query]:
    """All questions of a text.

    >>> for query in queries("gaussian(1); laplace(2) | epsilon 0.5 | adjacency replace-one"):
    ...     print(query)
    δ at ε=0.5 of gaussian(sigma=1) [replace-one]
    δ at ε=0.5 of laplace(b=2) [replace-one]
    """
    return [query for family in families(text) for query in family.questions()]


def _line(line: str) -> list[Family]:
    expressions, *columns = line.split("|")
    values: dict[str, Any] = dict(map(_column, columns))
    asked = {name: values.pop(name) for name in _ASKED if name in values}
    if "goal" in asked:
        asked["noise"] = [tuple(pair.split(",")) for pair in asked.pop("goal")]
    return [Family(text, text, values, **asked) for text in map(str.strip, expressions.split(";"))]


def _column(text: str) -> tuple[str, list[str | Numbers]]:
    name, _, values = text.strip().partition(" ")
    return name, [_value(value.strip()) for value in values.split(";" if ";" in values else None)]


def _value(text: str) -> str | Numbers:
    low, dots, high = text.partition("..")
    if not dots:
        return text
    return Numbers.of("whole" if low.isdecimal() and high.isdecimal() else "amount", low, high)
