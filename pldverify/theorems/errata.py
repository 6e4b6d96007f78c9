"""Errata of the five papers as Markdown, from the ledger."""

from collections.abc import Iterator

from pldverify.theorems.ledger import PAPERS, records
from pldverify.theorems.record import Kind, Record
from pldverify.theorems.summary import WRONG, counts

BEGIN = "<!-- counts: pldverify theorems counts -->"
"""Marker above a table of counts."""
END = "<!-- end -->"
"""Marker below it."""
_HEAD = """# Errata

What five papers state and what does not hold as printed. This page is written by `pldverify theorems errata`;
`pldverify theorems show ID` has the evidence of a record and `pldverify theorems verify ID` runs it again.

What was read are transcriptions of the papers, and the lines are theirs. Where a finding hangs on one sign,
“<” or index, the slip may be the transcription's: compare with the paper. Numbers of tables are approximate,
by their captions or by the errors printed beside them; listed are those whose digits are not all of ε or δ.
"""
"""How the page begins."""
_TABLES = "Printed approximations of tables beside the true values; read as:"
"""The line above a paper's wrong table entries."""


def errata() -> str:
    """The page."""
    return "\n".join([_HEAD, BEGIN, counts(), END, "", *(line for key in PAPERS for line in _paper(key))])


def _paper(key: str) -> Iterator[str]:
    mine = [each for each in records() if each.paper == key and (each.verdict in WRONG or each.aside)]
    if not mine:
        return
    yield f"## {key}"
    yield ""
    yield f"{PAPERS[key]}."
    yield ""
    for each in mine:
        if each.kind is not Kind.ENTRY:
            yield from _finding(each)
    entries = [each for each in mine if each.kind is Kind.ENTRY]
    for reading in dict.fromkeys(each.reading for each in entries):
        yield from [f"{_TABLES} {reading}.", ""]
        yield from map(_entry, [each for each in entries if each.reading == reading])
        yield ""


def _entry(each: Record) -> str:
    return f"- {each.place} ({each.id}, line {each.line}): ${each.statement}$; true ${each.correction}$"


def _finding(each: Record) -> Iterator[str]:
    aside = f"; {each.aside.value}" if each.aside else ""
    yield f"- **{each.place}** ({each.id}, line {each.line}): {each.verdict.value}{aside}"
    yield f"    - printed: ${each.statement}$"
    for word, text in (("read as", each.reading), ("needs", each.needed), ("for users", each.consequence)):
        if text:
            yield f"    - {word}: {text}"
    if each.correction:
        yield f"    - correct: ${each.correction}$"
    yield ""
