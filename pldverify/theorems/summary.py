"""Counts of verdicts as Markdown, and the verdicts of a paper as a table."""

from collections import Counter
from collections.abc import Sequence

from pldverify.theorems.ledger import PAPERS, records
from pldverify.theorems.record import Record, Verdict


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
