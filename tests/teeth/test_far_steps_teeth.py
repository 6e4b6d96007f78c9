"""Planted errors in the bounds of the near and the jumps engine, at cuts so poor that each bound counts."""

import math
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from flint import arb
from scipy.special import log_ndtr

import pldverify as pv
from pldverify.balls.ball import lower, short, upper, working
from pldverify.errors import OracleDisagreement
from pldverify.mechanisms.composition import as_composition
from pldverify.numbers.enclosure import Enclosure
from pldverify.reference.engines.inversion import rare_events as jumps
from pldverify.reference.engines.inversion import truncated as near
from pldverify.reference.laws.composed_loss import Product, product
from pldverify.reference.laws.gaussian_mixture import GaussianMixtureLaw
from pldverify.reference.laws.near_mixture import NearMixtureLaw
from pldverify.reference.laws.soft_part import SoftPart
from tests.teeth.planted import Plant, planted

LOUD, SHORT, LONG = ("0.2", "0.1", 2), ("1", "0.5", 2), ("1", "0.5", 200)
"""σ, q and steps."""


def steps(name: tuple[str, str, int]) -> Any:
    sigma, q, k = name
    return k * pv.PoissonSubsampled(pv.Gaussian(sigma), q)


def law(name: tuple[str, str, int]) -> Product:
    return product(as_composition(steps(name)), "remove")


@cache
def truth(name: tuple[str, str, int], epsilon: str) -> Enclosure:
    engine = "two steps" if name[2] == 2 else "contour"
    return pv.delta(steps(name), epsilon=epsilon, adjacency="remove", digits=12, engine=engine)


def holds(build: Callable[[], Any], name: tuple[str, str, int], epsilon: str) -> bool:
    try:
        value = build().truth(Fraction(epsilon))
    except OracleDisagreement:  # no probability at all
        return False
    return bool(lower(value) <= truth(name, epsilon).upper and truth(name, epsilon).lower <= upper(value))


def integral(part: SoftPart, low: float, high: float, power: float) -> float:
    """∫ φ w^power Φ(−t) in doubles."""
    c, q = 1 / float(part.law.noise_multiplier), float(part.law.q)
    x = np.linspace(low, high, 400_001)
    log = power * np.log1p(q * np.expm1(c * x - c * c / 2)) - x * x / 2
    values = np.exp(log + log_ndtr((float(part.cut) - x) / float(part.width))) / math.sqrt(2 * math.pi)
    return float((values.sum() - (values[0] + values[-1]) / 2) * (x[1] - x[0]))


def bounds_hold(module: ModuleType, width: float, lam: float) -> bool:
    """M_i and what is beyond x₂, of a step that is often drawn, against integrals."""
    mixture = GaussianMixtureLaw(Fraction(1), Fraction(1, 2), "remove")
    part = SoftPart(mixture, Fraction(-4), short(width), True)
    small = NearMixtureLaw(mixture, Fraction(3))
    with working(64):
        moment, beyond = float(module._moment(part, small, short(lam))), float(module._beyond(part, small))
    inside, outside = integral(part, -12, 3, lam + 1), integral(part, 3, 20, 1)
    assert moment < 20 * inside and beyond < 20 * outside
    return moment >= inside * (1 - 1e-9) and beyond >= outside * (1 - 1e-9)


COARSE = ("_CELLS = 7, 14, 500", "_CELLS = 7, 14, 20")


@pytest.mark.parametrize(
    ("width", "lam", "plant"),
    [
        (50.0, 5.0, ("ball(lam) * right.largest_finite_loss", "ball(lam) * left.largest_finite_loss")),
        (2.0, 1e-3, ("weight(ball(left.cut))", "weight(ball(right.cut))")),
        (50.0, 1.0, ("small.far()[0]", "small.far()[1]")),
    ],
)
def test_bounds_of_steps_without_a_jump(width: float, lam: float, plant: Plant) -> None:
    assert bounds_hold(jumps, width, lam)
    assert bounds_hold(planted(jumps, COARSE), width, lam)
    assert not bounds_hold(planted(jumps, COARSE, plant), width, lam)


def late_jumps(module: Any, epsilon: str, end: float, lam: float) -> Any:
    """Jumps that begin so late that both steps lose much without one."""
    parts = ((SoftPart(law(LOUD).factors[0][0], Fraction(12), Fraction(1), True), 2),)  # type: ignore[arg-type]
    return module._offer((parts, (end,), lam), Fraction(epsilon), 6).build


@pytest.mark.parametrize(
    ("epsilon", "end", "lam", "plant"),
    [
        ("0.5", 2.7, 1.0, ("total += k * _beyond(part, law)", "total += _beyond(part, law)")),
        ("50", 20.0, 0.6, ("log_moment += k * _moment(", "log_moment += _moment(")),
    ],
)
def test_all_steps_count(epsilon: str, end: float, lam: float, plant: Plant) -> None:
    assert holds(late_jumps(jumps, epsilon, end, lam), LOUD, epsilon)
    assert not holds(late_jumps(planted(jumps, plant), epsilon, end, lam), LOUD, epsilon)


@pytest.mark.parametrize(
    ("name", "epsilon", "gap", "plant"),
    [
        (SHORT, "3", (-2.99, 1.0), ("total += k * part.far()", "total += part.far()")),
        (SHORT, "3", (-2.99, 1.0), ("union(rise * self._astray", "union(self._astray")),
        (SHORT, "0.1", (0.3, 20.0), ("product.log_moment(-1 - short(lam))", "near.log_moment(Fraction(-1))")),
        (LONG, "0.05", (1.95, 1.0), ('self.many is None or self.many.kernel.side == "upper"', "True")),
    ],
)
def test_far_steps(name: tuple[str, str, int], epsilon: str, gap: tuple[float, float], plant: Plant) -> None:
    """With ``gap``, how far the loss at the cut is beyond ε, and λ."""
    poor = ("    gap, lam = _gap(product, digits)", f"    gap, lam = {gap}")
    room = ("- math.log2(gap)", "- 0")  # the gap may be below 0 here
    once = ("_TRIES, _MORE = 4, 4", "_TRIES, _MORE = 1, 4")
    for plants, right in (((), True), ((plant,), False)):
        built = planted(near, poor, room, once, *plants).offer_near(
            law(name), "delta", Fraction(epsilon), digits=6
        )
        assert holds(built.build, name, epsilon) == right


def test_a_tilt_below_zero_bounds_nothing() -> None:
    small = Product(((NearMixtureLaw(law(("1", "0.1", 1)).factors[0][0], Fraction(0)), 1),))  # type: ignore[arg-type]
    exact = pv.delta(pv.PoissonSubsampled(pv.Gaussian(1), "0.1"), epsilon=1, adjacency="remove")
    for lam in (Fraction(-2), Fraction(-1, 2), Fraction(0)):
        value = near.Near(small, None, lam, arb(0), 80).truth(Fraction(1))
        assert lower(value) <= exact.lower and exact.upper <= upper(value)
