"""Rulings as tables: CSV, Markdown."""

from collections import Counter
from collections.abc import Mapping, Sequence

from pldverify import foreign
from pldverify.mechanisms.group import group_size
from pldverify.rulings.cases import Case
from pldverify.rulings.ruling import Reading, Ruling, told
from pldverify.web_page import filled

COLUMNS = ("file", "id", "claim", "case", "literally", "rounded", "truth", "explanation", "note", "source")
VERDICTS = ("CERTIFIED", "REFUTED", "CONDITIONAL", "UNDECIDED")


def cells(ruling: Ruling) -> list[dict[str, str]]:
    """A row for each meaning of the claim; one with nothing to judge has one, too."""
    literal = [reading for reading in ruling.readings if reading.kind == "literal"]
    rounded = {reading.case: reading for reading in ruling.readings if reading.kind == "rounded"}
    if not literal:
        return [_cells(ruling, None, None)]
    return [_cells(ruling, reading, rounded.get(reading.case)) for reading in literal]


def _cells(ruling: Ruling, literal: Reading | None, rounded: Reading | None) -> dict[str, str]:
    claim = ruling.claim
    return {
        "file": ruling.file,
        "id": claim.id,
        "claim": ruling.says,
        "case": "" if literal is None else _case(literal.case),
        "literally": "UNDECIDED" if literal is None else str(literal.verdict),
        "rounded": "" if rounded is None else str(rounded.verdict),
        "truth": "" if literal is None else told(claim, *filter(None, (literal, rounded))),
        "explanation": ruling.explanation,
        "note": claim.note or "",
        "source": source(ruling),
    }


def _case(case: Case) -> str:
    """What it assumes, and of whom it speaks where that is not one record."""
    words, records = case.assumes or "as stated", group_size(case.composition)
    return f"{words}, of groups of up to {records:,} records" if records > 1 else words


def source(ruling: Ruling) -> str:
    """Where the claim stands in print, in one line."""
    said = ruling.claim.source
    if said is None:
        return ""
    where = " ".join(filter(None, (said.repository, said.path)))
    commit = f"@{said.commit[:10]}" if said.commit else ""
    return said.url or (where + commit) or said.title or ""


def csv_table(rulings: Sequence[Ruling]) -> str:
    """A row for each meaning of each claim. A cell that a spreadsheet would take for a formula gets a quote.

    >>> csv_table([]).strip()[:25]
    '"file","id","claim","case'
    """
    rows = [[row[name] for name in COLUMNS] for ruling in rulings for row in cells(ruling)]
    return foreign.csv_table([COLUMNS, *rows])


def markdown(rulings: Sequence[Ruling]) -> str:
    """A table of verdicts, counts above it, and a sentence for each claim that is not certified below."""
    return filled(
        __file__,
        "rulings.md",
        summary=summary(rulings),
        rows=[_row(row, i == 0) for ruling in rulings for i, row in enumerate(cells(ruling))],
        told=[(r.claim, _cell(sentence(r))) for r in rulings if r.verdict != "CERTIFIED"],
    )


def _row(row: Mapping[str, str], is_first: bool) -> list[str]:
    name = foreign.code_cell(row["id"]) if is_first else ""
    says = row["claim"] if is_first else ""
    parts = [row["literally"], row["rounded"] or "—", row["case"], says, row["truth"] or "—"]
    return [name, *map(_cell, parts)]


def sentence(ruling: Ruling) -> str:
    """Verdict, by how much, and with what it would hold."""
    found = f"{ruling.verdict}: {ruling.explanation}"
    if ruling.misses:
        found += f"; it would hold with {', or with '.join(map(str, ruling.misses))}"
    return f"{found}."


def summary(rulings: Sequence[Ruling]) -> str:
    """How many of each verdict.

    >>> summary([])
    '0 claims'
    """
    counts = Counter(str(ruling.verdict) for ruling in rulings)
    many = ", ".join(f"{counts[word]} {word}" for word in VERDICTS if counts[word])
    return f"{len(rulings)} claim{'' if len(rulings) == 1 else 's'}" + (f": {many}" if many else "")


def _cell(text: str) -> str:
    """What stands for itself: ``2*3*4`` is not 234 with an emphasis."""
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*")
