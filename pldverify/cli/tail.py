"""``pldverify tail EXPR --epsilon E``."""

import click

from pldverify.cli import options
from pldverify.cli.answer import answer
from pldverify.cli.named import composition
from pldverify.mechanisms.relations import Adjacency
from pldverify.numbers.exact import rational


@click.command()
@options.expression
@click.option("--epsilon", required=True, metavar="E", help="In nats; any real number.")
@options.adjacency
@options.digits
@options.as_json
@options.explain
@options.second_opinion
def tail(
    expression: str,
    epsilon: str,
    adjacency: Adjacency,
    digits: str | None,
    as_json: bool,
    explain: bool,
    second_opinion: bool,
) -> None:
    """Enclose the true P(S ≥ ε) of the composed privacy loss S of EXPR."""
    from pldverify.reference import tail as enclose

    answer(
        "tail",
        enclose,
        composition(expression),
        rational(epsilon, "epsilon"),
        adjacency=adjacency,
        digits=digits,
        as_json=as_json,
        explain=explain,
        second_opinion=second_opinion,
    )
