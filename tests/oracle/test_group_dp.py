"""What (ε, δ)-DP implies for m records: chains of m + 1 laws, in exact fractions with e^ε rational.

Chains that keep the promise never get beyond the pair, alone or one after another; one chain gets there; a
linear program over all chains agrees.
"""

import itertools
import random
from collections.abc import Iterator, Sequence
from fractions import Fraction

import numpy as np
import pytest
from scipy.optimize import linprog

import pldverify as pv
from pldverify.balls.ball import working
from pldverify.reference.laws.group_dp import GroupDPLaw, group_dp

Law = Sequence[Fraction]
ALPHAS = [Fraction(x) for x in ("0.3", "1", "1.5", "2", "4", "7.9", "9", "30")]
CASES = [  # e^ε, δ, m: nothing lost; little; so much that losses end early; a loss of 0 alone; all
    *itertools.product(("2", "1.1"), ("0", "0.01"), (1, 2, 3, 4)),
    ("3", "0.001", 5),
    ("2", "0.1", 3),
    ("2", "0.05", 5),
    ("3", "0.1", 4),
    ("1.5", "0.2", 2),
    ("3", "0.2", 2),
    ("5", "0.3", 3),
    ("1.2", "0.15", 5),
]


def power(x: Fraction, r: Fraction, delta: Fraction) -> Fraction:
    """The most that a set of probability x may have one record apart."""
    return min(delta + r * x, 1 - (1 - delta - x) / r, Fraction(1))


def chain(r: Fraction, delta: Fraction, m: int) -> list[list[Fraction]]:
    """Laws whose distribution functions are the iterates, on a mass at 0 and the intervals between bends."""
    places, bends = {Fraction(0), Fraction(1)}, [(1 - delta) / (1 + r), 1 - delta]
    for _ in range(m):
        places |= {x for x in bends if 0 <= x <= 1}
        bends = [max((y - delta) / r, 1 - delta - r * (1 - y)) for y in bends]
    below, laws = sorted(places), []
    for _ in range(m + 1):
        laws.append([below[0], *(b - a for a, b in itertools.pairwise(below))])
        below = [power(x, r, delta) for x in below]
    return laws


def apart(p: Law, q: Law, alpha: Fraction) -> Fraction:
    return sum((max(a - alpha * b, Fraction(0)) for a, b in zip(p, q, strict=True)), Fraction(0))


def keeps(p: Law, q: Law, r: Fraction, delta: Fraction) -> bool:
    return apart(p, q, r) <= delta and apart(q, p, r) <= delta


def times(p: Law, q: Law) -> list[Fraction]:
    return [a * b for a in p for b in q]


def proved(mechanism: pv.Composition | pv.GroupDP, alpha: Fraction, adjacency: str = "add") -> pv.Enclosure:
    """H_α of the pair; below 1 by its symmetry: H_α = 1 − α + α H_{1/α}."""
    if alpha < 1:
        return 1 - alpha + alpha * proved(mechanism, 1 / alpha, adjacency)
    return pv.delta(mechanism, epsilon=f"ln({alpha})" if alpha > 1 else 0, adjacency=adjacency, digits=12)


def mechanism(r: str, delta: str, m: int) -> pv.GroupDP:
    return pv.GroupDP(f"ln({r})", delta, m)


@pytest.mark.parametrize(("r", "delta", "m"), CASES)
def test_one_chain_attains_it(r: str, delta: str, m: int) -> None:
    laws = chain(Fraction(r), Fraction(delta), m)
    assert all(sum(law) == 1 and min(law) >= 0 for law in laws)
    assert all(keeps(p, q, Fraction(r), Fraction(delta)) for p, q in itertools.pairwise(laws))
    for alpha in ALPHAS:
        assert apart(laws[m], laws[0], alpha) in proved(mechanism(r, delta, m), alpha)
        assert apart(laws[0], laws[m], alpha) in proved(mechanism(r, delta, m), alpha)


@pytest.mark.parametrize(("r", "delta", "m"), CASES)
def test_a_linear_program_over_all_chains_finds_no_more_and_no_less(r: str, delta: str, m: int) -> None:
    """Two outcomes are enough: a test of P_m against P_0 makes as many of any."""
    odds, lost = float(r), float(delta)
    rows, ends = [], []
    for j in range(m):
        for way, side in itertools.product(((j, j + 1), (j + 1, j)), (1, -1)):  # P(S) ≤ e^ε Q(S) + δ
            row = np.zeros(m + 1)
            row[way[0]], row[way[1]] = side, -side * odds
            rows.append(row)  # of the complement: 1 − P(S) ≤ e^ε (1 − Q(S)) + δ
            ends.append(lost + (odds - 1 if side == -1 else 0))
    for alpha in ALPHAS:
        aim = np.zeros(m + 1)
        aim[m], aim[0] = -1, float(alpha)
        best = -linprog(aim, np.array(rows), np.array(ends), bounds=(0, 1)).fun
        truth = proved(mechanism(r, delta, m), alpha)
        assert float(truth.lower) - 1e-9 <= best <= float(truth.upper) + 1e-9


def test_the_program_tells_the_pair_from_an_m_fold_promise() -> None:
    """2-DP allows for tanh 1; the chain of two promises of 1-DP for 1 − 1/e."""
    assert proved(pv.GroupDP(1, 0, 2), Fraction(1)).upper < 0.6322
    assert proved(pv.PureDP(2), Fraction(1)).lower > 0.76  # type: ignore[arg-type]


