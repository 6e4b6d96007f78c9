"""Records from rows: a TOML file a paper, a table a record; docs/add_a_record.md explains the keys.

A row says nothing that its file or its name says: paper, place and usual kind follow from them. Evidence is
named, ``module.function`` of :mod:`pldverify.theorems.attacks`, or is a case of two numbers in the row;
it is put together from what the row has.
"""

import tomllib
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib import import_module
from importlib.resources import files
from string import Template
from typing import Any

from pldverify.errors import InvalidInput
from pldverify.theorems import tables
from pldverify.theorems.evidence import (
    Cases,
    all_of,
    attacked,
    conditional,
    corrected,
    decided,
    necessary,
    not_checkable,
    refuting,
    stated,
    written,
)
from pldverify.theorems.obligations import MECHANISMS, Obliged
from pldverify.theorems.record import Aside, Kind, Record, Run, Verdict, usual_kind

Fields = Mapping[str, Any]
"""A row: its keys and values."""

AGAINST = ("counterexample", "facts", "because", "disproved")
"""Keys of evidence against the print."""
FOR = ("proof", "derived", "decided", "attacked", "necessary")
"""Keys of evidence for the print, or for what holds instead."""
EVIDENCE = (*AGAINST, *FOR, "unchecked", "evidence")
"""Keys that ``evidence_of`` takes from another row, where a row does not have them itself."""


@cache
def rows(paper: str) -> dict[str, Fields]:
    """The rows of a paper's file, by place."""
    text = files("pldverify.theorems").joinpath(f"{paper.lower()}.toml").read_text("utf-8")
    return tomllib.loads(text)


def made(paper: str, table: Mapping[str, Fields]) -> Iterator[Record]:
    """The records that rows of a paper make, in order. Raises InvalidInput; TypeError for an unknown key."""
    for place, row in table.items():
        id, fields = f"{paper}/{place}", _whole(paper, row)
        if "table" in fields:
            yield from _entries(id, fields)
        else:
            yield _record(id, fields, evidence(fields))


def _whole(paper: str, row: Fields) -> dict[str, Any]:
    """The row with the evidence of the row that it names, and whole ids."""
    fields = dict(row)
    if "evidence_of" in fields:
        other, _, place = _id(paper, fields.pop("evidence_of")).partition("/")
        source = rows(other)[place]
        fields = {key: source[key] for key in EVIDENCE if key in source} | fields
    if "depends" in fields:
        fields["depends"] = tuple(_id(paper, id) for id in fields["depends"])
    return fields


def _id(paper: str, name: str) -> str:
    """The id of a record that a row of the paper names: whole, or by its place in the same paper."""
    return name if name[0].isupper() else f"{paper}/{name}"


def _record(id: str, fields: Fields, evidence: Run) -> Record:
    said = {key: value for key, value in fields.items() if key not in EVIDENCE}
    said["verdict"] = Verdict(said["verdict"])
    said["kind"] = Kind(said["kind"]) if "kind" in said else usual_kind(id)
    said["aside"] = Aside(said["aside"]) if "aside" in said else None
    return Record(id, evidence=evidence, **said | {"used": tuple(said.get("used", ()))})


def _entries(id: str, fields: dict[str, Any]) -> Iterator[Record]:
    """A record for each row of a printed table: ``$name`` is a column, ``$true`` the true value."""
    printed = tables.tables()[fields.pop("table")]["rows"]
    entry: Callable[[tables.Row], Run] = getattr(tables, fields.pop("entry"))
    first, height = fields.pop("line"), fields.pop("lines", len(printed))
    exceptions = fields.pop("exceptions", {})
    for number, row in enumerate(printed):
        found = entry(row)
        columns = row | {"true": getattr(found, "correct", "")}
        said = fields | exceptions.get(str(number + 1), {}) | {"line": first + number % height}
        for key in ("statement", "correction"):
            said[key] = Template(said.get(key, "")).substitute(columns)
        yield _record(f"{id}/{number + 1}", said, found)


def evidence(row: Fields) -> Run:
    """The evidence that the keys of a row describe.

    Evidence against the print and for what holds instead: CORRECTED, or CONDITIONAL if the row has what is
    ``needed``. Raises InvalidInput if the row has no evidence.
    """
    if "evidence" in row:
        found: Run = named(row["evidence"])
        return found
    if "unchecked" in row:
        return not_checkable(row["unchecked"])
    against, right = _against(row), _for(row)
    if against and right:
        return (conditional if "needed" in row else corrected)(against, right)
    if either := against or right:
        return either
    raise InvalidInput(f"a row must have evidence: one of {', '.join(EVIDENCE)}")


def _against(row: Fields) -> Run | None:
    if "facts" in row:
        return refuting(decided(cases(row["facts"])), row["because"])
    if "disproved" in row:
        return obliged(row["disproved"])
    return attacked(cases(row["counterexample"])) if "counterexample" in row else None


def _for(row: Fields) -> Run | None:
    attempts: list[Run] = [
        *(obliged(each) for each in _listed(row, "derived")),
        *(decided(cases(each)) for each in _listed(row, "decided")),
        *(attacked(cases(each)) for each in _listed(row, "attacked")),
    ]
    found = [written(row["proof"], *attempts)] if "proof" in row else attempts
    if "necessary" in row:
        found.append(necessary(attacked(cases(row["necessary"]))))
    return all_of(*found) if found else None


def _listed(row: Fields, key: str) -> list[Any]:
    """One value, or several."""
    value = row.get(key, [])
    return value if isinstance(value, list) else [value]


def obliged(said: Fields) -> Obliged:
    """The obligations of a derivation ``of`` a mechanism that begin with what the row ``says``."""
    says = tuple(_listed(said, "says"))
    return Obliged(MECHANISMS[said["of"]], says, said.get("direction"), said.get("source", ""))


def cases(said: str) -> Cases:
    """Cases as a row says them: a function's name, or two numbers. Raises InvalidInput."""
    found: Cases = stated(said) if " " in said else named(said)
    return found


def named(name: str) -> Any:
    """The function or evidence of that name in :mod:`pldverify.theorems.attacks`. Raises InvalidInput.

    >>> from pldverify.theorems.rows import named
    >>> named("grids.discretisation").__name__
    'discretisation'
    """
    module, _, function = name.partition(".")
    try:
        return getattr(import_module(f"pldverify.theorems.attacks.{module}"), function)
    except (ImportError, AttributeError):
        raise InvalidInput(
            f"evidence must be module.function of pldverify/theorems/attacks, got {name!r}"
        ) from None
