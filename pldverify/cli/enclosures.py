"""Commands that enclose one number: ``pldverify delta EXPR --epsilon E`` and its like."""

from fractions import Fraction
from functools import partial
from typing import Unpack

import click

from pldverify.cli import options
from pldverify.cli.answer import answer
from pldverify.cli.run import run
from pldverify.mechanisms.mechanism import Composition
from pldverify.numbers.order import renyi_order


@click.command()
@run()
@options.epsilon
@options.how
@options.engine
@options.second_opinion
def delta(composition: Composition, epsilon: options.Exact, **how: Unpack[options.How]) -> None:
    """Enclose the true δ(ε) of EXPR."""
    from pldverify import reference

    answer("delta", reference.delta, composition, epsilon, **how)


@click.command()
@run()
@options.delta
@options.how
@options.engine
@options.second_opinion
def epsilon(composition: Composition, delta: options.Exact, **how: Unpack[options.How]) -> None:
    """Enclose the true ε(δ) of EXPR, in nats."""
    from pldverify import reference

    answer("epsilon", reference.epsilon, composition, delta, **how)


@click.command()
@run()
@click.option(
    "--order", "--alpha", "order", required=True, metavar="A", help="Order α > 0; 1: KL, inf: largest loss."
)
@options.how
@options.second_opinion
def rdp(composition: Composition, order: str, **how: Unpack[options.How]) -> None:
    """Enclose the true Rényi divergence of EXPR, in nats."""
    from pldverify import reference

    answer("rdp", reference.rdp, composition, renyi_order(order), **how)


@click.command()
@run()
@options.epsilon
@options.how
@options.engine
@options.second_opinion
def tail(composition: Composition, epsilon: options.Exact, **how: Unpack[options.How]) -> None:
    """Enclose the true P(S ≥ ε) of the privacy loss S of EXPR."""
    from pldverify import reference

    answer("tail", reference.tail, composition, epsilon, **how)


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


@click.command()
@run()
@click.option(
    "--fpr", type=options.NUMBER, required=True, metavar="A", help="False positive rate, from 0 to 1."
)
@options.how
def tpr(composition: Composition, fpr: options.Exact, **how: Unpack[options.How]) -> None:
    """Enclose the largest true positive rate of an attack on EXPR."""
    from pldverify.reference.quantities.attacks import tpr as enclose

    answer("tpr", enclose, composition, fpr, **how)


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
