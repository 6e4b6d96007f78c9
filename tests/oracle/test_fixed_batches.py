"""Batches of a fixed size against the mechanism itself: every batch of a few records is listed, and δ of the
two mixtures that follow is integrated on a grid of outcomes.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import reduce
from itertools import combinations, product

import numpy as np
import pytest

import pldverify as pv
from pldverify.mechanisms.mechanism import Mechanism
from tests.oracle.test_hidden_batches import OFF, Mixture, delta, power

Batches = Callable[[Sequence[float]], Mixture]


def without(records: Sequence[float]) -> Mixture:
    """Sums of all batches of two."""
    return Counter((sum(batch),) for batch in combinations(records, 2))


def drawn(records: Sequence[float]) -> Mixture:
    """Sums of two draws."""
    return Counter((sum(batch),) for batch in product(records, repeat=2))


NOISE = pv.Gaussian("0.8")
KINDS: list[tuple[Batches, Mechanism, int]] = [
    (without, pv.SampledWithoutReplacement(NOISE, "1/2"), 4),
    (drawn, pv.SampledWithReplacement(NOISE, m=2, n=3), 3),
]


@pytest.mark.parametrize(("batches", "mechanism", "records"), KINDS)
@pytest.mark.parametrize("steps", [1, 2])
@pytest.mark.parametrize("epsilon", [0.25, 1.0, 2.5])
def test_every_data_set_is_between_the_ends(
    batches: Batches, mechanism: Mechanism, records: int, steps: int, epsilon: float
) -> None:
    """The lower end is that of the worst of the proof; no other one is above the upper end."""
    found = pv.bracket(steps * mechanism, epsilon=epsilon, seconds=30)
    worst = 0.0
    for others in product((-1.0, 0.0, 1.0), repeat=records - 1):
        if list(others) == sorted(others):
            pair = [power(batches([x, *others]), steps) for x in (1.0, -1.0)]
            worst = max(worst, delta(*pair, 0.8, epsilon, 0.05))
    first, second = (power(batches([x, *[-1.0] * (records - 1)]), steps) for x in (1.0, -1.0))
    of_proof = delta(first, second, 0.8, epsilon, 0.05)
    assert found.lower * (1 - 1e-3) < of_proof * (1 + OFF) and of_proof < worst * (1 + OFF)
    assert worst < found.upper * (1 + OFF)
    tight = steps == 1 and batches is without
    assert abs(found.lower / of_proof - 1) < (1e-2 if tight else 0.05)


def laplace_delta(first: Mixture, second: Mixture, epsilon: float, step: float) -> float:
    """The larger of both directions, of Laplace noise of scale 1, on a grid as that of Gaussian noise."""
    axis = np.arange(-20, 20, step) + step / 2

    def density(mixture: Mixture) -> np.ndarray:
        rows = [(weight, [np.exp(-abs(axis - mean)) for mean in means]) for means, weight in mixture.items()]
        total = sum(weight * reduce(np.multiply.outer, bumps) for weight, bumps in rows)
        return np.asarray(total / np.sum(total))

    p, q = density(first), density(second)
    growth = np.exp(epsilon)
    return float(max(np.maximum(p - growth * q, 0).sum(), np.maximum(q - growth * p, 0).sum()))


LAPLACE: list[tuple[Batches, Mechanism, int]] = [
    (without, pv.SampledWithoutReplacement(pv.Laplace(1), "1/2"), 4),
    (drawn, pv.SampledWithReplacement(pv.Laplace(1), m=2, n=3), 3),
]


@pytest.mark.parametrize(("batches", "mechanism", "records"), LAPLACE)
@pytest.mark.parametrize(("steps", "epsilon"), [(1, 0.25), (1, 1.0), (2, 0.5), (2, 2.0)])
def test_laplace_noise_is_between_the_ends(
    batches: Batches, mechanism: Mechanism, records: int, steps: int, epsilon: float
) -> None:
    found = pv.bracket(steps * mechanism, epsilon=epsilon, seconds=30)
    attacks = []
    for others in product((-1.0, 0.0, 1.0), repeat=records - 1):
        if list(others) == sorted(others):
            pair = [power(batches([x, *others]), steps) for x in (1.0, -1.0)]
            attacks.append(laplace_delta(*pair, epsilon, 0.04))
    assert found.lower < max(attacks) * (1 + OFF) and max(attacks) < found.upper * (1 + OFF)
    assert found.lower > max(attacks) * (0.98 if batches is without else 0.7)


@pytest.mark.parametrize(
    ("records", "size", "replacing", "mechanism"),
    [
        (3, 2, False, pv.SampledWithoutReplacement(pv.PureDP("ln(3)"), "2/3")),
        (2, 2, True, pv.SampledWithReplacement(pv.PureDP("ln(3)"), m=2, n=2)),
        (3, 2, False, pv.SampledWithoutReplacement(pv.ApproximateDP("ln(3)", "1/10"), "2/3")),
        (2, 2, True, pv.SampledWithReplacement(pv.ApproximateDP("ln(3)", "1/10"), m=2, n=2)),
    ],
)
@pytest.mark.parametrize("epsilon", ["0", "0.3", "0.7"])
def test_no_base_with_the_promise_beats_the_pair(
    records: int, size: int, replacing: bool, mechanism: Mechanism, epsilon: str
) -> None:
    """Every function of the batch to two values, of which one is told by randomised response with odds of
    three, or, with probability δ, as it is.
    """
    names = [chr(97 + i) for i in range(records - 1)]

    def batches(record: str) -> list[tuple[str, ...]]:
        data = [record, *names]
        listed = product(data, repeat=size) if replacing else combinations(data, size)
        return [tuple(sorted(batch)) for batch in listed]

    first, second = batches("x"), batches("y")
    known = sorted({*first, *second})
    lost = getattr(mechanism.base, "delta", Fraction(0))  # type: ignore[attr-defined]  # of these two
    high, low = (1 - lost) * Fraction(3, 4), (1 - lost) * Fraction(1, 4)
    pair = pv.delta(mechanism, epsilon=epsilon, digits=6)
    below = pv.bracket(mechanism, epsilon=epsilon, seconds=5)
    growth, worst = np.exp(float(epsilon)), 0.0
    for bits in product((0, 1), repeat=len(known)):
        table = dict(zip(known, bits, strict=True))
        p, q = (Fraction(sum(table[b] for b in rows), len(rows)) for rows in (first, second))
        rows = [
            [lost * x, lost * (1 - x), high * x + low * (1 - x), low * x + high * (1 - x)] for x in (p, q)
        ]
        worst = max(worst, sum(max(0.0, float(a) - growth * float(b)) for a, b in zip(*rows, strict=True)))
    assert worst < float(pair.upper) * (1 + 1e-9)
    assert float(below.lower) < worst * (1 + 1e-9)
    if not replacing:
        assert worst > float(pair.lower) * (1 - 1e-9)
