"""``pldverify bracket EXPR --delta D`` or ``--epsilon E``."""

from functools import partial

import click

from pldverify.cli import options
from pldverify.cli.answer import answer
from pldverify.cli.named import composition
from pldverify.errors import InvalidInput
from pldverify.mechanisms.relations import Adjacency
from pldverify.numbers.exact import rational


@click.command()
@options.expression
@click.option("--epsilon", metavar="E", help="Asks for δ(ε); in nats.")
@click.option("--delta", metavar="D", help="Asks for ε(δ); between 0 and 1.")
@click.option(
    "--seconds", default="1", show_default=True, metavar="S", help="Processor time after which it stops."
)
@options.adjacency
@options.digits
@options.as_json
@options.explain
def bracket(
    expression: str,
    epsilon: str | None,
    delta: str | None,
    seconds: str,
    adjacency: Adjacency,
    digits: str | None,
    as_json: bool,
    explain: bool,
) -> None:
    """Enclose the true δ(ε) or ε(δ) of EXPR as well as it goes in a second."""
    from pldverify.reference.quantities.bracket import bracket as enclose

    if (epsilon is None) == (delta is None):
        raise InvalidInput("one of --epsilon and --delta must be given")
    answer(
        "delta" if delta is None else "epsilon",
        partial(enclose, seconds=seconds),
        composition(expression),
        rational(epsilon, "epsilon") if delta is None else rational(delta, "delta"),
        adjacency=adjacency,
        digits=digits,
        as_json=as_json,
        explain=explain,
    )
