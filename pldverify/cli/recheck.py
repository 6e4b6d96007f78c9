"""``pldverify recheck CERT``: is a certificate's verdict true? ``--page FILE`` writes a page that tells."""

from pathlib import Path

import click

from pldverify.cli.exits import Exit
from pldverify.cli.options import OLD_FILE, option
from pldverify.cli.output import echo, save
from pldverify.errors import InvalidInput

_EXITS = {"CONFIRMED": Exit.SOUND, "CONTRADICTED": Exit.REFUTED, "UNDECIDED": Exit.UNDECIDED}


@click.command()
@click.argument("certificate", metavar="[CERT]", required=False)
@option("--key PUBLIC", "The certificate must be signed by this key (ed25519, PEM).", OLD_FILE)
@option(
    "--page FILE", "Write a page that decides certificates in a browser, without a network.", click.STRING
)
def recheck(certificate: str | None, key: str | None, page: str | None) -> None:
    """Decide the verdict of a certificate again, by another method.

    The checker is one file that needs Python alone: it runs as `python recheck.py CERT` too. CONFIRMED and
    CONTRADICTED are proved; UNDECIDED says that the claim is beyond the checker.
    """
    if (certificate is None) == (page is None) or (page and key):
        raise InvalidInput("recheck needs one of CERT and --page FILE, and --key goes with CERT")
    if certificate is None:
        _write(str(page))
    else:
        _decide(certificate, key)


def _write(file: str) -> None:
    from pldverify.certificate import again

    save("--page", file, again.page())


def _decide(certificate: str, key: str | None) -> None:
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
