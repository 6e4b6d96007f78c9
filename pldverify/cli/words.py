"""Words that a command takes: read when needed, completed by the shell, guessed when misspelt."""

import re
from collections.abc import Callable, Iterable
from difflib import get_close_matches
from fractions import Fraction

import click
from click.shell_completion import CompletionItem

from pldverify.errors import InvalidInput
from pldverify.mechanisms.expression import MECHANISMS
from pldverify.numbers.exact import rational

_LAST_NAME = re.compile(r"(?P<before>(?:.*[^\w.:/])?)(?P<name>[A-Za-z_]\w*|)", re.DOTALL)
"""An expression that somebody is typing: what is done, and the name that is begun."""


class Word(click.ParamType[str]):
    """One of some names, which are looked up late, because that may load much.

    What has a colon refers to somebody's file or module, and is the library's to read.
    """

    def __init__(self, name: str, names: Callable[[], Iterable[str]]) -> None:
        self.name, self.names = name, names

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        known = [value] if ":" in value else list(self.names())
        if value not in known:
            near = get_close_matches(value, known)
            meant = f"; did you mean {' or '.join(near)}?" if near else ""
            allowed = ", ".join(known)
            raise InvalidInput(f"{self.name} must be one of {allowed}, got {self.name}={value!r}{meant}")
        return value

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        return [CompletionItem(name) for name in self.names() if name.startswith(incomplete)]


class Expression(click.ParamType[str]):
    """A mechanism expression, text until a command reads it; the shell completes its last name."""

    name = "expression"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        found = _LAST_NAME.fullmatch(incomplete)
        if found is None:
            return []
        names = [name for name in MECHANISMS if name.startswith(found["name"])]
        return [CompletionItem(f"{found['before']}{name}(") for name in names]


def number(text: object, name: str) -> Fraction:
    """The exact number that an option means. Raises InvalidInput, which names the argument."""
    return rational(text, name)


class Number(click.ParamType[Fraction]):
    """An exact number; the error names the option as Python names the argument."""

    name = "number"

    def convert(
        self, value: str | Fraction, param: click.Parameter | None, ctx: click.Context | None
    ) -> Fraction:
        return number(value, "number" if param is None else str(param.name))


def engines() -> Iterable[str]:
    """Names of the engines."""
    from pldverify.reference.choice import ENGINES

    return ENGINES


def accountants() -> Iterable[str]:
    """Names of the accountants, and of the libraries and methods that they belong to."""
    from pldverify.accountants.registry import names

    return dict.fromkeys(each for name in names() for each in (name.partition("/")[0], name))
