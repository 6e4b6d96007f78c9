"""Random finite pairs against exact convolution.

    python -m benchmarks.finite_pairs [--first 0] [--count 100000] [--seed 1] [--one]

A pair is made from the seed and its number alone, so that a run can be gone on with from ``--first``: two to
six outcomes in any order, ratios p/q from 1 + 1e-15 up. Ratios are powers of one rational (with or without an
offset, and such as doubles confuse), next to each other, or free; outcomes share them, and some have no mass
on one side. Of 1 to 4 steps in one direction δ(ε) is asked of the best engine and of the lattice engine, and
ε(δ); with ``--one`` a pair is asked one of the three, in turn. Each answer is compared with the convolution
of all outcomes in rationals, with e^ε between two rationals. Only public answers of the library take part.

A false answer is printed as Python that reproduces it; the exit code is 1 if there was any.
"""

import argparse
import itertools
import math
import random
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction

import pldverify as pv
from pldverify.errors import NoConvergence, NotSupported

BITS = 600
"""Of the two rationals around e^ε."""
STEPS, INDICES = 4, 6
"""The most steps, and the most powers of a root to each side of 1."""
CLOSE = ((0, 15), (0, 15), (13, 15))
"""Ratios are at least 1 + 10^−x, x from one of these intervals: doubles fail at the last one."""
CONFUSED = (
    (58014253015006, 5, 6),
    (57030967864607, 5, 6),
    (63142566193633, 4, 5),
    (47899261057391, 11, 13),
    (28060052435113, 13, 14),
    (28917346052240, 10, 11),
    (23117871183600, 8, 9),
)
"""(n, i, j): by their logarithms in doubles the i-th and the j-th power of 1 + 1/n change places."""
Pair = list[tuple[Fraction, Fraction]]
"""Outcomes: masses under P and Q."""


def weights(pick: random.Random, count: int) -> list[Fraction]:
    return [Fraction(pick.randint(1, 999), 10 ** pick.choice((3, 3, 4, 8))) for _ in range(count)]


def gap(pick: random.Random) -> Fraction:
    return 1 / Fraction(round(10 ** pick.uniform(*pick.choice(CLOSE))))


def unit(pairs: Pair) -> Pair:
    """Both sides with the sum 1."""
    first, second = (sum((row[side] for row in pairs), Fraction(0)) for side in (0, 1))
    return [(p / first, q / second) for p, q in pairs]


def powers(pick: random.Random, count: int) -> Pair:
    root, start = 1 + gap(pick), pick.randint(0, 2 * INDICES)
    apart, together = [pick.randint(-INDICES, INDICES) for _ in range(count)], range(start, start + count - 1)
    index = pick.choice((apart, [-1, *together]))
    index[0], index[1] = -abs(index[0] or 1), abs(index[1] or 1)
    return of_powers(pick, root, index)


def confused(pick: random.Random, count: int) -> Pair:
    n, i, j = pick.choice(CONFUSED)
    return of_powers(pick, 1 + Fraction(1, n), [-1, i - 1, j - 1, 0, 0, 0][: max(count, 3)])


def of_powers(pick: random.Random, root: Fraction, index: list[int]) -> Pair:
    """Ratios that are powers of one root: P has the sum of Q without being scaled."""
    mass = weights(pick, len(index))
    up, down = (
        sum((w * abs(root**j - 1) for w, j in zip(mass, index, strict=True) if j * sign > 0), Fraction(0))
        for sign in (1, -1)
    )
    rows = [(w * up / down if j < 0 else w, root**j) for w, j in zip(mass, index, strict=True)]
    return unit([(w * ratio, w) for w, ratio in rows])


def shifted(pick: random.Random, count: int) -> Pair:
    """Ratios that are powers of one root times another number."""
    root = 1 + gap(pick)
    return unit([(w * root ** pick.randint(-INDICES, INDICES), w) for w in weights(pick, count)])


def near(pick: random.Random, count: int) -> Pair:
    """Ratios next to each other; some are shared."""
    size = gap(pick)
    changes = [size * Fraction(pick.randint(-999, 999), 1000) for _ in range(pick.randint(2, count))]
    return unit([(w * (1 + pick.choice(changes)), w) for w in weights(pick, count)])


def free(pick: random.Random, count: int) -> Pair:
    return unit(list(zip(weights(pick, count), weights(pick, count), strict=True)))


KINDS = {"powers": powers, "confused": confused, "shifted": shifted, "near": near, "free": free}


@dataclass(frozen=True)
class Question:
    """A pair, steps, a direction, and what is asked."""

    kind: str
    pair: Pair
    steps: int
    direction: str
    epsilon: Fraction
    delta: Fraction

    def lines(self) -> list[str]:
        """What is asked, as Python."""
        p, q = ([str(row[side]) for row in self.pair] for side in (0, 1))
        what = f"{self.steps} * pv.FinitePair({p}, {q})"
        delta = f"pv.delta({what}, epsilon='{self.epsilon}', adjacency='{self.direction}'"
        return [
            f"{delta})",
            f"{delta}, engine='lattice', digits=6)",
            f"pv.epsilon({what}, delta='{self.delta}', adjacency='{self.direction}')",
        ]


