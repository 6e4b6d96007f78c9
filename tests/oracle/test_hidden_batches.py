"""Hidden batches against the mechanism itself: every order, or every throw, of a few records is listed, and δ
of the two mixtures that follow is integrated on a grid of outcomes.
"""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from typing import Any

import numpy as np
import pytest

import pldverify as pv
from pldverify.mechanisms.mechanism import Mechanism

Mixture = Counter[tuple[float, ...]]
"""Weights of mean vectors."""
OFF = 2e-3
"""Relative error of the grid; the brackets are wider."""


def shuffled(records: Sequence[float], sizes: Sequence[int]) -> Mixture:
    """Batch sums of every order of the records, cut into batches of these sizes."""
    found: Mixture = Counter()
    for order in permutations(range(len(records))):
        left, sums = list(order), []
        for size in sizes:
            sums.append(sum(records[i] for i in left[:size]))
            left = left[size:]
        found[tuple(sums)] += 1
    return found


def thrown(records: Sequence[float], batches: int) -> Mixture:
    """Batch sums of every throw."""
    throws = product(range(batches), repeat=len(records))
    return Counter(
        tuple(sum((x for x, i in zip(records, throw, strict=True) if i == t), 0.0) for t in range(batches))
        for throw in throws
    )


def power(mixture: Mixture, epochs: int) -> Mixture:
    """Independent epochs."""
    found: Mixture = Counter({(): 1})
    for _ in range(epochs):
        found = Counter({a + b: found[a] * mixture[b] for a in found for b in mixture})
    return found


def density(mixture: Mixture, sigma: float, axis: np.ndarray) -> np.ndarray:
    """On the grid of all outcomes."""
    dimensions = len(next(iter(mixture)))
    total = np.zeros((len(axis),) * dimensions)
    for means, weight in mixture.items():
        bump = np.ones(())
        for mean in means:
            bump = np.multiply.outer(bump, np.exp(-((axis - mean) ** 2) / (2 * sigma**2)))
        total += weight * bump
    return total / total.sum()


def delta(first: Mixture, second: Mixture, sigma: float, epsilon: float, step: float) -> float:
    """The larger of both directions."""
    means = [mean for mixture in (first, second) for row in mixture for mean in row]
    axis = np.arange(min(means) - 6 * sigma, max(means) + 6 * sigma, step * sigma)
    p, q = density(first, sigma, axis), density(second, sigma, axis)
    growth = np.exp(epsilon)
    return float(max(np.maximum(p - growth * q, 0).sum(), np.maximum(q - growth * p, 0).sum()))


@cache
def worst_shuffled(batches: int, epochs: int, adjacency: str, step: float) -> float:
    """δ(1) at σ = 1 of the data set of the proof, from every order of two records a batch."""
    others, other = [-1.0] * (2 * batches - 1), {"zero-out": 0.0, "replace-one": -1.0}[adjacency]
    sizes = [2] * batches
    pair = [power(shuffled([record, *others], sizes), epochs) for record in (1.0, other)]
    return delta(*pair, 1.0, 1.0, step)


@cache
def worst_thrown(batches: int, epochs: int, step: float) -> float:
    pair = [power(thrown([record], batches), epochs) for record in (1.0, 0.0)]
    return delta(*pair, 1.0, 1.0, step)


CASES = [(1, 1, 0.01), (2, 1, 0.02), (3, 1, 0.1), (1, 2, 0.02), (2, 2, 0.25)]
"""Batches, epochs, step of the grid."""


@pytest.mark.parametrize(("batches", "epochs", "step"), CASES)
@pytest.mark.parametrize("adjacency", ["zero-out", "replace-one"])
def test_the_bracket_of_shuffled_batches_holds_every_order(
    batches: int, epochs: int, step: float, adjacency: str
) -> None:
    truth = worst_shuffled(batches, epochs, adjacency, step)
    mechanism = pv.ShuffledBatches(pv.Gaussian(1), batches)
    found = pv.bracket(epochs * mechanism, epsilon=1, seconds=60, adjacency=adjacency)  # type: ignore[arg-type]
    slack = OFF * (10 if step > 0.2 else 1)
    assert truth * 0.85 < found.lower < truth * (1 + slack)
    assert truth * (1 - slack) < found.upper


@pytest.mark.parametrize(("batches", "epochs", "step"), CASES)
def test_the_bracket_of_balls_and_bins_holds_the_pair(batches: int, epochs: int, step: float) -> None:
    truth = worst_thrown(batches, epochs, step)
    mechanism = pv.BallsAndBins(pv.Gaussian(1), batches)
    found = pv.bracket(epochs * mechanism, epsilon=1, seconds=60)
    slack = OFF * (10 if step > 0.2 else 1)
    assert truth * 0.6 < found.lower < truth * (1 + slack)
    assert truth * (1 - slack) < found.upper


