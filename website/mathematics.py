"""LaTeX becomes MathML when the site is built: a page needs no script and no font from elsewhere for it."""

import html
import re

from latex2mathml.converter import convert

SPAN = re.compile(r'<(span|div) class="arithmatex">\\[(\[](.*?)\\[)\]]</\1>', re.DOTALL)


def mathml(latex: str, *, block: bool = False) -> str:
    """One formula. Block formulas scroll on their own where the window is narrow."""
    latex = latex.strip().replace("{aligned}", "{split}")  # its name of it
    made = convert(latex, display="block" if block else "inline")
    unknown = re.findall(r"<m[io]>(?:\\|&(?:amp;)?(?=<))[^<]*", made)
    if unknown:
        raise ValueError(f"latex must be readable, got {latex!r}: {unknown[0]} is unknown")
    return f'<span class="formula{" block" if block else ""}">{made}</span>'


def replaced(page: str) -> str:
    """A page of HTML, each formula that Markdown found turned into MathML."""
    return SPAN.sub(lambda found: mathml(html.unescape(found[2]), block=found[1] == "div"), page)
