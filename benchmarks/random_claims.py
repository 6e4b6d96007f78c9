"""Random claims, judged on every surface, against an oracle that shares nothing with the judge.

    python -m benchmarks.random_claims --count 20000 --seed 1 --workers 2 --store claims.jsonl
    python -m benchmarks.random_claims --store claims.jsonl --report [--worst 20] [--shrink]

Claims are drawn over what docs/claims.md allows (``benchmarks/claims/draw.py``); what is true of them, with
its error, and the set of verdicts that are right comes from closed forms, exact convolution and a grid in
doubles (``oracle.py``); ruling, readings, prints, tables, pages, certificates and ``recheck`` must agree
(``agree.py``). ``--planted`` asks for the claims that were once judged wrongly. A row is kept as soon as it
is known; a run that was stopped goes on where it was. The exit code is 1 where something is wrong or
disagrees; ``--shrink`` prints a smaller claim with the same fault, too.
"""

import argparse
import json
import multiprocessing
import signal
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.claims.agree import Asked, Said, ask, judge, toml
from benchmarks.claims.draw import draw
from benchmarks.claims.meanings import meanings
from benchmarks.claims.oracle import right
from benchmarks.claims.planted import PLANTED
from benchmarks.claims.shrink import shrunk

Row = dict[str, Any]
SECONDS = 120
"""Of processor time, after which a claim is given up: it counts as TIMEOUT."""
ALL = Asked(terminal=True, rows=True, pages=True, recheck=True, command=True)
_COLUMNS = (
    "asked",
    "CERTIFIED",
    "REFUTED",
    "CONDITIONAL",
    "UNDECIDED",
    "of these known",
    "REFUSED",
    "TIMEOUT",
    "wrong",
    "disagree",
)


def examine(kind: str, claim: dict[str, Any], asked: Asked) -> Row:
    """One claim: its verdict, what is wrong, what disagrees; why it is left open."""
    start = time.process_time()
    with TemporaryDirectory() as folder:
        said = ask(claim, Path(folder), asked)
    found = judge(claim, said)
    row: Row = {"kind": kind, "verdict": found.verdict, "wrong": found.wrong, "disagree": found.disagreements}
    if found.verdict in ("UNDECIDED", "REFUSED"):
        row |= {"open": _open(claim, said), "why": said.refused or _why(said)}
    return row | {"toml": toml(claim), "seconds": round(time.process_time() - start, 2)}


def _open(claim: dict[str, Any], said: Said) -> str:
    """What the oracle knows of a claim that is left open: the one verdict that would be right, or nothing."""
    may = right(claim, meanings(claim)) - {"UNDECIDED"}
    return may.pop() if len(may) == 1 else ""


def _why(said: Said) -> str:
    reasons = [r["reason"] for r in (said.ruling or {}).get("readings", []) if r["reason"]]
    return reasons[0] if reasons else ""


def surfaces(index: int) -> Asked:
    """JSON, tables and certificates of all; what costs more of some."""
    return Asked(
        terminal=index % 2 == 0,
        rows=index % 4 == 1,
        pages=index % 25 == 7,
        recheck=index % 10 == 3,
        command=index % 4 == 2,
    )


class GaveUp(BaseException):
    """Nothing on the way takes it for an error."""


