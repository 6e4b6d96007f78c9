"""Votes with Gaussian noise: both ends against winners by quadrature."""

import math
import random
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy.special import ndtr

import pldverify as pv
from pldverify.balls.ball import working
from pldverify.errors import InvalidInput, NotSupported
from pldverify.mechanisms.gnmax import response

GRID = np.linspace(-11, 11, 6001)
"""Of one noise in its deviations; smooth integrands err by far less than 1e-9."""


def winners(counts: list[int], sigma: float) -> list[float]:
    density = np.exp(-(GRID**2) / 2) / math.sqrt(2 * math.pi) * (GRID[1] - GRID[0])
    leads = [
        [ndtr(GRID + (x - y) / sigma) for j, y in enumerate(counts) if j != i] for i, x in enumerate(counts)
    ]
    return [float(np.sum(density * np.prod(rows, axis=0))) for rows in leads]


def test_bad_input_gets_one_line() -> None:
    with pytest.raises(InvalidInput, match="sigma must be > 0, got sigma=0"):
        pv.GNMax(0)
    with pytest.raises(NotSupported, match="is about one data set"):
        pv.GNMax(40, votes=[90, 5, 5])
    with pytest.raises(NotSupported, match="votes must be left out"):
        pv.certify("10 * gnmax(sigma=40, votes=[90, 10])", epsilon=1, delta="1e-5")


@pytest.mark.parametrize("instances", [15, pytest.param(1000, marks=pytest.mark.slow)])
def test_no_vote_leaves_the_upper_end(instances: int) -> None:
    draw, worst = random.Random(3), 0.0
    for _ in range(instances):
        sigma, classes = draw.choice([0.7, 2.0, 5.0]), draw.choice([2, 3, 5])
        counts = [draw.randint(0, 6) for _ in range(classes)]
        moved = list(counts)
        lost, won = draw.sample(range(classes), 2)
        moved[lost], moved[won] = moved[lost] - 1, moved[won] + 1
        p, q = winners(counts, sigma), winners(moved, sigma)
        epsilon = draw.choice([0.1, 0.5, 1.0])
        real = sum(max(0.0, a - math.exp(epsilon) * b) for a, b in zip(p, q, strict=True))
        most = float(pv.delta(pv.GNMax(sigma), epsilon=epsilon).upper)
        assert real <= most + 1e-9
        worst = max(worst, real / most)
    assert worst > 0.5


@pytest.mark.parametrize("lead", [-1, 1, 2, 7])
def test_the_lower_end_is_of_two_classes(lead: int) -> None:
    for sigma in (1.0, 3.0):
        pair = response(pv.GNMax(sigma), lead)
        assert pair is not None
        p, q = (winners([count, 0], sigma)[1] for count in (lead - 2, lead))
        assert abs(float(pair.p[0]) - p) < 1e-9 and abs(float(pair.q[0]) - q) < 1e-9


def test_one_answer_is_near_the_pair_and_many_are_apart_as_a_sign_from_a_number() -> None:
    once = pv.bracket(pv.GNMax(40), delta="1e-5", digits=2)
    assert 1 <= once.upper / once.lower < Fraction(104, 100)
    many = pv.bracket(500 * pv.GNMax(100), delta="1e-5", digits=2)
    assert 1 <= many.upper / many.lower < Fraction(135, 100)


@pytest.mark.parametrize("adjacency", ["add-or-remove", "replace-one"])
def test_a_vote_moves_alike_for_all_neighbours(adjacency: Any) -> None:
    found = pv.bracket(20 * pv.GNMax(sigma=30), delta="1e-5", adjacency=adjacency, digits=2)
    truth = pv.epsilon(20 * pv.Gaussian(30, sensitivity="sqrt(2)"), delta="1e-5")
    assert abs(found.upper - truth.upper) < Fraction(1, 1000)


def test_what_is_attained_is_the_same_at_every_precision() -> None:
    """Next to 1 by less than a ball has exponents for."""
    found = []
    for bits in (53, 64, 400):
        with working(bits):
            found.append(response(pv.GNMax("1e-6"), Fraction(1, 2)))
    assert found[0] is not None and found[0] == found[1] == found[2]


@pytest.mark.parametrize(("steps", "sigma", "delta"), [(1, 20, 1e-5), (3, 5, 1e-3), (3, 20, 1e-8)])
def test_the_lead_that_tells_most_is_nearly_found(steps: int, sigma: int, delta: float) -> None:
    """By all whole leads, with the binomial law of how often the second class wins."""
    best = 0.0
    for lead in range(1, 12 * sigma):
        q, p = (float(ndtr((x - lead) / (math.sqrt(2) * sigma))) for x in (0, 2))

        def exceeds(epsilon: float, p: float = p, q: float = q) -> bool:
            rows = [
                math.comb(steps, j)
                * (p**j * (1 - p) ** (steps - j) - math.exp(epsilon) * q**j * (1 - q) ** (steps - j))
                for j in range(steps + 1)
            ]
            return sum(max(row, 0.0) for row in rows) > delta

        low, high = 0.0, 10.0
        for _ in range(40):
            middle = (low + high) / 2
            low, high = (middle, high) if exceeds(middle) else (low, middle)
        best = max(best, low)
    found = pv.bracket(steps * pv.GNMax(sigma), delta=delta)
    assert 0.99 * best < found.lower <= found.upper < 1.2 * best
