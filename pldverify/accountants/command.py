"""Command: any executable as an accountant, in whatever language it is written.

It gets a JSON question a line on standard input, and says a JSON answer a line on standard output, as
``docs/accountant_protocol.md`` describes. It runs with the rights of whoever asked. No shell reads the
command: it is split into words, which may be quoted.
"""

import shlex
import shutil
from dataclasses import dataclass
from typing import ClassVar

from pldverify.accountants.outside import Outside, alone
from pldverify.errors import InvalidInput
from pldverify.mechanisms.query import Query
from pldverify.mechanisms.renyi_query import RenyiQuery
from pldverify.mechanisms.tail_query import TailQuery
from pldverify.mechanisms.trade_off_query import TradeOffQuery
from pldverify.numbers.claim import Direction

PREFIX = "command:"
"""What a command begins with where accountants are named."""


@dataclass(frozen=True)
class Command(Outside):
    """The accountant that ``words`` run; :func:`command` makes it of a text.

    It is asked for ε, δ, divergences, tails and trade-offs, and refuses what it does not know. A claim that
    states another ``direction`` is INVALID.
    """

    words: tuple[str, ...]
    direction: Direction = "upper"
    asks: ClassVar[tuple[type[Query], ...]] = (Query, RenyiQuery, TailQuery, TradeOffQuery)

    @property
    def name(self) -> str:  # type: ignore[override]  # fixed by the words
        """The command with its prefix."""
        return PREFIX + shlex.join(self.words)

    @property
    def library(self) -> str:  # type: ignore[override]
        """The command again: each has a process of its own."""
        return self.name

    def version(self) -> str:
        """Unknown: it says its version with its answer."""
        return "unknown"

    def supports(self, query: Query) -> str | None:
        """None: it refuses when it is asked."""
        return None

    def program(self, memory: int) -> tuple[str, ...]:
        """The command within limits."""
        return alone(memory, *self.words)


def command(text: str, direction: Direction = "upper") -> Command:
    """The accountant that a command line runs, with or without the prefix ``command:``.

    Raises InvalidInput for no command, quotes that don't match, and a program that is not found or may not
    be executed.

    >>> from pldverify.accountants.command import command
    >>> command("command:sh my_accountant.sh").words
    ('sh', 'my_accountant.sh')
    """
    try:
        words = shlex.split(text.removeprefix(PREFIX))
    except ValueError as error:
        raise InvalidInput(f"command must be words as a shell reads them, got {text!r}: {error}") from None
    if not words:
        raise InvalidInput(f"command must name a program, got {text!r}")
    if shutil.which(words[0]) is None:
        raise InvalidInput(f"command must begin with a program that can be executed, got {words[0]!r}")
    return Command(tuple(words), direction)
