"""``pldverify check ACCOUNTANT``."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, get_args

import click

from pldverify.cli import options
from pldverify.cli.answer import echo_json
from pldverify.cli.exits import Exit
from pldverify.numbers.claim import Direction

if TYPE_CHECKING:
    from pldverify.judge.finding import Finding


class _Check(click.Command):
    """Its help lists the accountants that are there now."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        from pldverify.accountants.registry import accountant_names

        with formatter.section("Accountants"):
            formatter.write_text(", ".join(accountant_names()))


@click.command(cls=_Check)
@click.argument("accountant")
@click.option(
    "--direction",
    type=click.Choice(get_args(Direction)),
    help="What the number of a plain function is meant to be.",
)
@click.option("--memory", default=4.0, show_default=True, metavar="GIB", help="Memory for each answer.")
@click.option("--timeout", default=60.0, show_default=True, metavar="S", help="Seconds for each answer.")
@options.as_json
def check(accountant: str, direction: Direction | None, memory: float, timeout: float, as_json: bool) -> None:
    """Ask ACCOUNTANT the built-in queries and judge every answer.

    ACCOUNTANT is a name from the list below, what stands before its slash, package.module:Class, or
    file.py:Class; a function will do, with --direction. Reading a module or a file runs it.

    Ctrl-C stops and prints what was found so far.
    """
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    from pldverify.accountants.registry import variants
    from pldverify.judge.builtin_queries import builtin_queries
    from pldverify.judge.sweep import sweep

    subjects, queries = variants(accountant, direction), builtin_queries()
    found = sweep(subjects, queries, timeout=timeout, memory=round(memory * 2**30))
    findings: list[Finding] = []
    columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("{task.description}"))
    try:
        with Progress(*columns, console=Console(stderr=True)) as progress:
            task = progress.add_task("", total=len(subjects) * len(queries))
            for finding in found:
                findings.append(finding)
                progress.update(task, advance=1, description=f"{finding.accountant}: {finding.verdict}")
    finally:  # also after Ctrl-C
        _print(findings, as_json)
    raise click.exceptions.Exit(exit_code(findings))


def _print(findings: list["Finding"], as_json: bool) -> None:
    if as_json:
        echo_json({"findings": [finding.to_json() for finding in findings]})
    else:
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