def _one(task: tuple[int, int]) -> tuple[int, int, Row]:
    seed, index = task

    def give_up(*_: object) -> None:
        raise GaveUp

    signal.signal(signal.SIGVTALRM, give_up)
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    kind, claim = "not drawn", {}
    try:
        kind, claim = draw(seed, index)
        return seed, index, examine(kind, claim, surfaces(index))
    except GaveUp:
        return (
            seed,
            index,
            {"kind": kind, "verdict": "TIMEOUT", "wrong": [], "disagree": [], "toml": toml(claim)},
        )
    except Exception as error:
        crash = [f"crash: {type(error).__name__}: {error}"]
        text = toml(claim) if claim else ""
        return seed, index, {"kind": kind, "verdict": "CRASH", "wrong": crash, "disagree": [], "toml": text}
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def report(rows: dict[str, Row], worst: int) -> Iterator[str]:
    """The table by kind, why claims are left open, then what is wrong and what disagrees."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for row in rows.values():
        for kind in (row["kind"], "all"):
            counts[kind].update(
                ["asked", row["verdict"], *(name for name in ("wrong", "disagree") if row[name])]
            )
            counts[kind]["of these known"] += row["verdict"] == "UNDECIDED" and bool(row.get("open"))
    yield "| kind | " + " | ".join(_COLUMNS) + " |"
    yield "|---" * (len(_COLUMNS) + 1) + "|"
    for kind in sorted(counts, key=lambda name: (name == "all", name)):
        yield f"| {kind} | {' | '.join(str(counts[kind][name]) for name in _COLUMNS)} |"
    open_ones = Counter(
        (row["kind"], row["verdict"], row["why"][:90], row["open"]) for row in rows.values() if "open" in row
    )
    yield ""
    for (kind, verdict, why, known), times in open_ones.most_common(worst):
        yield f"{times} {verdict} of {kind}: {why or 'no reason'}{f' (known: {known})' if known else ''}"
    for name, row in [(n, r) for n, r in rows.items() if r["wrong"] or r["disagree"]][:worst]:
        yield f"\n# {name}: {row['kind']}: {row['verdict']}"
        yield from (f"#   wrong: {line}" for line in row["wrong"])
        yield from (f"#   disagrees: {line}" for line in row["disagree"])
        yield row.get("toml", "")


def _shrunk(rows: dict[str, Row]) -> Iterator[str]:
    """A smaller claim for each fault that its own draw still has."""
    for name in [name for name, row in rows.items() if row["wrong"] or row["disagree"]]:
        kind, claim = draw(*map(int, name.split(" ")))
        small = shrunk(claim, _faulty)
        row = examine(kind, small, ALL)
        yield f"\n# {name}, smaller: {'; '.join(row['wrong'] + row['disagree'])}"
        yield row["toml"]


def _faulty(claim: dict[str, Any]) -> bool:
    try:
        row = examine("smaller", claim, ALL)
    except Exception:  # another fault
        return False
    return bool(row["wrong"] or row["disagree"])


def _stored(store: Path | None) -> dict[str, Row]:
    if store is None or not store.exists():
        return {}
    return {name: row for name, row in map(json.loads, store.read_text("utf-8").splitlines())}


def run(options: argparse.Namespace) -> dict[str, Row]:
    """All rows that are asked for; those in the store are not asked again."""
    rows = _stored(options.store)
    if options.planted:
        return {claim["id"]: examine("planted", claim, ALL) for claim in PLANTED}
    if options.report:
        return rows
    tasks = [(options.seed, i) for i in range(options.count) if f"{options.seed} {i}" not in rows]
    with multiprocessing.Pool(options.workers, maxtasksperchild=200) as pool:
        for seed, index, row in pool.imap_unordered(_one, tasks):
            rows[f"{seed} {index}"] = row
            if options.store is not None:
                with options.store.open("a", encoding="utf-8") as file:
                    file.write(json.dumps([f"{seed} {index}", row]) + "\n")
    return rows


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--store", type=Path)
    parser.add_argument("--worst", type=int, default=20)
    parser.add_argument("--report", action="store_true")
    parser.add_argument("--planted", action="store_true")
    parser.add_argument("--shrink", action="store_true")
    options = parser.parse_args()
    rows = run(options)
    print("\n".join(report(rows, options.worst)))
    if options.shrink:
        print("\n".join(_shrunk(rows)))
    return int(any(row["wrong"] or row["disagree"] for row in rows.values()))


if __name__ == "__main__":
    sys.exit(main())
