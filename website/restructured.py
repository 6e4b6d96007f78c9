"""The roles and directives of our docstrings, as Markdown: an extension of griffe, which reads them."""

import re
from typing import Any

import griffe

ROLE = re.compile(r":(?:attr|class|data|func|meth|mod):`~?(?:[^`<]*<)?([^`>]+)>?`")
MATH = re.compile(r":math:`([^`]+)`")
BLOCK = re.compile(r"^( *)\.\. math::[ ]*(.*(?:\n(?:\1 +\S.*|[ ]*(?=\n\1 {2,}\S)))*)", re.MULTILINE)


EXAMPLE = re.compile(r"^( *)(>>> .*(?:\n *\S.*)*)\n?", re.MULTILINE)


def markdown(text: str) -> str:
    """A docstring with ``:math:``, ``.. math::``, references and doctests written as Markdown."""
    ends, parts = 0, []
    for found in EXAMPLE.finditer(text):
        parts += [
            _prose(text[ends : found.start()]),
            f"\n{found[1]}```pycon\n{found[0].rstrip()}\n{found[1]}```\n",
        ]
        ends = found.end()
    return "".join([*parts, _prose(text[ends:])])


def _prose(text: str) -> str:
    text = BLOCK.sub(_display, text)
    text = MATH.sub(lambda found: "$" + " ".join(found[1].split()) + "$", text)
    text = ROLE.sub(r"`\1`", text)
    return re.sub(r"``([^`]+)``", r"`\1`", text)


def _display(found: re.Match[str]) -> str:
    formula = " ".join(found[2].split())
    return f"\n{found[1]}$${formula}$$\n" if formula else ""


class Markdown(griffe.Extension):
    """Rewrites every docstring that is read."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        if obj.docstring:
            obj.docstring.value = markdown(obj.docstring.value)
