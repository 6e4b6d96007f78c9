"""Batches cut to a largest size: the bound against all samples of small data sets, with the worst rules."""

import itertools
import math
from fractions import Fraction

import pytest

import pldverify as pv
from pldverify.balls.ball import ball, upper, working
from pldverify.errors import InvalidInput
from pldverify.mechanisms.relations import Adjacency
from pldverify.reference.quantities import truncated
from tests.oracle.test_dominance import Mixture, attack

ONE = Fraction(1)
EPSILONS = tuple(Fraction(x) for x in ("0", "0.5", "1", "3"))


def cut(records: list[Fraction], q: Fraction, largest: int) -> Mixture:
    """The sum of a sample of which the first records are kept."""
    law: Mixture = {}
    for chosen in itertools.product((0, 1), repeat=len(records)):
        kept = [x for x, bit in zip(records, chosen, strict=True) if bit][:largest]
        weight = math.prod((q if bit else 1 - q for bit in chosen), start=ONE)
        law[sum(kept, Fraction(0))] = law.get(sum(kept, Fraction(0)), Fraction(0)) + weight
    return law


def attacks(q: Fraction, largest: int, epsilon: Fraction) -> list[tuple[Adjacency, Fraction]]:
    """(direction, proved lower bound of δ) where the changed record goes first, and pushes others out."""
    others = [-ONE, -ONE]
    with_record, without = cut([ONE, *others], q, largest), cut(others, q, largest)
    ways: tuple[tuple[Adjacency, Mixture, Mixture], ...] = (
        ("remove", with_record, without),
        ("add", without, with_record),
    )
    found = []
    for way, first, second in ways:
        value = upper(attack(first, second, Fraction(1, 2), epsilon).lower())
        assert isinstance(value, Fraction)
        found.append((way, value))
    return found


@pytest.mark.parametrize("q", [Fraction(1, 10), Fraction(2, 5)], ids=str)
@pytest.mark.parametrize("largest", [1, 2])
def test_no_attack_exceeds_the_bound(q: Fraction, largest: int) -> None:
    step = pv.PoissonSubsampled(pv.Gaussian("0.5"), q)
    for epsilon in EPSILONS:
        for way, value in attacks(q, largest, epsilon):
            bound = pv.truncated_delta(step, epsilon, dataset_size=3, max_batch=largest, adjacency=way)
            assert value <= bound


def test_cutting_costs_something(monkeypatch: pytest.MonkeyPatch) -> None:
    """The planted error: without τ the bound is beaten, by δ of the uncut mechanism."""
    monkeypatch.setattr(truncated, "_beyond", lambda n, q, largest: ball(Fraction(0)))
    step = pv.PoissonSubsampled(pv.Gaussian("0.5"), "0.4")
    beaten = [
        value > pv.truncated_delta(step, epsilon, dataset_size=3, max_batch=1, adjacency=way)
        for epsilon in EPSILONS
        for way, value in attacks(Fraction(2, 5), 1, epsilon)
    ]
    assert any(beaten)


@pytest.mark.parametrize(
    ("n", "q", "largest"), [(3, "0.4", 1), (40, "0.1", 8), (200, "0.05", 30), (5, "0.5", 5)]
)
def test_the_tail_is_a_binomial_tail(n: int, q: str, largest: int) -> None:
    p = Fraction(q)
    exact = sum(math.comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(largest + 1, n + 1))
    with working(200):
        bound = upper(truncated._beyond(n, p, largest))
    assert exact <= bound <= 3 * exact


def test_what_is_refused_and_what_is_not_worth_a_bound() -> None:
    step = pv.PoissonSubsampled(pv.Gaussian(1), "0.5")
    with pytest.raises(InvalidInput, match="Poisson-sampled"):
        pv.truncated_delta(pv.Gaussian(1), 1, dataset_size=10, max_batch=5)
    assert pv.truncated_delta(100 * step, 1, dataset_size=1000, max_batch=400) == 1
    assert (
        pv.truncated_delta(step, 1, dataset_size=10, max_batch=10)
        == pv.delta(step, epsilon=1, digits=6).upper
    )
