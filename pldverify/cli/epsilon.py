"""``pldverify epsilon EXPR --delta D``."""

import click

from pldverify.cli import options
from pldverify.cli.answer import answer
from pldverify.cli.named import composition
from pldverify.mechanisms.relations import Adjacency
from pldverify.numbers.exact import rational


@click.command()
@options.expression
@click.option("--delta", required=True, metavar="D", help="Between 0 and 1.")
@options.adjacency
@options.digits
@options.as_json
@options.explain
@options.second_opinion
def epsilon(
    expression: str,
    delta: str,
    adjacency: Adjacency,
    digits: str | None,
    as_json: bool,
    explain: bool,
    second_opinion: bool,
) -> None:
    """Enclose the true ε(δ) of EXPR, in nats."""
    from pldverify.reference import epsilon as enclose

    answer(
        "epsilon",
        enclose,
        composition(expression),
        rational(delta, "delta"),
        adjacency=adjacency,
        digits=digits,
        as_json=as_json,
        explain=explain,
        second_opinion=second_opinion,
    )
