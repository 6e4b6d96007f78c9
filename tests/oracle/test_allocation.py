"""Random allocation against sums over the noise itself: nothing here knows of transforms.

The mean m of the T outcomes is normal of variance 1/T and independent of the rest, so R = e^{cm} R' with R'
of T − 1 dimensions. Given R' (of all epochs) δ is that of a lognormal variable, in closed form; over R' it
is a trapezoidal sum, whose error falls faster than any power of the step. For many steps R is simulated.
"""

import itertools
import math
import random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import pldverify as pv
from pldverify.mechanisms.relations import Adjacency
from pldverify.numbers.enclosure import Enclosure

Row = NDArray[np.float64]


def step(sigma: float, count: int) -> pv.BallsAndBins:
    return pv.BallsAndBins(pv.Gaussian(sigma=str(sigma)), batches=count)


def rest(sigma: float, count: int, width: float, k: int = 1) -> tuple[Row, Row]:
    """log R' at the nodes of a grid, and their weights; of k steps of ``count``."""
    c, nodes = 1 / sigma, np.arange(-8, 8 + width / 2, width)
    axes = np.linalg.qr(np.hstack([np.ones((count, 1)), np.eye(count)[:, : count - 1]]))[0][:, 1:]
    points = np.array(list(itertools.product(nodes, repeat=count - 1)))
    weights = np.exp(-(points**2).sum(axis=1) / 2) * (width / math.sqrt(2 * math.pi)) ** (count - 1)
    each = np.exp(c * points @ axes.T - c * c / 2)
    subsets = itertools.combinations(range(count), k)
    ratios: Row = np.log(np.mean([each[:, list(subset)].prod(axis=1) for subset in subsets], axis=0))
    return ratios, weights


def normal(x: Row) -> Row:
    return np.array([math.erfc(-y / math.sqrt(2)) / 2 for y in x])


def delta(
    sigma: float, count: int, epochs: int, epsilon: float, way: Adjacency, width: float = 0.25, k: int = 1
) -> float:
    """δ(ε) of one direction."""
    one, weight = rest(sigma, count, width, k)
    logs, weights = np.zeros(1), np.ones(1)
    for _ in range(epochs):
        logs, weights = np.add.outer(logs, one).ravel(), np.outer(weights, weight).ravel()
    kept = weights > 1e-22
    logs, weights = logs[kept], weights[kept]
    s = k * math.sqrt(epochs / count) / sigma  # deviation of the normal part of log R
    if way == "remove":  # E (R − e^ε)_+
        high, price, strike = logs + s * s / 2, 1.0, epsilon
        d = (logs - strike) / s
        return float(weights @ (np.exp(high) * normal(d + s) - price * math.exp(strike) * normal(d)))
    d = (-epsilon - logs) / s  # E (1 − e^ε R)_+
    return float(weights @ (normal(d) - np.exp(epsilon + logs + s * s / 2) * normal(d - s)))


def near(found: Enclosure, true: float, accuracy: float) -> bool:
    return float(found.lower) * (1 - accuracy) <= true <= float(found.upper) * (1 + accuracy)


@pytest.mark.sample(2)
@pytest.mark.parametrize("way", ["remove", "add"])
@pytest.mark.parametrize(
    ("sigma", "count", "epochs", "epsilon"),
    [
        (1.0, 2, 1, 0.7),
        (0.5, 2, 1, 3.0),
        (3.0, 2, 1, 0.2),
        (1.0, 2, 2, 1.5),
        (0.7, 2, 3, 1.0),
        (1.0, 3, 1, 0.3),
        (0.8, 3, 1, 2.0),
        (2.0, 3, 2, 0.5),
        (1.0, 4, 1, 0.8),
        (1.5, 4, 1, -0.3),
        (1.0, 2, 1, -1.0),
        (1.0, 1, 2, 1.0),
    ],
)
def test_a_few_steps_are_a_sum_over_the_noise(
    sigma: float, count: int, epochs: int, epsilon: float, way: Adjacency
) -> None:
    found = pv.delta(epochs * step(sigma, count), epsilon=str(epsilon), adjacency=way, digits=10)
    width = 0.25 if epochs * (count - 1) < 4 else 0.5
    assert near(found, delta(sigma, count, epochs, epsilon, way, width), 1e-8)


