"""Audits: counts over all their values, guesses over all rules on small mechanisms."""

from collections.abc import Iterator, Sequence
from fractions import Fraction as F
from itertools import combinations, product
from math import comb
from random import Random

from pldverify.audit.binomial import least_rate
from pldverify.audit.coverage import true_ratio
from pldverify.audit.gaussian import refutes
from pldverify.balls import arb
from pldverify.balls.ball import ball, upper
from pldverify.balls.normal import normal_tail
from pldverify.theorems.attacks.pairs import EPSILONS, Pair, hockey, random_pairs, swapped
from pldverify.theorems.evidence import Case

RATES = (F(0), F(1, 20), F(3, 10), F(1, 2), F(77, 100), F(1))
"""Probabilities of a success."""
Laws = dict[tuple[int, ...], list[F]]
"""Of each choice of canaries the masses of the outputs."""


def _tail(n: int, k: int, p: F) -> F:
    """P[Bin(n, p) ≥ k]."""
    return sum((comb(n, j) * p**j * (1 - p) ** (n - j) for j in range(k, n + 1)), F(0))


def binomial_tails() -> Iterator[Case]:
    """The sum, exactly, and the regularised incomplete beta function."""
    for n, p in product((1, 3, 12), RATES[1:-1]):
        for k in range(1, n + 1):
            beta = ball(p).beta_lower(k, n - k + 1, regularized=True)
            yield Case(f"n = {n}, k = {k}, p = {p}", ball(_tail(n, k, p)), beta, "=")


def rates() -> Iterator[Case]:
    """Of all counts, those whose bound is above the true rate have at most the probability α."""
    for n, p, alpha in product((1, 4, 11), RATES, (F(1, 40), F(1, 4))):
        missed = [k for k in range(n + 1) if least_rate(n, k, alpha) > p]
        mass = sum((_tail(n, k, p) - _tail(n, k + 1, p) for k in missed), F(0))
        yield Case(f"n = {n}, p = {p}, α = {alpha}", mass, alpha)


def events() -> Iterator[Case]:
    """Both inequalities for every event, with the larger δ of both directions."""
    for i, pair in enumerate(random_pairs(12)):
        for epsilon in EPSILONS[1:]:
            growth = ball(epsilon).exp()
            delta = hockey(pair, epsilon).max(hockey(swapped(pair), epsilon))
            for chosen in product((0, 1), repeat=len(pair)):
                t = sum((p for (p, _), c in zip(pair, chosen, strict=True) if c), F(0))
                f = sum((q for (_, q), c in zip(pair, chosen, strict=True) if c), F(0))
                label = f"pair {i}, ε = {epsilon}, event {chosen}"
                yield Case(label, ball(t), growth * ball(f) + delta)
                yield Case(label, ball(1 - f), growth * ball(1 - t) + delta)


def bits() -> Iterator[Case]:
    """At the ratio that is said, the excess of every event of a bit is δ: attained, or 1 for the ratio."""
    for t, f, delta in product(RATES, RATES, (F(0), F(1, 10))):
        ratio = true_ratio(t, f, delta)
        if ratio is not None:
            pairs = ((t, f), (f, t), (1 - t, 1 - f), (1 - f, 1 - t))
            most = max(p - ratio * q for p, q in pairs)
            yield Case(f"t = {t}, f = {f}, δ = {delta}", most, delta, "=" if ratio > 1 else "≤")


# --- guesses of canaries in one run ---


def _mechanism(seed: int) -> tuple[int, int, Laws]:
    """Canaries, guesses, and laws of a few outputs, some of which some choices never have."""
    rng = Random(seed)
    m = rng.randint(1, 3)
    outputs = rng.randint(2, 5)
    laws = {}
    for bits_ in product((0, 1), repeat=m):
        weights = [rng.choice((0, 1, 1, 2, 5, 20)) for _ in range(outputs)]
        weights[0] += 1
        laws[bits_] = [F(w, sum(weights)) for w in weights]
    return m, rng.randint(1, m), laws


