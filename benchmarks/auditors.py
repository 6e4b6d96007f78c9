"""How often auditors are wrong, exactly: on scores that tell nothing, and on leaks of known size.

    python -m benchmarks.auditors --python jax-privacy=PATH [--csv FILE]

A canary's score is in the upper half with probability TPR if it was in the data, FPR if not, and uniform
within its half: so the true ε of the scores is that of one bit, and all that an auditor can see is the order
of the canaries, or with a fixed threshold the counts. Every order, and every count, is asked about once, and
has a probability that is a fraction. A miss is a bound above the true ε. Their probability is summed exactly,
and compared with the error that the auditor was allowed.

Two games: ``PAIR`` canaries in and as many out; and ``ONE`` canaries, each in with probability 1/2.
"""

import argparse
import json
import math
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import comb
from pathlib import Path
from typing import Any

from benchmarks.csv_file import write_rows
from pldverify import audit
from pldverify.audit.coverage import true_ratio
from pldverify.audit.kit import NULL, PLANTED
from pldverify.audit.scores import chance as chance_of_order
from pldverify.audit.scores import orders as orders_of
from pldverify.numbers.enclosure import Bound
from pldverify.numbers.interval_functions import log

PAIR = 6
"""Canaries on each side where orders are asked: 924 of them."""
COUNTED = 20
"""The same where counts are asked."""
ONE = 9
"""Canaries of one run: 512 orders."""
DELTA = Fraction(1, 10**6)
"""At which ε is meant."""
ERRORS = (Fraction(1, 20), Fraction(2, 5))
"""That an auditor is allowed."""
Seen = tuple[bool, ...]
"""Canaries from the highest score down: whether each was in."""
Auditor = Callable[[Seen, int | None], object]
"""A bound by an order, or by how many are above the threshold."""


@dataclass(frozen=True)
class Row:
    """An auditor at one setting; ``misses`` is their exact probability."""

    library: str
    auditor: str
    error: str
    tpr: str
    fpr: str
    true: float
    misses: float
    verdict: str


# --- all that can be seen, with its probability ---


def orders(game: str) -> list[Seen]:
    """Every order of a game."""
    if game == "one":
        return list(product((True, False), repeat=ONE))
    return list(orders_of(PAIR, PAIR))


def chance(seen: Seen, game: str, t: Fraction, f: Fraction) -> Fraction:
    """Of an order, and in one run of so many canaries in the data, too."""
    found = chance_of_order(seen, t, f)
    return found * Fraction(comb(ONE, sum(seen)), 2**ONE) if game == "one" else found


def counts(game: str) -> Iterator[tuple[Seen, int]]:
    """Every count of a game, as one order that has it and the number above the threshold."""
    sides = [(n, ONE - n) for n in range(ONE + 1)] if game == "one" else [(COUNTED, COUNTED)]
    for n, m in sides:
        for hits, wrong in product(range(n + 1), range(m + 1)):
            upper = (True,) * hits + (False,) * wrong
            yield (*upper, *(True,) * (n - hits), *(False,) * (m - wrong)), len(upper)


def chance_of_counts(seen: Seen, high: int, game: str, t: Fraction, f: Fraction) -> Fraction:
    """Of so many canaries in the upper half, as many of them in as in the order."""
    hits, n = sum(seen[:high]), sum(seen)
    m, wrong = len(seen) - n, high - hits
    found = (
        comb(n, hits) * t**hits * (1 - t) ** (n - hits) * comb(m, wrong) * f**wrong * (1 - f) ** (m - wrong)
    )
    return found * Fraction(comb(ONE, n), 2**ONE) if game == "one" else found


# --- who is asked ---


