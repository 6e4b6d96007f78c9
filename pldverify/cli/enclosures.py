"""Commands that enclose one number: ``pldverify delta EXPR --epsilon E`` and its like."""

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any

import click

from pldverify.cli import options
from pldverify.cli.answer import ASKED, Quantity, answer
from pldverify.cli.options import NUMBER, option
from pldverify.cli.run import run
from pldverify.mechanisms.mechanism import Composition
from pldverify.numbers.order import renyi_order

_order = option(
    "--order --alpha A",
    "Order α > 0; 1: KL, inf: largest loss.",
    options.Number(lambda text, _: renyi_order(text)),
    required=True,
)
_alpha = option("--alpha A", "Level of the test (type I error), from 0 to 1.", NUMBER, required=True)
_fpr = option("--fpr A", "False positive rate, from 0 to 1.", NUMBER, required=True)
_engine, _second = options.engine, options.second_opinion


def _command(name: Quantity, help: str, *asked: Callable[[Any], Any]) -> click.Command:
    """The command of a quantity; ``asked`` are its options, the first one says where it is asked for."""

    def enclose(composition: Composition, **given: Any) -> None:
        import pldverify

        argument = given.pop(ASKED[name][0])
        answer(name, getattr(pldverify, name.replace("-", "_")), composition, argument, **given)

    at, *others = asked
    return click.command(name, help=help)(run()(options.together(at, options.how, *others)(enclose)))


delta = _command("delta", "Enclose the true δ(ε) of EXPR.", options.epsilon, _engine, _second)
epsilon = _command("epsilon", "Enclose the true ε(δ) of EXPR, in nats.", options.delta, _engine, _second)
rdp = _command("rdp", "Enclose the true Rényi divergence of EXPR, in nats.", _order, _second)
tail = _command(
    "tail", "Enclose the true P(S ≥ ε) of the privacy loss S of EXPR.", options.epsilon, _engine, _second
)
trade_off = _command("trade-off", "Enclose the least type II error f(α) after EXPR.", _alpha)
tpr = _command("tpr", "Enclose the largest true positive rate of an attack on EXPR.", _fpr)


@click.command()
@run()
@options.either
@option("--seconds S", "Processor time after which it stops, > 0.", options.FRACTION, default="1")
@options.how
def bracket(
    composition: Composition,
    epsilon: options.Exact | None,
    delta: options.Exact | None,
    seconds: Fraction,
    **how: Any,
) -> None:
    """Enclose δ(ε) or ε(δ) of EXPR as well as it goes in a second."""
    from pldverify.reference.quantities.bracket import bracket as enclose

    quantity, argument = options.one_of(epsilon, delta)
    answer(quantity, partial(enclose, seconds=seconds), composition, argument, **how)
