"""``pldverify budget EXPR --accountant A --epsilon E``."""

import sys

import click

from pldverify.cli import options
from pldverify.cli.answer import echo_json
from pldverify.cli.exits import Exit
from pldverify.cli.named import composition
from pldverify.errors import InvalidInput
from pldverify.mechanisms.query import Query
from pldverify.mechanisms.relations import Adjacency
from pldverify.numbers.exact import count, rational

_WIDTH = 160


@click.command()
@options.expression
@click.option(
    "--accountant", required=True, metavar="A", help="fourier, heterogeneous-fourier, prv, or a variant."
)
@click.option("--epsilon", required=True, metavar="E", help="In nats; inside of the accountant's grid.")
@click.option("--L", "L", metavar="L", help="The loss is kept on [-L, L); by default the accountant's.")
@click.option("--n", "n", metavar="N", help="Grid points, even; by default the accountant's.")
@options.adjacency
@options.as_json
def budget(
    expression: str,
    accountant: str,
    epsilon: str,
    L: str | None,
    n: str | None,
    adjacency: Adjacency,
    as_json: bool,
) -> None:
    """Split the error of an in-house FFT accountant's δ(ε) into terms, each beside its theorem's bound.

    Exit codes: 0 every term is inside of its bound, 1 one is outside, 3 one is undecided or has no
    bound.
    """
    from dataclasses import replace

    from pldverify.accountants import registry
    from pldverify.decomposition.error_budget import error_budget

    subject = registry.accountant(accountant)
    given: dict[str, int | float] = {}
    if n is not None:
        given["n"] = count(n, "n")
    if L is not None:
        given["L"] = float(rational(L, "L"))
    allowed = getattr(subject, "__dataclass_fields__", {})
    for name in given:
        if name not in allowed:
            raise InvalidInput(f"{subject.name} chooses its grid itself, got {name}={given[name]}")
    if given:
        subject = replace(subject, **given)  # type: ignore[type-var]
    query = Query(composition(expression), epsilon=rational(epsilon, "epsilon"), adjacency=adjacency)
    found = error_budget(subject, query)
    if as_json:
        echo_json(found.to_json())
    else:
        from rich.console import Console

        console = Console(file=sys.stdout, width=None if sys.stdout.isatty() else _WIDTH)
        console.print(found.table())
        for term in found.broken:
            console.print(f"{term} is outside of its bound: proved", style="bold red")
        console.print(f"the error comes from: {found.dominant}")
    if found.broken:
        raise click.exceptions.Exit(Exit.REFUTED)
    if any(term.verdict != "INSIDE" for term in found.terms):
        raise click.exceptions.Exit(Exit.UNDECIDED)
