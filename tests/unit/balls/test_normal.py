"""Φ(−x) against mpmath, real and complex."""

import mpmath
import pytest
from flint import acb, arb

from pldverify.balls.ball import working
from pldverify.balls.normal import normal_tail


@pytest.mark.parametrize("x", ["-3", "0", "0.5", "40"])
def test_the_tail_is_accurate_where_it_is_tiny(x: str) -> None:
    with working(80), mpmath.workdps(40):
        value = normal_tail(arb(x))
        truth = arb(mpmath.nstr(mpmath.ncdf(-mpmath.mpf(x)), 30))
        assert abs(value / truth - 1) < arb("1e-20") and value.rel_accuracy_bits() > 60
        assert normal_tail(acb(arb(x), 0)).real.overlaps(value)
