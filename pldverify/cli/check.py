"""``pldverify check ACCOUNTANT... EXPR --delta D``, on the built-in queries, and on a grid."""

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from textwrap import wrap
from typing import TYPE_CHECKING

import click

from pldverify.cli import check_grid, options, reports, run, words
from pldverify.cli.asked_as import with_references
from pldverify.cli.budgets import with_budgets
from pldverify.cli.exits import Exit
from pldverify.cli.named import aside
from pldverify.cli.options import at_most, option
from pldverify.errors import InvalidInput
from pldverify.mechanisms.mechanism import Composition
from pldverify.mechanisms.noise_query import NoiseQuery
from pldverify.mechanisms.query import Query
from pldverify.mechanisms.relations import Adjacency
from pldverify.numbers.claim import Direction
from pldverify.numbers.exact import count

if TYPE_CHECKING:
    from pldverify.accountants.accountant import Accountant
    from pldverify.rulings.finding import Finding


_MOST = 100_000
"""Seconds, and GiB."""

Round = tuple[list["Accountant"], list[Query]]
"""Accountants, and what each of them is asked."""


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
@click.argument(
    "words", nargs=-1, required=True, metavar="ACCOUNTANT... [EXPR]", type=words.AccountantOrExpression()
)
@run.flags
@options.either
@options.adjacency
@options.direction
@option("--timeout S", f"Seconds for each answer, > 0, at most {_MOST}.", at_most(_MOST), default="60")
@option("--memory GIB", f"Memory for each answer, > 0, at most {_MOST}.", at_most(_MOST), default="4")
@options.flag("--variants", "Ask a library's accountants in other words and settings, too.")
@options.flag(
    "--list",
    "Ask nothing; say what each variant of ACCOUNTANT, or what a file.py defines, asks.",
    name="listed",
)
@check_grid.sweep_options
@option(
    "--budgets N",
    "Add error budgets to at most N findings on δ of FFT accountants, UNSOUND ones first.",
    at_most(_MOST),
)
@reports.outputs
def check(
    words: tuple[str, ...],
    epsilon: options.Exact | None,
    delta: options.Exact | None,
    adjacency: Adjacency | None,
    direction: Direction | None,
    timeout: Fraction,
    memory: Fraction,
    variants: bool,
    listed: bool,
    outputs: reports.Outputs,
    grid: str | None,
    store: str | None,
    jobs: Fraction | None,
    scheduler: str | None,
    budgets: Fraction | None,
    **of_run: object,
) -> None:
    """Judge what accountants answer: are they sound?

    They are asked for EXPR, for a whole --grid, or for the built-in queries; with both --epsilon and --delta
    for the least factor on the noise of EXPR. ACCOUNTANT is a name from the list below, what stands before
    its slash, package.module:Class, or file.py:Class; a function will do, with --direction. Reading a module
    or a file runs it. Ctrl-C stops and prints what was found so far; a sweep of
    a --grid with a --store goes on where it stopped when it is run again.
    """
    if listed:
        return _list(words)
    run_flags = {name: value for name, value in of_run.items() if value is not None}
    is_asked = epsilon is not None or delta is not None or bool(run_flags)
    names, expression = _split(words, epsilon is not None or delta is not None, bool(run_flags), grid)
    if grid is not None and (is_asked or adjacency is not None):
        raise InvalidInput(
            "--grid must stand without a question and --adjacency: its questions have their own"
        )
    subjects = _subjects(names, direction, variants)
    limits = float(timeout), round(memory * 2**30)
    most = 0 if budgets is None else count(budgets, "budgets")
    if grid is not None:
        where = check_grid.Where(store, jobs, scheduler)
        found = check_grid.check_grid(subjects, grid, where, *limits, outputs, most)
        raise click.exceptions.Exit(exit_code(_weighed(each["verdict"], each["cause"]) for each in found))
    options.stand_with("--grid", store=store, jobs=jobs, scheduler=scheduler)
    composition = run.read(expression, run_flags, required=False)
    rounds = _rounds(subjects, composition, epsilon, delta, adjacency)
    findings = _asked(rounds, *limits, outputs, most)
    raise click.exceptions.Exit(exit_code(_weighed(each.verdict, each.cause) for each in findings))


