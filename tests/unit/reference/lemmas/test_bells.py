"""Sums of bells against the sum over all integers that count, in mpmath; the bound against the sums."""

from fractions import Fraction
from typing import Any

import pytest
from flint import acb, arb
from hypothesis import given
from hypothesis import strategies as st

from pldverify.balls.ball import ball, working
from pldverify.reference.lemmas import bells
from pldverify.reference.lemmas.bells import Bells, both_sides
from tests.oracle.closed_forms import context, fraction, real
from tests.teeth.planted import Plant, planted

RATES = st.fractions(Fraction(1, 2), 60, max_denominator=20)
TURNS = st.fractions(-9, 9, max_denominator=30)
PLACES = st.fractions(-40, 40, max_denominator=60)


def summed(rate: Fraction, turn: Fraction, y: Fraction) -> acb:
    """B(a, y) to some 50 digits."""
    mp = context(60)
    total, r = mp.mpc(0), real(mp, rate)
    for m in range(round(y) - 25, round(y) + 26):
        gap = real(mp, y - m)
        total += mp.expjpi(-2 * real(mp, turn * m)) * mp.exp(-r * gap * gap)
    return acb(ball(fraction(total.real)), ball(fraction(total.imag))) + acb(arb(0, 1e-45), arb(0, 1e-45))


def holds(module: Any, rate: Fraction, turn: Fraction, y: Fraction, reach: int) -> bool:
    with working(120):
        (value,) = module.Bells(ball(rate), turn).values([ball(y)], reach)
        return bool(value.overlaps(summed(rate, turn, y)))


@pytest.mark.slow
@given(RATES, TURNS, PLACES, st.integers(0, 6))
def test_any_number_of_terms(rate: Fraction, turn: Fraction, y: Fraction, reach: int) -> None:
    assert holds(bells, rate, turn, y, reach)


def test_enough_terms_are_tight() -> None:
    with working(120):
        (value,) = Bells(ball(Fraction(20)), Fraction(1, 3)).values([ball(Fraction(7, 3))], 3)
        assert value.rad() < arb(1e-30)


@pytest.mark.parametrize(
    "plant",
    [
        pytest.param(("reach + 1 - _NEAR", "reach + 2 - _NEAR"), id="a term forgotten"),
        pytest.param(("wobble = arb(0, rest)", "wobble = arb(0)"), id="no rest"),
    ],
)
def test_planted_rests(plant: Plant) -> None:
    cases = [
        (Fraction(r, 4), Fraction(t, 7), Fraction(y, 9), reach)
        for r in (2, 5, 9)
        for t in (0, 3)
        for y in (0, 1, 4)
        for reach in (0, 1)
    ]
    assert all(holds(bells, *case) for case in cases)
    assert not all(holds(planted(bells, plant), *case) for case in cases)


def bounds(module: Any, rate: Fraction, distance: Fraction, share: Fraction, turn: Fraction) -> bool:
    """Whether B at some y further away than the distance is at most the bound."""
    y = distance + share * (Fraction(1, 2) - distance)
    with working(100):
        most = module.Bells(ball(rate), turn).bound(ball(distance))
        return not most < abs(summed(rate, turn, y)).lower()


@given(RATES, st.fractions(0, Fraction(1, 2)), st.fractions(0, 1), TURNS)
def test_the_bound_holds_further_away(
    rate: Fraction, distance: Fraction, share: Fraction, turn: Fraction
) -> None:
    assert bounds(bells, rate, distance, share, turn)


@pytest.mark.parametrize(
    "plant",
    [
        pytest.param((" + (-self.rate * (1 - d) * (1 - d)).exp()", ""), id="one bell"),
        pytest.param(("near + self._rest", "near"), id="no rest"),
    ],
)
def test_planted_bounds(plant: Plant) -> None:
    cases = [(Fraction(r, 4), Fraction(d, 8), Fraction(0), Fraction(0)) for r in (2, 6) for d in range(5)]
    assert all(bounds(bells, *case) for case in cases)
    assert not all(bounds(planted(bells, plant), *case) for case in cases)


def test_nothing_is_bounded_next_to_the_peak() -> None:
    assert both_sides(arb(1), arb(0)) == arb.pos_inf()
    assert both_sides(arb(1), arb(0, 1)) == arb.pos_inf()
