"""Summaries of the ledger as Markdown: counts of verdicts, and an overview of a paper."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from pldverify.theorems.ledger import PAPERS, records
from pldverify.theorems.record import Kind, Record, Verdict
from pldverify.web_page import filled

WRONG = (Verdict.CORRECTED, Verdict.REFUTED, Verdict.CONDITIONAL)
"""Verdicts of what does not hold as printed."""


def counts() -> str:
    """A table in Markdown: a row a paper, a column a verdict.

    >>> print(counts().splitlines()[0][:30])
    | paper | PROVED | PROVED ON A
    """
    head = ["| paper | " + " | ".join(verdict.value for verdict in Verdict) + " | all |"]
    head.append("|---|" + "---:|" * (len(Verdict) + 1))
    rows = [f"| {key} | {_row([each for each in records() if each.paper == key])} |" for key in PAPERS]
    return "\n".join([*head, *rows, f"| all | {_row(records())} |"])


def _row(mine: Sequence[Record]) -> str:
    found = Counter(each.verdict for each in mine)
    return " | ".join(str(found[verdict]) for verdict in Verdict) + f" | {len(mine)}"


@dataclass(frozen=True)
class Overview:
    """The verdicts on a paper; a notebook shows it as a table."""

    paper: str

    def __str__(self) -> str:
        mine = [each for each in records() if each.paper == self.paper]
        entries = [each for each in mine if each.kind is Kind.ENTRY]
        return filled(
            __file__,
            "overview.md",
            paper=self.paper,
            mine=mine,
            found=Counter(each.verdict.value for each in mine),
            verdicts=[verdict.value for verdict in Verdict],
            wrong=[each for each in mine if each.verdict in WRONG and each.kind is not Kind.ENTRY],
            mended=_mended,
            code=_code,
            entries=entries,
            right=sum(each.verdict is Verdict.PROVED for each in entries),
        ).removesuffix("\n")

    def _repr_markdown_(self) -> str:
        return str(self)


def _mended(each: Record) -> str:
    formula = each.correction.replace(r"\|", r"\Vert ").replace("|", r"\vert ")
    return f"${formula}$" if formula else each.needed.replace("|", "&#124;")


def _code(each: Record) -> str:
    """Links to files, from the folder of the notebooks."""
    parted = (place.partition(":") for place in each.used)
    return ", ".join(
        f"[{name or module.split('.')[-1]}](../{module.replace('.', '/')}.py)" for module, _, name in parted
    )
