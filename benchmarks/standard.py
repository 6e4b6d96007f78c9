"""The standard grid: what a sweep of it found of every accountant, as a table that is committed.

    pldverify check LIBRARY... --variants --grid standard --store standard.sqlite --jobs 2 --timeout 20
    python -m benchmarks.standard standard.sqlite
    python -m benchmarks.standard --readme

The second line writes ``benchmarks/results/standard.csv``, a row for each accountant, ``standard.md``, the
same to read, with the versions that it was made with, and ``mechanisms.csv``, a row for each accountant and
mechanism, which the site shows as a matrix. The third prints the rows of ``standard.csv`` that the README
shows: other people's libraries, the first accountant of each. No number in them is typed.

Only findings of one judge are read, the one that the last sweep of the store ran with. A sweep that is not at
its end has a table too, which says how many cells were settled.
"""

import argparse
import csv
import json
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, fields
from pathlib import Path
from pkgutil import iter_modules
from statistics import median
from typing import Any, TypeVar

from benchmarks.csv_file import write_rows
from pldverify import accountants
from pldverify.accountants.registry import accountant_names
from pldverify.report.mechanism import shape
from pldverify.sweeps.summary import Summary, summaries

RESULTS = Path(__file__).with_name("results")
Kind = TypeVar("Kind", "Row", "Place")
_SHOWN = ("pldverify", "python", "numpy", "scipy", "python-flint")
HEADS = (
    "accountant", "version", "asked", "answered", "decided", "sound", "unsound", "rounding-level",
    "slack in ε: median", "worst", "seconds", "crashed", "invalid",
)  # fmt: skip


@dataclass(frozen=True)
class Row:
    """One accountant.

    Attributes:
        asked: cells that are settled.
        answered: claims that promise something: all but estimates without an error.
        refused, crashed, invalid: no claims.
        decided: claims that are SOUND or UNSOUND.
        material, rounding, unclear: UNSOUND claims by severity.
        no_promise: estimates without an error.
        median_slack, worst_slack: what SOUND claims give away in ε; empty where it is not known of any.
        seconds: processor time of an answer, the median.
    """

    accountant: str
    version: str
    asked: int
    answered: int
    refused: int
    decided: int
    sound: int
    material: int
    rounding: int
    unclear: int
    no_promise: int
    crashed: int
    invalid: int
    median_slack: str
    worst_slack: str
    seconds: str

    @staticmethod
    def of(found: Summary) -> "Row":
        verdicts = found.verdicts
        severities = [each["severity"] for each in found.unsound]
        claims = [each for each in found.findings if each["claim"] is not None]
        slack = ("", "") if found.tightness is None else tuple(f"{value:.2g}" for value in found.tightness)
        return Row(
            found.accountant,
            " ".join(found.versions),
            len(found.findings),
            found.answered,
            verdicts["REFUSED"],
            found.decided,
            verdicts["SOUND"],
            severities.count("material"),
            severities.count("rounding-level"),
            severities.count("undecided"),
            len(claims) - found.answered,
            verdicts["CRASHED"],
            verdicts["INVALID"],
            *slack,
            f"{median(each['seconds'] for each in claims):.2g}" if claims else "",
        )

    def cells(self) -> Iterator[str]:
        """As HEADS says."""
        share = f"{100 * self.decided / self.answered:.4g} %" if self.answered else "–"
        unsound = f"{self.material}" + (f" (+{self.unclear}?)" if self.unclear else "")
        yield from (f"`{self.accountant}`", self.version, f"{self.asked}", f"{self.answered}", share)
        yield from (f"{self.sound}", f"**{unsound}**" if self.material else unsound, f"{self.rounding}")
        yield from (self.median_slack or "–", self.worst_slack or "–", self.seconds or "–")
        yield from (f"{self.crashed}", f"{self.invalid}")


@dataclass(frozen=True)
class Place:
    """One accountant on compositions of one shape.

    Attributes:
        asked, sound, material, rounding, unclear: as of a :class:`Row`.
        failed: CRASHED or INVALID.
    """

    accountant: str
    mechanism: str
    asked: int
    sound: int
    material: int
    rounding: int
    unclear: int
    failed: int

    @staticmethod
    def of(accountant: str, mechanism: str, findings: Sequence[dict[str, Any]]) -> "Place":
        verdicts = Counter(each["verdict"] for each in findings)
        severities = Counter(each["severity"] for each in findings)
        unsound = (severities[kind] for kind in ("material", "rounding-level", "undecided"))
        failed = verdicts["CRASHED"] + verdicts["INVALID"]
        return Place(accountant, mechanism, len(findings), verdicts["SOUND"], *unsound, failed)


