"""Cumulants of users' densities, for a search in floats: near the transform, with nothing proved for it."""

from typing import Any

import pytest

from pldverify.balls.ball import short, working
from pldverify.mechanisms.as_composition import as_composition
from pldverify.reference.laws.composed_loss import product
from pldverify.reference.search.cumulant import cumulant
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
