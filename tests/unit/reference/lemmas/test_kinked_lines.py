"""Bounds of the transform without its atom, against quadrature in doubles."""

import math
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from flint import arb

from pldverify.balls.ball import working
from pldverify.reference.laws.shifted_gaussian import ShiftedGaussianLaw
from pldverify.reference.lemmas import kinked_lines
from pldverify.reference.lemmas.kinked_lines import Corner, corners
from pldverify.reference.search.cumulant import cumulant

ONE = ShiftedGaussianLaw(Fraction(1), Fraction(1, 10))
LAWS = [
    ONE,
    ShiftedGaussianLaw(Fraction(1, 2), (2, 100)),
    ShiftedGaussianLaw(Fraction(3, 2), Fraction(7, 10)),
]
PARTS = (0.5, 3.0, 20.0, 80.0)
"""Frequencies, in deviations."""


def masses(law: ShiftedGaussianLaw, z: complex) -> tuple[complex, float]:
    """(F(z), atom), in doubles by Gauss-Legendre panels that resolve the phase."""
    if isinstance(law.draws, Fraction):
        q, rows = float(law.draws), [(float(law.shift), 1.0)]
    else:
        m, n = law.draws
        q = 1 - (1 - 1 / n) ** m
        weights = [math.comb(m, j) * (n - 1) ** (m - j) / n**m / q for j in range(1, m + 1)]
        rows = [((j + 1) * float(law.shift), weight) for j, weight in enumerate(weights)]
    nodes, weights = np.polynomial.legendre.leggauss(30)
    total, atom = 0j, 0.0
    for c, share in rows:
        ends = np.linspace(c / 2, c / 2 + 9 + max(z.real + 1, -z.real) * c, 401)
        half = np.diff(ends)[:, None] / 2
        x = ends[:-1, None] + half * (1 + nodes)
        log = np.log1p(q * np.expm1(c * x - c * c / 2))
        density = np.exp(-x * x / 2) / math.sqrt(2 * math.pi) * half * weights
        total += share * complex((density * (np.exp((z + 1) * log) + np.exp(-z * log))).sum())
        atom += share * (1 - q) * math.erf(c / 2 / math.sqrt(2))
    return total, atom


def size(law: ShiftedGaussianLaw, theta: str, u: float) -> float:
    """log |F(θ + iu)|/M(θ)."""
    real, atom = masses(law, complex(float(theta)))
    return math.log(abs(masses(law, complex(float(theta), u))[0]) / (real.real + atom))


def exceeded(law: ShiftedGaussianLaw, theta: str) -> list[float]:
    """Frequencies at which the bound is below |F(θ + iu)|/M(θ)."""
    found = []
    deviation = math.sqrt(cumulant(law, float(theta))[2])
    with working(64):
        lines = law.kinked_lines(Fraction(theta))
        for part in PARTS:
            u = part / deviation
            truth = size(law, theta, u)
            bound = float(lines.log_sup(arb(u)))
            assert bound < truth + 1 or part < 20  # it is close, too
            if truth > bound:
                found.append(part)
    return found


@pytest.mark.sample(6)
@pytest.mark.parametrize("theta", ["-2.5", "-0.3", "3"])
@pytest.mark.parametrize("law", LAWS, ids=["q=0.1", "two draws", "q=0.7"])
def test_no_frequency_exceeds_the_bound(law: ShiftedGaussianLaw, theta: str) -> None:
    assert not exceeded(law, theta)


def without_the_turn(*arguments: Any) -> list[Corner]:
    return [Corner(one.weight, one.angle, one.fixed, arb(0)) for one in corners(*arguments)]


def without_the_density(*arguments: Any) -> list[Corner]:
    return [Corner(one.weight, one.angle, arb(0), one.grows) for one in corners(*arguments)]


def without_the_corner(*arguments: Any) -> list[Corner]:
    return []


@pytest.mark.parametrize("bug", [without_the_turn, without_the_density, without_the_corner])
def test_planted_bugs_are_caught(bug: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kinked_lines, "corners", bug)
    with working(64):
        lines = ONE.kinked_lines(Fraction(3))
    u = 80 / math.sqrt(cumulant(ONE, 3.0)[2])
    with working(64):
        assert size(ONE, "3", u) > float(lines.log_sup(arb(u)))


def test_a_corner_falls_with_the_frequency_and_holds_above_it() -> None:
    with working(64):
        for cell in corners(arb(1), arb("0.1"), arb(1), arb(2), arb(1))[::20]:
            values = [cell.bound(arb(2) ** j) for j in range(-3, 20)]
            assert all(not later > before for before, later in pairwise(values))