def test_a_smaller_last_batch_counts() -> None:
    pair = [shuffled([record, -1.0, -1.0], [2, 1]) for record in (1.0, 0.0)]
    found = pv.bracket(pv.ShuffledBatches(pv.Gaussian(1), 2), epsilon=1, seconds=60)
    assert found.lower < delta(*pair, 1.0, 1.0, 0.02) * (1 + OFF)


@pytest.mark.sample(1)
@pytest.mark.parametrize(("adjacency", "other"), [("zero-out", 0.0), ("replace-one", -1.0)])
@pytest.mark.parametrize(
    ("sizes", "records", "epochs"), [([1], 2, 1), ([1, 1], 3, 1), ([1, 1], 4, 1), ([2, 2], 5, 1), ([1], 3, 2)]
)
def test_where_the_rest_is_dropped(
    sizes: list[int], records: int, epochs: int, adjacency: str, other: float
) -> None:
    """Every order of a few records, the rest of which is in no batch; without it said the lower end fails."""
    rest = [-1.0] * (records - 1)
    pair = [power(shuffled([record, *rest], sizes), epochs) for record in (1.0, other)]
    truth = delta(*pair, 1.0, 1.0, 0.02)
    left = Fraction(records - sum(sizes), records)
    asked: dict[str, Any] = {"epsilon": 1, "adjacency": adjacency, "seconds": 60}
    found = pv.bracket(epochs * pv.ShuffledBatches(pv.Gaussian(1), len(sizes), dropped=left), **asked)
    assert truth * 0.9 < found.lower < truth * (1 + OFF) and truth * (1 - OFF) < found.upper
    silent = pv.bracket(epochs * pv.ShuffledBatches(pv.Gaussian(1), len(sizes)), **asked)
    assert truth * (1 + OFF) < silent.lower


@pytest.mark.slow
def test_a_last_epoch_that_is_not_whole() -> None:
    """One epoch of two batches, and one batch of another order."""
    pair = [shuffled([record, -1.0], [1, 1]) for record in (1.0, 0.0)]
    last = [shuffled([record, -1.0], [1]) for record in (1.0, 0.0)]
    whole = [
        Counter({a + b: k * m for a, k in one.items() for b, m in more.items()})
        for one, more in zip(pair, last, strict=True)
    ]
    run = pv.ShuffledBatches(pv.Gaussian(1), 2) + pv.ShuffledBatches(pv.Gaussian(1), 1, dropped="0.5")
    found = pv.bracket(run, epsilon=1, seconds=60)
    truth = delta(*whole, 1.0, 1.0, 0.2)
    assert truth * 0.85 < found.lower < truth * (1 + OFF) and truth * (1 - OFF) < found.upper


@pytest.mark.parametrize("others", [(0.0, 0.0, 0.0), (1.0, 1.0, 1.0), (-1.0, 0.5, 1.0), (-1.0, -1.0, 0.3)])
@pytest.mark.parametrize("sigma", [0.6, 1.0])
def test_no_data_set_is_above(others: tuple[float, ...], sigma: float) -> None:
    truth = delta(*(shuffled([x, *others], [2, 2]) for x in (1.0, 0.0)), sigma, 1.0, 0.02)
    mechanism: Mechanism = pv.ShuffledBatches(pv.Gaussian(str(sigma)), 2)
    assert truth * (1 - OFF) < pv.bracket(mechanism, epsilon=1, seconds=60).upper
    truth = delta(*(thrown(row, 2) for row in ((1.0, *others), others)), sigma, 1.0, 0.02)
    mechanism = pv.BallsAndBins(pv.Gaussian(str(sigma)), 2)
    assert truth * (1 - OFF) < pv.bracket(mechanism, epsilon=1, seconds=60).upper


@pytest.mark.slow
def test_one_order_for_all_epochs() -> None:
    """E outcomes of one order, listed together."""
    pair = [Counter({a + a: k for a, k in shuffled([x, -1.0], [1, 1]).items()}) for x in (1.0, 0.0)]
    found = pv.bracket(2 * pv.ShuffledBatches(pv.Gaussian(1), 2, persistent=True), epsilon=1, seconds=60)
    truth = delta(*pair, 1.0, 1.0, 0.25)
    assert truth * 0.9 < found.lower < truth * 1.02 and truth * 0.98 < found.upper
