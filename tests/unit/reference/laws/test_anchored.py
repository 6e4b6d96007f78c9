"""A law seen from its anchor has the same δ, moved; and its anchor is a point that balls can decide."""

from fractions import Fraction

import pytest

import pldverify as pv
from pldverify.balls.ball import ball, lower, upper, working
from pldverify.mechanisms.as_composition import as_composition
from pldverify.mechanisms.relations import Direction
from pldverify.reference.choice import settle
from pldverify.reference.laws.anchored import anchored, second_mass
from pldverify.reference.laws.composed_loss import product
from pldverify.reference.laws.law import Law
from pldverify.reference.search.cumulant import cumulant
from tests.oracle.closed_forms import (
    context,
    fraction,
    holds,
    mixture_after,
    mixture_delta,
    mixture_integral,
    real,
)

QS = ["1e-8", "0.01", "1/3", "0.7", "0.999"]


def law_of(q: str, direction: Direction, *, discrete: bool = False) -> Law:
    base = pv.DiscreteGaussian(2) if discrete else pv.Gaussian(2)
    ((law, _),) = product(as_composition(pv.PoissonSubsampled(base, Fraction(q))), direction).factors
    return law


@pytest.mark.parametrize("discrete", [False, True])
@pytest.mark.parametrize("q", QS)
def test_all_losses_are_on_one_side_of_the_anchor(q: str, discrete: bool) -> None:
    """At log(1 − q) itself no ball could tell, and all masses near it would be [0, 1]."""
    for direction, first, second in (("remove", 1, 1), ("add", 0, 0)):
        law = anchored(law_of(q, direction, discrete=discrete))  # type: ignore[arg-type]
        with working(160):
            assert law.tails(Fraction(0))[0] == first
            assert law.tails(Fraction(0))[1].overlaps(second * second_mass(law))
            assert law.tails(Fraction(0))[1].rad() < arb_unit()
            end = ball(1 - Fraction(q)).log()
            assert abs(abs(ball(law.anchor)) / abs(end) - 1) < ball(Fraction(1, 10**26))


def arb_unit() -> object:
    return ball(Fraction(1, 10**40))


@pytest.mark.parametrize("q", ["0.01", "0.7"])
@pytest.mark.parametrize("direction", ["add", "remove"])
@pytest.mark.parametrize("epsilon", ["-0.5", "0.003", "0.4"])
def test_delta_is_the_same(q: str, direction: Direction, epsilon: str) -> None:
    mp = context(60)
    law = anchored(law_of(q, direction))
    with working(200):
        seen = Fraction(epsilon) - law.anchor
        first, second = law.tails(seen)
        value = first - ball(seen).exp() * second
    truth = fraction(mixture_delta(mp, mp.mpf(2), real(mp, q), direction)(real(mp, epsilon)))
    slack = Fraction(1, 10**45)
    assert lower(value) - slack <= truth <= upper(value) + slack


@pytest.mark.parametrize("direction", ["add", "remove"])
def test_the_second_measure_weighs_e_to_the_anchor(direction: Direction) -> None:
    law = anchored(law_of("0.7", direction))
    with working(100):
        expected = ball(Fraction(3, 10)) if direction == "remove" else 1 / ball(Fraction(3, 10))
        assert abs(second_mass(law) - expected) < ball(Fraction(1, 10**25))
        assert law.tails(Fraction(-(10**6)))[1].overlaps(second_mass(law))
        assert second_mass(law.law) == 1


@pytest.mark.parametrize("direction", ["add", "remove"])
def test_transform_and_cumulant_move_along(direction: Direction) -> None:
    mp = context(40)
    law = anchored(law_of("0.3", direction))
    theta, step = Fraction(3, 2), Fraction(1, 2)
    with working(100):
        values = law.on_line(theta, step, 2)
    for j, value in enumerate(values):
        z = mp.mpc(real(mp, theta), real(mp, step * j))
        power = z + 1 if direction == "remove" else -z
        truth = mp.exp(-z * real(mp, law.anchor)) * mixture_integral(
            mp, mp.mpf(2), mp.mpf(3) / 10, power, mp.mpf(-20), mp.mpf(25), mp.mpf(1) / 16
        )
        got = mp.mpc(
            mp.mpf(value.real.mid().str(30, radius=False)), mp.mpf(value.imag.mid().str(30, radius=False))
        )
        assert abs(got - truth) < abs(truth) * mp.mpf(10) ** -22
    k0, k1, k2 = cumulant(law, 1.5)
    before, after = cumulant(law, 1.5 - 1e-3)[0], cumulant(law, 1.5 + 1e-3)[0]
    assert abs(k0 - float(values[0].real.log())) < 1e-9
    assert abs((after - before) / 2e-3 - k1) < 1e-6 and abs((after - 2 * k0 + before) / 1e-6 - k2) < 1e-4


def test_the_largest_loss_moves_along() -> None:
    with working(160):
        law = anchored(law_of("0.3", "add"))
        top = law.largest_finite_loss
        assert top is not None and top < 0 and not abs(top) > ball(Fraction(1, 10**25))
        assert anchored(law_of("0.3", "remove")).largest_finite_loss is None


def test_other_laws_stay_where_they_are() -> None:
    ((law, _),) = product(as_composition(pv.Laplace(1)), "remove").factors
    assert anchored(law).anchor == 0 and anchored(law).largest_finite_loss == law.largest_finite_loss
    assert second_mass(anchored(law)) == 1


@pytest.mark.sample(1)
@pytest.mark.parametrize("q", ["1/3", "0.7"])
@pytest.mark.parametrize("direction", ["add", "remove"])
def test_grids_of_large_q(q: str, direction: Direction) -> None:
    mp = context(30)
    sigma, chance = mp.mpf(1), real(mp, q)
    pair = as_composition(2 * pv.PoissonSubsampled(pv.Gaussian(1), Fraction(q)))
    found = settle(product(pair, direction), "delta", Fraction(1, 2), 4, names=("grid",)).enclosure
    truth = mixture_after(mp, sigma, chance, direction, mixture_delta(mp, sigma, chance, direction), 20)
    assert found.digits >= 4 and holds(found, truth(mp.mpf(1) / 2), 10)
