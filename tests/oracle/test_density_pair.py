"""A user's own pair, referenced and composed: the Gaussian written out as densities is the built-in one."""

from fractions import Fraction

import pytest
import sympy as sp

import pldverify as pv

T = sp.Symbol("t", real=True)


def _gaussian(distance: int) -> pv.Composition:
    density = [sp.exp(-((T - m) ** 2) / 2) / sp.sqrt(2 * sp.pi) for m in (distance, 0)]
    return pv.derive_pair(density[0], density[1], T).mechanism()


@pytest.mark.parametrize("epsilon", ["0.5", "2"])
def test_one_step_overlaps_the_closed_form(epsilon: str) -> None:
    own = pv.delta(_gaussian(1), epsilon=epsilon, digits=12)
    assert own.digits >= 12 and own.overlaps(pv.delta(pv.Gaussian(1), epsilon=epsilon, digits=30))


def test_a_composition_overlaps_the_closed_form() -> None:
    own = pv.delta(3 * _gaussian(1), epsilon=3, adjacency="remove", digits=3)
    truth = pv.delta(3 * pv.Gaussian(1), epsilon=3, digits=30)
    assert own.engine == "contour" and own.digits >= 3 and own.overlaps(truth)


def test_another_pair_is_told_apart() -> None:
    own = pv.delta(_gaussian(2), epsilon=1, digits=12)
    assert not own.overlaps(pv.delta(pv.Gaussian(1), epsilon=1, digits=12))
    assert Fraction(own.lower) > 0
