"""Plan: which cells a sweep has, and in which order."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pldverify.accountants.accountant import Accountant
from pldverify.accountants.ask import refusal
from pldverify.errors import SubjectFailure
from pldverify.mechanisms.query import Query
from pldverify.sweeps.cell import Cell, cells

_OURS = "pldverify."
_ROUND = 4_000
"""Cells of a round, about."""


@dataclass(frozen=True)
class Most:
    """Questions for one accountant.

    Attributes:
        first: of the one that is named first of a library or method.
        variants: of each of its others, which mostly ask the same in another way.
    """

    first: int
    variants: int


@dataclass(frozen=True)
class Plan:
    """The cells of a sweep.

    Attributes:
        cells: in rounds of some thousand, each with the same questions for all, so that of a sweep that is
            not at its end something is known of everyone; in each library by library, as loading one takes
            seconds, and question by question.
        refused: {accountant: questions that it does not take}; they are not cells.
    """

    cells: tuple[Cell, ...]
    refused: dict[str, int]


def plan(
    accountants: Sequence[Accountant],
    queries: Sequence[Query],
    most: Most | None = None,
) -> Plan:
    """The cells of all accountants, at most so many for each of ours.

    Refusals of our own accountants and adapters are known before anything is run. Others are asked in their
    processes alone, so all of their cells are planned. Which ``most`` are taken says the key of the question,
    so that different accountants get the same ones as far as they take them, and share the truths.

    Raises InvalidInput for an accountant that no other process could make.
    """
    planned: list[tuple[int, int, int, Cell]] = []
    refused: dict[str, int] = {}
    libraries = list(dict.fromkeys(each.library for each in accountants))
    first = {_method(each): each.name for each in reversed(accountants) if _is_ours(each)}
    for accountant in accountants:
        taken = list(_taken(accountant, queries))
        refused[accountant.name] = len(queries) - len(taken)
        mine = cells(accountant, [queries[i] for i in taken])
        chosen = sorted(range(len(mine)), key=lambda i: mine[i].question)
        if most is not None and _is_ours(accountant):
            chosen = chosen[: most.first if first[_method(accountant)] == accountant.name else most.variants]
        library = libraries.index(accountant.library)
        planned += [(int(mine[i].question, 16), library, taken[i], mine[i]) for i in chosen]
    rounds = max(1, len(planned) // _ROUND)
    planned.sort(key=lambda each: (each[0] % rounds, *each[1:3]))
    return Plan(tuple(cell for *_, cell in planned), refused)


def _method(accountant: Accountant) -> str:
    return accountant.name.partition("/")[0]


def _is_ours(accountant: Accountant) -> bool:
    return type(accountant).__module__.startswith(_OURS) and not hasattr(accountant, "function")


def _taken(accountant: Accountant, queries: Sequence[Query]) -> Iterable[int]:
    """Numbers of the queries that it is asked."""
    if not _is_ours(accountant):
        return range(len(queries))
    return (i for i, query in enumerate(queries) if not _refuses(accountant, query))


def _refuses(accountant: Accountant, query: Query) -> bool:
    try:
        return refusal(accountant, query.middle()) is not None
    except SubjectFailure:  # then it is asked, and that is its finding
        return False
