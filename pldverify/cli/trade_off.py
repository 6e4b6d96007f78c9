"""``pldverify trade-off EXPR --alpha A``."""

from typing import Unpack

import click

from pldverify.cli import options
from pldverify.cli.answer import answer
from pldverify.cli.run import run
from pldverify.mechanisms.mechanism import Composition


@click.command("trade-off")
@run()
@click.option(
    "--alpha",
    type=options.NUMBER,
    required=True,
    metavar="A",
    help="Level of the test (type I error), from 0 to 1.",
)
@options.how
def trade_off(composition: Composition, alpha: options.Exact, **how: Unpack[options.How]) -> None:
    """Enclose the least type II error f(α) after EXPR."""
    from pldverify.reference.quantities.trade_off import trade_off as enclose

    answer("trade-off", enclose, composition, alpha, **how)
