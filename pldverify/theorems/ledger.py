"""All records, by paper and by id, and the comparison of a stored verdict with its evidence."""

from collections.abc import Sequence
from difflib import get_close_matches
from functools import cache
from typing import NamedTuple

from pldverify.errors import InvalidInput
from pldverify.numbers.exact import brief
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
    "OWN": "This package, its summaries and audits: no paper, each statement is proved here",
}
"""Key of a paper: authors, year, title, and where it appeared; the last one is our own."""


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
    """The record of that id, or at that place if no other one is, in small letters or capitals. Raises
    InvalidInput, with those that come near.

    >>> record("glw21/lem-5.4").id, record("kh21 lemma 2").id
    ('GLW21/lem-5.4', 'KH21/lem-2')
    """
    asked = id.lower()
    places = {each: (each.place.lower(), f"{each.paper} {each.place}".lower()) for each in records()}
    for found in (
        [each for each in places if each.id.lower() == asked],
        [each for each, names in places.items() if asked in names],
    ):
        if len(found) == 1:
            return found[0]
    near = [each.id for each, names in places.items() if asked in f"{each.id} {names[1]}".lower()][:5]
    if not near:
        named = {name: each.id for each, names in places.items() for name in (each.id.lower(), *names)}
        near = list(dict.fromkeys(named[name] for name in get_close_matches(asked, named, n=5)))
    hint = f"; near it: {', '.join(near)}" if near else ""
    raise InvalidInput(f"ID must be the id of a record, or its place in a paper, got {brief(id)}{hint}")


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


def source(each: Record) -> str:
    """Where it is printed.

    >>> from pldverify.theorems.ledger import record, source
    >>> source(record("MTZ19/def-3"))[-19:]
    'line 20 of the text'
    """
    title = PAPERS[each.paper]
    return title if each.line is None else f"{title}, line {each.line} of the text"


def check(each: Record) -> Checked:
    """Runs the evidence."""
    return Checked(each, each.evidence())
