"""``pldverify bracket EXPR --delta D`` or ``--epsilon E``."""

from fractions import Fraction
from functools import partial
from typing import Unpack

import click

from pldverify.cli import options
from pldverify.cli.answer import answer
from pldverify.cli.run import run
from pldverify.mechanisms.mechanism import Composition


@click.command()
@run()
@options.either
@click.option(
    "--seconds",
    type=options.FRACTION,
    default="1",
    show_default=True,
    metavar="S",
    help="Processor time after which it stops, > 0.",
)
@options.how
def bracket(
    composition: Composition,
    epsilon: options.Exact | None,
    delta: options.Exact | None,
    seconds: Fraction,
    **how: Unpack[options.How],
) -> None:
    """Enclose δ(ε) or ε(δ) of EXPR as well as it goes in a second."""
    from pldverify.reference.quantities.bracket import bracket as enclose

    quantity, argument = options.one_of(epsilon, delta)
    answer(quantity, partial(enclose, seconds=seconds), composition, argument, **how)
