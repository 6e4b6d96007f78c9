"""Page of the printed tables: every entry beside the true value."""

from collections.abc import Iterator
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
            yield f"## {paper}\n\n| entry | printed | true | digits right |\n|---|---:|---:|---:|"
            yield from map(_row, mine)
            yield ""


def _row(each: Record) -> str:
    evidence = each.evidence
    assert isinstance(evidence, Rounded)
    true = evidence.truth()
    right = digits(Fraction(evidence.printed), true)
    return f"| {link(each.id)} | {evidence.printed} | {true:.{DIGITS}g} | {right} |"