def _split(
    words: tuple[str, ...], is_asked: bool, is_run: bool, grid: str | None
) -> tuple[tuple[str, ...], str | None]:
    """The accountants, and EXPR if there is one: the last of several words, where a question is asked that
    has no other, or where it is written like none but EXPR.
    """
    last = words[-1]
    like_one = "(" in last and not last.startswith("command:")
    if grid is None and len(words) > 1 and (like_one or (is_asked and not is_run)):
        return words[:-1], last
    return words, None


def _list(names: tuple[str, ...]) -> None:
    from pldverify.accountants.registry import described
    from pldverify.cli.console import say

    for name, sentence, is_asked in (row for each in names for row in described(each)):
        told = f"{name}{'' if is_asked else ' (with --variants)'}"
        say(f"{told}: {sentence}" if sentence else told)


def _subjects(names: tuple[str, ...], direction: Direction | None, every: bool) -> list["Accountant"]:
    """What is named, each once: of a library its public accountants, or all."""
    from pldverify.accountants.registry import variants

    with aside():
        found = [subject for name in names for subject in variants(name, direction, every=every)]
    return list({subject.name: subject for subject in found}.values())


def _asked(
    rounds: list[Round],
    timeout: float,
    memory: int,
    outputs: reports.Outputs,
    budgets: int,
) -> list["Finding"]:
    """Ask all questions; what was found is printed, also after Ctrl-C."""
    from pldverify.cli.findings_table import print_findings
    from pldverify.cli.progress import progress
    from pldverify.sweeps.sweep import Cell, sweep

    findings: list[Finding] = []

    def began(cell: Cell) -> None:
        tell(len(findings), f"{cell.accountant}: {cell.query}")

    total = sum(len(subjects) * len(queries) for subjects, queries in rounds)
    try:
        with progress(total) as tell:
            for subjects, queries in rounds:
                for finding in sweep(subjects, queries, timeout=timeout, memory=memory, on_cell=began):
                    findings.append(finding)
            tell(total, "done")
    finally:  # also after Ctrl-C
        every = [subject for subjects, _ in rounds for subject in subjects]
        documents = with_references([each.to_json() for each in findings], every)
        documents = with_budgets(documents, every, budgets)
        outputs.write(documents, lambda: print_findings(findings))
    return findings


def _rounds(
    subjects: list["Accountant"],
    composition: Composition | None,
    epsilon: options.Exact | None,
    delta: options.Exact | None,
    adjacency: Adjacency | None,
) -> list[Round]:
    """The one question to all, or to each the built-in ones of what it is asked for. Raises InvalidInput."""
    if composition is not None:
        kind = NoiseQuery if epsilon is not None and delta is not None else Query
        if kind is Query:
            options.one_of(epsilon, delta)
        return [(subjects, [kind(composition, epsilon, delta, adjacency)])]
    if epsilon is not None or delta is not None:
        raise InvalidInput("EXPR or the flags of a run must be given with --epsilon or --delta")
    from pldverify.sweeps.builtin_queries import builtin_queries

    alike: dict[tuple[type[Query], ...], list[Accountant]] = {}
    for subject in subjects:
        alike.setdefault(tuple(getattr(subject, "asks", (Query,))), []).append(subject)
    return [
        (those, [replace(query, adjacency=adjacency or query.adjacency) for query in builtin_queries(asks)])
        for asks, those in alike.items()
    ]


def _weighed(verdict: str, cause: str | None) -> str:
    """An estimate that promises nothing can't be kept or broken: it counts as a refusal."""
    return "REFUSED" if cause == "NO PROMISE" else verdict


def exit_code(verdicts: Iterable[str]) -> Exit:
    """The worst verdict decides: UNSOUND, then all else but SOUND. A refusal says nothing against anyone;
    refusals alone, and a grid of which nothing was asked, say nothing for anyone.
    """
    found = set(verdicts)
    if "UNSOUND" in found:
        return Exit.REFUTED
    return Exit.SOUND if "SOUND" in found and found <= {"SOUND", "REFUSED"} else Exit.UNDECIDED
