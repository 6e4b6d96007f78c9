"""The table of an error budget, for people; rich is loaded when it is asked for."""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from pldverify.decomposition.term import Term
from pldverify.numbers.enclosure import Bound, Enclosure
from pldverify.numbers.scientific import scientific

if TYPE_CHECKING:
    from rich.table import Table


def table(
    title: str,
    start: str,
    true: Enclosure,
    terms: Sequence[Term],
    printed: Fraction,
    total: Enclosure,
    added: Enclosure,
) -> "Table":
    """From ``true``, called ``start``, to the printed δ: ``total`` is the error, ``added`` its terms' sum."""
    from rich.table import Table
    from rich.text import Text

    shown = Table(title=Text(title), title_justify="left")
    for heading in ("term", "observed", "promised", "verdict", "theorem"):
        shown.add_column(heading, overflow="fold")
    rows = [
        (start, str(true), "", "", ""),
        *((t.name, _signed(t.observed), _promise(t), t.verdict, t.theorem) for t in terms),
        ("printed", scientific(printed, 17), "", "", ""),
        ("total error", _signed(total), f"sum of the terms: {_signed(added)}", "", ""),
    ]
    for row in rows:
        shown.add_row(*map(Text, row))
    return shown


def _signed(value: Enclosure) -> str:
    """Short: three digits where the sign is proved, else the interval."""
    lower, upper = Fraction(value.lower), Fraction(value.upper)
    if lower * upper > 0 and value.digits >= 2:
        return scientific((lower + upper) / 2, int(min(6, value.digits)))
    return f"[{_outward(lower, -1)}, {_outward(upper, 1)}]"


def _promise(term: Term) -> str:
    if term.verdict == "NO BOUND":
        return "-"
    return f"[{_outward(term.low, -1)}, {_outward(term.high, 1)}]"


def _outward(value: Bound, side: int) -> str:
    """Three digits, rounded towards ``side``."""
    if value in (math.inf, -math.inf):
        return str(value)
    exact = Fraction(value)
    text = scientific(exact, 3, up=exact * side > 0)
    shown = Fraction(text)
    if (shown - exact) * side >= 0:
        return text
    return scientific(shown + side * abs(shown) / 100, 3, up=True)
