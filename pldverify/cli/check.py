"""``pldverify check ACCOUNTANT``."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from pldverify.cli import options
from pldverify.cli.answer import echo_json
from pldverify.cli.exits import Exit

if TYPE_CHECKING:
    from pldverify.judge.finding import Finding


@click.command()
@click.argument("accountant")
@click.option("--timeout", default=60.0, show_default=True, metavar="S", help="Seconds for each answer.")
@options.as_json
def check(accountant: str, timeout: float, as_json: bool) -> None:
    """Ask ACCOUNTANT (dp-accounting, prv-accountant, …) the built-in queries and judge every answer.

    Ctrl-C stops and prints what was found so far.
    """
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    from pldverify.accountants.registry import accountants
    from pldverify.judge.builtin_queries import builtin_queries
    from pldverify.judge.sweep import sweep

    subjects, queries = accountants(accountant), builtin_queries()
    found = sweep(subjects, queries, timeout=timeout)
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
    """The worst verdict decides; UNSOUND is worse than UNDECIDED."""
    verdicts = {finding.verdict for finding in findings}
    if "UNSOUND" in verdicts:
        return Exit.REFUTED
    return Exit.UNDECIDED if "UNDECIDED" in verdicts else Exit.SOUND
