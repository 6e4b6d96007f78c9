"""All records, by paper and by id, and the comparison of a stored verdict with its evidence."""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from pldverify.errors import InvalidInput
from pldverify.theorems.record import Outcome, Record, Verdict
from pldverify.theorems.rows import made, rows

PAPERS = {
    "KJH19": "Koskela, Jälkö, Honkela 2019, Computing Exact Guarantees for Differential Privacy, arXiv "
    "1906.03049v1",
    "KJH20s": "Koskela, Jälkö, Honkela 2020, Supplement of Computing Tight DP Guarantees Using FFT, AISTATS",
    "KH21": "Koskela, Honkela 2021, Computing DP Guarantees for Heterogeneous Compositions Using FFT, "
    "arXiv 2102.12412",
    "GLW21": "Gopi, Lee, Wutschitz 2021, Numerical Composition of Differential Privacy, NeurIPS",
    "MTZ19": "Mironov, Talwar, Zhang 2019, Rényi Differential Privacy of the Sampled Gaussian Mechanism, "
    "arXiv 1908.10530",
}
"""Key of a paper: authors, year, title, and where it appeared."""


class Checked(NamedTuple):
    """A record, what its evidence says now, and whether that is what is stored."""

    record: Record
    outcome: Outcome

    @property
    def agrees(self) -> bool:
        """Whether the stored verdict is the one found."""
        return self.outcome.verdict is self.record.verdict


@cache
def records() -> tuple[Record, ...]:
    """All, paper by paper, each in the order of its text."""
    return tuple(each for paper in PAPERS for each in made(paper, rows(paper)))


def record(id: str) -> Record:
    """The record of that id. Raises InvalidInput."""
    for each in records():
        if each.id == id:
            return each
    near = [each.id for each in records() if id.lower() in each.id.lower()][:5]
    hint = f"; near it: {', '.join(near)}" if near else ""
    raise InvalidInput(f"ID must be the id of a record, got {id!r}{hint}")


def chosen(
    ids: Sequence[str] = (), *, papers: Sequence[str] = (), verdicts: Sequence[Verdict] = ()
) -> list[Record]:
    """Records of these ids, papers and verdicts, in order; all where nothing is said. Raises InvalidInput."""
    wanted = {record(id).id for id in ids}
    return [
        each
        for each in records()
        if (not wanted or each.id in wanted)
        and (not papers or each.paper in papers)
        and (not verdicts or each.verdict in verdicts)
    ]


def check(each: Record) -> Checked:
    """Runs the evidence."""
    return Checked(each, each.evidence())
