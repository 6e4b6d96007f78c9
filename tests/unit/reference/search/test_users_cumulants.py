"""Cumulants of users' densities, for a search in floats: near the transform, with nothing proved for it."""

import math
from typing import Any

import pytest
import sympy as sp

from pldverify.balls.ball import short, working
from pldverify.mechanisms.as_composition import as_composition
from pldverify.reference.laws.composed_loss import product
from pldverify.reference.search.cumulant import cumulant
from pldverify.symbolic import derive_pair
from pldverify.symbolic.analytic_piece import AnalyticPiece
from tests.oracle.test_density_pair import own


@pytest.mark.parametrize("theta", [0.5, 4.0, 8.0])
@pytest.mark.parametrize("name", ["quartic", "logistic", "common cut", "cut Laplace"])
def test_near_the_transform(name: str, theta: float, monkeypatch: pytest.MonkeyPatch) -> None:
    loss = product(as_composition(own(name)), "add")

    def refuse(*_: object) -> Any:
        raise AssertionError("a mass was proved")

    with monkeypatch.context() as patched:
        patched.setattr(AnalyticPiece, "beyond", refuse)
        found = cumulant(loss, theta)[0]
    with working(64):
        assert found == pytest.approx(float(loss.log_moment(short(theta)).mid()), abs=1e-6)


@pytest.mark.parametrize("first", [0, 1000])
@pytest.mark.parametrize("theta", [-0.5, 0.25, 1.0])
def test_infinitely_many_integers(first: int, theta: float) -> None:
    """p = 2^−(j+1), q = ⅔ 3^−j, j = 0, 1, …: M(θ) = (3/4)^θ/2 · Σ x^j, x = (3/2)^θ/2."""
    n, half = sp.Symbol("n", integer=True), sp.Rational(1, 2)
    p, q = half ** (n - first + 1), sp.Rational(2, 3) * sp.Rational(1, 3) ** (n - first)
    step = derive_pair(p, q, n, {n: (first, sp.oo)}).mechanism()
    value, mean, _ = cumulant(product(as_composition(step), "remove"), theta)
    x = 1.5**theta / 2
    assert value == pytest.approx(theta * math.log(0.75) - math.log(2) - math.log1p(-x), rel=1e-9, abs=0)
    assert mean == pytest.approx(math.log(0.75) + math.log(1.5) * x / (1 - x), rel=1e-9, abs=1e-12)
