"""A loss without a closed inverse: its bracket began at ±1, whether that was an outcome of the region or not.

With u = e^{−|t−5|}, q = u/2 and p = (77/60 − 6u/10 + u⁵/10) q the loss falls towards 5 from both sides, and u
has the uniform law on (0, 1) under Q. δ_{Q‖P}(1/20) was enclosed by half its value.
"""

from fractions import Fraction

import pytest
import sympy as sp
from flint import arb, ctx

import pldverify as pv
from pldverify.mechanisms.density_pair import DensityPair
from pldverify.symbolic.ball_pair import ball_pair

T = sp.Symbol("t", real=True)
R = sp.Rational


def odds(u: sp.Expr) -> sp.Expr:
    return R(77, 60) - R(6, 10) * u + u**5 / 10


def both_halves(centre: sp.Expr | int) -> DensityPair:
    u = sp.exp(-sp.Abs(T - centre))
    return pv.derive_pair(odds(u) * u / 2, u / 2, T).mechanism()


def half(centre: int, side: int) -> DensityPair:
    u = sp.exp(-side * (T - centre))
    support = (centre, sp.oo) if side == 1 else (-sp.oo, centre)
    return pv.derive_pair(odds(u) * u, u, T, {T: support}).mechanism()


def truth(direction: str, epsilon: Fraction) -> tuple[arb, arb]:
    """(δ(ε), P(S ≥ ε)) by bisection on u and antiderivatives in u; odds falls on (0, 1)."""
    with ctx.workprec(128):
        e = arb(epsilon.numerator) / epsilon.denominator
        level = e.exp() if direction == "remove" else (-e).exp()
        low, high = arb(0), arb(1)
        for _ in range(100):
            u = (low + high) / 2
            f = arb(77) / 60 - arb(6) / 10 * u + u**5 / 10
            low, high = (u, high) if f > level else (low, u)
        below = arb(77) / 60 * u - arb(3) / 10 * u**2 + u**6 / 60
        p, q = (below, u) if direction == "remove" else (1 - u, 1 - below)
        blur = arb(0, arb(2) ** -90)
        return p - e.exp() * q + blur, p + blur


MECHANISMS = {
    "both halves around 5": lambda: both_halves(5),
    "both halves around −7/2": lambda: both_halves(R(-7, 2)),
    "both halves around √2": lambda: both_halves(sp.sqrt(2)),
    "right of 5": lambda: half(5, 1),
    "left of −5": lambda: half(-5, -1),
    "right of −5": lambda: half(-5, 1),
    "right of 1000": lambda: half(1000, 1),
}


@pytest.mark.parametrize("direction", ["remove", "add"])
@pytest.mark.parametrize("name", MECHANISMS)
def test_delta_and_tail_contain_the_truth(name: str, direction: str) -> None:
    pair = ball_pair(MECHANISMS[name](), direction)  # type: ignore[arg-type]
    for epsilon in (Fraction(1, 20), Fraction(-1, 20), Fraction(1, 7)):
        with ctx.workprec(100):
            delta, tail = truth(direction, epsilon)
            assert pair.delta(epsilon).overlaps(delta) and pair.delta(epsilon).rad() < 1e-15
            assert pair.tails(epsilon)[0].overlaps(tail)


@pytest.mark.slow
def test_delta_tail_and_certify_answer() -> None:
    for mechanism in (both_halves(5), half(5, 1)):
        for direction in ("remove", "add"):
            found = pv.delta(mechanism, epsilon="0.05", adjacency=direction, digits=10)  # type: ignore[arg-type]
            exact = truth(direction, Fraction(1, 20))[0]
            assert abs(float(found) - float(exact)) < 1e-9
    query = pv.Query(both_halves(5), delta="0.0459")
    assert pv.certify(query, "0.05").verdict == "CERTIFIED"
    assert pv.certify(pv.Query(both_halves(5), delta="0.0458"), "0.05").verdict == "REFUTED"


@pytest.mark.slow
def test_a_root_at_the_middle_of_the_region_does_not_end_the_search() -> None:
    """L = 0 at t = 1/2 on (0, 1), where no precision decides the sign: the bracket was [0, 1] for ever."""
    u = 1 - 2 * T
    difference = u / 4 + u**5 / 12
    found = pv.derive_pair(1 + difference, 1 - difference, T, {T: (0, 1)})
    assert found.inverse is None
    pair = ball_pair(found.mechanism())
    for bits in (64, 128, 256):
        with ctx.workprec(bits):
            value = pair.delta(Fraction(0))
            assert value.overlaps(arb(5) / 36) and value.rad() < arb(2) ** (8 - bits)
