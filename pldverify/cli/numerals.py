"""Numbers that a command takes: exact, as the library reads them, with commas between digits allowed."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import click

from pldverify.errors import InvalidInput
from pldverify.numbers.exact import rational, real, show
from pldverify.numbers.irrational import Irrational

Exact = Fraction | Irrational
"""A number that an option means."""


def number(text: object, name: str) -> Exact:
    """The number that an option means, commas between its digits allowed. Raises InvalidInput."""
    return real(text, name, groups=True)


def fraction(text: object, name: str) -> Fraction:
    """:func:`number` that must be rational."""
    return rational(number(text, name), name)


def limit(most: int) -> Callable[[object, str], Fraction]:
    """Reads a :func:`fraction` that must be > 0 and at most that."""

    def read(text: object, name: str) -> Fraction:
        found = fraction(text, name)
        if not 0 < found <= most:
            raise InvalidInput(f"{name} must be > 0 and at most {most}, got {name}={show(found)[:40]}")
        return found

    return read


class Number(click.ParamType[Any]):
    """A number, as ``read`` reads it; the error names the option as Python names the argument."""

    name = "number"

    def __init__(self, read: Callable[[object, str], Exact]) -> None:
        self.read = read

    def convert(self, value: str | Exact, param: click.Parameter | None, ctx: click.Context | None) -> Exact:
        return self.read(value, "number" if param is None else str(param.name))
