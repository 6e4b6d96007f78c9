"""Rows of text as HTML and LaTeX, for notebooks."""

import re
from collections.abc import Iterable, Sequence
from html import escape

_LEFT = 'style="text-align: left"'
_SPECIAL = {letter: f"\\{letter}" for letter in "#$%&_{}"} | {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
}
_END = r"-?(?:\d+(?:\.\d+)?(?:e-?\d+)?|inf)"
_NUMBERS = re.compile(rf"{_END}(?: ± {_END})?|\[{_END}, {_END}\]")


def html(rows: Iterable[Sequence[str]], heading: Sequence[str] = ()) -> str:
    """A table; without a ``heading`` the first column is one."""
    side = "td" if heading else "th"
    lines = [_row(heading, "th", "th")] if heading else []
    lines += [_row(row, side, "td") for row in rows]
    return "<table>\n" + "\n".join(lines) + "\n</table>"


def _row(cells: Sequence[str], first: str, other: str) -> str:
    tags = [first, *(other for _ in cells[1:])]
    shown = zip(tags, map(escape, cells), strict=True)
    return "".join(["<tr>", *(f"<{tag} {_LEFT}>{cell}</{tag}>" for tag, cell in shown), "</tr>"])


def latex(rows: Sequence[Sequence[str]]) -> str:
    """A display with a line for each row, words upright and numbers with powers of ten."""
    cells = [[latex_number(cell) for cell in row] for row in rows]
    body = " \\\\\n".join(map(" & ".join, cells))
    return f"$$\\begin{{array}}{{{'l' * max(map(len, cells))}}}\n{body}\n\\end{{array}}$$"


def latex_number(text: str) -> str:
    r"""``1.5e-6 ± 2e-9`` as ``1.5 \cdot 10^{-6} \pm 2 \cdot 10^{-9}``; whatever is no number as a text.

    >>> print(latex_number("1.5e-6 ± 2e-9"))
    1.5 \cdot 10^{-6} \pm 2 \cdot 10^{-9}
    >>> print(latex_number("[0, inf]"))
    \left[0, \infty\right]
    >>> print(latex_number("ε of gaussian_noise"))
    \text{ε of gaussian\_noise}
    """
    if not _NUMBERS.fullmatch(text):
        return rf"\text{{{''.join(_SPECIAL.get(letter, letter) for letter in text)}}}"
    powers = re.sub(r"e(-?\d+)", r" \\cdot 10^{\1}", text)
    signs = {"±": r"\pm", "inf": r"\infty", "[": r"\left[", "]": r"\right]"}
    return re.sub(r"±|inf|\[|\]", lambda sign: signs[sign[0]], powers)
