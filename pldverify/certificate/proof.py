"""Why a pair dominates, from the docstring of its mechanism: of one adjacency, as HTML with MathML."""

import re
from typing import get_args

from latex2mathml.converter import convert
from markupsafe import Markup, escape

from pldverify.mechanisms.relations import Adjacency

_HEAD = re.compile(r"\*\*(?P<head>[^*]+?)\.?\*\*")
_HEADS = {"add or remove": ("add", "remove", "add-or-remove"), "replace one": ("replace-one",)}
"""A paragraph that begins with such words, and what follows it up to the next that begins in bold, is of
these adjacencies alone."""
_INLINE = re.compile(
    r":math:`(?P<math>[^`]+)`|``(?P<code>[^`]+)``|\*\*(?P<bold>[^*]+)\*\*|:\w+:`(?P<name>[^`]+)`"
)


def proof(docstring: str, adjacency: Adjacency) -> Markup:
    """The paragraphs that are about an adjacency, typeset; everything else is escaped.

    >>> str(proof("Pair :math:`P < Q`.", "add"))[:22], "R" in proof("**Replace one.** R.", "add")
    ('<p>Pair <math xmlns=\"h', False)
    """
    return Markup("\n").join(map(_typeset, _of(docstring.split("\n\n"), adjacency)))


def _of(paragraphs: list[str], adjacency: Adjacency) -> list[str]:
    found, wanted = [], True
    for paragraph in paragraphs:
        if head := _HEAD.match(paragraph):
            only = _HEADS.get(head["head"].strip().lower(), get_args(Adjacency))
            wanted = adjacency in only
        if wanted and paragraph.strip():
            found.append(paragraph)
    return found


def _typeset(paragraph: str) -> Markup:
    if paragraph.lstrip().startswith(".. math::"):
        return _math(paragraph.replace(".. math::", "", 1), "block")
    text = " ".join(paragraph.split())
    parts, at = [], 0
    for found in _INLINE.finditer(text):
        parts.append(escape(text[at : found.start()]))
        at = found.end()
        if found["math"]:
            parts.append(_math(found["math"], "inline"))
        elif found["bold"]:
            parts.append(Markup("<b>{}</b>").format(found["bold"]))
        else:
            parts.append(
                Markup("<code>{}</code>").format((found["code"] or found["name"]).rpartition(".")[2])
            )
    parts.append(escape(text[at:]))
    return Markup("<p>{}</p>").format(Markup("").join(parts))


def _math(latex: str, display: str) -> Markup:
    """MathML, which the converter escapes."""
    return Markup(convert(" ".join(latex.split()), display=display))
