"""``pldverify hunt ACCOUNTANT``."""

import json
import re
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pldverify.cli import options, reports, words
from pldverify.cli.answer import echo_json
from pldverify.cli.asked_as import with_references
from pldverify.cli.exits import Exit
from pldverify.cli.named import aside
from pldverify.cli.options import at_most, option
from pldverify.cli.output import put_or_print
from pldverify.errors import InvalidInput
from pldverify.numbers.claim import Direction

if TYPE_CHECKING:
    from pldverify.accountants.accountant import Accountant
    from pldverify.hunt.grouping import Group
    from pldverify.hunt.hunt import Hunt

_MOST = 100_000
"""Minutes, seconds, and GiB."""
_STYLES = {"violation": "bold red", "wrong estimate": "bold red", "rounding": "yellow", "loose": "dim"}


@click.command()
@click.argument("accountant", type=words.ACCOUNTANT)
@option(
    "--minutes M",
    "How long, > 0: three fifths for the search, the rest for shrinking.",
    at_most(_MOST),
    default="10",
)
@option("--seed", "Of the random questions.", click.INT, default=0)
@option(
    "--out DIR",
    "Where the reports go, a Markdown file each, with hunt.json.",
    click.Path(file_okay=False, path_type=Path),
)
@option(
    "--baseline FILE",
    "Findings that are known: they are counted, and told again only if they are worse.",
    options.FILE,
)
@option(
    "--write-baseline FILE", "Where what was found, and what was known, is written as known.", reports.File()
)
@options.direction
@option(
    "--timeout S",
    "Seconds for each answer, > 0; by default a thirtieth of the time, 10 to 20.",
    at_most(_MOST),
)
@option("--memory GIB", "Memory for each answer, > 0.", at_most(_MOST), default="4")
@options.as_json
def hunt(
    accountant: str,
    minutes: Fraction,
    seed: int,
    out: Path | None,
    baseline: Path | None,
    write_baseline: str | None,
    direction: Direction | None,
    timeout: Fraction | None,
    memory: Fraction,
    as_json: bool,
) -> None:
    """Search for the questions on which ACCOUNTANT is worst.

    Random questions, then others next to the worst, then the simplest ones that show the same. Violations are
    proved; crashes, hangs, and the loosest bound are reported, too. ACCOUNTANT is what `check` takes, and is
    asked in processes of its own. Ctrl-C stops and prints what was found so far. What a --baseline knows
    weighs nothing in the exit code.
    """
    from pldverify.accountants.registry import variants
    from pldverify.cli.progress import progress
    from pldverify.hunt.baseline import read
    from pldverify.hunt.hunt import Hunt, Progress

    known = None if baseline is None else read(baseline)

    with aside():
        subjects = variants(accountant, direction)
    if out is not None:
        _made(out)
    total = round(60 * minutes)

    def asked(now: Progress) -> None:
        tell(min(int(now.seconds), total), now.now)

    hunting = Hunt(
        subjects,
        minutes=float(minutes),
        seed=seed,
        timeout=None if timeout is None else float(timeout),
        memory=round(memory * 2**30),
        baseline=known,
        on_progress=asked,
    )
    try:
        with progress(total) as tell:
            hunting.run()
            tell(total, "done")
    finally:  # also after Ctrl-C
        _report(hunting, accountant, subjects, out, as_json)
        if write_baseline is not None:
            _remember(hunting, write_baseline)
    if hunting.broken:
        raise click.exceptions.Exit(Exit.CRASHED)
    raise click.exceptions.Exit(exit_code(hunting.groups) if hunting.questions else Exit.UNDECIDED)


def exit_code(groups: "list[Group]") -> Exit:
    """A proved violation refutes; what did not answer, or estimates badly, leaves it undecided."""
    kinds = {group.cause.kind for group in groups}
    negative = any(group.cause.kind == "impossible" and group.worst.verdict == "UNSOUND" for group in groups)
    if negative or kinds & {"violation", "rounding", "underflow"}:
        return Exit.REFUTED
    return Exit.SOUND if kinds <= {"loose", "vacuous"} else Exit.UNDECIDED


def _made(folder: Path) -> None:
    """Make the folder before the hunt, so that nothing is lost for want of it. Raises InvalidInput."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidInput(
            f"--out must be a folder that can be made, got {folder}: {error.strerror}"
        ) from None


def _remember(hunting: "Hunt", file: str) -> None:
    from pldverify.hunt.baseline import written

    put_or_print(file, written(hunting.baseline.with_groups([*hunting.groups, *hunting.known])))


def _report(
    hunting: "Hunt", accountant: str, subjects: "Sequence[Accountant]", out: Path | None, as_json: bool
) -> None:
    worst = with_references([group.worst.to_json() for group in hunting.groups], subjects)
    document = {
        "accountant": accountant,
        "seed": hunting.seed,
        "questions": hunting.questions,
        "known": len(hunting.known),
        "broken": {raised: str(query) for raised, query in hunting.broken.items()},
        "found": [
            {
                "kind": group.cause.kind,
                "times": group.times,
                "also": list(group.also),
                "found": group.found.to_json(),
                "finding": finding,
            }
            for group, finding in zip(hunting.groups, worst, strict=True)
        ],
    }
    if out is not None:
        (out / "hunt.json").write_text(json.dumps(document, indent=1), "utf-8")
    try:
        if as_json:
            echo_json(document)
        else:
            _print(hunting, out)
    finally:  # who reads what is printed may have left
        if out is not None:
            _write(hunting, out)


def _write(hunting: "Hunt", out: Path) -> None:
    """The reports, in order: what they tell to run is run for them."""
    from pldverify.cli.progress import progress

    with progress(len(hunting.groups)) as tell:
        for i, group in enumerate(hunting.groups):
            name = f"{i + 1:02}-{_slug(group)}.md"
            tell(i, f"what {name} tells to run")
            (out / name).write_text(hunting.report(group), "utf-8")
        tell(len(hunting.groups), "done")


def _print(hunting: "Hunt", out: Path | None) -> None:
    from rich.text import Text

    from pldverify.cli.console import GAP, output, say
    from pldverify.hunt.words import title

    for i, group in enumerate(hunting.groups, 1):
        finding, kind = group.worst, group.cause.kind
        heading = f"{i}. {finding.speaker}: {title(kind, finding)}"
        say(heading, _STYLES.get(kind, "magenta"))
        query = str(finding.query).removesuffix(" [add-or-remove]")
        times = "once" if group.times == 1 else f"{group.times} times"
        say(f"{GAP}{query} ({times})")
        for name, text in finding.rows():
            if name not in ("verdict", "query", "accountant"):
                say(f"{GAP}{name}: {text}", "dim")
    for raised, asked in hunting.broken.items():
        told = f"pldverify raised {raised} on: {asked}. This is a bug in pldverify, please report it"
        say(told, "bold red")
    where = f"; reports in {out}" if out is not None else "; --out DIR writes reports"
    again = f" and {len(hunting.known)} known" if hunting.baseline.known else ""
    counted = f"{len(hunting.groups)} findings{again} in {hunting.questions} questions, seed {hunting.seed}"
    output().print(Text(f"{counted}{where if hunting.groups else ''}"), soft_wrap=True)


def _slug(group: "Group") -> str:
    """A name for a file."""
    return re.sub(r"[^a-z0-9]+", "-", f"{group.cause.kind}-{group.worst.accountant}".lower()).strip("-")[:80]
