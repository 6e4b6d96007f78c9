"""``pldverify teeth``: which check of the testing kit finds which faulty accountant."""

import click

from pldverify.cli import options
from pldverify.cli.answer import echo_json
from pldverify.cli.exits import Exit
from pldverify.cli.output import echo


@click.command()
@click.argument("names", nargs=-1, metavar="[MUTANT]...")
@options.flag("--list", "Show the faulty accountants, and run nothing.", name="listed")
@options.as_json
def teeth(names: tuple[str, ...], listed: bool, as_json: bool) -> None:
    """Run the checks of the testing kit on faulty accountants, or on these; show what finds them.

    Exit code 1 if one is not found by the check that names its cause.
    """
    from pldverify.cli.console import say
    from pldverify.testing.teeth import chosen, kill_matrix

    mutants = chosen(names)
    if listed:
        for mutant in mutants:
            say(f"{mutant.name}: {mutant.fault} [{mutant.killer}]")
        return
    matrix = kill_matrix(mutants, done=lambda name: echo(f"{name} is judged", err=True))
    if as_json:
        echo_json({"killed": matrix.killed, "survivors": matrix.survivors})
    else:
        for mutant in mutants:
            found = matrix.killed[mutant.name]
            others = ", ".join(check for check in found if check != mutant.killer)
            verdict = "found by" if mutant.killer in found else "NOT FOUND by"
            say(f"{mutant.name}: {verdict} {mutant.killer}{f'; also by {others}' if others else ''}")
        say(
            f"{len(mutants) - len(matrix.survivors)} of {len(mutants)} are found by the check for their cause"
        )
    if matrix.survivors:
        raise click.exceptions.Exit(Exit.REFUTED)
