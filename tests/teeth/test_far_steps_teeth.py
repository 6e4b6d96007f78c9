"""Planted errors in the truncated and the rare-events engine, at cuts so poor that each bound counts."""

import math
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy.special import log_ndtr

import pldverify as pv
from pldverify.balls.ball import BOUND_BITS, lower, short, upper, working
from pldverify.errors import OracleDisagreement
from pldverify.mechanisms.as_composition import as_composition
from pldverify.reference.engines.inversion import contour, rare_events, truncated
from pldverify.reference.laws.composed_loss import ComposedLoss, product
from pldverify.reference.laws.gaussian_mixture import GaussianMixtureLaw
from pldverify.reference.laws.soft_part import SoftPart
from pldverify.reference.search import truncated as search
from pldverify.reference.search.contour import plan_contour
from tests.oracle.closed_forms import context, fraction, real, two_mixtures_delta
from tests.teeth.planted import Plant, planted

LOUD, SHORT, LONG = ("0.2", "0.1", 2), ("1", "0.5", 2), ("1", "0.5", 200)
"""σ, q and steps."""


def steps(name: tuple[str, str, int]) -> Any:
    sigma, q, k = name
    return k * pv.PoissonSubsampled(pv.Gaussian(sigma), q)


def law(name: tuple[str, str, int]) -> ComposedLoss:
    return product(as_composition(steps(name)), "remove")


@cache
def truth(name: tuple[str, str, int], epsilon: str) -> tuple[Fraction, Fraction]:
    """Both ends, to 12 digits."""
    sigma, q, k = name
    if k == 2:
        mp = context(30)
        exact = fraction(
            two_mixtures_delta(mp, *(real(mp, x) for x in (sigma, q)), "remove", real(mp, epsilon))
        )
        return exact * (1 - Fraction(1, 10**12)), exact * (1 + Fraction(1, 10**12))
    found = pv.delta(steps(name), epsilon=epsilon, adjacency="remove", digits=12, engine="contour")
    return Fraction(found.lower), Fraction(found.upper)


def holds(build: Callable[[], Any], name: tuple[str, str, int], epsilon: str) -> bool:
    try:
        value = build().value(Fraction(epsilon))
    except OracleDisagreement:  # no probability at all
        return False
    low, high = truth(name, epsilon)
    return bool(lower(value) <= high and low <= upper(value))


def integral(part: SoftPart, low: float, high: float, power: float) -> float:
    """∫ φ w^power Φ(−t) in doubles."""
    c, q = 1 / float(part.law.noise_multiplier), float(part.law.q)
    x = np.linspace(low, high, 400_001)
    log = power * np.log1p(q * np.expm1(c * x - c * c / 2)) - x * x / 2
    values = np.exp(log + log_ndtr((float(part.cut) - x) / float(part.width))) / math.sqrt(2 * math.pi)
    return float((values.sum() - (values[0] + values[-1]) / 2) * (x[1] - x[0]))


LINE = contour.Parameters("upper", Fraction(1), Fraction(0), Fraction(2), Fraction(1), 1, 64)
"""A contour that says nothing: only the steps without a jump are looked at."""


def bounds_hold(module: Any, width: float, lam: float, k: int = 1) -> bool:
    """M_i and what is beyond x₂, of k steps that are often drawn, against integrals."""
    mixture = GaussianMixtureLaw(Fraction(1), Fraction(1, 2), "remove")
    part = SoftPart(mixture, Fraction(-4), short(width), True)
    jump = module.Jump(part.cut, part.width, Fraction(3))
    parameters = module.Parameters((jump,), LINE, short(lam), 64)
    engine = module.RareEvents(ComposedLoss(((mixture, k),)), "delta", parameters)
    moment, beyond = float(engine._log_moment.exp()), float(engine._missed)
    inside, outside = integral(part, -12, 3, lam + 1) ** k, 1 - (1 - integral(part, 3, 20, 1)) ** k
    assert moment < 20 * inside and beyond < 20 * outside
    return moment >= inside * (1 - 1e-9) and beyond >= outside * (1 - 1e-9)


COARSE = ("_CELLS = 500", "_CELLS = 20")


