"""Planted errors in the truncated engine, at cuts so poor that each bound counts."""

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

import pldverify as pv
from pldverify.balls.ball import BOUND_BITS, lower, short, upper, working
from pldverify.errors import OracleDisagreement
from pldverify.mechanisms.as_composition import as_composition
from pldverify.reference.engines.inversion import contour, truncated
from pldverify.reference.laws.composed_loss import ComposedLoss, product
from pldverify.reference.search import truncated as search
from pldverify.reference.search.contour import plan_contour
from tests.oracle.closed_forms import context, fraction, real, two_mixtures_delta
from tests.teeth.planted import Plant, planted

SHORT, LONG = ("1", "0.5", 2), ("1", "0.5", 200)
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
