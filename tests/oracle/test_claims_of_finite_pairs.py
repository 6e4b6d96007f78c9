"""Claims of rates, the advantage, μ and its regret, of random finite pairs: all that is said of them against
sums over outcomes, which share nothing with the judge.

T of a finite pair is linear between its kinks, and G_μ is convex: G_μ is nowhere above T if it is not at the
kinks. So the least μ is the largest Φ⁻¹(1 − x) − Φ⁻¹(y) of kinks (x, y), of both directions; with a regret r
of (x + r, y + r).
"""

import random
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from math import inf
from typing import Any

import mpmath as mp
import pytest

import pldverify.rulings.measured as module
from pldverify.rulings.measured import power
from pldverify.rulings.model import Claim
from pldverify.rulings.rule import rule
from pldverify.values.least import mu
from pldverify.values.value import Value, known

Law = list[Fraction]
QUANTITIES = ("tpr", "advantage", "mu", "regret")
NEXT = mp.mpf(10) ** -20
"""Nearer than that a truth in 30 digits is not compared with."""


def law(rng: random.Random, size: int) -> Law:
    """Small counts, some 0, of which one at least is not."""
    counts = [rng.choice([0, 1, 2, 5, 20]) if rng.random() < 0.3 else rng.randint(1, 30) for _ in range(size)]
    counts[rng.randrange(size)] += 1
    return [Fraction(count, sum(counts)) for count in counts]


def kinks(p: Law, q: Law) -> list[tuple[Fraction, Fraction]]:
    """(FPR, 1 − TPR) of the best tests of Q against P, from the largest p/q on."""
    rows = sorted(zip(p, q, strict=True), key=lambda row: row[1] / (row[0] + row[1]) if any(row) else 2)
    found = [(Fraction(0), Fraction(1))]
    for a, b in rows:
        found.append((found[-1][0] + b, found[-1][1] - a))
    return found


def rate(p: Law, q: Law, fpr: Fraction) -> Fraction:
    """The largest TPR: on the line between two kinks."""
    found = []
    rows = kinks(p, q)
    for (x, y), (z, w) in pairwise(rows):
        if x <= fpr <= z:
            found.append(1 - (w if x == z else y + (w - y) * (fpr - x) / (z - x)))
    return max(found)


def quantile(share: Fraction) -> mp.mpf:
    return mp.sqrt(2) * mp.erfinv(2 * mp.mpf(share.numerator) / share.denominator - 1)


def least_mu(p: Law, q: Law, regret: Fraction) -> mp.mpf:
    moved = [(x + regret, y + regret) for pair in ((p, q), (q, p)) for x, y in kinks(*pair)]
    if any(min(point) <= 0 and max(point) < 1 for point in moved):
        return mp.inf
    inside = [quantile(1 - x) - quantile(y) for x, y in moved if max(x, y) < 1]
    return max([mp.mpf(0), *inside])


def drawn(seed: int) -> tuple[dict[str, Any], mp.mpf]:
    """A claim near its truth, and the truth."""
    rng = random.Random(seed)
    size, quantity = rng.choice([2, 2, 3, 4]), QUANTITIES[seed % len(QUANTITIES)]
    p, q = law(rng, size), law(rng, size)
    adjacency = rng.choice(["add", "remove", "add-or-remove", "replace-one"])
    pairs = {"add": [(q, p)], "remove": [(p, q)]}.get(adjacency, [(p, q), (q, p)])
    fpr, regret = Fraction(rng.choice([0, 1, 10, 33, 50]), 100), Fraction(rng.choice([1, 10, 100]), 1000)
    if quantity == "tpr":
        exact: Any = max(rate(*pair, fpr) for pair in pairs)
    elif quantity == "advantage":
        exact = sum((max(a - b, Fraction(0)) for a, b in zip(p, q, strict=True)), Fraction(0))
    else:
        exact = least_mu(p, q, regret if quantity == "regret" else Fraction(0))
    truth = mp.mpf(exact.numerator) / exact.denominator if isinstance(exact, Fraction) else exact
    near = (7 if truth == mp.inf else truth) * (
        1 + rng.choice([-1, 1]) * mp.mpf(10) ** -rng.choice([1, 2, 4])
    )
    number = mp.nstr(near, rng.choice([2, 4, 8]), min_fixed=-9, strip_zeros=False).rstrip(".")
    claimed = {"tpr": {"fpr": str(fpr), "tpr": number}} if quantity == "tpr" else {quantity: number}
    if quantity == "regret":
        claimed = {"mu": number, "regret": str(regret)}
    shares = (f"[{', '.join(map(str, each))}]" for each in (p, q))
    phase = {"mechanism": "expression", "expression": f"finite_pair({', '.join(shares)})"}
    relation = rng.choice(["<=", ">=", "="])
    return {"id": "a", "adjacency": adjacency, "relation": relation, "phase": [phase], **claimed}, truth


