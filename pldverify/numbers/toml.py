"""TOML from anybody: floats as their text, and keys of few parts.

``tomllib`` takes time that is quadratic in the parts of a dotted key: 40 kB of ``a.a.a.…`` take 16 seconds.
"""

import re
import tomllib
from typing import Any

MOST_PARTS = 8
"""Cap on the parts of a key; our schemas have four at most."""
_TOKEN = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*(?:"""|\Z)'
    r"|'''.*?(?:'''|\Z)"
    r'|"(?:[^"\\\n]|\\.)*"?'
    r"|'[^'\n]*'?"
    r"|#[^\n]*|[.\n=,\[{]",
    re.DOTALL,
)
"""Strings and comments whole, what ends a key, and dots. No character is looked at twice: a string without
an end, which TOML refuses, ends with its line or the text."""


def loads(text: str) -> dict[str, Any]:
    """The document. Raises ValueError, with the line, for what is no TOML or has a key of too many parts;
    RecursionError for what is nested deeply.

    >>> from pldverify.numbers.toml import loads
    >>> loads("source.share = 0.10")
    {'source': {'share': '0.10'}}
    """
    dots = 0
    for token in _TOKEN.finditer(text):
        dots = dots + 1 if token[0] == "." else 0 if token[0] in "\n=,[{" else dots
        if dots >= MOST_PARTS:
            line = text.count("\n", 0, token.start()) + 1
            raise ValueError(f"line {line}: a key must have at most {MOST_PARTS} parts")
    return tomllib.loads(text, parse_float=str)
