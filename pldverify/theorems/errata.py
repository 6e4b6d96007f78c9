"""Errata of the five papers as Markdown, from the ledger."""

from pldverify.theorems.ledger import PAPERS, records
from pldverify.theorems.record import Kind
from pldverify.theorems.summary import WRONG, counts
from pldverify.web_page import filled


def errata() -> str:
    """The page."""
    listed = [each for each in records() if each.verdict in WRONG or each.aside]
    findings = [each for each in listed if each.kind is not Kind.ENTRY]
    entries = [each for each in listed if each.kind is Kind.ENTRY]
    return filled(
        __file__,
        "errata.md",
        counts=counts(),
        papers=PAPERS,
        listed=listed,
        findings=findings,
        entries=entries,
    ).removesuffix("\n")
