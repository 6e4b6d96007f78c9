"""The least μ or ρ of random finite pairs, against mpmath.

    python -m benchmarks.least_of_pairs [--of mu] [--count 10000] [--first 0]

**μ**: T of a finite pair is piecewise linear with exact kinks, and G_μ is convex: G_μ ≤ T where that holds at
the kinks, also with both moved by a regret. So the least μ is the largest that a kink needs, without any
δ(ε). **ρ** (``--of rho``) is the largest D_α/α, of sums over the outcomes, of a search over orders.

Prints what contradicts it, and what has ends that are more than 1e-5 apart, or none.
"""

import argparse
import math
import random
from collections.abc import Sequence
from fractions import Fraction

import mpmath as mp

import pldverify as pv
from pldverify.values.value import Value

REGRETS = (Fraction(0), Fraction(1, 100), Fraction(1, 10**6))
"""In turn."""
WIDE = Fraction(1, 10**5)
"""What the ends may be apart, relative to the lower one: ten times what is sought."""
_SLACK = mp.mpf(10) ** -20
"""Relative error that is granted to mpmath."""
_SEARCHED = mp.mpf(10) ** -12
"""The same of its search."""


def needed(fpr: mp.mpf, fnr: mp.mpf, regret: mp.mpf) -> mp.mpf:
    """The μ whose G, moved by the regret, goes through both errors; 0 where any does."""
    with mp.workdps(25):
        x, y = fpr + regret, fnr + regret
        if x + y >= 1:
            return mp.mpf(0)
        return mp.sqrt(2) * (mp.erfinv(1 - 2 * x) + mp.erfinv(1 - 2 * y)) if x and y else mp.inf


def kinks(p: Sequence[Fraction], q: Sequence[Fraction]) -> list[tuple[Fraction, Fraction]]:
    """The errors of the best tests between two finite distributions: reject where p/q is largest."""
    order = sorted(range(len(p)), key=lambda i: p[i] / (p[i] + q[i]), reverse=True)
    found = [(Fraction(0), Fraction(1))]
    for i in order:
        found.append((found[-1][0] + q[i], found[-1][1] - p[i]))
    return found


def pair(seed: int) -> tuple[list[Fraction], list[Fraction]]:
    """Two to six outcomes; now and then one that only one of both has."""
    draw = random.Random(seed)
    n = draw.randint(2, 6)
    weights = [[draw.choice((1, 1, 2, 3, 10, 50, draw.randint(1, 9))) for _ in range(n)] for _ in range(2)]
    if draw.random() < 0.2:
        weights[draw.randrange(2)][draw.randrange(n)] = 0
    p, q = ([Fraction(w, sum(row)) for w in row] for row in weights)
    return p, q


def truth(p: Sequence[Fraction], q: Sequence[Fraction], regret: Fraction) -> mp.mpf:
    """The least μ, by mpmath."""
    with mp.workdps(25):
        return max(needed(_real(x), _real(y), _real(regret)) for x, y in kinks(p, q))


def highest(p: Sequence[Fraction], q: Sequence[Fraction]) -> mp.mpf:
    """The least ρ, by mpmath: the largest D_α/α of both directions; ∞ where one law alone has an outcome."""
    rows = [(a, b) for a, b in zip(p, q, strict=True) if a or b]
    if any(not a or not b for a, b in rows):
        return mp.inf
    with mp.workdps(25):
        sides = [(_real(a), _real(b)) for a, b in rows], [(_real(b), _real(a)) for a, b in rows]
        return max(map(_highest, sides))


def _highest(rows: list[tuple[mp.mpf, mp.mpf]]) -> mp.mpf:
    losses = [(a, mp.log(a / b)) for a, b in rows]

    def at(x: mp.mpf) -> mp.mpf:
        less = mp.exp(x)
        return mp.log(mp.fsum(a * mp.exp(less * loss) for a, loss in losses)) / less / (1 + less)

    near = mp.fsum(a * loss for a, loss in losses)
    best = max((mp.mpf(i) / 2 for i in range(-24, 25)), key=at)
    low, high = best - mp.mpf(1) / 2, best + mp.mpf(1) / 2
    for _ in range(40):  # the error in the order is squared in the value
        a, b = low + (high - low) / 3, high - (high - low) / 3
        low, high = (low, b) if at(a) > at(b) else (a, high)
    return max(near, at((low + high) / 2))


def contains(found: Value, true: mp.mpf, slack: mp.mpf = _SLACK) -> bool:
    """Whether both ends are known and around the truth, as far as mpmath tells."""
    low, high = found.ends
    if high is None or (low is None and true):
        return False
    if math.inf in (low, high):
        return bool(low == high == true)
    with mp.workdps(25):
        return bool(
            _real(Fraction(low or 0)) <= true * (1 + slack) and true * (1 - slack) <= _real(Fraction(high))
        )


def narrow(found: Value) -> bool:
    """Whether both ends are near each other."""
    low, high = found.ends
    return high is not None and (high == (low or 0) or high <= Fraction(low or 0) * (1 + WIDE))


def _real(x: Fraction) -> mp.mpf:
    return mp.mpf(x.numerator) / x.denominator


def least(of: str, seed: int) -> tuple[str, Value, mp.mpf, mp.mpf]:
    """What was asked of a pair, the answer, the truth, and its relative error."""
    (p, q), regret = pair(seed), REGRETS[seed % 3]
    if of == "rho":
        return "ρ", pv.zcdp(pv.FinitePair(p, q)), highest(p, q), _SEARCHED
    return f"μ, regret {regret}", pv.gdp(pv.FinitePair(p, q), regret=regret), truth(p, q, regret), _SLACK


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--of", choices=("mu", "rho"), default="mu")
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--first", type=int, default=0)
    options = parser.parse_args()
    wrong, wide = 0, 0
    for seed in (options.first + i for i in range(options.count)):
        asked, found, true, slack = least(options.of, seed)
        if not contains(found, true, slack):
            wrong += 1
            print(f"WRONG: seed {seed}, {asked}: {found}, {mp.nstr(true, 15)}", flush=True)
        elif not narrow(found):
            wide += 1
            print(f"wide: seed {seed}, {asked}: {found}", flush=True)
    print(f"{options.count} pairs: {wrong} wrong, {wide} wide")


if __name__ == "__main__":
    main()
