"""How often the testers of DP-Auditorium are wrong, exactly: on bits that tell nothing, and on planted leaks.

    python -m benchmarks.auditorium --python PATH --folder python/dp_auditorium [--csv FILE]

A tester sees samples of a mechanism on two neighbours, and gives a lower bound on δ at an ε, which may be
above the true δ with the probability it is allowed. Here a sample is a bit, 1 with the true or the false
positive rate. The histogram testers see how many of ``COUNTED`` samples on each side are 1: every count is
asked. The tester by maximum mean discrepancy sees ``PAIRS`` rows of two samples of each side, each row of
one of five kinds to its kernel: every number of rows of each kind is asked. The others train a network for
each question, so their chances are not summed.
"""

import argparse
import json
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import comb, factorial, prod
from pathlib import Path

from benchmarks.auditors import counted
from benchmarks.csv_file import write_rows
from pldverify.audit.kit import NULL, PLANTED
from pldverify.numbers.interval_functions import exp

EPSILON = Fraction(1, 10)
"""At which δ is bounded: the larger, the less is shown."""
ERRORS = (Fraction(1, 20), Fraction(2, 5))
"""That a tester is allowed."""
COUNTED = 400
"""Samples on each side: with fewer a histogram tester shows nothing of any mechanism."""
PAIRS = 16
"""Rows of two samples of each side."""
TESTERS = ("histogram", "histogram, original", "mmd")
Row4 = tuple[int, int, int, int]
"""Two samples of one side, and two of the other one."""
KINDS: dict[int, Row4] = {
    2 * (xa != ya) - (xa != xb) - (ya != yb): (xa, xb, ya, yb) for xa, xb, ya, yb in product((0, 1), repeat=4)
}
"""A row of each kind, by what the kernel makes of it."""


@dataclass(frozen=True)
class Row:
    """A tester at one setting; ``misses`` is their exact probability."""

    tester: str
    error: str
    tpr: str
    fpr: str
    true: float
    misses: float
    verdict: str


def counts() -> list[tuple[int, int]]:
    return list(product(range(COUNTED + 1), repeat=2))


def chances_of_counts(t: Fraction, f: Fraction) -> tuple[list[float], list[float]]:
    """Of so many ones of each side; doubles do, as sums are of positive numbers."""
    return tuple(  # type: ignore[return-value]  # two of them
        [float(comb(COUNTED, k) * p**k * (1 - p) ** (COUNTED - k)) for k in range(COUNTED + 1)]
        for p in (t, f)
    )


def mixes() -> list[tuple[int, ...]]:
    """Every number of rows of each kind."""
    found = [()]
    for _ in KINDS:
        found = [(*mix, k) for mix in found for k in range(PAIRS - sum(mix) + 1)]
    return [mix for mix in found if sum(mix) == PAIRS]


def chances_of_kinds(t: Fraction, f: Fraction) -> list[Fraction]:
    """Of a row of each kind."""
    found = dict.fromkeys(KINDS, Fraction(0))
    for xa, xb, ya, yb in product((0, 1), repeat=4):
        mass = prod((t if x else 1 - t) for x in (xa, xb)) * prod((f if y else 1 - f) for y in (ya, yb))
        found[2 * (xa != ya) - (xa != xb) - (ya != yb)] += mass
    return list(found.values())


def chance_of_mix(mix: tuple[int, ...], kinds: list[Fraction]) -> Fraction:
    """The multinomial one."""
    ways = factorial(PAIRS) // prod(map(factorial, mix))
    return ways * prod((p**k for p, k in zip(kinds, mix, strict=True)), start=Fraction(1))


def asked(python: str, folder: str, tester: str, error: Fraction) -> list[float]:
    """The bounds of the library, in a process of its own."""
    script = Path(__file__).with_name("auditorium_asked.py")
    lines = []
    for row in mixes() if tester == "mmd" else counts():
        if tester == "mmd":
            rows = [KINDS[kind] for kind, k in zip(KINDS, row, strict=True) for _ in range(k)]
            sides: list[object] = [[r[i] for i in at for r in rows] for at in ((0, 1), (2, 3))]
        else:
            sides = [{"ones": k, "all": COUNTED} for k in row]
        lines.append(json.dumps({"first": sides[0], "second": sides[1], "failure": float(error)}))
    done = subprocess.run(
        [python, str(script), folder, tester, str(float(EPSILON))],
        input="\n".join(lines),
        capture_output=True,
        text=True,
        check=True,
    )
    return [float(line) for line in done.stdout.splitlines()]


def true_delta(t: Fraction, f: Fraction, both: bool) -> Fraction:
    """δ(ε) of a bit, from above: of the direction that a histogram sees, or of both."""
    growth = Fraction(exp((EPSILON, EPSILON))[0])
    sides = ((t, f), (f, t)) if both else ((t, f),)
    return max(
        max(p - growth * q, Fraction(0)) + max(1 - p - growth * (1 - q), Fraction(0)) for p, q in sides
    )


def judged(tester: str, said: list[float], error: Fraction) -> Iterator[Row]:
    """The verdicts at all settings. A bound within 1e-9 of the true δ is none above it."""
    for t, f in (*((rate, rate) for rate in NULL), *PLANTED):
        true = true_delta(t, f, both=tester == "mmd")
        limit = float(true) + 1e-9
        if tester == "mmd":
            kinds = chances_of_kinds(t, f)
            rows = zip(mixes(), said, strict=True)
            misses = float(sum(chance_of_mix(mix, kinds) for mix, bound in rows if bound > limit))
        else:
            ones, others = chances_of_counts(t, f)
            both = zip(counts(), said, strict=True)
            misses = sum(ones[a] * others[b] for (a, b), bound in both if bound > limit)
        verdict = "SOUND" if misses <= error else "UNSOUND"
        yield Row(tester, str(error), str(t), str(f), float(true), misses, verdict)


def table(rows: list[Row]) -> Iterator[str]:
    """Markdown: a line for each tester and error."""
    yield "| tester | error | null: SOUND | UNSOUND | planted: SOUND | UNSOUND | most misses |"
    yield "|---|---:|---:|---:|---:|---:|---:|"
    for tester, error in dict.fromkeys((row.tester, row.error) for row in rows):
        mine = [row for row in rows if (row.tester, row.error) == (tester, error)]
        yield "| " + " | ".join(map(str, (tester, error, *counted(mine)))) + " |"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--python", required=True, metavar="PATH")
    parser.add_argument("--folder", required=True)
    parser.add_argument("--csv", type=Path)
    options = parser.parse_args()
    rows = list[Row]()
    for tester, error in product(TESTERS, ERRORS):
        said = asked(options.python, options.folder, tester, error)
        print(f"{tester}, {error}: {sum(bound > 0 for bound in said)} of {len(said)} show something")
        rows += judged(tester, said, error)
    if options.csv:
        write_rows(options.csv, Row, rows)
    print("\n".join(table(rows)))


if __name__ == "__main__":
    main()
