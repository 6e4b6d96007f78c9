"""Whether a parameter is large enough at all orders and all ε, of curves that are known in closed form."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from statistics import NormalDist

import pytest

from pldverify.balls.ball import lower, upper, working
from pldverify.mechanisms import Composition, Gaussian
from pldverify.values.curves import Divergences, Profile, covers
from pldverify.values.everywhere import (
    Point,
    below_gaussian,
    below_parabola,
    gaussian_profile,
    is_below,
)
from pldverify.values.search import last_flat, needed

RUN = Composition.of((Gaussian(1), 1))
"""Of which nothing is asked: curves know values."""


@dataclass(frozen=True)
class Known:
    """A curve that ends at a point: nothing is beyond."""

    first: Fraction
    last: Fraction
    chord: Callable[[Fraction, Point, Point], bool]

    def keeps(self, most: Fraction, first: Point, last: Point | None) -> bool:
        return first[0] >= self.last if last is None else self.chord(most, first, last)


def kept(curve: Known, most: str, function: Callable[[Fraction], Fraction | None], parts: int = 400) -> bool:
    points = [curve.first + (curve.last - curve.first) * Fraction(i, parts) ** 2 for i in range(parts + 1)]
    highs = {at: value for at in points if (value := function(at)) is not None}
    return covers(curve, highs, Fraction(most))  # type: ignore[arg-type]  # it is asked no values


def orders(last: int) -> Known:
    return Known(Fraction(1), Fraction(last), below_parabola)


def keeps_rho(rho: str, divergence: Callable[[Fraction], Fraction | None], last: int) -> bool:
    def of(order: Fraction) -> Fraction | None:
        value = divergence(order)
        return None if value is None else (order - 1) * value

    return kept(orders(last), rho, of)


def keeps_mu(mu: str, profile: Callable[[Fraction], Fraction | None], last: int) -> bool:
    return kept(Known(Fraction(0), Fraction(last), below_gaussian), mu, profile)


@pytest.mark.parametrize(("rho", "keeps"), [("0.501", True), ("0.49999", False)])
def test_gaussian_divergences_keep_below_their_rho(rho: str, keeps: bool) -> None:
    assert keeps_rho(rho, lambda order: order / 2, 9) is keeps


@pytest.mark.parametrize(("rho", "keeps"), [("1.0001", True), ("0.9999", False)])
def test_the_worst_order_may_lie_between_the_points(rho: str, keeps: bool) -> None:
    """(α − 1) D = α(α − 1) − (α − 1)(α − 3)²/α has D/α = 1 at α = 3 alone, and is convex from 1 to 4."""

    def divergence(order: Fraction) -> Fraction:
        return order - (order - 3) ** 2 / order / 9

    for order in (Fraction(k, 8) for k in range(9, 32)):
        near = [(order + d - 1) * divergence(order + d) for d in (-Fraction(1, 8), 0, Fraction(1, 8))]
        assert near[0] + near[2] >= 2 * near[1]
    assert keeps_rho(rho, divergence, 4) is keeps


@pytest.mark.parametrize(
    ("ends", "less", "keeps"),
    [((1, 3), "0", False), ((1, 3), "1", True), ((2, 3), "0.2", False), ((2, 3), "0.25", True)],
)
def test_a_chord_is_compared_where_it_is_nearest(ends: tuple[int, int], less: str, keeps: bool) -> None:
    """Of α(α − 1) from a to b it is ((b − a)/2)² above in the middle; here its ends lie ``less`` lower."""
    first, last = ((Fraction(a), a * (a - 1) - Fraction(less)) for a in ends)
    assert below_parabola(Fraction(1), first, last) is keeps


def test_where_no_bound_is_known_nothing_is_proved() -> None:
    """Not where the range begins, not in between where it matters, and not beyond the last point."""
    assert not keeps_rho("1", lambda order: None, 9)
    assert not keeps_rho("1", lambda order: None if order == 1 else Fraction(0), 9)
    assert not keeps_rho("1", lambda order: None if order > 8 else Fraction(0), 9)
    assert keeps_rho("1", lambda order: None if 2 < order < 3 else Fraction(0), 9)
    assert not keeps_rho("0.51", lambda order: None if 2 < order < 7 else order / 2, 9)
    assert not keeps_mu("1", lambda epsilon: None, 9)


def test_of_no_parameter_at_all_nothing_is_proved() -> None:
    assert not keeps_rho("0", lambda order: Fraction(0), 9)


@pytest.mark.parametrize(("mu", "keeps"), [("1.001", True), ("1", False), ("0.999", False)])
def test_a_gaussian_profile_keeps_below_that_of_a_larger_mu(mu: str, keeps: bool) -> None:
    def profile(epsilon: Fraction) -> Fraction:
        with working(128):
            return Fraction(upper(gaussian_profile(Fraction(1), epsilon)[0]))

    assert keeps_mu(mu, profile, 5) is keeps


def test_a_profile_that_is_worse_between_points_is_seen() -> None:
    """δ(ε) of a pair of two losses ±2 is linear in e^ε; G_μ at its corner, 2Φ⁻¹(e²/(1 + e²)) = 2.3623…"""
    q = 1 / (1 + math.e**2)

    def profile(epsilon: Fraction) -> Fraction:
        return Fraction(max(0.0, 1 - q - math.exp(float(epsilon)) * q) * (1 + 1e-12))

    assert keeps_mu("2.4", profile, 2)
    assert not keeps_mu("2.3", profile, 2)


def test_the_profile_is_that_of_the_closed_form() -> None:
    """erf(μ/√8) at 0, and 0.126936737506… for μ = ε = 1 (Balle and Wang 2018)."""
    with working(128):
        value, _ = gaussian_profile(Fraction(1), Fraction(1))
        assert lower(value) < Fraction("0.1269367375067") and upper(value) > Fraction("0.1269367375066")
    assert is_below(Fraction(1), Fraction(1), Fraction("0.12694"))
    assert not is_below(Fraction(1), Fraction(1), Fraction("0.12693"))


def shifted(mu: float, epsilon: float, regret: float) -> float:
    """E(ε), by many y: at least r, and spread in the logarithm."""
    normal = NormalDist()
    levels = [regret + (1 - regret) * 10 ** (-9 * i / 20000) for i in range(1, 20000)]
    lines = (1 - normal.cdf(-normal.inv_cdf(y) - mu) - math.exp(epsilon) * (y - regret) for y in levels)
    return regret + max(*lines, 1 - normal.cdf(-normal.inv_cdf(regret) - mu))


@pytest.mark.parametrize("regret", ["0.01", "0.0001"])
@pytest.mark.parametrize("mu", ["0.3", "1", "5"])
@pytest.mark.parametrize("epsilon", ["0", "0.5", "1.7", "6"])
def test_a_regret_is_a_shift_of_both_errors(mu: str, epsilon: str, regret: str) -> None:
    m, e, r = map(Fraction, (mu, epsilon, regret))
    level = Fraction(shifted(*map(float, (m, e, r))))
    above, below = level * Fraction("1.0001"), level * Fraction("0.9999")
    assert is_below(m, e, above, r) and not is_below(m, e, below, r)
    assert below_gaussian(m, (e, below), (e + Fraction(1, 10**6), below * (1 - Fraction(1, 10**5))), r)
    assert not below_gaussian(m, (e, above), (e + Fraction(1, 10**6), above), r)
    assert Profile(RUN, "add-or-remove", r).needs(m, (e, above))


def test_beyond_the_last_point_a_value_must_be_below_what_it_tends_to() -> None:
    """1 − G_1(0.01) + 0.01 = Φ(1 − 2.32634787…)' complement: 1 − Φ(1.32634787…) + 0.01 = 0.102363…"""
    one, regret = Fraction(1), Fraction("0.01")
    assert below_gaussian(one, (Fraction(9), Fraction("0.1023")), None, regret)
    assert not below_gaussian(one, (Fraction(9), Fraction("0.1024")), None, regret)
    assert below_gaussian(one, (Fraction(9), Fraction(0)), None)
    assert not below_gaussian(one, (Fraction(9), Fraction(1, 10**99)), None)


def test_from_some_point_on_nothing_changes() -> None:
    """z²/2 for Φ(−z) = 0.01: z = 2.32634787…"""
    assert abs(float(last_flat(Fraction("0.01"))) - 2.3263478740408408**2 / 2) < 1e-12


@pytest.mark.parametrize("mu", ["0.00001", "0.3", "40"])
def test_the_largest_mu_that_a_value_needs(mu: str) -> None:
    """δ_μ(0) = erf(μ/√8)."""
    value = Fraction(math.erf(float(mu) / math.sqrt(8)))
    found, at = needed(Profile(RUN, "add-or-remove", Fraction(0)), {Fraction(0): value}, Fraction(0))
    assert at == 0 and (float(mu) > 20 or abs(float(found) / float(mu) - 1) < 1e-6)


def test_the_largest_rho_is_that_of_the_worst_point() -> None:
    curve = Divergences(RUN, "add-or-remove")
    rows = {Fraction(2): Fraction(1), Fraction(4): Fraction(3), Fraction(8): Fraction(5)}
    found, at = needed(curve, rows, Fraction("0.1"))
    assert at == 4 and Fraction("0.7499999") < found <= Fraction("0.75")
    assert needed(curve, rows, Fraction(1)) == (1, None)
