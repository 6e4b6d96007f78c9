"""Moments of a mean of lognormals: against closed forms, and whatever the rays are."""

import random
from fractions import Fraction
from typing import Any

import mpmath
import pytest
from flint import acb, arb

from pldverify.balls.ball import working
from pldverify.balls.compare import surely_at_most, surely_less
from pldverify.errors import NoConvergence
from pldverify.reference.laws.hints.allocation import rays
from pldverify.reference.lemmas.mean_of_lognormals import Mean, Ray, _Errors, raw_moment

BITS = 80
STEP = Fraction(1, 2)


def moments(mean: Mean, theta: Fraction, step: Fraction, count: int) -> list[acb]:
    chosen = rays(mean, theta, step, count, BITS)
    with working(BITS + chosen.lost):
        return mean.moments(theta, step, count, chosen.order, chosen.rays)


def of_two(sigma: float, w: complex) -> complex:
    """E[R^{−w}] of two: their mean is e^{cm} cosh(cd), m and d normal of variance 1/2, times e^{−c²/2}."""
    with mpmath.workdps(30):
        c, w = 1 / mpmath.mpf(sigma), mpmath.mpmathify(w)
        normal = mpmath.exp(w**2 * c**2 / 4 + w * c**2 / 2)
        rest = mpmath.quad(
            lambda d: mpmath.npdf(d) * mpmath.cosh(c * d / mpmath.sqrt(2)) ** -w, [-14, -7, -3, 0, 3, 7, 14]
        )
        return normal * rest  # type: ignore[no-any-return]


def inside(found: acb, true: complex) -> bool:
    """To 25 digits of quadrature."""
    with working(120):
        wide = acb(arb(0, "1e-24"), arb(0, "1e-24")) * (1 + abs(found))
        return bool((found + wide).contains(acb(mpmath.nstr(true.real, 30), mpmath.nstr(true.imag, 30))))


@pytest.mark.sample(9)
@pytest.mark.parametrize("theta", [Fraction(n, 3) for n in (-10, -4, -2, -1, 1, 2, 7, 30)])
@pytest.mark.parametrize("sigma", ["1", "3", "0.4"])
def test_one_variable_is_lognormal(sigma: str, theta: Fraction) -> None:
    found = moments(Mean(Fraction(sigma), 1), theta, STEP, 12)
    with working(200):
        for j, value in enumerate(found):
            w = acb(arb(theta.numerator) / theta.denominator, arb(j) / 2)
            true = (w * (w + 1) / (2 * arb(sigma) ** 2)).exp()
            assert value.contains(true) or value.overlaps(true)
            assert surely_less(value.real.rad(), arb(2) ** (12 - BITS) * abs(found[0]))


@pytest.mark.parametrize("theta", [Fraction(n, 4) for n in (-9, -2, 1, 5, 40)])
@pytest.mark.parametrize("sigma", [1.0, 0.5, 4.0])
def test_two_variables_are_one_integral(sigma: float, theta: Fraction) -> None:
    found = moments(Mean(Fraction(sigma), 2), theta, Fraction(1), 6)
    for j, value in enumerate(found):
        assert inside(value, of_two(sigma, complex(float(theta), j)))


@pytest.mark.sample(7)
@pytest.mark.parametrize("order", [1, 2, 3, 6, 12])
@pytest.mark.parametrize("count", [1, 2, 3, 50, 10**6])
def test_an_integral_agrees_with_the_power_of_a_series(count: int, order: int) -> None:
    mean = Mean(Fraction(3, 2), count)
    (found,) = moments(mean, Fraction(-order), Fraction(0), 0)
    assert found.real.overlaps(raw_moment(mean, order, 200))


def test_the_second_moment_is_that_of_pairs() -> None:
    with working(100):
        true = (arb(1).exp() + 99) / 100
    assert raw_moment(Mean(Fraction(1), 100), 2, 100).overlaps(true)


def honest() -> tuple[Mean, Fraction, list[Ray], complex]:
    """A line of two rays, and F at its last node."""
    mean, theta = Mean(Fraction(2), 2), Fraction(3, 4)
    first, last = rays(mean, theta, STEP, 4, 40).rays[0], of_two(2.0, complex(0.75, 2.0))
    return mean, theta, [first._replace(nodes=2), first._replace(nodes=3)], last


def test_no_ray_leaves_the_truth() -> None:
    """Whatever rays say: numbers changed at random by up to a factor of 2, or to 0, or to their negative."""
    mean, theta, good, true = honest()
    pick, proved = random.Random(1), 0
    for _ in range(75):
        other = list(good)
        for i, ray in enumerate(other):
            name = pick.choice(Ray._fields[1:])
            x = getattr(ray, name)
            change = pick.choice([0 * x, -x, *(x * Fraction(n, 8) for n in (4, 6, 7, 9, 10, 12, 16))])
            changed: dict[str, Any] = {name: change if isinstance(x, Fraction) else int(change)}
            other[i] = ray._replace(**changed)
        try:
            with working(80):
                found = mean.moments(theta, STEP, 4, pick.choice([0, 0, 1, 2]), other)
        except (NoConvergence, ZeroDivisionError):
            continue
        proved += 1
        assert inside(found[-1], true)
    assert proved > 12


def test_a_node_is_as_wide_as_both_errors_together() -> None:
    mean, theta, good, _ = honest()
    order = rays(mean, theta, STEP, 4, 40).order
    ray = good[0]._replace(strip=good[0].strip * 3 / 4)  # where both are of a size
    with working(80):
        found = mean.moments(theta, STEP, 4, order, [ray, good[1]])
        for j, value in enumerate(found[:2]):
            fixed, share = _Errors(mean, theta, STEP, order, ray, 0).at(j)
            assert surely_at_most(fixed + share * found[0].real.mid(), value.real.rad())
            assert surely_less(0, fixed) and surely_less(0, share)


def test_a_ray_of_more_points_than_memory_holds_is_refused() -> None:
    """Its points were made before they were counted: δ of balls and bins with little noise never ended."""
    mean, theta, good, _ = honest()
    with working(80), pytest.raises(NoConvergence, match="points of order 1"):
        mean.moments(theta, STEP, 4, 1, [good[0]._replace(last=10**15), good[1]])


def test_rays_serve_every_node() -> None:
    mean, theta, good, _ = honest()
    for wrong in (good[:1], [*good, good[0]], [good[0]._replace(nodes=0), good[1]._replace(nodes=5)]):
        with pytest.raises(NoConvergence, match="5 nodes"):
            mean.moments(theta, STEP, 4, 0, wrong)
    with pytest.raises(NoConvergence, match="order"):
        mean.moments(Fraction(-2), STEP, 4, 2, good)