def test_one_step_is_the_gaussian() -> None:
    for adjacency in ("remove", "add"):
        asked: dict[str, Any] = {"delta": "1e-6", "adjacency": adjacency, "digits": 12}
        one = pv.epsilon(3 * step(2, 1), **asked)
        assert one == pv.epsilon(3 * pv.Gaussian(sigma=2), **asked)


@pytest.mark.parametrize(
    ("sigma", "count", "epochs", "adjacency", "printed"),
    [
        ("1", 100, 1, "remove", 0.857986),
        ("1", 100, 1, "add", 0.486425),
        ("4", 1000, 20, "add-or-remove", 0.132848),
    ],
)
def test_values_of_another_program(
    sigma: str, count: int, epochs: int, adjacency: Adjacency, printed: float
) -> None:
    """By convolution on a linear grid, in doubles; at δ = 1e-6."""
    mechanism = pv.BallsAndBins(pv.Gaussian(sigma=sigma), batches=count)
    found = pv.epsilon(epochs * mechanism, delta="1e-6", adjacency=adjacency, digits=7)
    assert abs(float(found) - printed) < 1e-6


def drawn(number: int) -> tuple[float, int, int, float]:
    """σ, bins, epochs and an ε about as large as the loss is wide."""
    source = random.Random(number)
    sigma = round(math.exp(source.uniform(math.log(0.4), math.log(5))), 2)
    count, epochs = int(math.exp(source.uniform(math.log(2), math.log(300)))), source.randint(1, 8)
    width = math.sqrt(epochs * math.log1p(math.expm1(1 / sigma**2) / count))
    return sigma, count, epochs, round(source.uniform(0.3, 1.5) * width, 3)


@pytest.mark.parametrize(
    ("sigma", "count", "epochs", "epsilon"),
    [(0.6, 7, 1, 1.0), (1.0, 30, 4, 0.5), (2.0, 200, 3, 0.05), (0.5, 50, 10, 4.0), (5.0, 11, 2, 0.1)],
)
def test_many_steps_are_simulated(sigma: float, count: int, epochs: int, epsilon: float) -> None:
    simulated(sigma, count, epochs, epsilon)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(10))
def test_what_is_drawn_is_simulated(number: int) -> None:
    simulated(*drawn(number))


def simulated(sigma: float, count: int, epochs: int, epsilon: float) -> None:
    """Under P one coordinate is moved by 1; five standard errors."""
    source, c, samples = np.random.default_rng(7), 1 / sigma, 40_000
    forward, backward = np.zeros(samples), np.zeros(samples)
    for _ in range(epochs):
        y = source.standard_normal((samples, count))
        backward -= np.log(np.exp(c * y - c * c / 2).mean(axis=1))
        y = source.standard_normal((samples, count))
        y[:, 0] += c
        forward += np.log(np.exp(c * y - c * c / 2).mean(axis=1))
    sides: tuple[tuple[Adjacency, Row], ...] = (("remove", forward), ("add", backward))
    for way, losses in sides:
        parts = np.maximum(0, 1 - np.exp(epsilon - losses))
        found = pv.delta(epochs * step(sigma, count), epsilon=str(epsilon), adjacency=way)
        assert abs(float(found) - parts.mean()) < 5 * parts.std() / math.sqrt(samples) + 1e-6


@pytest.mark.parametrize("way", ["remove", "add"])
def test_many_steps_are_nearly_gaussian(way: Adjacency) -> None:
    """log R tends to a normal variable of variance log(1 + (e^{c²} − 1)/T) as T grows."""
    noise = math.log1p(math.expm1(1 / 4) / 10**5) ** -0.5
    limit = pv.delta(pv.Gaussian(sigma=str(noise)), epsilon="0.002", digits=6)
    found = pv.delta(step(2, 10**5), epsilon="0.002", adjacency=way, digits=6)
    assert abs(float(found) / float(limit) - 1) < 0.02


