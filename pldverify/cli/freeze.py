"""``pldverify freeze``: an accountant's answers beside the truth, and later which way they have moved."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pldverify.cli import options, words
from pldverify.cli.answer import echo_json
from pldverify.cli.exits import Exit
from pldverify.cli.named import aside
from pldverify.cli.options import option
from pldverify.errors import InvalidInput
from pldverify.numbers.claim import Direction

if TYPE_CHECKING:
    from pldverify.testing.golden import Move
    from pldverify.testing.golden_file import Golden


@click.command()
@click.argument("accountant", required=False, type=words.ACCOUNTANT)
@option("--out -o FILE", "Where the answers go.", click.Path(dir_okay=False, writable=True, path_type=Path))
@option(
    "--compare FILE",
    "Ask again what FILE has pinned, of ACCOUNTANT or of the one that FILE names.",
    options.FILE,
)
@options.direction
@option("--level", "How many questions are pinned.", click.Choice(("quick", "standard")), default="quick")
@options.as_json
def freeze(
    accountant: str | None,
    out: Path | None,
    compare: Path | None,
    direction: Direction | None,
    level: str,
    as_json: bool,
) -> None:
    """Pin what ACCOUNTANT answers, beside proved enclosures; or tell which way answers have moved.

    With --compare the exit code is 1 if an answer has moved. ACCOUNTANT is what `check` takes.
    """
    if (out is None) == (compare is None):
        raise InvalidInput("freeze must have one of --out FILE and --compare FILE")
    if out is not None:
        if accountant is None:
            raise InvalidInput("ACCOUNTANT must be given, got none")
        _freeze(accountant, out, direction, level, as_json)
    elif compare is not None:
        _compare(accountant, compare, direction, as_json)


def _freeze(accountant: str, out: Path, direction: Direction | None, level: str, as_json: bool) -> None:
    from pldverify.cli.console import say
    from pldverify.cli.progress import progress
    from pldverify.testing import golden
    from pldverify.testing.checks.oracle import questions
    from pldverify.testing.golden_file import write

    with aside():
        total = len(questions(level))
        with progress(total) as tell:
            pinned = golden.freeze(
                accountant,
                direction=direction,
                level=level,  # type: ignore[arg-type]
                done=lambda asked, query: tell(asked, str(query)),
            )
    write(pinned, out)
    if as_json:
        echo_json({"file": str(out), "answers": len(pinned.answers), "questions": total})
        return
    known = sum(answer.lower is not None for answer in pinned.answers)
    say(f"{len(pinned.answers)} answers to {total} questions are in {out}, {known} beside the truth")


def _compare(accountant: str | None, file: Path, direction: Direction | None, as_json: bool) -> None:
    from pldverify.accountants.registry import accountant as accountant_of
    from pldverify.testing.golden import moves
    from pldverify.testing.golden_file import read

    pinned = read(file)
    with aside():
        subject = None if accountant is None else accountant_of(accountant, direction)
        moved = moves(pinned, subject)
    if as_json:
        echo_json({"answers": len(pinned.answers), "moved": [move.to_json() for move in moved]})
    else:
        _show(moved, pinned)
    if moved:
        raise click.exceptions.Exit(Exit.REFUTED)


def _show(moved: "list[Move]", pinned: "Golden") -> None:
    from pldverify.cli.console import say

    for move in moved:
        for line in str(move).splitlines():
            say(line)
    say(f"{len(moved)} of {len(pinned.answers)} answers have moved")
