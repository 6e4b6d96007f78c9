"""What is asked about: an expression, or the flags of a training run."""

from collections.abc import Callable, Mapping, Set
from functools import wraps
from typing import Any

import click

from pldverify.cli.named import composition
from pldverify.cli.options import NUMBER, in_flags, together
from pldverify.cli.words import Expression
from pldverify.errors import InvalidInput
from pldverify.mechanisms.mechanism import Composition

NAMES = ("noise_multiplier", "sampling_probability", "batch_size", "dataset_size", "epochs", "steps")
"""The flags of a run, as Python names them."""

_WRONG: dict[str, Callable[[Set[str]], bool]] = {
    "--noise-multiplier must be given": lambda given: "noise_multiplier" not in given,
    "--sampling-probability must be given, or --batch-size with --dataset-size": lambda given: (
        given.isdisjoint({"sampling_probability", "batch_size", "dataset_size"})
    ),
    "--sampling-probability must stand without --batch-size and --dataset-size": lambda given: (
        "sampling_probability" in given and not given.isdisjoint({"batch_size", "dataset_size"})
    ),
    "--batch-size and --dataset-size must be given together": lambda given: (
        len(given & {"batch_size", "dataset_size"}) == 1
    ),
    "--steps or --epochs must be given": lambda given: given.isdisjoint({"steps", "epochs"}),
    "--steps must stand without --epochs": lambda given: given >= {"steps", "epochs"},
}
"""What is wrong with the flags that are given, and how it is seen."""

argument = click.argument("expression", type=Expression(), metavar="[EXPR]", required=False)
flags = together(
    click.option(
        "--noise-multiplier",
        "--sigma",
        "noise_multiplier",
        type=NUMBER,
        metavar="S",
        help="DP-SGD instead of EXPR: noise over clipping norm.",
    ),
    click.option(
        "--sampling-probability",
        "--q",
        "sampling_probability",
        type=NUMBER,
        metavar="Q",
        help="Poisson sampling probability, in [0, 1]; or --batch-size and --dataset-size.",
    ),
    click.option("--batch-size", type=NUMBER, metavar="B", help="Expected examples in a batch."),
    click.option("--dataset-size", type=NUMBER, metavar="N", help="Examples in the data set."),
    click.option("--epochs", type=NUMBER, metavar="E", help="Passes over the data set; or --steps."),
    click.option("--steps", type=NUMBER, metavar="K", help="Number of batches, up to 10**12."),
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
            f"EXPR or the flags of a run must be given, such as {' '.join(map(flag, NAMES[:2]))} --steps"
        )
    return None


def of_run(given: Mapping[str, Any]) -> Composition:
    """What the flags that are given mean. Raises InvalidInput."""
    from pldverify.mechanisms.dp_sgd import dp_sgd

    wrong = next((said for said, holds in _WRONG.items() if holds(given.keys())), None)
    if wrong is not None:
        raise InvalidInput(wrong)
    try:
        return dp_sgd(**given)
    except InvalidInput as error:
        raise in_flags(error) from None


def flag(name: str) -> str:
    """The option of that name."""
    return f"--{name.replace('_', '-')}"
