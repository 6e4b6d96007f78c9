"""Options that several commands share, and their numbers: exact; of counts, commas between digits allowed."""

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal, TypeVar, cast, get_args

import click

from pldverify.cli import words
from pldverify.errors import InvalidInput
from pldverify.mechanisms.relations import Adjacency
from pldverify.numbers.claim import Direction
from pldverify.numbers.exact import rational, real, show
from pldverify.numbers.irrational import Irrational

Command = TypeVar("Command", bound=Callable[..., Any])

Exact = Fraction | Irrational
"""A number that an option means."""


def number(text: object, name: str) -> Exact:
    """The number that an option means. A comma is none of its signs: 0,001 may be meant as 0.001, and 6,907
    as either. Raises InvalidInput.
    """
    return real(text, name)


def grouped(text: object, name: str) -> Exact:
    """The count that an option means, as 60,000. Raises InvalidInput."""
    return real(text, name, groups=True)


def fraction(text: object, name: str) -> Fraction:
    """:func:`number` that must be rational."""
    return rational(number(text, name), name)


_FLAGS = {
    "noise_multiplier": "--noise-multiplier (or --sigma)",
    "sampling_probability": "--sampling-probability (or --q)",
}
"""By the name that Python has for it, an option that has two names."""


def in_flags(error: InvalidInput) -> InvalidInput:
    """The error with the options that are typed in the place of Python's names.

    >>> print(in_flags(InvalidInput("noise_multiplier must be >= 0, got noise_multiplier=-1")))
    --noise-multiplier (or --sigma) must be >= 0, got -1
    """
    text = str(error)
    for name, options in _FLAGS.items():
        text = text.replace(f"{name} must", f"{options} must").replace(f"got {name}=", "got ")
    return InvalidInput(text)


class Number(click.ParamType[Any]):
    """A number, as ``read`` reads it; the error names the option as Python names the argument."""

    name = "number"

    def __init__(self, read: Callable[[object, str], Exact | float]) -> None:
        self.read = read

    def convert(
        self, value: str | Exact, param: click.Parameter | None, ctx: click.Context | None
    ) -> Exact | float:
        name = "number" if param is None else str(param.name)
        try:
            return self.read(value, name)
        except InvalidInput as error:
            raise in_flags(error) from None


NUMBER, FRACTION, COUNT = Number(number), Number(fraction), Number(grouped)
FILE = click.Path(dir_okay=False, path_type=Path)
"""A file, which may be there or not."""
OLD_FILE = click.Path(exists=True, dir_okay=False)
"""The name of a file that is there."""


def at_most(most: int) -> Number:
    """Reads a :func:`fraction` that must be > 0 and at most that."""

    def read(text: object, name: str) -> Fraction:
        found = fraction(text, name)
        if not 0 < found <= most:
            raise InvalidInput(f"{name} must be > 0 and at most {most}, got {name}={show(found)[:40]}")
        return found

    return Number(read)


def option(
    shown: str, help: str, type: click.ParamType[Any], name: str | None = None, **more: Any
) -> Callable[[Command], Command]:
    """An option as --help shows it: its names, then what stands for its value where that is no choice.

    A default that it has is shown. ``name`` is that of the argument, where Python has another one.
    """
    names = [word for word in shown.split() if word.startswith("-")]
    metavar = next((word for word in shown.split() if not word.startswith("-")), None)
    more.setdefault("show_default", "default" in more)
    return click.option(*names, *filter(None, [name]), help=help, type=type, metavar=metavar, **more)


def flag(shown: str, help: str, name: str | None = None) -> Callable[[Command], Command]:
    """An option that stands alone."""
    return click.option(shown, *filter(None, [name]), help=help, is_flag=True)


adjacency = option(
    "--adjacency",
    "Which data sets are neighbours; by default add-or-remove, or replace-one if only that is defined.",
    click.Choice(get_args(Adjacency)),
)
digits = option("--digits N", "Significant digits to prove; without it the library's default.", NUMBER)


class _Listing(click.Option):
    """An option that takes a word, whose help ends with the list of them."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        written, self.help = self.help, f"{self.help} One of {cast(words.Word, self.type).listed()}."
        try:
            return super().get_help_record(ctx)
        finally:
            self.help = written


engine = option(
    "--engine NAME",
    "The only engine that is asked; left out, the cheapest that can.",
    words.Word("engine", words.engines),
    cls=_Listing,
)
direction = option(
    "--direction", "What the number of a plain function is meant to be.", click.Choice(get_args(Direction))
)
as_json = flag("--json", "One JSON document on standard output.", name="as_json")
explain = flag("--explain", "Why this engine, and every error term; --json always has them.")
second_opinion = flag(
    "--second-opinion",
    "Ask mpmath quadrature too, and whether it agrees; exit code 3 if it has no digit to offer.",
)


def together(*options: Callable[[Command], Command]) -> Callable[[Command], Command]:
    """One decorator of several, shown by --help in this order."""

    def decorate(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


how = together(adjacency, digits, as_json, explain)
"""What every question takes."""
epsilon = option("--epsilon E", "In nats; any real number.", NUMBER, required=True)
delta = option("--delta D", "Between 0 and 1.", NUMBER, required=True)
either = together(
    option("--epsilon E", "Asks for δ(ε); in nats.", NUMBER),
    option("--delta D", "Asks for ε(δ); between 0 and 1.", NUMBER),
)


def stand_with(what: str, **given: object) -> None:
    """Raises InvalidInput for an option that is given where what it stands with is not."""
    for name, value in given.items():
        if value is not None:
            raise InvalidInput(f"--{name} must stand with {what}")


def one_of(epsilon: Exact | None, delta: Exact | None) -> tuple[Literal["delta", "epsilon"], Exact]:
    """What is asked for, and where. Raises InvalidInput for both, and for neither."""
    if epsilon is not None and delta is None:
        return "delta", epsilon
    if delta is not None and epsilon is None:
        return "epsilon", delta
    raise InvalidInput("one of --epsilon and --delta must be given")