def test_both_directions_are_one_curve() -> None:
    """δ of the reverse at −ε, by another line of the same transform."""
    for epsilon in ("0.3", "1.1"):
        there = pv.delta(2 * step(1, 10), epsilon=epsilon, adjacency="remove", digits=12)
        back = pv.delta(2 * step(1, 10), epsilon=f"-{epsilon}", adjacency="add", digits=12)
        grown = math.exp(float(epsilon))
        assert abs(float(there) - (1 - grown + grown * float(back))) < 1e-13


@pytest.mark.parametrize("order", ["2", "5", "2.5", "0.5"])
def test_divergences_are_moments(order: str) -> None:
    """Of three steps, summed over the noise."""
    logs, weights = rest(1.3, 3, 0.2)
    powers: tuple[tuple[Adjacency, float], ...] = (("remove", float(order)), ("add", 1 - float(order)))
    for way, p in powers:
        moment = float(weights @ np.exp(p * logs)) * math.exp(p * p / (2 * 3 * 1.3**2))
        found = pv.rdp(step(1.3, 3), order=order, adjacency=way, digits=8)
        assert near(found, math.log(moment) / (float(order) - 1), 1e-7)


def test_a_subset_has_at_most_the_blocks() -> None:
    """Two of four steps, all six pairs alike, by a sum over the noise of all four."""
    sigma, width, epsilon = 1.0, 0.5, 0.8
    nodes = np.arange(-7, 7 + width / 2, width)
    points = np.array(list(itertools.product(nodes, repeat=4)))
    weights = np.exp(-(points**2).sum(axis=1) / 2) * (width / math.sqrt(2 * math.pi)) ** 4
    ones = np.exp(points / sigma - 1 / (2 * sigma**2))
    ratios = np.mean([ones[:, i] * ones[:, j] for i, j in itertools.combinations(range(4), 2)], axis=0)
    truths: dict[Adjacency, float] = {
        "remove": float(weights @ np.maximum(0, ratios - math.exp(epsilon))),
        "add": float(weights @ np.maximum(0, 1 - math.exp(epsilon) * ratios)),
    }
    for blocks in (False, True):
        whole = pv.random_allocation(pv.Gaussian(1), steps=4, participations=2, blocks=blocks)
        assert whole.steps == 2 and whole.standing == ("exact" if blocks else "upper bound")
        for way, truth in truths.items():
            found = pv.delta(whole, epsilon=str(epsilon), adjacency=way)
            assert truth * 1.01 < float(found) < truth * 2
    claim = pv.random_allocation(pv.Gaussian(1), steps=4, participations=2)
    assert pv.certify(pv.Query(claim, delta="1e-5"), epsilon=20).verdict == "CERTIFIED"
    assert pv.certify(pv.Query(claim, delta="1e-5"), epsilon=1).verdict == "REFUTED"


@pytest.mark.sample(1)
@pytest.mark.parametrize("way", ["remove", "add"])
@pytest.mark.parametrize(
    ("sigma", "count", "k", "epochs", "epsilon"),
    [
        (1.0, 4, 2, 1, 0.8),
        (0.6, 4, 2, 1, 3.0),
        (2.0, 4, 3, 1, 0.3),
        (1.0, 3, 2, 1, 1.0),
        (1.0, 3, 2, 2, 1.5),
        (1.5, 3, 2, 2, -0.5),
    ],
)
def test_a_subset_of_a_few_steps_is_between_its_ends(
    sigma: float, count: int, k: int, epochs: int, epsilon: float, way: Adjacency
) -> None:
    """All subsets listed."""
    truth = delta(sigma, count, epochs, epsilon, way, 0.25 if epochs * (count - 1) < 4 else 0.75, k)
    run = epochs * pv.random_allocation(pv.Gaussian(str(sigma)), steps=count, participations=k)
    found = pv.bracket(run, epsilon=str(epsilon), adjacency=way, seconds=60)
    assert found.two_sided
    assert truth * 0.9 < float(found.lower) < truth * 1.0001
    assert truth * 0.9999 < float(found.upper)
