"""``pldverify recheck CERT``: is a certificate's verdict true?"""

from pathlib import Path

import click

from pldverify.cli.exits import Exit
from pldverify.cli.output import echo
from pldverify.errors import InvalidInput

_EXITS = {"CONFIRMED": Exit.SOUND, "CONTRADICTED": Exit.REFUTED, "UNDECIDED": Exit.UNDECIDED}


@click.command()
@click.argument("certificate", metavar="CERT")
@click.option(
    "--key",
    type=click.Path(exists=True, dir_okay=False),
    metavar="PUBLIC",
    help="The certificate must be signed by this key (ed25519, PEM).",
)
def recheck(certificate: str, key: str | None) -> None:
    """Decide the verdict of a certificate again, by another method.

    The checker is one file that needs Python alone: it runs as `python recheck.py CERT` too. CONFIRMED and
    CONTRADICTED are proved; UNDECIDED says that the claim is beyond the checker.
    """
    from pldverify import recheck as checker

    try:
        data = checker.read(certificate)
        document, notes = checker.opened(data)
        if key is not None:
            notes = [_verified(data, key)]
        outcome, lines = checker.recheck(document)
    except checker.Rejected as reason:
        raise InvalidInput(f"certificate must be one of {checker.SCHEMA}, unchanged: {reason}") from None
    echo("\n".join([*lines, *notes]))
    raise click.exceptions.Exit(_EXITS[outcome])


def _verified(data: bytes, key: str) -> str:
    from pldverify.certificate.sign import verify

    verify(data, Path(key).read_bytes())
    return f"signed by the key in {key}"
