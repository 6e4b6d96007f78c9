"""A real kink a between integers: where a is one, the outcome a was in neither part; its mass was lost."""

import pytest
import sympy as sp

from pldverify.errors import InvalidInput
from pldverify.symbolic import derive_pair
from pldverify.symbolic.build.user_pair import _integer_parts

A = sp.Symbol("a", positive=True)
D = sp.Symbol("d", integer=True, positive=True)
K = sp.Symbol("k", integer=True)
REALS = (-sp.oo, sp.oo)


def test_it_is_refused() -> None:
    mass = sp.tanh(sp.Rational(1, 2))
    with pytest.raises(InvalidInput):
        derive_pair(mass * sp.exp(-sp.Abs(K - A)), mass * sp.exp(-sp.Abs(K)), K, {A: (0, sp.oo)})
    with pytest.raises(InvalidInput):
        _integer_parts([D / 2], REALS)


def test_an_integer_and_a_number_are_not() -> None:
    assert _integer_parts([2 * D - 1], REALS) == [(-sp.oo, 2 * D - 2), (2 * D - 1, 2 * D - 1), (2 * D, sp.oo)]
    assert _integer_parts([sp.Rational(1, 2)], REALS) == [(-sp.oo, 0), (1, sp.oo)]