def _neighbours(laws: Laws) -> Iterator[Pair]:
    """The pair of every choice and every change of one canary."""
    for bits_, p in laws.items():
        for j in range(len(bits_)):
            other = laws[(*bits_[:j], 1 - bits_[j], *bits_[j + 1 :])]
            yield list(zip(p, other, strict=True))


def _best(laws: Laws, m: int, r: int, v: int) -> F:
    """The largest P[V ≥ v] of all rules that guess r canaries: of each output the best guess."""
    total = F(0)
    for y in range(len(next(iter(laws.values())))):
        total += max(
            sum(
                (
                    law[y]
                    for bits_, law in laws.items()
                    if sum(bits_[i] == g for i, g in zip(at, said, strict=True)) >= v
                ),
                F(0),
            )
            for at in combinations(range(m), r)
            for said in product((0, 1), repeat=r)
        )
    return total / len(laws)


def guesses() -> Iterator[Case]:
    """P[V ≥ v] of the best rule against the bound, at ε of rational e^ε with the δ that is true there."""
    for seed in range(60):
        m, r, laws = _mechanism(seed)
        for ratio in (F(1), F(3, 2), F(3), F(20)):
            delta = max(sum((max(p - ratio * q, F(0)) for p, q in pair), F(0)) for pair in _neighbours(laws))
            for v in range(1, r + 1):
                bound = _tail(r, v, ratio / (1 + ratio)) + m * delta
                yield Case(f"mechanism {seed}, e^ε = {ratio}, v = {v}", _best(laws, m, r, v), bound)


def needed(pair: Pair) -> arb:
    """The least μ with T ≥ G_μ: G_μ is convex and T a polygon, so the corners of T decide; ∞ for one on an
    axis.
    """
    rows = sorted((row for row in pair if row[0] or row[1]), key=lambda row: row[0] / (row[0] + row[1]))
    power, alarm, most = F(0), F(0), arb(0)
    for p, q in rows[:0:-1]:
        power, alarm = power + p, alarm + q
        if power == 1 or alarm == 0:
            if power > alarm:
                return arb.pos_inf()
        else:
            most = most.max(_quantile(alarm) - _quantile(power))
    return most


def _quantile(share: F) -> arb:
    """The x with P(N(0, 1) > x) = share, strictly between 0 and 1."""
    return ball(2).sqrt() * ball(2 * share).erfcinv()


def _full(seed: int) -> tuple[int, int, Laws]:
    """A mechanism each of whose outputs every choice can have, so that it has a μ."""
    m, r, laws = _mechanism(seed)
    share = F(1, 10)
    return m, r, {bits_: [(1 - share) * p + share / len(law) for p in law] for bits_, law in laws.items()}


def gaussian_guesses() -> Iterator[Case]:
    """No mechanism is refuted (1) at its own μ and its own P[V ≥ v]."""
    for seed in range(60):
        m, r, laws = _full(seed)
        mu = F(upper(_largest([needed(pair) for pair in _neighbours(laws)])))
        for v in range(1, r + 1):
            refuted = int(refutes(mu, v, r, m, _best(laws, m, r, v)))
            yield Case(f"mechanism {seed}, v = {v}", refuted, 0)


def _largest(found: Sequence[arb]) -> arb:
    most = found[0]
    for each in found[1:]:
        most = most.max(each)
    return most


def gaussian_errors() -> Iterator[Case]:
    """Φ⁻¹(t) − Φ⁻¹(f) ≤ μ of the events x > a or x < b of N(μ, 1) against N(0, 1)."""
    for mu, a, b in product((F(1, 10), F(1), F(3)), (F(-1), F(0), F(2)), (F(-8), F(-2), F(-3, 2))):
        t = normal_tail(ball(a - mu)) + normal_tail(ball(mu - b))
        f = normal_tail(ball(a)) + normal_tail(ball(-b))
        root = ball(2).sqrt()
        yield Case(f"μ = {mu}, a = {a}, b = {b}", root * ((2 * f).erfcinv() - (2 * t).erfcinv()), ball(mu))