def question(seed: int, number: int) -> Question:
    pick = random.Random(f"{seed}/{number}")
    kind = pick.choice(list(KINDS))
    zeros = pick.choice(((), (), (), (0,), (1,), (0, 1)))
    pair = KINDS[kind](pick, pick.randint(2, 6 - len(zeros)))
    for side in zeros:
        lost = Fraction(pick.randint(1, 99), 10 ** pick.randint(2, 15))
        pair = [tuple(x * (1 - lost) if i == side else x for i, x in enumerate(row)) for row in pair]  # type: ignore[misc]
        pair.append((lost, Fraction(0)) if side == 0 else (Fraction(0), lost))
    pick.shuffle(pair)
    steps, direction = pick.randint(1, STEPS), pick.choice(("remove", "add"))
    truth = Truth(pair, steps, direction)
    ratios = [Fraction(p, q) for p, q in truth.rows if p and q]
    loss = about_log(pick.choice(ratios)) if ratios else Fraction(1, 2)
    epsilon = loss * pick.choice((0, 1, 1, Fraction(1, 2), Fraction(999, 1000), Fraction(1001, 1000), 2))
    target = truth.delta(abs(epsilon))[0]
    delta = min(Fraction(1), Fraction(float(target)) * pick.choice((1, 1, Fraction(1, 3), 2)))
    return Question(kind, pair, steps, direction, epsilon, delta or Fraction(1, 10**20))


class Truth:
    """All outcomes of ``steps`` steps of ``pair`` in one direction, exact; those that agree count as one.

    Masses are integers in units of ``1 / whole``.
    """

    def __init__(self, pair: Pair, steps: int, direction: str) -> None:
        unit = math.lcm(*(mass.denominator for row in pair for mass in row))
        one = [
            tuple(int(mass * unit) for mass in (row if direction == "remove" else row[::-1])) for row in pair
        ]
        rows = {(1, 1): 1}
        for _ in range(steps):
            more: Counter[tuple[int, int]] = Counter()
            for ((a, b), times), (p, q) in itertools.product(rows.items(), one):
                more[a * p, b * q] += times
            rows = dict(more)
        self.rows = [(times * a, times * b) for (a, b), times in rows.items()]
        self.whole = unit**steps

    def delta(self, epsilon: Fraction) -> tuple[Fraction, Fraction]:
        """Σ (p − e^ε q)_+ from below and from above."""
        most, least = (
            Fraction(
                sum(max(p * weight.denominator - weight.numerator * q, 0) for p, q in self.rows),
                weight.denominator * self.whole,
            )
            for weight in exponential(epsilon)
        )
        return least, most


def about_log(ratio: Fraction) -> Fraction:
    """A number next to the logarithm, however close the ratio is to 1."""
    if abs(ratio - 1) < Fraction(1, 2):
        return Fraction(math.log1p(ratio - 1))
    return Fraction(math.log(ratio.numerator) - math.log(ratio.denominator))


def exponential(x: Fraction) -> tuple[Fraction, Fraction]:
    """Rationals around e^x, the lower one first, from its series."""
    if x < 0:
        low, high = exponential(-x)
        return 1 / high, 1 / low
    halvings = math.ceil(x).bit_length() + 1
    y, one, count = x / 2**halvings, 1 << BITS + 2 * halvings, BITS
    term, low = Fraction(one), 0
    for n in range(1, count):  # each term at most 1/2 of the one before, and rounded down
        low += math.floor(term)
        term = Fraction(math.floor(term * y / n))
    high = low + count * count  # each rounding of a term reaches all later ones, and 1 of them is left out
    for _ in range(halvings):
        low, high = low * low // one, -(-high * high // one)
    return Fraction(low, one), Fraction(high, one)


def answers(asked: Question, lines: list[str] | None = None) -> dict[str, bool | None]:
    """By the Python of each question whether its answer contains the truth; None where there is none."""
    truth, found = Truth(asked.pair, asked.steps, asked.direction), dict[str, bool | None]()
    least, most = truth.delta(asked.epsilon)
    for line in lines or asked.lines():
        try:
            answer = eval(line, {"pv": pv})
        except (NoConvergence, NotSupported):
            found[line] = None
            continue
        delta = line.startswith("pv.delta")
        found[line] = (
            answer.lower <= most and least <= answer.upper if delta else surrounds(truth, answer, asked.delta)
        )
    return found


def surrounds(truth: Truth, epsilon: pv.Enclosure, delta: Fraction) -> bool:
    """Whether the least ε ≥ 0 of which δ(ε) is at most ``delta`` may lie between these ends."""
    infinite = Fraction(sum(p for p, q in truth.rows if not q), truth.whole)
    if delta < infinite:
        return epsilon.upper == math.inf
    if epsilon.lower == math.inf:
        return False
    above = epsilon.upper == math.inf or truth.delta(Fraction(epsilon.upper))[0] <= delta
    return above and (epsilon.lower <= 0 or truth.delta(Fraction(epsilon.lower))[1] >= delta)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--one", action="store_true", help="one question a pair, in turn")
    options = parser.parse_args()
    tally: Counter[str] = Counter()
    for number in range(options.first, options.first + options.count):
        asked = question(options.seed, number)
        lines = asked.lines()
        for line, right in answers(asked, [lines[number % 3]] if options.one else lines).items():
            tally["no answer" if right is None else "contained" if right else "FALSE"] += 1
            if right is False:
                print(f"{number}: {line}", flush=True)
        if (number + 1) % 1000 == 0:
            print(f"{number + 1 - options.first} pairs: {dict(tally)}", flush=True)
    print(f"{options.count} pairs from {options.first} on, seed {options.seed}: {dict(tally)}")
    return 1 if tally["FALSE"] else 0


if __name__ == "__main__":
    raise SystemExit(main())
