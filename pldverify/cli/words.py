"""Words that a command takes: read when needed, completed by the shell, guessed when misspelt."""

import re
from collections.abc import Callable, Iterable

import click
from click.shell_completion import CompletionItem

from pldverify.errors import InvalidInput
from pldverify.mechanisms.expression import names
from pldverify.numbers.arithmetic import suggestion

_LAST_NAME = re.compile(r"(?P<before>(?:.*[^\w.:/])?)(?P<name>[A-Za-z_]\w*|)", re.DOTALL)
"""An expression that somebody is typing: what is done, and the name that is begun."""


class Word(click.ParamType[str]):
    """One of some names, which are looked up late, because that may load much.

    Where the names are not all that there is (``open_ended``), the library judges the word.
    """

    def __init__(self, name: str, names: Callable[[], Iterable[str]], *, open_ended: bool = False) -> None:
        self.name, self.names, self.open_ended = name, names, open_ended

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        known = [value] if self.open_ended else list(self.names())
        if value not in known:
            allowed, meant = ", ".join(known), suggestion(value, known)
            raise InvalidInput(f"{self.name} must be one of {allowed}; got {value[:40]!r}{meant}")
        return value

    def listed(self) -> str:
        """All names, for a help text."""
        return ", ".join(self.names())

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
        begun = [name for name in names() if name.startswith(found["name"])]
        return [CompletionItem(f"{found['before']}{name}(") for name in begun]


class AccountantOrExpression(click.ParamType[str]):
    """An accountant, or behind one what it is asked for; the command tells them apart."""

    name = "accountant"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        named = ACCOUNTANT.shell_complete(ctx, param, incomplete)
        is_first = not ctx.params.get(str(param.name))
        return named if is_first else [*named, *Expression().shell_complete(ctx, param, incomplete)]


ENGINES = (
    "threshold",
    "residues",
    "atoms",
    "parts",
    "lattice",
    "contour",
    "truncated",
    "smoothing",
    "contour slope",
    "truncated slope",
    "grid",
    "grid slope",
)
"""Names of the engines, which help and completion know without loading any."""


def engines() -> Iterable[str]:
    """Names of the engines."""
    return ENGINES


def accountants() -> Iterable[str]:
    """Names of the accountants, and of the libraries and methods that they belong to."""
    from pldverify.accountants.registry import accountant_names

    return dict.fromkeys(each for name in accountant_names() for each in (name.partition("/")[0], name))


ACCOUNTANT = Word("accountant", accountants, open_ended=True)
"""What `check` takes for an accountant."""
