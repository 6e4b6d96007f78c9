"""Advantage, true positive rate, Bayes risk and ρ of random finite pairs, against exact rationals and mpmath.

    python -m benchmarks.rates_of_pairs [--count 10000] [--first 0]

A pair is that of :mod:`benchmarks.least_of_pairs`, in one step or in two, whose outcomes are multiplied out.
Rates come from the best tests between both laws, and the advantage and the risk are sums of minima: exact
rationals, without any δ(ε). ρ is the largest D_α/α of a search over orders by mpmath, in both directions.
Prints what is outside of its enclosure, and what has fewer than six digits.
"""

import argparse
import random
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise, product

import mpmath as mp

import pldverify as pv
from benchmarks.least_of_pairs import kinks, pair
from pldverify.numbers.enclosure import Enclosure

DIGITS = 6
"""That are asked, and wanted."""
_CLOSE = mp.mpf(10) ** -6
"""Relative distance of the search for ρ from the supremum, and of its ends from each other."""
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


def highest(p: Masses, q: Masses) -> mp.mpf:
    """The largest D_α/α of both directions, from below; ∞ where one law alone has an outcome."""
    rows = [(a, b) for a, b in zip(p, q, strict=True) if a or b]
    if any(not a or not b for a, b in rows):
        return mp.inf
    sides = ([(_real(a), _real(b)) for a, b in rows], [(_real(b), _real(a)) for a, b in rows])
    return max(_highest(side) for side in sides)


def _highest(rows: list[tuple[mp.mpf, mp.mpf]]) -> mp.mpf:
    def at(x: mp.mpf) -> mp.mpf:
        order = 1 + mp.exp(x)
        return mp.log(mp.fsum(a**order * b ** (1 - order) for a, b in rows)) / (order - 1) / order

    near = mp.fsum(a * mp.log(a / b) for a, b in rows)
    points = [mp.mpf(i) / 2 for i in range(-24, 25)]
    best = max(points, key=at)
    low, high = best - mp.mpf(1) / 2, best + mp.mpf(1) / 2
    for _ in range(40):  # it need not be unimodal: what is found is a value that it has
        a, b = low + (high - low) / 3, high - (high - low) / 3
        low, high = (low, b) if at(a) > at(b) else (a, high)
    return max(near, at((low + high) / 2))


def _real(x: Fraction) -> mp.mpf:
    return mp.mpf(x.numerator) / x.denominator


def rho(seed: int) -> str:
    """What is wrong with both ends of ρ; nothing."""
    p, q = pair(seed)
    found = pv.zcdp(pv.FinitePair(p, q))
    with mp.workdps(30):
        true = highest(p, q)
        low, high = (None if end is None else mp.mpf(float(end)) for end in found.ends)
        if true == mp.inf:
            return "" if low == high == mp.inf else f"ρ = ∞, said {found}"
        if high is None or (low is None and true):
            return f"wide: ρ {found}"
        low = low or mp.mpf(0)
        if low > true * (1 + _CLOSE) or high < true * (1 - mp.mpf(10) ** -12):
            return f"WRONG: ρ = {mp.nstr(true, 12)}, said {found}"
        return "" if high <= low * (1 + 10 * _CLOSE) else f"wide: ρ {found}"


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
        problem = rho(seed)
        asked_of += 1
        wrong, coarse = wrong + problem.startswith("WRONG"), coarse + problem.startswith("wide")
        if problem:
            print(f"seed {seed}, {problem}", flush=True)
    print(f"{options.count} pairs, {asked_of} answers: {wrong} wrong, {coarse} wide")


if __name__ == "__main__":
    main()
