"""The law of a mixture of Gaussians: its cuts, its tails, and laws that it has in common with others."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

import pldverify as pv
from pldverify.balls import arb
from pldverify.balls.ball import ball, working
from pldverify.mechanisms.relations import Direction
from pldverify.reference.laws.gaussian_mixture import GaussianMixtureLaw
from pldverify.reference.laws.hints.lines import heights
from pldverify.reference.laws.mixture_of_gaussians import _ANGLE, _LINES, MixtureOfGaussiansLaw
from pldverify.reference.lemmas.strip_lines import growth
from tests.oracle.closed_forms import context, real

F = Fraction
THREE = ((0, F(7, 10)), (1, F(1, 5)), (3, F(1, 10)))
WITHOUT_ZERO = ((1, F(7, 10)), (2, F(1, 5)), (4, F(1, 10)))


def odds(mp: Any, law: MixtureOfGaussiansLaw, x: Any) -> Any:
    c = real(mp, law.shift)
    return mp.fsum(real(mp, w) * mp.exp(c * j * x - (c * j) ** 2 / 2) for j, w in law.levels)


@pytest.mark.sample(3)
@pytest.mark.parametrize("levels", [THREE, WITHOUT_ZERO], ids=["with zero", "without zero"])
@pytest.mark.parametrize("direction", ["remove", "add"])
@pytest.mark.parametrize("theta", ["6", "0.5", "-0.25", "-0.75", "-3"])
def test_what_is_omitted_is_bounded_and_small(levels: Any, direction: Direction, theta: str) -> None:
    mp, law = context(25), MixtureOfGaussiansLaw(F(1, 2), levels, direction)
    side = 1 if direction == "remove" else -1
    p = real(mp, theta) + 1 if side == 1 else -real(mp, theta)

    def integrand(x: Any) -> Any:
        return mp.npdf(x) * odds(mp, law, side * x) ** p

    with working(64):
        wide = law.pieces(F(theta))
        low, high = float(wide[0].low), float(wide[0].high)
        whole = mp.quad(integrand, [low, -6, -2, 2, 6, 10, 16, high])
        assert mp.mpf(float(law.omitted(F(theta), wide))) <= mp.mpf(2) ** -60 * whole
        narrow = [replace(wide[0], low=F(-1), high=F(2))]
        bound = mp.mpf(float(law.omitted(F(theta), narrow)))
    beyond = mp.quad(integrand, [low, -6, -1]) + mp.quad(integrand, [2, 6, 10, 16, high])
    assert beyond <= bound * (1 + mp.mpf(10) ** -12)


@pytest.mark.parametrize("direction", ["remove", "add"])
def test_two_components_are_the_sampled_gaussian(direction: Direction) -> None:
    """The same law in two files: tails, transform and decay."""
    new = MixtureOfGaussiansLaw(F(2, 3), ((0, F(4, 5)), (1, F(1, 5))), direction)
    old = GaussianMixtureLaw(F(3, 2), F(1, 5), direction)
    with working(120):
        for s in ("-0.3", "-0.1", "0", "0.05", "0.2", "1"):
            for a, b in zip(new.tails(F(s)), old.tails(F(s)), strict=True):
                assert (a - b).contains(0) and (a - b).rad() < 1e-30
        for theta in (F(3, 2), F(-1, 2), F(-2)):
            for x, y in zip(new.on_line(theta, F(2), 5), old.on_line(theta, F(2), 5), strict=True):
                assert x.overlaps(y) and abs(x - y).upper() < arb(10) ** -25
            floor = (abs(new.on_line(theta, F(5), 1)[1]) / new.on_line(theta, F(1), 0)[0].real).log()
            assert not floor > new.decay(theta).log_sup(ball(5))


def test_without_a_zero_no_loss_is_the_largest() -> None:
    assert MixtureOfGaussiansLaw(F(1), WITHOUT_ZERO, "add").largest_finite_loss is None
    top = MixtureOfGaussiansLaw(F(1), THREE, "add").largest_finite_loss
    assert top is not None and top.overlaps(-(arb(7) / 10).log())
    with working(100):
        for s in (F(-40), F(40)):
            first, second = MixtureOfGaussiansLaw(F(1), WITHOUT_ZERO, "remove").tails(s)
            assert first.is_finite() and not first < ball(s).exp() * second


def test_compositions_overlap_with_the_grid() -> None:
    step = pv.MixtureOfGaussians(2, [0, 1, 2], ["0.81", "0.18", "0.01"])
    for adjacency in ("remove", "add"):
        fine = pv.delta(200 * step, epsilon=1, adjacency=adjacency, digits=10, engine="contour")  # type: ignore[arg-type]
        coarse = pv.delta(200 * step, epsilon=1, adjacency=adjacency, digits=2, engine="grid")  # type: ignore[arg-type]
        assert fine.digits >= 10 and fine.overlaps(coarse)
        assert pv.prove_again(fine).overlaps(fine)


@pytest.mark.parametrize("bits", [30, 60])
@pytest.mark.parametrize("shift", ["1/1000", "1/30", "2"])
@pytest.mark.parametrize("goal", ["0.9", "1.0001", "7"])
def test_the_outcome_of_a_loss_is_enclosed(bits: int, shift: str, goal: str) -> None:
    """Where log w hardly rises, a small gap in it is a large one in x."""
    law = MixtureOfGaussiansLaw(F(shift), WITHOUT_ZERO, "remove")
    with working(300):
        exact = law._outcome(ball(F(goal))).mid()
    with working(bits):
        assert law._outcome(ball(F(goal))).contains(exact)


def test_what_is_omitted_grows_on_lines() -> None:
    """By what |w|^{−θ} may grow there, at θ = −30: the largest level turns furthest."""
    law = MixtureOfGaussiansLaw(F(1, 2), THREE, "remove")
    with working(80):
        theta = F(-30)
        omitted, lines = law.omitted(theta, law.pieces(theta)), law.lines(theta, arb(1))().lines
        factors = [growth(ball(theta), ball(height), arb("1.5")) for height in heights(1.5, _ANGLE, _LINES)]
        assert len(lines) == len(factors) and any(factor > 2 for factor in factors)
        for (weights, _), factor in zip(lines, factors, strict=True):
            assert weights[0] >= factor * omitted * (1 - arb(2) ** -60)
