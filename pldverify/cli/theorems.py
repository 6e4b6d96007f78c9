"""``pldverify theorems``: the ledger of what the papers state."""

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from pldverify.cli.exits import Exit
from pldverify.cli.options import flag, option
from pldverify.cli.output import echo

if TYPE_CHECKING:
    from pldverify.theorems.record import Verdict

VERDICTS = ("proved", "proved-on-a-box", "supported", "corrected", "refuted", "conditional", "not-checkable")
PAPERS = ("KJH19", "KJH20s", "KH21", "GLW21", "MTZ19", "OWN")
_STYLES = {"PROVED": "green", "CORRECTED": "bold red", "REFUTED": "bold red", "CONDITIONAL": "yellow"}

_paper = option(
    "--paper", "Only of this paper.", click.Choice(PAPERS, case_sensitive=False), name="papers", multiple=True
)
_verdict = option(
    "--verdict", "Only with this verdict.", click.Choice(VERDICTS), name="verdicts", multiple=True
)


@click.group(invoke_without_command=True)
@_paper
@_verdict
@click.pass_context
def theorems(context: click.Context, papers: Sequence[str], verdicts: Sequence[str]) -> None:
    """What five papers state, and what became of it.

    OWN has what the audits and summaries of this package rest on. Without a command: each record with its
    place and its statement as printed. Counterexamples are proved in ball arithmetic or exact.
    """
    if context.invoked_subcommand is not None:
        if papers or verdicts:
            raise click.UsageError("--paper and --verdict must stand after the command")
        return
    from pldverify.cli.console import GAP, output, say
    from pldverify.theorems.ledger import chosen

    found = chosen(papers=papers, verdicts=_verdicts(verdicts))
    console, width = output(), max((len(each.id) for each in found), default=0)
    for each in found:
        word = each.verdict.value
        console.print(f"{each.id:{width}}  ", end="")
        console.print(word, style=_STYLES.get(word, ""))
        say(f"{GAP}{each.place}: {each.statement}", "dim")
    totals = Counter(each.verdict.value for each in found)
    shown = ", ".join(f"{count} {word}" for word, count in totals.items())
    say(f"{len(found)} record{'' if len(found) == 1 else 's'}" + (f": {shown}" if shown else ""))


@theorems.command()
@click.argument("id")
def show(id: str) -> None:
    """Show one record: the statement as printed, verdict, evidence with digits, correction, code."""
    from pldverify.cli.console import output, say
    from pldverify.theorems.ledger import check, record, source

    each = record(id)
    checked = check(each)
    say(f"{each.id}: {each.kind.value}, {each.place}", "bold")
    say(source(each))
    aside = f" ({each.aside.value})" if each.aside else ""
    rows = {
        "states" if each.line is None else "printed": each.statement,
        "read as": each.reading,
        "assumes": each.stated,
        "needs": each.needed,
        "verdict": each.verdict.value + aside,
        "evidence": checked.outcome.witness,
        "correct": each.correction,
        "rests on": ", ".join(each.depends),
        "used in": ", ".join(each.used),
        "for users": each.consequence,
    }
    for name, text in rows.items():
        if text:
            say(f"{name}: {text}")
    if not checked.agrees:
        output().print(f"the evidence says {checked.outcome.verdict.value}", style="bold red")
        raise SystemExit(Exit.REFUTED)


@theorems.command()
@click.argument("ids", nargs=-1, metavar="[ID]...")
@_paper
@_verdict
@flag("--quick", "Leave out records that take more than a few seconds.")
def verify(ids: Sequence[str], papers: Sequence[str], verdicts: Sequence[str], quick: bool) -> None:
    """Run the evidence again, of all records or of these.

    Exit code 1 if a verdict is not the stored one.
    """
    from pldverify.cli.console import output, say
    from pldverify.cli.progress import progress
    from pldverify.theorems.ledger import check, chosen

    found = [
        each for each in chosen(ids, papers=papers, verdicts=_verdicts(verdicts)) if not (quick and each.slow)
    ]
    wrong = []
    with progress(len(found)) as tell:
        for done, each in enumerate(found):
            tell(done, each.id)
            checked = check(each)
            if not checked.agrees:
                wrong.append(checked)
        tell(len(found), "done")
    for checked in wrong:
        said, seen = checked.record.verdict.value, checked.outcome
        line = f"{checked.record.id}: stored {said}, found {seen.verdict.value}: {seen.witness}"
        say(line, "bold red")
    output().print(f"{len(found) - len(wrong)} of {len(found)} verdicts as stored")
    if wrong:
        raise SystemExit(Exit.REFUTED)


@theorems.command()
def errata() -> None:
    """Print docs/errata.md: what does not hold as printed."""
    from pldverify.theorems.errata import errata as page

    echo(page())


@theorems.command()
def counts() -> None:
    """Print how many statements of each paper have which verdict, as Markdown."""
    from pldverify.theorems.summary import counts as table

    echo(table())


def _verdicts(words: Sequence[str]) -> "list[Verdict]":
    from pldverify.theorems.record import Verdict

    return [Verdict(word.replace("-", " ").upper()) for word in words]
