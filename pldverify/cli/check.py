"""``pldverify check ACCOUNTANT``, and ``pldverify check ACCOUNTANT EXPR --delta D``."""

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from pldverify.cli import options, words
from pldverify.cli.answer import echo_json
from pldverify.cli.exits import Exit
from pldverify.cli.run import run
from pldverify.errors import InvalidInput
from pldverify.mechanisms.mechanism import Composition
from pldverify.mechanisms.query import Query
from pldverify.mechanisms.relations import Adjacency

if TYPE_CHECKING:
    from pldverify.judge.finding import Finding


@click.command()
@click.argument("accountant", type=words.Word("accountant", words.accountants))
@run(required=False)
@options.either
@options.adjacency
@click.option(
    "--timeout",
    type=float,
    default=60.0,
    show_default=True,
    metavar="S",
    help="Seconds for each answer, > 0.",
)
@options.as_json
def check(
    accountant: str,
    composition: Composition | None,
    epsilon: options.Exact | None,
    delta: options.Exact | None,
    adjacency: Adjacency | None,
    timeout: float,
    as_json: bool,
) -> None:
    """Judge what ACCOUNTANT answers: is it sound?

    It is asked for EXPR, or the built-in queries. ACCOUNTANT is a library or method (dp-accounting, gdp), or
    one of its variants (dp-accounting/rdp). Ctrl-C stops and prints what was found so far.
    """
    from pldverify.accountants.registry import accountants
    from pldverify.cli.progress import progress
    from pldverify.judge.sweep import sweep

    subjects, queries = accountants(accountant), _queries(composition, epsilon, delta, adjacency)
    asked = [f"{subject.name}: {query}" for query in queries for subject in subjects]
    found = sweep(subjects, queries, timeout=timeout)
    findings: list[Finding] = []
    try:
        with progress(len(asked)) as tell:
            tell(0, asked[0])
            for finding in found:
                findings.append(finding)
                done = len(findings)
                tell(done, asked[done] if done < len(asked) else f"{finding.accountant}: {finding.verdict}")
    finally:  # also after Ctrl-C
        _print(findings, as_json)
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