def stands(relation: str, truth: mp.mpf, number: Fraction) -> bool | None:
    """None where they are too close."""
    claimed = mp.mpf(number.numerator) / number.denominator
    if abs(truth - claimed) < NEXT:
        return None
    return {"<=": truth < claimed, ">=": truth > claimed, "=": False}[relation]


def wrong(claim: dict[str, Any], truth: mp.mpf) -> list[str]:
    """What is said of the claim, and is not so."""
    found = []
    for reading in rule(Claim.model_validate(claim)).readings:
        answers = [stands(way, truth, Fraction(str(number))) for way, number in reading.statements]
        right = "REFUTED" if False in answers else "UNDECIDED" if None in answers else "CERTIFIED"
        if reading.verdict not in ("UNDECIDED", right) and right != "UNDECIDED":
            found.append(f"{reading.says}: {reading.verdict}")
        lower, upper = (None if end is None or end == inf else Fraction(end) for end in reading.proved.ends)
        if lower is not None and stands("<=", truth, lower):
            found.append(f"at least {lower}")
        if upper is not None and stands(">=", truth, upper):
            found.append(f"at most {upper}")
        if (reading.proved.ends[0] == inf) > (truth == mp.inf):
            found.append("infinite")
    return found


@pytest.mark.parametrize("seeds", [range(8), pytest.param(range(8, 600), marks=pytest.mark.slow)], ids=len)
def test_nothing_that_is_said_is_wrong(seeds: range) -> None:
    with mp.workdps(30):
        assert {seed: said for seed in seeds if (said := wrong(*drawn(seed)))} == {}


@pytest.mark.parametrize("seeds", [range(8), pytest.param(range(8, 100), marks=pytest.mark.slow)], ids=len)
def test_most_claims_are_decided(seeds: range) -> None:
    """So that silence does not pass for truth."""
    verdicts = [str(rule(Claim.model_validate(drawn(seed)[0])).verdict) for seed in seeds]
    assert set(verdicts) >= {"CERTIFIED", "REFUTED"} and verdicts.count("UNDECIDED") <= len(verdicts) // 8


def half(composition: Any, adjacency: Any, statements: Any, regret: Fraction) -> Value:
    return mu(composition, adjacency, statements, regret / 2)


def one_way(composition: Any, adjacency: Any, fpr: Fraction, statements: Any) -> Value:
    return power(composition, "add", fpr, statements)


@pytest.mark.parametrize(
    ("name", "of", "lie"),
    [
        ("mu", "regret", half),
        ("power", "tpr", one_way),
        ("probability", "tpr", lambda value, name: Fraction(str(value)) / 2),
        (
            "_advantage",
            "advantage",
            lambda composition, adjacency: known(Fraction(1, 2), Fraction(1, 2), "a lie"),
        ),
    ],
)
def test_a_planted_error_is_seen(
    name: str, of: str, lie: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, name, lie)
    with mp.workdps(30):
        assert any(wrong(*drawn(seed)) for seed in range(24) if QUANTITIES[seed % len(QUANTITIES)] == of)
