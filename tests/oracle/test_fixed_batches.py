"""Batches of a fixed size against the mechanism itself: every batch of a few records is listed, and δ of the
two mixtures that follow is integrated on a grid of outcomes.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations, product

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
