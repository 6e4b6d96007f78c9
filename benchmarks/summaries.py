"""Verdicts on what dp-accounting, gdpnum and riskcal print of DP-SGD: μ, TPR, advantage, Bayes risk.

    python -m benchmarks.summaries --python dp-accounting=PATH --python gdpnum=PATH --python riskcal=PATH
                                   [--runs 60] [--csv FILE]

The runs are DP-SGD of the grid ``standard``, of 100 steps and more, evenly spread. Each library is asked by
the Python beside it, at its default settings, and each number is judged by proved ends: an upper bound of μ
(without a regret, and with 1e-10, which is the cut of gdpnum), of rates and the advantage, a lower one of the
risk. The central limit's μ (Bu, Dong, Long, Su 2020), which Opacus prints, is judged beside them.
"""

import argparse
import json
import math
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import groupby
from pathlib import Path

import pldverify as pv
from benchmarks.csv_file import write_rows
from pldverify.errors import NoConvergence
from pldverify.rulings.measured import power
from pldverify.sweeps.grids import grid
from pldverify.values.value import UNKNOWN, Value, enclosed
from pldverify.values.verdict import Relation, holds

FPRS = ("1e-5", "0.001")
"""False positive rates that are asked."""
PRIOR = "0.1"
"""Prior of the Bayes risk."""
REGRETS = ("0", "1e-10")
"""Regrets with which a printed μ is read."""
LEAST = 100
"""Steps of a run, at least."""
Run = tuple[Fraction, Fraction, int]
"""σ, q and steps."""
WORDS = {True: "SOUND", False: "UNSOUND", None: "UNDECIDED"}
"""By whether a claim is proved to hold."""


@dataclass(frozen=True)
class Row:
    """One number that a library prints of a run, judged; ``excess`` is the true one's, relative to it."""

    library: str
    quantity: str
    run: str
    printed: float | None
    lower: float | None
    upper: float | None
    verdict: str
    excess: float | None
    reason: str = ""


def runs(count: int) -> list[Run]:
    """σ, q, steps of the grid's DP-SGD, evenly spread."""
    found = set()
    for query in grid("standard"):
        ((mechanism, steps), *rest) = query.composition.parts
        if (
            rest
            or steps < LEAST
            or query.adjacency != "add-or-remove"
            or not isinstance(mechanism, pv.PoissonSubsampled)
        ):
            continue
        base = mechanism.base
        if isinstance(base, pv.Gaussian) and base.sensitivity == 1 and query.composition.is_exact:
            found.add((Fraction(base.sigma), Fraction(mechanism.q), steps))
    every = sorted(found)
    return every[:: max(1, len(every) // count)][:count]


def asked(library: str, python: str, rows: list[Run]) -> Iterator[dict[str, object]]:
    script = Path(__file__).with_name("summaries_asked.py")
    names = ("sigma", "q", "steps")
    lines = [
        json.dumps(
            dict(zip(names, (float(sigma), float(q), steps), strict=True)) | {"fprs": FPRS, "prior": PRIOR}
        )
        for sigma, q, steps in rows
    ]
    done = subprocess.run(
        [python, str(script), library], input="\n".join(lines), capture_output=True, text=True, check=True
    )
    yield from map(json.loads, done.stdout.splitlines())


@cache
def truth(whole: pv.Composition, quantity: str) -> Value:
    """What is proved of a quantity."""
    name, _, at = quantity.partition(" ")
    try:
        if name == "tpr":
            return power(whole, "add-or-remove", Fraction(at))
        if name == "advantage":
            return enclosed(pv.advantage(whole, digits=12))
        if name == "bayes":
            return enclosed(pv.bayes_risk(whole, prior=PRIOR, digits=12))
        return pv.gdp(whole, regret=at)
    except NoConvergence:
        return UNKNOWN


def judged(library: str, quantity: str, whole: pv.Composition, printed: float) -> Row:
    value, exact = truth(whole, quantity), Fraction(printed)
    relation: Relation = ">=" if quantity.startswith("bayes") else "<="
    verdict = WORDS[holds(relation, exact, value)]
    lower, upper = (None if end is None else float(end) for end in value.ends)
    worst = lower if relation == "<=" else upper
    excess = abs(worst / printed - 1) if verdict == "UNSOUND" and worst and printed else None
    return Row(library, quantity, str(whole), printed, lower, upper, verdict, excess)


def judge(library: str, row: Run, answer: dict[str, object]) -> Iterator[Row]:
    """A failure is one row."""
    sigma, q, steps = row
    whole = steps * pv.PoissonSubsampled(pv.Gaussian(sigma), q)
    if "failed" in answer:
        yield Row(library, "any", str(whole), None, None, None, "no answer", None, str(answer["failed"]))
        return
    for name, printed in dict(answer["answers"]).items():  # type: ignore[call-overload]  # as it was written
        if name == "mu":
            yield from (judged(library, f"mu {regret}", whole, printed) for regret in REGRETS)
        else:
            yield judged(library, name, whole, printed)


def limit(row: Run) -> dict[str, object]:
    """The central limit's μ."""
    sigma, q, steps = row
    return {"answers": {"mu": float(q) * math.sqrt(steps * math.expm1(float(sigma) ** -2))}}


def table(rows: list[Row]) -> Iterator[str]:
    """Markdown: a line for each library and quantity."""
    yield "| library | quantity | SOUND | UNSOUND | UNDECIDED | no answer | worst: printed | true | run |"
    yield "|---|---|---:|---:|---:|---:|---:|---:|---|"

    def key(row: Row) -> tuple[str, str]:
        return row.library, row.quantity

    for (library, quantity), group in groupby(sorted(rows, key=key), key=key):
        found = list(group)
        counts = [sum(row.verdict == word for row in found) for word in (*WORDS.values(), "no answer")]
        worst = max((row for row in found if row.excess), key=lambda row: row.excess or 0, default=None)
        told = ("", "", "")
        if worst is not None:
            true = worst.upper if quantity.startswith("bayes") else worst.lower
            told = f"{worst.printed:.4g}", f"{true:.4g}", worst.run
        yield "| " + " | ".join(map(str, (library, quantity, *counts, *told))) + " |"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--python", action="append", default=[], metavar="LIBRARY=PATH")
    parser.add_argument("--runs", type=int, default=60)
    parser.add_argument("--csv", type=Path)
    options = parser.parse_args()
    asks, rows = runs(options.runs), list[Row]()
    answers = {"central limit": [limit(row) for row in asks]}
    for given in options.python:
        library, _, python = given.partition("=")
        answers[library] = list(asked(library, python, asks))
    for library, told in answers.items():
        for row, answer in zip(asks, told, strict=True):
            rows += judge(library, row, answer)
            print(f"{library} {row}", file=sys.stderr)
    if options.csv:
        write_rows(options.csv, Row, rows)
    print("\n".join(table(rows)))


if __name__ == "__main__":
    main()
