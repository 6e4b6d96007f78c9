"""Rulings as tables: CSV, Markdown."""

import csv
import io
from collections import Counter
from collections.abc import Sequence

from pldverify import __version__
from pldverify.rulings.ruling import Reading, Ruling, told

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
        "case": "" if literal is None else literal.case.assumes or "as stated",
        "literally": "UNDECIDED" if literal is None else str(literal.verdict),
        "rounded": "" if rounded is None else str(rounded.verdict),
        "truth": "" if literal is None else told(claim, *filter(None, (literal, rounded))),
        "explanation": ruling.explanation,
        "note": claim.note or "",
        "source": source(ruling),
    }


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

    >>> csv_table([]).strip()
    'file,id,claim,case,literally,rounded,truth,explanation,note,source'
    """
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    writer.writeheader()
    for ruling in rulings:
        writer.writerows({name: _plain(cell) for name, cell in row.items()} for row in cells(ruling))
    return text.getvalue()


def _plain(cell: str) -> str:
    return f"'{cell}" if cell[:1] in ("=", "+", "-", "@", "\t", "\r") else cell


def markdown(rulings: Sequence[Ruling]) -> str:
    """A table of verdicts, counts above it, and a sentence for each claim that is not certified below."""
    lines = [
        "# Reported budgets",
        "",
        summary(rulings) + f". pldverify {__version__}.",
        "",
        "| claim | says | case | literally | rounded | proved |",
        "|" + "---|" * 6,
    ]
    for ruling in rulings:
        for i, row in enumerate(cells(ruling)):
            name = f"`{row['id']}`" if i == 0 else ""
            says = row["claim"] if i == 0 else ""
            parts = [name, says, row["case"], row["literally"], row["rounded"] or "—", row["truth"] or "—"]
            lines.append(f"| {' | '.join(_cell(part) for part in parts)} |")
    told_of = [ruling for ruling in rulings if ruling.verdict != "CERTIFIED"]
    if told_of:
        lines += ["", "## Why not certified", ""]
        lines += [f"- `{ruling.claim.id}`: {_cell(sentence(ruling))}" for ruling in told_of]
    return "\n".join(lines) + "\n"


def sentence(ruling: Ruling) -> str:
    """Verdict, by how much, with what it would hold, and the note of the file."""
    found = f"{ruling.verdict}: {ruling.explanation}"
    if ruling.misses:
        found += f"; it would hold with {', or with '.join(map(str, ruling.misses))}"
    return f"{found}. {ruling.claim.note or ''}".rstrip()


def summary(rulings: Sequence[Ruling]) -> str:
    """How many of each verdict.

    >>> summary([])
    '0 claims'
    """
    counts = Counter(str(ruling.verdict) for ruling in rulings)
    many = ", ".join(f"{counts[word]} {word}" for word in VERDICTS if counts[word])
    return f"{len(rulings)} claim{'' if len(rulings) == 1 else 's'}" + (f": {many}" if many else "")


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")
