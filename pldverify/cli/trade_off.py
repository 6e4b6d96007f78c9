"""``pldverify trade-off EXPR --alpha A``."""

import click

from pldverify.cli import options
from pldverify.cli.answer import answer
from pldverify.cli.named import composition
from pldverify.mechanisms.relations import Adjacency
from pldverify.numbers.exact import rational


@click.command("trade-off")
@options.expression
@click.option("--alpha", required=True, metavar="A", help="Level of the test (type I error), from 0 to 1.")
@options.adjacency
@options.digits
@options.as_json
@options.explain
def trade_off(
    expression: str, alpha: str, adjacency: Adjacency, digits: str | None, as_json: bool, explain: bool
) -> None:
    """Enclose the least type II error f(α) of tests that tell neighbours apart after EXPR."""
    from pldverify.reference.quantities.trade_off import trade_off as enclose

    answer(
        "trade-off",
        enclose,
        composition(expression),
        rational(alpha, "alpha"),
        adjacency=adjacency,
        digits=digits,
        as_json=as_json,
        explain=explain,
    )