def drawn(source: random.Random, size: int) -> list[Fraction]:
    """A law; some of its masses may be 0."""
    weights = [Fraction(source.choice((0, 1, 1, 2, 5, 20))) for _ in range(size - 1)] + [Fraction(1)]
    return [w / sum(weights) for w in weights]


def wandering(source: random.Random, r: Fraction, delta: Fraction, m: int, size: int = 4) -> list[Law]:
    """Each law as far from the one before as the promise lets it, towards a law at random, to 1/32."""
    laws: list[Law] = [drawn(source, size)]
    for _ in range(m):
        last, aim = laws[-1], drawn(source, size)
        steps = ([a + Fraction(k, 32) * (b - a) for a, b in zip(last, aim, strict=True)] for k in range(33))
        laws.append([law for law in steps if keeps(last, law, r, delta)][-1])
    return laws


@pytest.mark.parametrize(("r", "delta", "m"), CASES)
def test_no_chain_goes_beyond_it(r: str, delta: str, m: int) -> None:
    source, odds, lost = random.Random(f"{r} {delta} {m}"), Fraction(r), Fraction(delta)
    truth = {alpha: proved(mechanism(r, delta, m), alpha).upper for alpha in ALPHAS}
    for _ in range(12):
        laws = wandering(source, odds, lost, m)
        assert all(apart(laws[m], laws[0], alpha) <= truth[alpha] for alpha in ALPHAS)


@pytest.mark.parametrize(("r", "delta", "m"), [("2", "0", 2), ("2", "0.1", 2), ("1.5", "0.01", 3)])
def test_two_steps_one_after_the_other(r: str, delta: str, m: int) -> None:
    """The product is attained; a second step that depends on what the first one said gets no further."""
    source, odds, lost = random.Random(7), Fraction(r), Fraction(delta)
    worst = chain(odds, lost, m)
    twice = 2 * mechanism(r, delta, m)
    truth = {alpha: proved(twice, alpha) for alpha in ALPHAS}
    for alpha in ALPHAS:
        assert apart(times(worst[m], worst[m]), times(worst[0], worst[0]), alpha) in truth[alpha]
    for first in (worst, *(wandering(source, odds, lost, m) for _ in range(5))):
        second = [source.choice((worst, wandering(source, odds, lost, m))) for _ in first[0]]
        p, q = (
            [a * b for a, laws in zip(first[end], second, strict=True) for b in laws[end]] for end in (m, 0)
        )
        assert all(apart(p, q, alpha) <= truth[alpha].upper for alpha in ALPHAS)


@pytest.mark.parametrize("adjacency", ["add", "remove", "add-or-remove", "replace-one", "zero-out"])
def test_every_relation_between_neighbours_walks_along_the_chain(adjacency: str) -> None:
    """The mechanism draws from P_j, j the records that have a property, at most m."""
    laws = chain(Fraction(2), Fraction(1, 100), 3)
    found = proved(mechanism("2", "0.01", 3), Fraction(3, 2), adjacency)
    assert apart(laws[3], laws[0], Fraction(3, 2)) in found


def outcomes(r: str, delta: str, m: int) -> Iterator[tuple[Fraction, Fraction]]:
    """Both masses, next to the law at a rational ε."""
    law = group_dp(mechanism(r, delta, m).middle().epsilon, Fraction(delta), m)  # type: ignore[attr-defined]
    with working(200):
        for row in law.outcomes() if law else []:
            yield Fraction(float(row.first)), Fraction(float(row.second))


@pytest.mark.parametrize(("r", "delta", "m"), CASES)
def test_masses_add_up(r: str, delta: str, m: int) -> None:
    for side in zip(*outcomes(r, delta, m), strict=True):
        assert abs(sum(side) - 1) < 1e-14


@pytest.mark.parametrize("epsilon", ["0", "0.3", "1.2"])
def test_known_cases(epsilon: str) -> None:
    """One record; no δ, which is discrete Laplace noise; no ε, where total variations add up."""
    same = [
        (pv.GroupDP("0.7", "0.01", 1), pv.ApproximateDP("0.7", "0.01")),
        (pv.GroupDP("0.5", 0, 3), pv.DiscreteLaplace(2, 3)),
        (pv.GroupDP(0, "0.2", 3), pv.ApproximateDP(0, "0.6")),
        (pv.GroupDP(0, "0.4", 3), pv.ApproximateDP(0, 1)),
        (pv.GroupDP(1, 1, 2), pv.ApproximateDP(1, 1)),
    ]
    for group, other in same:
        a, b = (pv.delta(2 * each, epsilon=epsilon, digits=12) for each in (group, other))
        assert a.overlaps(b) and a.digits >= 12


def test_small_delta_is_nearly_none() -> None:
    """The law of δ > 0 next to that of δ = 0."""
    law = GroupDPLaw(Fraction(1, 2), Fraction(1, 10**300), 3)
    with working(100):
        pairs = zip(law.atoms(), group_dp(Fraction(1, 2), Fraction(0), 3).atoms(), strict=True)  # type: ignore[union-attr]
        assert all(abs(float(a.first / b.first) - 1) < 1e-14 and a.loss.overlaps(b.loss) for a, b in pairs)
        assert 0 < float(law.infinite_mass) < 1e-298