@pytest.mark.parametrize(
    ("width", "lam", "k", "plant"),
    [
        (50.0, 5.0, 1, ("ball(lam) * right.largest_finite_loss", "ball(lam) * left.largest_finite_loss")),
        (2.0, 1e-3, 1, ("weight(ball(left.cut))", "weight(ball(right.cut))")),
        (50.0, 1.0, 1, ("small.far()[0]", "small.far()[1]")),
        (50.0, 1.0, 3, ("self._missed += k * part", "self._missed += part")),
        (50.0, 5.0, 2, ("_log_moment += k * _moment(", "_log_moment += _moment(")),
    ],
)
def test_bounds_of_steps_without_a_jump(width: float, lam: float, k: int, plant: Plant) -> None:
    assert bounds_hold(rare_events, width, lam, k)
    assert bounds_hold(planted(rare_events, COARSE), width, lam, k)
    assert not bounds_hold(planted(rare_events, COARSE, plant), width, lam, k)


def poor_jumps(module: Any, epsilon: str, where: tuple[float, float, float], lam: float) -> Callable[[], Any]:
    """Jumps of which both steps, that lose much, often do without one; ``where``: x_c, τ and x₂."""
    loud, (cut, width, end) = law(LOUD), (short(x) for x in where)
    parts = ((SoftPart(loud.factors[0][0], cut, width, True), 2),)  # type: ignore[arg-type]
    some = plan_contour(rare_events.steps_with_jumps(parts), "delta", Fraction(epsilon), digits=6)
    jump = module.Jump(cut, width, end)
    parameters = module.Parameters((jump,), some.build().parameters, short(lam), 83)
    return lambda: module.RareEvents(loud, "delta", parameters)


def test_all_steps_count() -> None:
    epsilon, where, lam = "50", (12.0, 1.0, 20.0), 0.6
    plant = ("_log_moment += k * _moment(", "_log_moment += _moment(")
    assert holds(poor_jumps(rare_events, epsilon, where, lam), LOUD, epsilon)
    assert not holds(poor_jumps(planted(rare_events, plant), epsilon, where, lam), LOUD, epsilon)


@pytest.mark.parametrize(
    ("name", "epsilon", "gap", "plant"),
    [
        (SHORT, "3", (-2.99, 1.0), ("total += k * law.far()[1]", "total += law.far()[1]")),
        (
            SHORT,
            "3",
            (-2.99, 1.0),
            ("return (ball(epsilon).exp() * total).upper()", "return total.upper()"),
        ),
        (
            SHORT,
            "0.1",
            (0.3, 20.0),
            ("loss.log_moment(-1 - p.lam)", "self.near.log_moment(Fraction(-1))"),
        ),
        (  # on the lower side, as if near steps had the mass 1
            LONG,
            "0.05",
            (1.95, 1.0),
            ("self.many.value(epsilon)", "self.many.value(epsilon) + (1 - self.near.finite_mass())"),
        ),
    ],
)
def test_far_steps(name: tuple[str, str, int], epsilon: str, gap: tuple[float, float], plant: Plant) -> None:
    """With ``gap``, how far the loss at the cut is beyond ε, and λ."""
    loss, point = law(name), Fraction(epsilon)
    cuts = search._cuts(loss, float(point) + gap[0])
    near = truncated.near_steps(loss, cuts)
    with working(BOUND_BITS):
        reached = not near.ends_by(point)
    line = plan_contour(near, "delta", point, digits=6).build().parameters if reached else None
    assert line is None or isinstance(line, contour.Parameters)
    assert name != LONG or (line is not None and line.side == "lower")
    parameters = truncated.Parameters(cuts, line, short(gap[1]), 83)
    for module, right in ((truncated, True), (planted(truncated, plant), False)):
        assert holds(lambda made=module: made.Truncated(loss, "delta", parameters), name, epsilon) == right


def test_a_tilt_below_zero_bounds_nothing() -> None:
    loss = law(("1", "0.1", 1))
    exact = pv.delta(pv.PoissonSubsampled(pv.Gaussian(1), "0.1"), epsilon=1, adjacency="remove")
    for lam in (Fraction(-2), Fraction(-1, 2), Fraction(0)):
        parameters = truncated.Parameters((Fraction(0),), None, lam, 80)
        value = truncated.Truncated(loss, "delta", parameters).value(Fraction(1))
        assert lower(value) <= exact.lower and exact.upper <= upper(value)
