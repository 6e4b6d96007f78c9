"""Arguments and options that several commands share."""

from collections.abc import Callable
from typing import Any, Literal, TypedDict, TypeVar, get_args

import click

from pldverify.cli import numerals, words
from pldverify.errors import InvalidInput
from pldverify.mechanisms.relations import Adjacency

Command = TypeVar("Command", bound=Callable[..., Any])

NUMBER = numerals.Number(numerals.number)
FRACTION = numerals.Number(numerals.fraction)
number, fraction = numerals.number, numerals.fraction
Exact = numerals.Exact

adjacency = click.option(
    "--adjacency",
    type=click.Choice(get_args(Adjacency)),
    help="Which data sets are neighbours; by default add-or-remove, or replace-one if only that is defined.",
)
digits = click.option(
    "--digits",
    type=NUMBER,
    metavar="N",
    help="Significant digits to prove; without it the library's default.",
)
engine = click.option(
    "--engine",
    type=words.Word("engine", words.engines),
    metavar="NAME",
    help="The only engine that is asked; left out, the cheapest that can.",
)
as_json = click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output.")
explain = click.option(
    "--explain", is_flag=True, help="Why this engine, and every error term; --json always has them."
)
second_opinion = click.option(
    "--second-opinion",
    is_flag=True,
    help="Ask mpmath quadrature too, and whether it agrees; exit code 3 if it has no digit to offer.",
)


class How(TypedDict, total=False):
    """How a question is to be answered and printed: what the options below hand to a command."""

    adjacency: Adjacency | None
    digits: object
    engine: str | None
    as_json: bool
    explain: bool
    second_opinion: bool


def together(*options: Callable[[Command], Command]) -> Callable[[Command], Command]:
    """One decorator of several, shown by --help in this order."""

    def decorate(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


how = together(adjacency, digits, as_json, explain)
"""What every question takes."""
epsilon = click.option("--epsilon", type=NUMBER, required=True, metavar="E", help="In nats; any real number.")
delta = click.option("--delta", type=NUMBER, required=True, metavar="D", help="Between 0 and 1.")
either = together(
    click.option("--epsilon", type=NUMBER, metavar="E", help="Asks for δ(ε); in nats."),
    click.option("--delta", type=NUMBER, metavar="D", help="Asks for ε(δ); between 0 and 1."),
)


def one_of(epsilon: Exact | None, delta: Exact | None) -> tuple[Literal["delta", "epsilon"], Exact]:
    """What is asked for, and where. Raises InvalidInput for both, and for neither."""
    if epsilon is not None and delta is None:
        return "delta", epsilon
    if delta is not None and epsilon is None:
        return "epsilon", delta
    raise InvalidInput("one of --epsilon and --delta must be given")