def read(store: Path) -> tuple[list[Row], list[Place], dict[str, str]]:
    """Rows in the order of the registry, places, and the versions that the last sweep ran with."""
    with closing(sqlite3.connect(f"file:{store}?mode=ro", uri=True)) as data:
        sources: dict[str, str] = dict(data.execute("SELECT name, text FROM sources"))
        found = data.execute("SELECT finding FROM findings WHERE judge = ?", (sources.get("source"),))
        findings = [json.loads(text) for (text,) in found]
    return rows(findings), places(findings), sources


def rows(findings: Iterable[dict[str, Any]]) -> list[Row]:
    """One for each accountant."""
    return _as_registered([Row.of(each) for each in summaries(findings)])


def places(findings: Iterable[dict[str, Any]]) -> list[Place]:
    """One for each accountant and shape; the shapes that are asked most come first."""
    groups: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for each in findings:
        groups.setdefault((each["accountant"], shape(each["composition"])), []).append(each)
    asked = Counter({what: 0 for _, what in groups})
    for (_, what), members in groups.items():
        asked[what] += len(members)
    ordered = sorted(groups, key=lambda place: (-asked[place[1]], place[1]))
    return _as_registered([Place.of(*place, groups[place]) for place in ordered])


def _as_registered(found: list[Kind]) -> list[Kind]:
    """In the order of the registry, then by name."""
    known = {name: number for number, name in enumerate(accountant_names())}
    return sorted(found, key=lambda each: (known.get(each.accountant, len(known)), each.accountant))


def table(shown: Iterable[Row]) -> Iterator[str]:
    """Markdown."""
    yield f"| {' | '.join(HEADS)} |"
    yield "|---|---|" + "---:|" * (len(HEADS) - 2)
    for row in shown:
        yield f"| {' | '.join(row.cells())} |"


def page(found: list[Row], sources: dict[str, str]) -> Iterator[str]:
    """standard.md."""
    settled, whole = sum(row.asked for row in found), sources.get("cells")
    answered, decided = sum(row.answered for row in found), sum(row.decided for row in found)
    yield from ("# The standard grid", "")
    yield "Made by `python -m benchmarks.standard`; its docstring says how. *Unsound* counts material"
    yield "violations, with those whose size is not proved in brackets; *rounding-level* ones are within 1e-9"
    yield "of the true value. *Decided* is of those answered: all claims but estimates without an error."
    yield "Seconds are processor time of one answer, the median. What crashed includes what took too long."
    yield ""
    of = f" of {int(whole):,}" if whole else ""
    yield f"{settled:,}{of} cells settled; {decided:,} of {answered:,} claims decided."
    yield ", ".join(f"{name} {sources[name]}" for name in _SHOWN if name in sources) + "."
    yield from ("", *table(found))


def headlines(found: Iterable[Row]) -> list[Row]:
    """The first accountant of each library of others; ours are modules of pldverify.accountants."""
    first: dict[str, Row] = {}
    for row in found:
        first.setdefault(row.accountant.partition("/")[0], row)
    ours = {module.name.replace("_", "-") for module in iter_modules(accountants.__path__)}
    return [row for name, row in first.items() if name not in ours]


def write(found: list[Row], there: list[Place], sources: dict[str, str], folder: Path = RESULTS) -> None:
    """All three files."""
    folder.mkdir(exist_ok=True)
    for name, kind, listed in (("standard.csv", Row, found), ("mechanisms.csv", Place, there)):
        write_rows(folder / name, kind, listed)
    (folder / "standard.md").write_text("\n".join(page(found, sources)) + "\n", "utf-8")


def committed(folder: Path = RESULTS) -> list[Row]:
    """The rows of standard.csv."""
    return _read(folder / "standard.csv", Row)


def committed_places(folder: Path = RESULTS) -> list[Place]:
    """Those of mechanisms.csv."""
    return _read(folder / "mechanisms.csv", Place)


def _read(file: Path, kind: type[Kind]) -> list[Kind]:
    with file.open(newline="", encoding="utf-8") as lines:
        return [
            kind(*(int(line[f.name]) if f.type is int else line[f.name] for f in fields(kind)))  # type: ignore[arg-type]
            for line in csv.DictReader(lines)
        ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("store", type=Path, nargs="?", help="SQLite file of the sweep")
    parser.add_argument("--readme", action="store_true", help="print the README's rows of standard.csv")
    options = parser.parse_args()
    if options.readme:
        print("\n".join(table(headlines(committed()))))
    elif options.store is None:
        parser.error("a store or --readme must be given")
    else:
        found, there, sources = read(options.store)
        write(found, there, sources)
        print("\n".join(page(found, sources)))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
