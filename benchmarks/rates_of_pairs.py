"""Advantage, true positive rate and Bayes risk of random finite pairs, against exact rationals.

    python -m benchmarks.rates_of_pairs [--count 10000] [--first 0]

A pair is that of :mod:`benchmarks.least_of_pairs`, in one step or in two, whose outcomes are multiplied out.
Rates come from the best tests between both laws, and the advantage and the risk are sums of minima: exact
rationals, without any δ(ε). The robustness of reconstruction is the rate at the success of a guess.
Prints what is outside of its enclosure, and what has fewer than six digits.
"""

import argparse
import random
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise, product

import pldverify as pv
from benchmarks.least_of_pairs import kinks, pair
from pldverify.numbers.enclosure import Enclosure

DIGITS = 6
"""That are asked, and wanted."""
Masses = Sequence[Fraction]


def twice(p: Masses) -> list[Fraction]:
    return [a * b for a, b in product(p, repeat=2)]


def least_error(p: Masses, q: Masses, alpha: Fraction) -> Fraction:
    """T(α), between two kinks."""
    rows = kinks(p, q)
    for (low, most), (high, least) in pairwise(rows):
        if low <= alpha <= high and low < high:
            return most + (alpha - low) / (high - low) * (least - most)
    return Fraction(0) if alpha >= 1 else min(missed for alarm, missed in rows if alarm <= alpha)


def asked(seed: int) -> Iterator[tuple[str, Fraction, Enclosure]]:
    """What is asked of a pair: its name, the truth, and what is said."""
    draw = random.Random(f"rates {seed}")
    p, q = pair(seed)
    steps = draw.choice((1, 2))
    run = steps * pv.FinitePair(p, q)
    first, second = (p, q) if steps == 1 else (twice(p), twice(q))
    total = sum((max(a - b, Fraction(0)) for a, b in zip(first, second, strict=True)), Fraction(0))
    yield "advantage", total, pv.advantage(run, digits=DIGITS)
    prior = Fraction(draw.randint(1, 99), 100)
    risks = (
        sum((min((1 - prior) * b, prior * a) for a, b in zip(*sides, strict=True)), Fraction(0))
        for sides in ((first, second), (second, first))
    )
    yield f"Bayes risk, prior {prior}", min(risks), pv.bayes_risk(run, prior=prior, digits=DIGITS)
    fpr = Fraction(draw.choice((1, 10, 50, 500, 950)), 1000)
    missed = min(least_error(first, second, fpr), least_error(second, first, fpr))
    yield f"TPR at {fpr}", 1 - missed, pv.tpr(run, fpr=fpr, digits=DIGITS)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--first", type=int, default=0)
    options = parser.parse_args()
    wrong, coarse, asked_of = 0, 0, 0
    for seed in (options.first + i for i in range(options.count)):
        for name, true, said in asked(seed):
            asked_of += 1
            if not said.lower <= true <= said.upper:
                wrong += 1
                print(f"WRONG: seed {seed}, {name}: {said}, true {true}", flush=True)
            elif true and said.digits < DIGITS:
                coarse += 1
                print(f"wide: seed {seed}, {name}: {said}", flush=True)
    print(f"{options.count} pairs, {asked_of} answers: {wrong} wrong, {coarse} wide")


if __name__ == "__main__":
    main()