def asked(python: str, auditor: str, rows: list[tuple[Seen, int | None]], error: Fraction) -> list[object]:
    """The bounds of a library, in a process of its own."""
    script = Path(__file__).with_name("auditors_asked.py")
    lines = []
    for seen, high in rows:
        scores = [len(seen) - i if high is None else int(i < high) for i in range(len(seen))]
        sides: dict[str, object] = {"in": [], "out": []}
        for name, side in (("in", True), ("out", False)):
            sides[name] = [score for score, was in zip(scores, seen, strict=True) if was == side]
        lines.append(json.dumps({**sides, "significance": float(error), "delta": float(DELTA)}))
    done = subprocess.run(
        [python, str(script), auditor], input="\n".join(lines), capture_output=True, text=True, check=True
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def own(auditor: str, rows: list[tuple[Seen, int | None]], error: Fraction) -> list[object]:
    """Ours, of the counts above a fixed threshold."""
    sure, found = 1 - error, list[object]()
    for seen, high in rows:
        hits, n = sum(seen[:high]), sum(seen)
        wrong = (high or 0) - hits
        if auditor == "clopper_pearson, fixed":
            bound = audit.clopper_pearson(hits, n, wrong, len(seen) - n, delta=DELTA, confidence=sure).epsilon
        else:
            guesses = {"canaries": len(seen), "delta": DELTA, "confidence": sure}
            bound = audit.one_run(hits, high, **guesses).epsilon if high else Fraction(0)
        found.append(bound)
    return found


GAMES = {
    "clopper_pearson, fixed": ("pair", True),
    "clopper_pearson": ("pair", False),
    "from_gdp": ("pair", False),
    "raw_counts, min_count 1": ("pair", False),
    "one_run, fixed": ("one", True),
    "one_run": ("one", False),
    "one_run_fdp, fixed": ("one", True),
    "one_run_fdp": ("one", False),
}
"""Of each auditor the game, and whether its threshold is fixed before."""
OURS = ("clopper_pearson, fixed", "one_run, fixed")


def judged(library: str, auditor: str, ask: Callable[..., list[object]], error: Fraction) -> Iterator[Row]:
    """The verdicts at all settings."""
    game, is_fixed = GAMES[auditor]
    rows = list(counts(game)) if is_fixed else [(order, None) for order in orders(game)]
    said = [_number(bound) for bound in ask(auditor, rows, error)]
    for t, f in [*((rate, rate) for rate in NULL), *PLANTED]:
        ratio = true_ratio(t, f, DELTA)
        assert ratio is not None  # no rate is 0 or 1
        low, high = log((ratio, ratio))
        surely = perhaps = Fraction(0)
        for (seen, above), bound in zip(rows, said, strict=True):
            if bound > low:
                whole = above is None
                mass = chance(seen, game, t, f) if whole else chance_of_counts(seen, above, game, t, f)
                perhaps += mass
                surely += mass if bound > high else 0
        verdict = "SOUND" if perhaps <= error else "UNSOUND" if surely > error else "UNDECIDED"
        yield Row(library, auditor, str(error), str(t), str(f), float(high), float(perhaps), verdict)


def _number(bound: object) -> Bound:
    """Nothing said is a bound of 0."""
    return math.inf if bound == math.inf else Fraction(str(bound or 0))


def counted(rows: list[Any]) -> list[int | str]:
    """How many rows of one auditor are SOUND and UNSOUND, of nothing and of leaks; and the most misses."""
    parts = [(word, same) for same in (True, False) for word in ("SOUND", "UNSOUND")]
    worst = max(rows, key=lambda row: row.misses)
    return [
        *(sum((row.verdict, row.tpr == row.fpr) == part for row in rows) for part in parts),
        f"{worst.misses:.3g} at TPR {worst.tpr}, FPR {worst.fpr}",
    ]


def table(rows: list[Row]) -> Iterator[str]:
    """Markdown: a line for each auditor and error."""
    yield "| library | auditor | error | null: SOUND | UNSOUND | planted: SOUND | UNSOUND | most misses |"
    yield "|---|---|---:|---:|---:|---:|---:|---:|"
    for library, auditor, error in dict.fromkeys((row.library, row.auditor, row.error) for row in rows):
        mine = [row for row in rows if (row.library, row.auditor, row.error) == (library, auditor, error)]
        yield "| " + " | ".join(map(str, (library, auditor, error, *counted(mine)))) + " |"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--python", action="append", default=[], metavar="LIBRARY=PATH")
    parser.add_argument("--csv", type=Path)
    options = parser.parse_args()
    rows = list[Row]()
    for error in ERRORS:
        for auditor in OURS:
            rows += judged("pldverify", auditor, own, error)
        for given in options.python:
            library, _, python = given.partition("=")
            for auditor in GAMES:
                rows += judged(library, auditor, lambda *row, python=python: asked(python, *row), error)
                print(f"{library} {auditor} {error}", file=sys.stderr)
    if options.csv:
        write_rows(options.csv, Row, rows)
    print("\n".join(table(rows)))


if __name__ == "__main__":
    main()
