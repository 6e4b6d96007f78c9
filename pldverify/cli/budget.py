"""``pldverify budget EXPR --accountant A --epsilon E``."""

from fractions import Fraction

import click

from pldverify.cli import options, words
from pldverify.cli.answer import echo_json
from pldverify.cli.exits import Exit
from pldverify.cli.run import run
from pldverify.errors import InvalidInput
from pldverify.mechanisms.mechanism import Composition
from pldverify.mechanisms.query import Query
from pldverify.mechanisms.relations import Adjacency
from pldverify.numbers.exact import count

_NARROW = 72
"""With fewer columns a row becomes a block of lines."""
_WIDEST = 10**6
"""Half of the widest grid."""


@click.command()
@run()
@options.option(
    "--accountant A",
    "fourier, heterogeneous-fourier, prv; fourier-accountant, prv-accountant, dp-accounting; or a variant.",
    words.ACCOUNTANT,
    required=True,
)
@options.epsilon
@options.option(
    "--L L",
    "The loss is kept on [-L, L), L up to 10**6; by default the accountant's.",
    options.at_most(_WIDEST),
    name="L",
)
@options.option("--n N", "Grid points, even; by default the accountant's.", options.FRACTION)
@options.adjacency
@options.as_json
def budget(
    composition: Composition,
    accountant: str,
    epsilon: options.Exact,
    L: Fraction | None,
    n: Fraction | None,
    adjacency: Adjacency | None,
    as_json: bool,
) -> None:
    """Split the error of an FFT accountant's δ(ε) into terms.

    Each stands beside its theorem's bound. The accountant is one of pldverify's own, or one of the
    libraries, at the grid that it chooses itself.

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
        given["L"] = float(L)
    allowed = getattr(subject, "__dataclass_fields__", {})
    for name in given:
        if name not in allowed:
            raise InvalidInput(f"{subject.name} chooses its grid itself, got {name}={given[name]}")
    if given:
        subject = replace(subject, **given)  # type: ignore[type-var]
    query = Query(composition, epsilon=epsilon, adjacency=adjacency)
    found = error_budget(subject, query)
    if as_json:
        echo_json(found.to_json())
    else:
        from pldverify.cli.console import output

        console = output()
        table = found.table()
        console.print(table if console.width >= _NARROW else str(table))
        for term in found.broken:
            console.print(f"{term} is outside of its bound: proved", style="bold red")
        console.print(f"the error comes from: {found.dominant}")
    if found.broken:
        raise click.exceptions.Exit(Exit.REFUTED)
    if any(term.verdict != "INSIDE" for term in found.terms):
        raise click.exceptions.Exit(Exit.UNDECIDED)
