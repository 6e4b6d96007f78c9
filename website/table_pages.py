"""Page of the printed tables: every entry beside the true value."""

from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction

from pldverify.theorems.ledger import PAPERS, records
from pldverify.theorems.record import Record
from pldverify.theorems.tables import DIGITS, Rounded, digits
from website.ledger_pages import link


def page() -> str:
    """Markdown."""
    return "\n".join(_lines())


def _lines() -> Iterator[str]:
    yield "# Printed tables\n"
    yield f"δ and ε in the papers' tables beside the true values, to as many of {DIGITS} digits"
    yield "as are proved. So many digits are right: the print lies within half a unit of that digit."
    yield "Errors and bounds in tables: see their records.\n"
    for paper in PAPERS:
        mine = [each for each in records() if each.paper == paper and isinstance(each.evidence, Rounded)]
        if mine:
            yield f"## {paper}\n\n| entry | where | printed | true | digits right |\n|---|---|---:|---:|---:|"
            yield from map(_row, mine)
            yield ""


def _row(each: Record) -> str:
    evidence = each.evidence
    assert isinstance(evidence, Rounded)
    true = evidence.truth()
    right = digits(Fraction(evidence.printed), true)
    where = each.statement.partition(":")[0]
    value = like(f"{true:.{DIGITS}g}", evidence.printed)
    return f"| {link(each.id)} | ${where}$ | {evidence.printed} | {value} | {right} |"


def like(number: str, printed: str) -> str:
    """The number with an exponent where print has one, digit by digit.

    >>> like("0.0000235", "2.38e-5"), like("6.9", "7.05")
    ('2.35e-5', '6.9')
    """
    return f"{Decimal(number):e}" if "e" in printed else number
