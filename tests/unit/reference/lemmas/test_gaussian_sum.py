"""Mixtures of Gaussians on and off the axis, and what is left beyond an edge, against mpmath."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from pldverify.balls import acb, arb
from pldverify.balls.ball import ball, working
from pldverify.reference.lemmas import gaussian_sum
from pldverify.reference.lemmas.gaussian_sum import GaussianSum, beyond
from tests.oracle.closed_forms import context, real
from tests.teeth.planted import Plant, planted

F = Fraction
SUMS: dict[str, tuple[str, tuple[tuple[int, str], ...], int]] = {
    "two": ("0.7", ((0, "0.99"), (1, "0.01")), 1),
    "rare": ("2", ((0, "0.99999"), (1, "0.00001")), -1),
    "three": ("0.3", ((0, "0.7"), (1, "0.2"), (4, "0.1")), -1),
    "without zero": ("0.5", ((2, "0.6"), (3, "0.4")), 1),
    "one": ("0.5", ((3, "1"),), -1),
    "even": ("1", ((0, "0.5"), (1, "0.5")), -1),
    "base": ("0.5", ((0, "1"),), 1),
}
"""c, levels and weights, side."""


def made(name: str, module: Any = gaussian_sum) -> GaussianSum:
    c, rows, side = SUMS[name]
    found: GaussianSum = module.GaussianSum(ball(F(c)), [(j, ball(F(w))) for j, w in rows], side)
    return found


def written(mp: Any, name: str, x: Any) -> Any:
    """f(x)."""
    c, rows, side = SUMS[name]
    step = real(mp, c)
    return mp.fsum(real(mp, w) * mp.exp(side * j * step * x - (j * step) ** 2 / 2) for j, w in rows)


@pytest.mark.parametrize("name", SUMS)
def test_logarithms_and_slopes(name: str) -> None:
    mp = context(40)
    with working(120):
        f = made(name)
        for x in ("-6", "-0.5", "0", "0.3", "4", "11"):
            for y in ("0", "0.4"):
                point = acb(ball(F(x)), ball(F(y)))
                log = f.log(point)
                exact = written(mp, name, mp.mpc(real(mp, x), real(mp, y)))
                for part, truth in zip(
                    (log.exp().real, log.exp().imag), (exact.real, exact.imag), strict=True
                ):
                    assert abs(part - arb(mp.nstr(truth, 38))) < abs(log.exp()) * arb(10) ** -30
                assert abs(log.imag) < 1.3
            slope = mp.diff(lambda t: mp.log(written(mp, name, t)), real(mp, x))
            assert abs(f.slope(ball(F(x))) - arb(mp.nstr(slope, 20))) < arb(10) ** -14


def test_a_rare_component_keeps_its_digits() -> None:
    """log f is about 1e−9 times its second component there."""
    with working(60):
        f = GaussianSum(arb(1), [(0, ball(1 - F(1, 10**9))), (1, ball(F(1, 10**9)))], 1)
        assert f.log(acb(1)).real.rel_accuracy_bits() > 50


BEYOND: list[tuple[tuple[str, str], str, str, int, str]] = [
    (("two", "base"), "3", "12", 1, "0"),
    (("two", "base"), "3", "-4", -1, "1.2"),
    (("two", "rare"), "3", "11", 1, "0.6"),
    (("two", "rare"), "-0.5", "-7", -1, "0.7"),
    (("base", "rare"), "40", "-7", -1, "0.6"),
    (("base", "three"), "5", "-6", -1, "1"),
    (("base", "three"), "60", "-3", -1, "2"),
    (("without zero", "base"), "2", "12", 1, "0"),
    (("without zero", "base"), "-3", "-9", -1, "1"),
    (("without zero", "base"), "-3", "4", 1, "0.5"),
    (("base", "even"), "4", "-0.5", -1, "2.9"),
    (("base", "rare"), "40", "-7", -1, "0"),
    (("base", "one"), "1", "4", 1, "1"),
]
"""Two sums, θ, edge, way, height."""


def bounded(case: int, module: Any = gaussian_sum) -> bool:
    """Whether the bound is one; on the axis it must not be larger than 40 times what it bounds."""
    mp = context(20)
    names, theta, edge, side, height = BEYOND[case]
    tilt, end, b = (real(mp, text) for text in (theta, edge, height))
    powers = tilt + 1, -tilt

    def size(t: Any) -> Any:
        z = mp.mpc(end + side * t, b)
        values = (abs(written(mp, name, z)) ** p for name, p in zip(names, powers, strict=True))
        return abs(mp.npdf(z)) * mp.fprod(values)

    truth = mp.quad(size, [0, 0.1, 0.5, 1, 2, 4, 8])
    with working(64):
        factors = list(
            zip((made(name, module) for name in names), (ball(F(theta) + 1), -ball(F(theta))), strict=True)
        )
        bound = mp.mpf(float(module.beyond(factors, ball(F(edge)), side, ball(F(height)))))
    assert b or bound <= 40 * truth or module is not gaussian_sum
    return bool(truth <= bound * (1 + mp.mpf(10) ** -9))


@pytest.mark.parametrize("case", range(len(BEYOND)))
def test_what_is_beyond_an_edge_is_bounded(case: int) -> None:
    assert bounded(case)


PLANTS: dict[str, tuple[Plant, int]] = {
    "the chord": (("self.first + self.span if way == self.side else self.first", "0"), 0),
    "the tangent": (("power * way * self._slope(turned", "power * 2 * way * self._slope(turned"), 11),
    "the turn": (("d * (i * turn - psi).cos()", "d"), 10),
    "the height": (("(height * height - edge * edge)", "(-edge * edge)"), 3),
    "the fall": (("(1 / fall).min", "(1 / fall**2).min"), 1),
    "the first level": (("linear = shift * (self.side * x - shift / 2)", "linear = arb(0)"), 8),
}


@pytest.mark.parametrize("name", PLANTS)
def test_planted_errors_are_caught(name: str) -> None:
    plant, case = PLANTS[name]
    assert bounded(case) and not bounded(case, planted(gaussian_sum, plant))


def test_outside_of_the_strip_nothing_is_bounded() -> None:
    with working(64):
        two, base = made("two"), made("base")
        sure: Callable[..., arb] = lambda theta, height: beyond(  # noqa: E731
            [(two, ball(F(theta) + 1)), (base, -ball(F(theta)))], arb(9), 1, arb(height)
        )
        assert sure(-3, 4).is_finite() and not sure(-3, 5).is_finite()  # cb = 2.8 and 3.5
        assert sure(3, 5).is_finite()  # no power is < 0
        assert not beyond([(two, arb(0, 1))], arb(9), 1, arb(1)).is_finite()  # of which sign?
        assert not beyond([(two, arb(30))], arb(9), 1, arb(0)).is_finite()  # it still rises
