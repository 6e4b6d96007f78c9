"""``pldverify recheck CERT``: is a certificate's verdict true?"""

import click

from pldverify.cli.exits import Exit
from pldverify.errors import InvalidInput

_EXITS = {"CONFIRMED": Exit.SOUND, "CONTRADICTED": Exit.REFUTED, "UNDECIDED": Exit.UNDECIDED}


@click.command()
@click.argument("certificate", metavar="CERT")
def recheck(certificate: str) -> None:
    """Decide the verdict of a certificate again, by another method.

    The checker is one file that needs Python alone: it runs as `python recheck.py CERT` too. CONFIRMED and
    CONTRADICTED are proved; UNDECIDED says that the claim is beyond the checker.
    """
    from pldverify import recheck as checker

    try:
        outcome, lines = checker.recheck(checker.read(certificate))
    except checker.Rejected as reason:
        raise InvalidInput(f"certificate must be one of {checker.SCHEMA}, unchanged: {reason}") from None
    click.echo("\n".join(lines))
    raise click.exceptions.Exit(_EXITS[outcome])
