"""What leaves the command line: lines that can't steer a terminal, and files that are whole or not there."""

import errno
import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import click

from pldverify.errors import InvalidInput
from pldverify.foreign import visible

STDOUT = "-"
FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO}
"""What the operating system says of an output that takes no more."""


def echo(text: str, *, err: bool = False) -> None:
    """A line, or several, on standard output or standard error."""
    click.echo(visible(text), err=err)


@contextmanager
def writing(option: str, file: object) -> Iterator[None]:
    """Raises InvalidInput, with the option, for what can't be written; a full disk is no bad input."""
    try:
        yield
    except OSError as error:
        if error.errno in FULL:
            raise
        raise InvalidInput(
            f"{option} must be a file that can be written, got {option} {file}: {error.strerror}"
        ) from None


def put(file: str, text: str) -> None:
    """All of it or, where it is a plain file, nothing: what stood there stays until the new one is whole."""
    data = _bytes(text)
    place = Path(os.path.realpath(file))
    if place.exists() and not place.is_file():  # a pipe, a terminal
        place.write_bytes(data)
        return
    handle, temporary = tempfile.mkstemp(dir=place.parent, prefix=f".{place.name[:40]}.")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        os.chmod(temporary, stat.S_IMODE(place.stat().st_mode) if place.exists() else 0o666 & ~_umask())
        os.replace(temporary, place)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise


def save(option: str, file: str, text: str) -> None:
    """The same, of an option. Raises InvalidInput."""
    with writing(option, file):
        put(file, text)


def put_or_print(file: str, text: str) -> None:
    """The same; ``-`` is standard output. The text is that of a format, each of which is harmless."""
    if file == STDOUT:
        click.echo(_bytes(text), nl=False)
    else:
        put(file, text)


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "backslashreplace")  # a lone surrogate is \udXXX in JSON, too


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
