"""ε of shuffled batches from both sides, beside the account of Poisson batches: the table of the docs.

    python benchmarks/shuffled.py [--adjacency zero-out] [--seconds 20]

Each row is a bracket (``pldverify.bracket``) at δ = 1e-6: what it proves from below within a second of
processor time and within ``--seconds``, what it proves from above, and how long the latter took. Markdown.
"""

import argparse
import time
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal, localcontext
from fractions import Fraction
from itertools import product

import pldverify as pv
from pldverify.mechanisms.relations import Adjacency
from pldverify.numbers.enclosure import Bound

DELTA = "1e-6"
SIGMAS, BATCHES, EPOCHS = (1, 2, 4, 8), (10, 100, 1_000, 10_000), (1, 10, 100)


def printed(end: Bound, rounding: str) -> Decimal:
    """Three digits, on the safe side."""
    with localcontext(prec=3, rounding=rounding):
        value = Fraction(end)
        return Decimal(value.numerator) / Decimal(value.denominator)


def row(sigma: int, batches: int, epochs: int, adjacency: Adjacency, seconds: float) -> str:
    run = epochs * pv.ShuffledBatches(pv.Gaussian(sigma), batches)
    poisson = epochs * batches * pv.PoissonSubsampled(pv.Gaussian(sigma), f"1/{batches}")
    soon = pv.bracket(run, delta=DELTA, adjacency=adjacency)
    start = time.process_time()
    found = pv.bracket(run, delta=DELTA, adjacency=adjacency, seconds=seconds)
    took = time.process_time() - start
    account = pv.epsilon(poisson, delta=DELTA, adjacency=adjacency, digits=3)
    lower = [printed(end, ROUND_FLOOR) for end in (soon.lower, found.lower)]
    upper = [printed(end, ROUND_CEILING) for end in (found.upper, account.upper)]
    cells = (sigma, batches, epochs, *lower, *upper, f"{took:.1f}")
    return f"| {' | '.join(map(str, cells))} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--adjacency", choices=("zero-out", "replace-one"), default="zero-out")
    parser.add_argument("--seconds", type=float, default=20)
    asked = parser.parse_args()
    print("| σ | batches | epochs | at least, in a second | at least | at most | Poisson account | seconds |")
    print("|---:|---:|---:|---:|---:|---:|---:|---:|")
    for case in product(SIGMAS, BATCHES, EPOCHS):
        print(row(*case, asked.adjacency, asked.seconds), flush=True)


if __name__ == "__main__":
    main()
