"""``pldverify tail EXPR --epsilon E``."""

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
def tail(composition: Composition, epsilon: options.Exact, **how: Unpack[options.How]) -> None:
    """Enclose the true P(S ≥ ε) of the privacy loss S of EXPR."""
    from pldverify.reference import tail as enclose

    answer("tail", enclose, composition, epsilon, **how)
