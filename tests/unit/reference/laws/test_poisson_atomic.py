"""A sample of what has finitely many losses: the mass of +∞ where that of the base is no fraction."""

from fractions import Fraction

import mpmath

import pldverify as pv
from pldverify.balls import arb
from pldverify.balls.ball import working
from pldverify.mechanisms.as_composition import as_composition
from pldverify.reference.laws.atomic import AtomicLaw
from pldverify.reference.laws.composed_loss import product
from pldverify.reference.laws.poisson_atomic import PoissonAtomicLaw


def test_what_is_lost_for_certain_is_a_share_of_what_the_base_loses() -> None:
    """Three records of (0.3, 1e-6)-DP: δ(1 + e^ε + e^{2ε})."""
    group = pv.group(pv.ApproximateDP("0.3", "1e-6"), 3)
    ((base, _),) = product(as_composition(group), "remove").factors
    assert isinstance(base, AtomicLaw)
    with working(100), mpmath.workdps(40):
        found = PoissonAtomicLaw(base, Fraction(1, 10), "remove").infinite_mass
        r = mpmath.exp(mpmath.mpf("0.3"))
        assert abs(found / arb(mpmath.nstr((1 + r + r * r) / 10**7, 35)) - 1) < arb("1e-25")
        assert PoissonAtomicLaw(base, Fraction(1, 10), "add").infinite_mass == 0
