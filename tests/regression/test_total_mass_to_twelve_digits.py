"""A total mass within 1e-12 of 1 counted as 1, and two routes to one δ parted at the 12th digit.

For ε < 0 one route takes δ_{P‖Q}(ε), the other 1 − e^ε + e^ε δ_{Q‖P}(−ε); they agree for probabilities only.
Where no antiderivative proves the mass, the pair stands for the normalised one, and its mass must contain 1.
"""

from fractions import Fraction

import pytest
import sympy as sp
from flint import arb, ctx

import pldverify as pv
from pldverify.errors import InvalidInput, NotSupported
from pldverify.symbolic import State, derive
from pldverify.symbolic.ball_pair import ball_pair

T = sp.Symbol("t", real=True)
R = sp.Rational
QUARTIC = 2 / sp.gamma(R(1, 4))


def densities(excess: sp.Expr | int) -> tuple[sp.Expr, sp.Expr]:
    return QUARTIC * sp.exp(-((T - 1) ** 4)) * (1 + excess), QUARTIC * sp.exp(-(T**4))


def unchecked(excess: sp.Expr) -> pv.DensityPair:
    """The pair as the door of users would not make it."""
    regions = tuple(sp.srepr(e) for e in (-sp.oo, sp.oo, *densities(excess)))
    return pv.DensityPair("t", (regions,))  # type: ignore[arg-type]


@pytest.mark.parametrize("excess", [R(51, 10**14), -R(51, 10**14), R(1, 10**20)])
def test_a_mass_that_is_not_one_is_refused(excess: sp.Expr) -> None:
    p, q = densities(excess)
    for pair, name in (((p, q), "p_expr"), ((q, p), "q_expr")):
        with pytest.raises(InvalidInput, match=f"{name} must have total mass 1"):
            pv.derive_pair(*pair, T)


def test_a_mechanism_of_such_a_pair_is_not_evaluated() -> None:
    mechanism = unchecked(R(51, 10**14))
    failed = derive(mechanism).failed
    assert failed and all(o.disproved for o in failed)
    for direction in ("remove", "add"):
        with pytest.raises(NotSupported, match="total mass"):
            pv.delta(mechanism, epsilon=-1, adjacency=direction)  # type: ignore[arg-type]
        with pytest.raises(NotSupported, match="total mass"):
            pv.tail(mechanism, epsilon=0, adjacency=direction)  # type: ignore[arg-type]


def routes_overlap(mechanism: pv.DensityPair, digits: int) -> bool:
    with ctx.workprec(int(digits * 3.4) + 64):
        for epsilon in (Fraction(-1), Fraction(1, 3), Fraction(2)):
            forward, backward = (
                ball_pair(mechanism).delta(epsilon),
                ball_pair(mechanism, "add").delta(-epsilon),
            )
            e = (arb(epsilon.numerator) / epsilon.denominator).exp()
            assert forward.rad() < arb(10) ** -digits
            if not forward.overlaps(1 - e + e * backward):
                return False
    return True


def test_two_routes_overlap_where_the_mass_is_one() -> None:
    assert routes_overlap(pv.derive_pair(*densities(0), T).mechanism(), 12)
    assert routes_overlap(pv.derive_pair(*densities(0), T).mechanism(), 40)


def test_an_excess_below_what_is_seen_is_carried_until_it_is_seen() -> None:
    mechanism = unchecked(R(1, 10**45))
    totals = [o for o in derive(mechanism).obligations if o.state is State.PROVED_ON_A_BOX]
    assert len(totals) == 2
    assert routes_overlap(mechanism, 12)
    with ctx.workprec(300), pytest.raises(NotSupported, match="total mass of 1"):
        ball_pair(mechanism).delta(Fraction(1))


@pytest.mark.slow
def test_certify_answers() -> None:
    mechanism = pv.derive_pair(*densities(0), T).mechanism()
    assert pv.certify(pv.Query(mechanism, delta="0.41"), 1).verdict == "CERTIFIED"
    assert pv.certify(pv.Query(mechanism, delta="0.40"), 1).verdict == "REFUTED"
