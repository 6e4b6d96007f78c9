"""Every error term of random allocation, left out where it counts: the enclosure must then miss the truth."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from flint import acb, arb

import pldverify as pv
from pldverify.balls import correlation
from pldverify.balls.ball import working
from pldverify.balls.memory import forget
from pldverify.errors import OracleDisagreement
from pldverify.mechanisms.as_composition import as_composition
from pldverify.mechanisms.relations import Direction
from pldverify.reference.engines.derived.dominated import dominates
from pldverify.reference.engines.inversion.contour import Contour, Parameters
from pldverify.reference.laws import allocation
from pldverify.reference.laws.allocation import AllocationLaw
from pldverify.reference.laws.composed_loss import product
from pldverify.reference.laws.gaussian import GaussianLaw
from pldverify.reference.laws.hints.allocation import rays
from pldverify.reference.laws.law import Decay
from pldverify.reference.lemmas import mean_of_lognormals
from pldverify.reference.lemmas.kernel import Kernel
from pldverify.reference.lemmas.mean_of_lognormals import Mean, Ray
from pldverify.reference.quantities.rough import rough_inverse
from tests.teeth.planted import Plant, planted

LOGNORMAL = Mean(Fraction(1), 1)
STEP = Fraction(1, 2)


def good(theta: Fraction) -> tuple[int, Ray]:
    """The order, and a ray for three nodes."""
    found = rays(LOGNORMAL, theta, STEP, 2, 60)
    return found.order, found.rays[0]


def holds(module: Any, theta: Fraction, order: int, ray: Ray) -> bool:
    """Whether E[R^{−w}] = e^{w(w + 1)/2} is enclosed at all nodes."""
    with working(200):
        found = module.Mean(LOGNORMAL.noise_multiplier, 1).moments(theta, STEP, 2, order, [ray])
        for j, value in enumerate(found):
            w = acb(arb(theta.numerator) / theta.denominator, arb(j) / 2)
            if not value.overlaps((w * (w + 1) / 2).exp()):
                return False
    return True


def coarse(ray: Ray) -> Ray:
    every = 5
    return ray._replace(every=every, first=ray.first // every, last=ray.last // every + 1)


def at_the_left(ray: Ray) -> Ray:
    return ray._replace(first=ray.first * 2 // 3)


def at_the_right(ray: Ray) -> Ray:
    return ray._replace(last=ray.last // 3)


def wide(ray: Ray) -> Ray:
    return ray._replace(across=ray.across * 8, half=-(-ray.half // 8))


def narrow(ray: Ray) -> Ray:
    return ray._replace(half=ray.half // 6)


def less_wide(ray: Ray) -> Ray:
    return ray._replace(half=ray.half * 2 // 3)


ONE, TWO = Fraction(1), Fraction(-5, 2)
PLANTS: list[tuple[str, Fraction, Callable[[Ray], Ray], Plant]] = [
    ("the rule along the ray", ONE, coarse, ("self.alias = p.lgamma() -", "self.alias = p.lgamma() - 99 -")),
    (
        "what is cut below",
        ONE,
        at_the_left,
        (
            "        left, right = (self.left + flat).exp()",
            "        left, right = (self.left + flat - 99).exp()",
        ),
    ),
    (
        "what is cut below, of a power of R",
        TWO,
        at_the_left,
        (
            "        left, right = (self.left + flat).exp()",
            "        left, right = (self.left + flat - 99).exp()",
        ),
    ),
    (
        "what is cut above",
        ONE,
        at_the_right,
        (", (self.right + flat).exp()", ", (self.right + flat - 99).exp()"),
    ),
    ("the rule in y", ONE, wide, ("    rule = 2 *", "    rule = 0 *")),
    ("what is cut in y", ONE, narrow, ("    size, shifted = 2 *", "    size, shifted = 0 *")),
    (
        "what is cut in y, of a power of W",
        TWO,
        less_wide,
        ("    size, shifted = 2 *", "    size, shifted = 0 *"),
    ),
]


@pytest.mark.parametrize(
    ("theta", "poor", "plant"), [row[1:] for row in PLANTS], ids=[row[0] for row in PLANTS]
)
def test_an_error_of_a_ray_that_is_left_out_shows(
    theta: Fraction, poor: Callable[[Ray], Ray], plant: Plant
) -> None:
    order, ray = good(theta)
    assert holds(mean_of_lognormals, theta, order, ray)
    assert holds(mean_of_lognormals, theta, order, poor(ray))
    assert not holds(planted(mean_of_lognormals, plant), theta, order, poor(ray))


def test_a_correlation_without_its_rounding_shows() -> None:
    def right(module: Any) -> bool:
        with working(100):
            third = [acb(arb(1) / 3)]
            return bool(module.correlated(third, [third], 30)[0][0].overlaps(acb(arb(1) / 9)))

    assert right(correlation)
    assert not right(
        planted(
            correlation,
            (
                "wobble = arb(2) ** (-2 * bits), arb(0, error.upper())",
                "wobble = arb(2) ** (-2 * bits), arb(0)",
            ),
        )
    )


QUESTION = 2 * pv.BallsAndBins(pv.Gaussian(1), batches=2)
EPSILON = Fraction(3, 2)
TRUTH = pv.delta(QUESTION, epsilon=EPSILON, adjacency="remove", digits=20)
LINE = Parameters("beyond", Fraction(-3), Fraction(-9), Fraction(-1), Fraction(1, 4), 120, 120)


def contour(parameters: Parameters) -> bool:
    forget()
    try:
        found = Contour(product(QUESTION, "remove"), "delta", parameters).value(EPSILON)
    except OracleDisagreement:
        return False
    with working(120):
        return bool(found.overlaps(arb(float(TRUTH.lower), "1e-16")))


def test_a_decay_that_is_too_fast_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    short = replace(LINE, nodes=8)
    assert contour(LINE) and contour(short)
    decay = allocation.AllocationLaw.decay

    def faster(self: Any, theta: Fraction) -> Decay:
        honest = decay(self, theta).gauss
        assert honest is not None
        return replace(decay(self, theta), gauss=honest * 40)

    monkeypatch.setattr(allocation.AllocationLaw, "decay", faster)
    assert not contour(short)


def test_aliases_left_of_minus_one_that_are_left_out_show(monkeypatch: pytest.MonkeyPatch) -> None:
    periodic = replace(LINE, step=Fraction(3, 2), nodes=40)
    assert contour(LINE) and contour(periodic)
    monkeypatch.setattr(Kernel, "aliases", lambda *_: [])
    assert not contour(periodic)


def test_the_second_measure_that_is_not_taken_away_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    assert contour(LINE)
    monkeypatch.setattr(Kernel, "value", lambda self, z: -1 / (z * (z + 1)))
    assert not contour(LINE)


@pytest.mark.parametrize("direction", ["remove", "add"])
def test_nothing_with_more_noise_is_taken_for_the_base(direction: Direction) -> None:
    law = AllocationLaw(Fraction(2), 10, direction)
    assert dominates(GaussianLaw(Fraction(1, 4)), law)
    assert not dominates(GaussianLaw(Fraction(249, 1000)), law) and not dominates(
        law, GaussianLaw(Fraction(1))
    )


def test_a_step_that_is_revealed_bounds_what_is_beyond_the_transform() -> None:
    """[0, ∞] was all that was told."""
    base = pv.epsilon(pv.Gaussian("0.05"), delta="1e-6")
    loss = product(as_composition(pv.BallsAndBins(pv.Gaussian("0.05"), batches=10)), "add")
    assert rough_inverse(loss, Fraction("1e-6")).prove()[1] <= Fraction(11, 10) * base.upper
