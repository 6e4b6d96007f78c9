"""Lines: bounded JSON from a process that runs code which nobody has read.

    line = one JSON object in UTF-8 and a newline, at most MAX_LINE bytes, nested at most MAX_DEPTH deep,
           of objects, arrays, strings, true, false and null; no object has a name twice

There is no bare number, NaN or Infinity: every number is a string, so that it stays exact. What the objects
mean is written in ``docs/accountant_protocol.md``.
"""

import json
import re
from typing import NoReturn, Protocol

from pldverify.accountants.standalone import MAX_LINE
from pldverify.errors import SubjectFailure

MAX_DEPTH = 40
"""Cap on the depth of nested brackets in a line."""

JSON = None | bool | str | list["JSON"] | dict[str, "JSON"]
Message = dict[str, JSON]

_CHUNK = 2**16
"""Bytes read at once."""
_MARKS = re.compile(r'\\.|["\[\]{}]', re.DOTALL)


class Source(Protocol):
    """What lines are read from; ``read`` may return less than it was asked for."""

    def read(self, size: int, /) -> bytes | None: ...


class Lines:
    """Reads messages; never holds more than a line and a chunk, whatever comes."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._held = bytearray()

    def read(self) -> Message | None:
        """The next message; None where the other side ended before it.

        Raises SubjectFailure: CRASHED where it ended inside of a line, INVALID for what is no message.
        """
        searched = 0
        while (end := self._held.find(b"\n", searched)) < 0:
            searched = len(self._held)
            if searched > MAX_LINE:
                raise _invalid(f"answered with a line of more than {MAX_LINE} bytes")
            part = self._source.read(_CHUNK)
            if not part and not self._held:
                return None
            if not part:
                raise SubjectFailure("ended its process in the middle of an answer", "CRASHED")
            self._held += part
        line = bytes(self._held[:end])
        del self._held[: end + 1]
        return decode(line)


def decode(data: bytes) -> Message:
    """The message of a line. Raises SubjectFailure, kind INVALID."""
    if len(data) > MAX_LINE:
        raise _invalid(f"answered with a line of more than {MAX_LINE} bytes")
    try:
        text = data.decode()
        if _depth(text) > MAX_DEPTH:
            raise _invalid(f"answered with JSON nested more than {MAX_DEPTH} deep")
        message = json.loads(
            text,
            object_pairs_hook=_object,
            parse_int=_bare,
            parse_float=_bare,
            parse_constant=_bare,
        )
    except (ValueError, RecursionError):
        raise _invalid("answered with what is no JSON") from None
    if not isinstance(message, dict):
        raise _invalid("answered with JSON that is no object")
    return message


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


def _object(pairs: list[tuple[str, JSON]]) -> Message:
    """Of a name that stands twice the last value would count for us, and the first for another reader."""
    made = dict(pairs)
    if len(made) != len(pairs):
        raise _invalid("answered with an object that has a name twice")
    return made


def _bare(number: str) -> NoReturn:
    raise _invalid(f"answered with the bare number {number[:20]}, and not with a string")


def _invalid(what: str) -> SubjectFailure:
    return SubjectFailure(what, "INVALID")
