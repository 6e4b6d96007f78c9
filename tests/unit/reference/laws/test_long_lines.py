"""Transforms at a hundred thousand nodes give way: each was one list that nothing could stop."""

from collections.abc import Callable
from fractions import Fraction

import pytest

import pldverify as pv
from pldverify.balls.ball import working
from pldverify.balls.clock import allowance
from pldverify.errors import NoConvergence
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.reference.laws.composed_loss import product
from pldverify.reference.laws.discrete_gaussian import Circle, DiscreteGaussianLaw
from pldverify.reference.laws.law import Law, with_transform

MANY = 100_000


def law(mechanism: Mechanism) -> Law:
    return product(1 * mechanism, "add").factors[0][0]


def line(mechanism: Mechanism) -> Callable[[], object]:
    return lambda: with_transform(law(mechanism)).on_line(Fraction(1), Fraction(1, 100), MANY)


def circle() -> object:
    found = law(pv.DiscreteGaussian(1000))
    assert isinstance(found, DiscreteGaussianLaw)
    return Circle(found, Fraction(1)).values(2 * MANY + 1, MANY)


@pytest.mark.parametrize("asked", [line(pv.Gaussian(1)), line(pv.Laplace(3)), circle])
def test_a_long_line_gives_way(asked: Callable[[], object]) -> None:
    with working(60), allowance(1e-3), pytest.raises(NoConvergence, match="more work than predicted"):
        asked()
