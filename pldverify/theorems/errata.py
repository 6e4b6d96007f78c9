"""Errata of the five papers as Markdown, from the ledger."""

from collections.abc import Iterator

from pldverify.theorems.ledger import PAPERS, records
from pldverify.theorems.record import Record
from pldverify.theorems.summary import WRONG, counts

BEGIN, END = "<!-- counts: pldverify theorems counts -->", "<!-- end -->"
_HEAD = """# Errata

What five papers state and what does not hold as printed. This page is written by `pldverify theorems errata`;
`pldverify theorems show ID` has the evidence of a record and `pldverify theorems verify ID` runs it again.
"""


def errata() -> str:
    """The page."""
    return "\n".join([_HEAD, BEGIN, counts(), END, "", *(line for key in PAPERS for line in _paper(key))])


def _paper(key: str) -> Iterator[str]:
    yield f"## {key}"
    yield ""
    yield f"{PAPERS[key]}."
    yield ""
    for each in records():
        if each.paper == key and (each.verdict in WRONG or each.aside):
            yield from _entry(each)


def _entry(each: Record) -> Iterator[str]:
    aside = f"; {each.aside.value}" if each.aside else ""
    yield f"- **{each.place}** ({each.id}, line {each.line}): {each.verdict.value}{aside}"
    yield f"    - printed: ${each.statement}$"
    for word, text in (("read as", each.reading), ("needs", each.needed), ("for users", each.consequence)):
        if text:
            yield f"    - {word}: {text}"
    if each.correction:
        yield f"    - correct: ${each.correction}$"
    yield ""
