"""Arguments and options that several commands share; values stay text until the library reads them."""

from typing import get_args

import click

from pldverify.mechanisms.relations import Adjacency

expression = click.argument("expression", metavar="EXPR")
adjacency = click.option(
    "--adjacency",
    type=click.Choice(get_args(Adjacency)),
    default="add-or-remove",
    show_default=True,
    help="Which data sets are neighbours; add-or-remove is the worse of both directions.",
)
digits = click.option(
    "--digits", metavar="N", help="Significant digits to prove; without it the library's default."
)
as_json = click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output.")
explain = click.option(
    "--explain", is_flag=True, help="Why this engine, and every error term; --json always has them."
)
second_opinion = click.option(
    "--second-opinion",
    is_flag=True,
    help="Ask mpmath quadrature too, and whether it agrees; exit code 3 if it has no digit to offer.",
)
