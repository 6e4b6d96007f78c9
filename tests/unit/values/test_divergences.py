"""Rényi divergences of the best of several runs, from both ends."""

import math
from fractions import Fraction

import pytest

import pldverify as pv
from pldverify.values.divergences import divergence

F = Fraction


def of_geometric(p: list[float], q: list[float], mean: float, order: float) -> float:
    """Of outcomes from the worst to the best, by f(x) = γx/(1 − (1 − γ)x), γ = 1/mean."""
    total, before = 0.0, (0.0, 0.0)
    for a, b in zip(p, q, strict=True):
        after = before[0] + a, before[1] + b
        first, second = (
            x / (mean - (mean - 1) * x) - y / (mean - (mean - 1) * y)
            for x, y in zip(after, before, strict=True)
        )
        total += first**order * second ** (1 - order)
        before = after
    return math.log(total) / (order - 1)


@pytest.mark.parametrize("order", [1.5, 2.0, 8.0, 40.0])
@pytest.mark.parametrize("steps", [1, pytest.param(4, marks=pytest.mark.slow)])
def test_it_lies_between_the_ends(order: float, steps: int) -> None:
    """Of answers that are told by halves of halves of their probabilities, the worst losses best."""
    halves = [2.0**-j for j in range(1, 20)]
    halves.append(halves[-1])
    high, low = ([x * y for x in halves] for y in (0.6, 0.4))
    tuned = steps * pv.RepeatAndSelect(pv.RandomizedResponse("0.6"), 10, 1)
    found = divergence(tuned, "add-or-remove", F(order))
    assert found.lower is not None and found.upper is not None
    real = steps * of_geometric([*high, *low], [*low, *high], 10.0, order)
    assert 0 < found.lower.at <= found.upper.at
    assert real <= float(found.upper.at) < 12 * real


def test_orders_that_are_not_above_1_have_less() -> None:
    tuned = 2 * pv.RepeatAndSelect(pv.Gaussian(5), mean=3, shape=math.inf)
    ends = [divergence(tuned, "remove", order) for order in ("1/2", 1, 2)]
    tops = [end.upper.at for end in ends if end.upper is not None]
    assert len(tops) == 3 and tops == sorted(tops)
    assert divergence(tuned, "remove", math.inf).upper is None
