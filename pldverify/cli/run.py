"""What is asked about: an expression, or the flags of a training run."""

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any

import click

from pldverify.cli.named import composition
from pldverify.cli.options import COUNT, NUMBER, in_flags, option, together
from pldverify.cli.words import Expression
from pldverify.errors import InvalidInput
from pldverify.mechanisms.batches import SCHEMES, SIZES, wrong
from pldverify.mechanisms.mechanism import Composition

NAMES = ("noise_multiplier", "sampling", "sampling_probability", *SIZES)
"""The flags of a run, as Python names them."""

argument = click.argument("expression", type=Expression(), metavar="[EXPR]", required=False)
flags = together(
    option("--noise-multiplier --sigma S", "DP-SGD instead of EXPR: noise over clipping norm.", NUMBER),
    option(
        "--sampling-probability --q Q",
        "Share of the examples in a batch, in [0, 1]; or --batch-size and --dataset-size.",
        NUMBER,
    ),
    option(
        "--sampling", "How batches are drawn; poisson where it is left out.", click.Choice(tuple(SCHEMES))
    ),
    option("--batch-size B", "Examples in a batch, expected ones.", COUNT),
    option("--dataset-size N", "Examples in the data set.", COUNT),
    option("--epochs E", "Passes over the data set; or --steps.", COUNT),
    option("--steps K", "Number of batches, up to 10**12.", COUNT),
    option("--max-batch B", "Largest batch, of --sampling truncated-poisson.", COUNT),
    option("--participations K", "Steps that each example is in, of --sampling allocation.", COUNT),
    option("--cycle-length B", "Groups that take turns, of --sampling cyclic-poisson.", COUNT),
)


def run(*, required: bool = True) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A command that takes EXPR or the flags of a run gets the ``composition`` that they denote.

    Without either it gets None, or where one is ``required`` the user an error.
    """

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(command)
        def reading(*, expression: str | None, **options: Any) -> Any:
            given = {name: options.pop(name) for name in NAMES}
            return command(composition=read(expression, given, required), **options)

        return together(argument, flags)(reading)

    return decorate


def read(text: str | None, flags: Mapping[str, object], required: bool = True) -> Composition | None:
    """The composition that EXPR or the flags of a run denote, None for neither where it is not ``required``.

    Raises InvalidInput.
    """
    given = {name: value for name, value in flags.items() if value is not None}
    if text is not None and given:
        raise InvalidInput(f"EXPR must stand alone, without {flag(next(iter(given)))} of a run")
    if text is not None:
        return composition(text)
    if given:
        return of_run(given)
    if required:
        raise InvalidInput(
            "EXPR or the flags of a run must be given, such as "
            "--noise-multiplier --sampling-probability --steps"
        )
    return None


def of_run(given: Mapping[str, Any]) -> Composition:
    """What the flags that are given mean. Raises InvalidInput."""
    from pldverify.mechanisms.dp_sgd import dp_sgd

    if "noise_multiplier" not in given:
        raise InvalidInput("--noise-multiplier must be given")
    fault = wrong(given.keys(), given.get("sampling", "poisson"), say=flag)
    if fault is not None:
        raise InvalidInput(fault)
    try:
        return dp_sgd(**given)
    except InvalidInput as error:
        raise in_flags(error) from None


def flag(name: str) -> str:
    """The option of that name."""
    return f"--{name.replace('_', '-')}"
