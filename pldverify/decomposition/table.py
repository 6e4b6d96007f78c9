"""The rows of an error budget, and its table; rich is loaded when it is asked for."""

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from pldverify.decomposition.term import Term
from pldverify.numbers.enclosure import Enclosure
from pldverify.numbers.scientific import outward, scientific

if TYPE_CHECKING:
    from pldverify.decomposition.printed_table import PrintedTable

_SHORT = 3
"""Significant digits of the ends of an interval in the table."""
HEADINGS = ("term", "observed", "promised", "verdict", "theorem")


def rows(
    start: str,
    true: Enclosure,
    terms: Sequence[Term],
    printed: Fraction,
    total: Enclosure,
    added: Enclosure,
) -> list[tuple[str, ...]]:
    """From ``true``, called ``start``, to the printed δ: ``total`` is the error, ``added`` its terms' sum."""
    return [
        (start, str(true), "", "", ""),
        *((t.name, _signed(t.observed), _promise(t), str(t.verdict), t.theorem) for t in terms),
        ("printed", scientific(printed, 17), "", "", ""),
        ("total error", _signed(total), f"sum of the terms: {_signed(added)}", "", ""),
    ]


def table(title: str, found: Sequence[Sequence[str]]) -> "PrintedTable":
    """:func:`rows` under their headings."""
    from rich.text import Text

    from pldverify.decomposition.printed_table import PrintedTable

    shown = PrintedTable(title=Text(title), title_justify="left")
    for heading in HEADINGS:
        shown.add_column(heading, overflow="fold")
    for row in found:
        shown.add_row(*map(Text, row))
    return shown


def _signed(value: Enclosure) -> str:
    """Short: three digits where the sign is proved, else the interval."""
    lower, upper = Fraction(value.lower), Fraction(value.upper)
    if lower * upper > 0 and value.digits >= 2:
        return scientific((lower + upper) / 2, int(min(6, value.digits)))
    return f"[{outward(lower, _SHORT, -1)}, {outward(upper, _SHORT, 1)}]"


def _promise(term: Term) -> str:
    if term.verdict == "NO BOUND":
        return "-"
    return f"[{outward(term.low, _SHORT, -1)}, {outward(term.high, _SHORT, 1)}]"
