"""``pldverify check ACCOUNTANT``, and ``pldverify check ACCOUNTANT EXPR --delta D``."""

import sys
from collections.abc import Iterable
from contextlib import redirect_stdout
from dataclasses import replace
from fractions import Fraction
from textwrap import wrap
from typing import TYPE_CHECKING, get_args

import click

from pldverify.cli import numerals, options, reports, words
from pldverify.cli.exits import Exit
from pldverify.cli.run import run
from pldverify.errors import InvalidInput
from pldverify.mechanisms.mechanism import Composition
from pldverify.mechanisms.query import Query
from pldverify.mechanisms.relations import Adjacency
from pldverify.numbers.claim import Direction

if TYPE_CHECKING:
    from pldverify.judge.finding import Finding


_MOST = 100_000
"""Seconds, and GiB."""


class _Check(reports.Command):
    """Its help lists the accountants that are there now, a library or method a line."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        from pldverify.accountants.registry import accountant_names

        variants: dict[str, list[str]] = {}
        for name in accountant_names():
            library, _, variant = name.partition("/")
            variants.setdefault(library, []).extend([f"/{variant}"] if variant else [])
        with formatter.section("Accountants (all variants of one, or NAME/VARIANT)"):
            for library, names in variants.items():
                line = " ".join([library, *names])
                width = formatter.width - formatter.current_indent
                for part in wrap(line, width, subsequent_indent="    ", break_on_hyphens=False):
                    formatter.write(f"{'':{formatter.current_indent}}{part}\n")


@click.command(cls=_Check)
@click.argument("accountant", type=words.Word("accountant", words.accountants, open_ended=True))
@run(required=False)
@options.either
@options.adjacency
@click.option(
    "--direction",
    type=click.Choice(get_args(Direction)),
    help="What the number of a plain function is meant to be.",
)
@click.option(
    "--timeout",
    type=numerals.Number(numerals.limit(_MOST)),
    default="60",
    show_default=True,
    metavar="S",
    help=f"Seconds for each answer, > 0, at most {_MOST}.",
)
@click.option(
    "--memory",
    type=numerals.Number(numerals.limit(_MOST)),
    default="4",
    show_default=True,
    metavar="GIB",
    help=f"Memory for each answer, > 0, at most {_MOST}.",
)
@reports.outputs
def check(
    accountant: str,
    composition: Composition | None,
    epsilon: options.Exact | None,
    delta: options.Exact | None,
    adjacency: Adjacency | None,
    direction: Direction | None,
    timeout: Fraction,
    memory: Fraction,
    outputs: reports.Outputs,
) -> None:
    """Judge what ACCOUNTANT answers: is it sound?

    It is asked for EXPR, or the built-in queries. ACCOUNTANT is a name from the list below, what stands
    before its slash, package.module:Class, or file.py:Class; a function will do, with --direction. Reading a
    module or a file runs it. Ctrl-C stops and prints what was found so far.
    """
    from pldverify.accountants.registry import variants
    from pldverify.cli.progress import progress
    from pldverify.judge.sweep import Cell, sweep

    with redirect_stdout(sys.stderr):  # reading a file or a module runs it
        subjects = variants(accountant, direction)
    queries = _queries(composition, epsilon, delta, adjacency)
    limit = round(memory * 2**30)
    findings: list[Finding] = []

    def began(cell: Cell) -> None:
        tell(cell.number, f"{cell.accountant}: {cell.query}")

    found = sweep(subjects, queries, timeout=float(timeout), memory=limit, on_cell=began)
    total = len(subjects) * len(queries)
    try:
        with progress(total) as tell:
            for finding in found:
                findings.append(finding)
            tell(total, "done")
    finally:  # also after Ctrl-C
        outputs.write([each.to_json() for each in findings], lambda: _print(findings))
    raise click.exceptions.Exit(exit_code(findings))


def _queries(
    composition: Composition | None,
    epsilon: options.Exact | None,
    delta: options.Exact | None,
    adjacency: Adjacency | None,
) -> list[Query]:
    """One, or the built-in ones. Raises InvalidInput."""
    if composition is not None:
        options.one_of(epsilon, delta)
        return [Query(composition, epsilon, delta, adjacency)]
    if epsilon is not None or delta is not None:
        raise InvalidInput("EXPR or the flags of a run must be given with --epsilon or --delta")
    from pldverify.judge.builtin_queries import builtin_queries

    return [replace(query, adjacency=adjacency or query.adjacency) for query in builtin_queries()]


def _print(findings: list["Finding"]) -> None:
    from pldverify.cli.findings_table import print_findings

    print_findings(findings)


def exit_code(findings: Iterable["Finding"]) -> Exit:
    """The worst verdict decides: UNSOUND, then all else but SOUND. A refusal says nothing against anyone, and
    refusals alone say nothing for anyone.
    """
    verdicts = {finding.verdict for finding in findings}
    if "UNSOUND" in verdicts:
        return Exit.REFUTED
    return Exit.SOUND if verdicts <= {"SOUND", "REFUSED"} and verdicts != {"REFUSED"} else Exit.UNDECIDED
