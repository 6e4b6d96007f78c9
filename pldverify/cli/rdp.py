"""``pldverify rdp EXPR --order A``."""

import click

from pldverify.cli import options
from pldverify.cli.answer import answer
from pldverify.cli.named import composition
from pldverify.mechanisms.relations import Adjacency
from pldverify.numbers.exact import rational


@click.command()
@options.expression
@click.option("--order", required=True, metavar="A", help="Order α > 1, any real number.")
@options.adjacency
@options.digits
@options.as_json
@options.explain
def rdp(
    expression: str, order: str, adjacency: Adjacency, digits: str | None, as_json: bool, explain: bool
) -> None:
    """Enclose the true Rényi divergence of EXPR, in nats."""
    from pldverify.reference import rdp as enclose

    answer(
        "rdp",
        enclose,
        composition(expression),
        rational(order, "order"),
        adjacency=adjacency,
        digits=digits,
        as_json=as_json,
        explain=explain,
    )
