"""``pldverify derive EXPR``."""

import click

from pldverify.cli.named import derivation
from pldverify.cli.options import flag, option
from pldverify.cli.output import echo
from pldverify.cli.words import Expression
from pldverify.mechanisms.relations import Direction


@click.command()
@click.argument("expression", type=Expression(), metavar="EXPR")
@option(
    "--direction",
    "Which ordered pair; default: the first that the mechanism has.",
    click.Choice(["remove", "add", "replace", "replace-back"]),
)
@flag("--latex", "The formulas as LaTeX.", name="as_latex")
@flag("--json", "One JSON document, expressions in sympy's srepr.", name="as_json")
def derive(expression: str, direction: Direction | None, as_latex: bool, as_json: bool) -> None:
    """Derive the privacy loss of EXPR, and prove every formula.

    Parameters may be bare names: "poisson(gaussian(sigma), q)". Each obligation is PROVED (algebra), PROVED
    ON A BOX (ball arithmetic) or FAILED; a printed formula that is wrong fails, and is told right.
    """
    from pldverify.symbolic.expression import derive_expression

    if as_latex and as_json:
        raise click.UsageError("--latex and --json exclude each other")
    found = derivation(expression, direction) or derive_expression(expression, direction=direction)
    if as_json:
        echo(found.to_json())
    elif as_latex:
        echo(found.latex())
    else:
        from pldverify.cli.console import output

        output().print(found)
