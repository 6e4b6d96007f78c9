"""Seal: tells what this user has written into a file from what anybody else has written there.

A seal is the HMAC-SHA256 of a text under a key of 32 bytes that stands in no store but in
``$XDG_DATA_HOME/pldverify/seal.key``, or ``~/.local/share/pldverify/seal.key``, which its owner alone may
read. It is made at random when it is first needed. Whoever has the key can write what is believed; whoever
can only write the file can make rows be ignored.
"""

import hmac
import os
import secrets
import tempfile
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from pldverify.accountants.environments import root
from pldverify.errors import InvalidInput

_BYTES = 32
"""Length of a key."""


@dataclass(frozen=True)
class Seal:
    """Seals by a key.

    >>> from pldverify.sweeps.seal import Seal
    >>> seal = Seal.of_this_process()
    >>> seal.opens(seal.on("a", "b"), "a", "b"), seal.opens(seal.on("a", "b"), "ab", "")
    (True, False)
    """

    _key: bytes = field(repr=False)

    @staticmethod
    def of_this_process() -> "Seal":
        """By a new key, which ends with the process."""
        return Seal(secrets.token_bytes(_BYTES))

    @staticmethod
    def of_this_user() -> "Seal":
        """By the user's key, which is made where there is none. Raises InvalidInput where that can't be."""
        path = root().with_name("seal.key")
        try:
            if not path.exists():
                _make(path)
            key = path.read_bytes()
        except OSError as error:
            raise InvalidInput(f"key of stores must be a file at {path}: {error.strerror}") from None
        if len(key) != _BYTES:
            raise InvalidInput(f"key of stores must be {_BYTES} bytes, got {len(key)} in {path}")
        return Seal(key)

    def on(self, *parts: str) -> str:
        """The seal, in hexadecimal digits, on these texts in this order."""
        whole = hmac.new(self._key, digestmod="sha256")
        for part in parts:
            data = part.encode()
            whole.update(str(len(data)).encode() + b":" + data)
        return whole.hexdigest()

    def opens(self, seal: str, *parts: str) -> bool:
        """Whether it is the seal on these texts."""
        return hmac.compare_digest(seal.encode(), self.on(*parts).encode())


def _make(path: Path) -> None:
    """Whole or not at all: the first of several processes makes it. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent)  # its owner alone may read it
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(secrets.token_bytes(_BYTES))
        with suppress(FileExistsError):
            os.link(temporary, path)
    finally:
        Path(temporary).unlink()
