"""Files that users write: text, JSON and TOML, whose floats are their text."""

import json
from pathlib import Path
from typing import Any

from pldverify.errors import InvalidInput
from pldverify.numbers import toml

LARGEST = 10_000_000
"""Cap on the bytes of a file."""


def sized(file: Path, name: str) -> Path:
    """The file, which has at most :data:`LARGEST` bytes; ``name`` is what an error calls it.

    Raises InvalidInput, OSError.
    """
    if file.stat().st_size > LARGEST:
        raise InvalidInput(f"{name} must have at most {LARGEST} bytes")
    return file


def text(file: Path, name: str) -> str:
    """What stands in the file. Raises InvalidInput."""
    try:
        return sized(file, name).read_text("utf-8")
    except OSError as error:
        raise InvalidInput(f"{name} can't be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InvalidInput(f"{name} must be UTF-8 text") from None


def data(file: Path, name: str) -> Any:
    """What a file of JSON or TOML says; NaN and infinities are their text, too: no number is read that way.

    Raises InvalidInput as :func:`text`, and for what is neither, or has a key twice in one object.
    """
    said = text(file, name)
    try:
        if file.suffix.lower() == ".json":
            return json.loads(said, parse_float=str, parse_constant=str, object_pairs_hook=_once)
        return toml.loads(said)
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"{name} must be {file.suffix[1:].upper()}: {error}") from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key stands twice in one object")
    return found
