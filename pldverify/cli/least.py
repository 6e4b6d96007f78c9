"""``pldverify gdp`` and ``pldverify zcdp``: the least μ and the least ρ, from both ends."""

import time
from collections.abc import Callable
from fractions import Fraction
from functools import partial

import click

from pldverify.cli import options
from pldverify.cli.answer import echo_json
from pldverify.cli.output import echo
from pldverify.cli.run import run
from pldverify.mechanisms.mechanism import Composition
from pldverify.mechanisms.relations import Adjacency
from pldverify.numbers.json import text
from pldverify.values.value import Value


@click.command()
@run()
@options.option(
    "--regret R",
    "By how much both errors of G_μ may be moved, from 0 to 1.",
    options.FRACTION,
    default="0",
    show_default=False,
)
@options.adjacency
@options.as_json
def gdp(composition: Composition, regret: Fraction, adjacency: Adjacency | None, as_json: bool) -> None:
    """Find the least μ of Gaussian DP for EXPR, proved for every ε."""
    from pldverify.values.least import gdp as least

    beside = {"regret": text(regret)} if regret else {}
    _answer("mu", "μ", partial(least, regret=regret), composition, adjacency, as_json, beside)


@click.command()
@run()
@options.adjacency
@options.as_json
def zcdp(composition: Composition, adjacency: Adjacency | None, as_json: bool) -> None:
    """Find the least ρ of zCDP for EXPR, proved for every order."""
    from pldverify.values.least import zcdp as least

    _answer("rho", "ρ", least, composition, adjacency, as_json, {})


def _answer(
    name: str,
    letter: str,
    least: Callable[..., Value],
    composition: Composition,
    adjacency: Adjacency | None,
    as_json: bool,
    beside: dict[str, str | None],
) -> None:
    start = time.perf_counter()
    found = least(composition, adjacency=adjacency)
    seconds, adjacency = time.perf_counter() - start, adjacency or composition.adjacency
    if as_json:
        about = {"quantity": name, "composition": str(composition), "adjacency": adjacency, **beside}
        echo_json({**about, **found.to_json(), "seconds": seconds})
        return
    echo(f"{letter} {found}" if not found.is_unknown else f"{letter}: nothing is proved")
    echo(f"of {composition}, {adjacency}" + "".join(f", {key} {value}" for key, value in beside.items()))
    echo(f"no less: {'not proved' if found.lower is None else found.lower.by}")
    echo(f"no more: {'not proved' if found.upper is None else found.upper.by}")
    echo(f"{seconds:.3f} s")
