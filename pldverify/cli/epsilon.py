"""``pldverify epsilon EXPR --delta D``."""

from typing import Unpack

import click

from pldverify.cli import options
from pldverify.cli.answer import answer
from pldverify.cli.run import run
from pldverify.mechanisms.mechanism import Composition


@click.command()
@run()
@options.delta
@options.how
@options.engine
@options.second_opinion
def epsilon(composition: Composition, delta: options.Exact, **how: Unpack[options.How]) -> None:
    """Enclose the true ε(δ) of EXPR, in nats."""
    from pldverify.reference import epsilon as enclose

    answer("epsilon", enclose, composition, delta, **how)
