"""``pldverify rdp EXPR --order A``."""

from typing import Unpack

import click

from pldverify.cli import options
from pldverify.cli.answer import answer
from pldverify.cli.run import run
from pldverify.mechanisms.mechanism import Composition
from pldverify.numbers.order import renyi_order


@click.command()
@run()
@click.option("--order", required=True, metavar="A", help="Order α > 0; 1: KL, inf: largest loss.")
@options.how
@options.second_opinion
def rdp(composition: Composition, order: str, **how: Unpack[options.How]) -> None:
    """Enclose the true Rényi divergence of EXPR, in nats."""
    from pldverify.reference import rdp as enclose

    answer("rdp", enclose, composition, renyi_order(order), **how)
