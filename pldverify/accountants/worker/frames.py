"""Frames: bounded JSON between two processes, one of which runs code that nobody has read.

    frame  = length text
    length = 4 bytes, big-endian: bytes of the text, at most MAX_FRAME
    text   = one JSON object in UTF-8, nested at most MAX_DEPTH deep, of objects, arrays, strings, true,
             false and null

There is no bare number, NaN or Infinity: every number is a string, so that it stays exact. What the objects
mean is written in :mod:`pldverify.accountants.worker.messages`.
"""

import json
import re
from typing import NoReturn, Protocol

from pldverify.errors import SubjectFailure

MAX_FRAME = 2**20
"""Bytes of one frame's text, either way."""
MAX_DEPTH = 40
"""Nested brackets of one frame's text."""

JSON = None | bool | str | list["JSON"] | dict[str, "JSON"]
Message = dict[str, JSON]

_LENGTH = 4
_MARKS = re.compile(r'\\.|["\[\]{}]', re.DOTALL)


class Source(Protocol):
    """What frames are read from; ``read`` may return less than it was asked for."""

    def read(self, size: int, /) -> bytes | None: ...


class Sink(Protocol):
    """What frames are written to; ``write`` may take less than it was given."""

    def write(self, data: bytes, /) -> int | None: ...


class TooLarge(ValueError):
    """A message that is longer than a frame may be."""


def encode(message: Message) -> bytes:
    """The frame of a message. Raises TooLarge, before anything of that size is made."""
    if _characters(message) > MAX_FRAME:
        raise TooLarge(f"more than the {MAX_FRAME} bytes of a frame")
    text = json.dumps(message, allow_nan=False).encode()
    if len(text) > MAX_FRAME:
        raise TooLarge(f"{len(text)} bytes, more than the {MAX_FRAME} of a frame")
    return len(text).to_bytes(_LENGTH, "big") + text


def write(sink: Sink, frame: bytes) -> None:
    """Write a whole frame."""
    rest = memoryview(frame)
    while rest:
        rest = rest[sink.write(rest) or 0 :]  # type: ignore[arg-type]  # a memoryview is bytes enough


def read(source: Source) -> Message | None:
    """The next message; None where the other side ended before it.

    Raises SubjectFailure: CRASHED where it ended inside of a frame, INVALID for what is no frame. No more
    than MAX_FRAME bytes are held, whatever length is announced.
    """
    head = _exactly(source, _LENGTH, first=True)
    if not head:
        return None
    length = int.from_bytes(head, "big")
    if length > MAX_FRAME:
        raise _invalid(f"announced a frame of {length} bytes, more than {MAX_FRAME}")
    return decode(_exactly(source, length))


def decode(data: bytes) -> Message:
    """The message of a frame's text. Raises SubjectFailure, kind INVALID."""
    try:
        text = data.decode()
        if _depth(text) > MAX_DEPTH:
            raise _invalid(f"answered with JSON nested more than {MAX_DEPTH} deep")
        message = json.loads(text, parse_int=_bare, parse_float=_bare, parse_constant=_bare)
    except (ValueError, RecursionError):
        raise _invalid("answered with what is no JSON") from None
    if not isinstance(message, dict):
        raise _invalid("answered with JSON that is no object")
    return message


def _exactly(source: Source, size: int, *, first: bool = False) -> bytes:
    """``size`` bytes; none at all if the source has ended and ``first``."""
    data = bytearray()
    while len(data) < size:
        part = source.read(size - len(data))
        if not part:
            if first and not data:
                return b""
            raise SubjectFailure("ended its process in the middle of an answer", "CRASHED")
        data += part
    return bytes(data)


def _characters(value: JSON) -> int:
    """Characters of all strings, and one for every value, so that empty ones count too."""
    match value:
        case str():
            return len(value) + 1
        case list():
            return 1 + sum(map(_characters, value))
        case dict():
            return 1 + sum(len(key) + _characters(item) for key, item in value.items())
    return 1


def _depth(text: str) -> int:
    """How deep brackets are nested outside of strings."""
    depth = deepest = 0
    inside = False
    for match in _MARKS.finditer(text):
        mark = match[0]
        if mark == '"':
            inside = not inside
        elif not inside and mark in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif not inside:
            depth -= 1
    return deepest


def _bare(number: str) -> NoReturn:
    raise _invalid(f"answered with the bare number {number[:20]}, and not with a string")


def _invalid(what: str) -> SubjectFailure:
    return SubjectFailure(what, "INVALID")
