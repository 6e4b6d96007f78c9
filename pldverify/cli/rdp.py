"""``pldverify rdp EXPR --order A``."""

import click

from pldverify.cli import options
from pldverify.cli.answer import answer
from pldverify.cli.named import composition
from pldverify.mechanisms.relations import Adjacency
from pldverify.numbers.order import renyi_order


@click.command()
@options.expression
@click.option(
    "--order",
    required=True,
    metavar="A",
    help="Order α > 0; 1: KL, inf: largest loss.",
)
@options.adjacency
@options.digits
@options.as_json
@options.explain
@options.second_opinion
def rdp(
    expression: str,
    order: str,
    adjacency: Adjacency,
    digits: str | None,
    as_json: bool,
    explain: bool,
    second_opinion: bool,
) -> None:
    """Enclose the true Rényi divergence of EXPR, in nats."""
    from pldverify.reference import rdp as enclose

    answer(
        "rdp",
        enclose,
        composition(expression),
        renyi_order(order),
        adjacency=adjacency,
        digits=digits,
        as_json=as_json,
        explain=explain,
        second_opinion=second_opinion,
    )
