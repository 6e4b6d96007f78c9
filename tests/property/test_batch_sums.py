"""Poor events of batch sums prove little, but nothing wrong."""

import random
from fractions import Fraction
from math import exp

import pytest

from pldverify.reference.laws.batch_sums import BatchSumsLaw, Cells, Events, Look, corners
from tests.oracle.test_batch_sums import OFF, exact


def drawn(pick: random.Random) -> Events:
    def rational(low: float, high: float) -> Fraction:
        return Fraction(pick.randint(int(low * 1000), int(high * 1000)), 1000)

    looks = []
    for _ in range(6):
        below, theta, above = sorted(rational(-3, 3) * rational(0.001, 1) for _ in range(3))
        tilts = (
            below - 1,
            max(theta, Fraction(1, 1000)),
            max(theta, above, Fraction(1, 1000)) + rational(0.001, 2),
        )
        c, h = rational(0.05, 5), rational(0.001, 2)
        looks.append(Look(c, h, pick.randint(1, 16), pick.randint(-40, 40), pick.choice([4, 5, 6, 9]), tilts))
    cells = Cells(rational(-6, 3), rational(0.01, 2), pick.randint(1, 60))
    return Events((rational(-2, 5),), cells, tuple(looks))


@pytest.mark.parametrize("seed", range(12))
def test_no_events_prove_more_than_the_pair(seed: int) -> None:
    pick = random.Random(seed)
    gap, batches = pick.choice([(2, 1), (1, 2), (2, 0), (0, 1)]), pick.choice([1, 2])
    found = corners(BatchSumsLaw(*gap, batches, Fraction(1), drawn(pick)))
    assert all(0 <= q <= p <= 1 for q, p in found)
    for epsilon in (-1.0, -0.3, 0.0, 0.3, 1.0):
        best = max(float(p) - exp(epsilon) * float(q) for q, p in found)
        assert best < exact(gap, batches, 1.0, epsilon) * (1 + OFF)
