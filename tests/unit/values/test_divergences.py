"""Rényi divergences of the best of several runs, from both ends."""

import math
from fractions import Fraction
from typing import Any

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


def test_losses_are_bounded_in_both_directions_or_not_at_all() -> None:
    """Of two steps of p = (1, 0), q = (1/2, 1/2) the outcome (1, 1), ranked last, is always shown under P,
    and under Q with γx/(1 − (1 − γ)x) = 1/3001, x = 1/4, γ = 1/1000.
    """
    base = 2 * pv.FinitePair([1, 0], ["1/2", "1/2"])
    tuned = pv.RepeatAndSelect(base, mean=1000, shape=1)
    assert pv.bracket(tuned, delta="1e-6", digits=2, adjacency="remove").upper > math.log(3001 * (1 - 1e-6))
    found = divergence(1 * tuned, "remove", 11).upper
    assert found is None or float(found.at) >= math.log(3001)
    selected = pv.RepeatAndSelect(pv.FinitePair(["1/2", "1/2", 0], ["1/4", "1/2", "1/4"]), mean=1000, shape=1)
    assert pv.certify(selected, epsilon=3, delta="1e-3", adjacency="remove").verdict == "REFUTED"


def test_a_base_whose_pair_does_not_dominate_bounds_nothing() -> None:
    """With all other records at −1 one run alone has D₅ = 7.12, that of twice the sensitivity."""
    once = pv.RepeatAndSelect(pv.KJH20WithReplacement(pv.Gaussian(1), 1, 10), mean=1, shape=1)
    assert divergence(1 * once, "replace-one", 5).upper is None


@pytest.mark.parametrize(
    ("base", "order"), [(pv.PureDP(1), "1e30"), (pv.Gaussian("1e-200"), 5), (pv.Gaussian("sqrt(2)"), 5)]
)
def test_what_is_beyond_all_doubles_or_irrational_is_unknown(base: Any, order: object) -> None:
    assert divergence(1 * pv.RepeatAndSelect(base, 10, 1), "remove", order).upper is None
