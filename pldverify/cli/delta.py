"""``pldverify delta EXPR --epsilon E``."""

from typing import Unpack

import click

from pldverify.cli import options
from pldverify.cli.answer import answer
from pldverify.cli.run import run
from pldverify.mechanisms.mechanism import Composition


@click.command()
@run()
@options.epsilon
@options.how
@options.engine
@options.second_opinion
def delta(composition: Composition, epsilon: options.Exact, **how: Unpack[options.How]) -> None:
    """Enclose the true δ(ε) of EXPR."""
    from pldverify.reference import delta as enclose

    answer("delta", enclose, composition, epsilon, **how)
