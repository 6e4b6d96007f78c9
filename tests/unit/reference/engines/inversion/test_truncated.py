"""The truncated engine against other engines; and with planted bugs."""

from dataclasses import replace
from fractions import Fraction
from functools import cache

import pytest
from flint import arb

import pldverify as pv
from pldverify.balls.ball import upper
from pldverify.balls.memory import forget
from pldverify.errors import NoConvergence, NotSupported
from pldverify.mechanisms.as_composition import as_composition
from pldverify.mechanisms.expression import parse
from pldverify.numbers.enclosure import Enclosure
from pldverify.reference.engines.evaluator import evaluator
from pldverify.reference.engines.inversion.truncated import (
    Parameters,
    Truncated,
)
from pldverify.reference.laws.composed_loss import ComposedLoss, product
from pldverify.reference.search import truncated as module
from pldverify.reference.search.truncated import plan_truncated
from tests.oracle.closed_forms import context, fraction, holds, mixture_delta, real, two_mixtures_delta

QUIET = "10 * poisson(gaussian(sigma=5), q=1e-5)"
JUMPS = "50 * poisson(gaussian(sigma=1), q=0.01)"
"""At ε = 1 a third of δ comes from single steps."""
TWO = "2 * poisson(gaussian(sigma=1), q=0.01)"
MANY = "100000 * poisson(gaussian(sigma=1), q=0.01)"
MIXED = "40 * poisson(gaussian(sigma=1), q=0.01) + 30 * poisson(gaussian(sigma=2), q=0.005)"


def law(text: str, direction: str = "remove") -> ComposedLoss:
    return product(as_composition(parse(text)), direction)  # type: ignore[arg-type]


def truncated(text: str, epsilon: str, digits: int) -> Enclosure:
    return pv.delta(parse(text), epsilon=epsilon, adjacency="remove", digits=digits, engine="truncated")


@cache
def other(text: str, epsilon: str, engine: str, digits: int = 12) -> Enclosure:
    return pv.delta(parse(text), epsilon=epsilon, adjacency="remove", digits=digits, engine=engine)


def overlaps(one: Enclosure, two: Enclosure) -> bool:
    return one.lower <= two.upper and two.lower <= one.upper


@pytest.mark.parametrize(
    ("text", "epsilon", "digits"),
    [(JUMPS, "1", 15), (MIXED, "0.8", 12), (MANY, "10", 15), (MANY, "0.1", 15), (MANY, "0", 12)],
)
def test_it_overlaps_with_the_contour(text: str, epsilon: str, digits: int) -> None:
    found = truncated(text, epsilon, digits)
    assert found.digits >= digits
    assert overlaps(found, other(text, epsilon, "contour", 15))


def test_it_overlaps_with_the_integral_of_two_steps() -> None:
    found, mp = truncated(TWO, "0.5", 2), context(30)
    assert found.digits >= 2
    truth = two_mixtures_delta(mp, mp.mpf(1), real(mp, "0.01"), "remove", mp.mpf(1) / 2)
    assert holds(found, truth, 12)


@pytest.mark.parametrize(
    ("text", "epsilon"), [(QUIET, "2e-5"), ("1000 * poisson(gaussian(sigma=1), q=1e-5)", "0.001")]
)
def test_it_overlaps_with_the_grid_where_the_contour_fails(text: str, epsilon: str) -> None:
    found, coarse = truncated(text, epsilon, 12), other(text, epsilon, "grid", 3)
    assert found.digits >= 12 and coarse.digits >= 3
    assert overlaps(found, coarse)


def test_a_setup_answers_for_another_epsilon() -> None:
    built = plan_truncated(law(JUMPS), "delta", Fraction(1), digits=12).build()
    value = built.value(Fraction(101, 100))
    truth = other(JUMPS, "1.01", "contour", 15)
    assert value.rad() < value * arb("1e-6")
    assert float(value) == pytest.approx(float(truth), rel=1e-6, abs=0)


def test_where_near_steps_never_reach_epsilon() -> None:
    quiet = law("10 * poisson(gaussian(sigma=50), q=1e-5)")
    built = plan_truncated(quiet, "delta", Fraction(1), digits=3).build()
    assert 0 <= built.value(Fraction(1)).upper() < arb("1e-800")
    with pytest.raises(NoConvergence, match="set up for a larger ε"):
        built.value(Fraction(1, 10**9))


def test_a_bare_difference_of_masses_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """Far steps without their second measure, or without their first one."""
    far, truth = Truncated._far, other(JUMPS, "1", "contour", 15)
    assert overlaps(truncated(JUMPS, "1", 2), truth)
    for i in (0, 1):
        forget()
        monkeypatch.setattr(Truncated, "_far", lambda self, i=i: (far(self)[0] * i, far(self)[1] * (1 - i)))
        assert not overlaps(truncated(JUMPS, "1", 2), truth)


def test_the_lower_side_has_its_own_mass() -> None:
    low = "1000 * poisson(gaussian(sigma=1), q=0.5)"
    built = plan_truncated(law(low), "delta", Fraction(100), digits=8).build()
    engine = evaluator(built)
    assert isinstance(engine, Truncated) and engine.many is not None and engine.many.kernel.side == "lower"
    assert overlaps(truncated(low, "100", 8), other(low, "100", "contour", 15))


@pytest.mark.slow
def test_a_cut_too_near_is_wide_and_never_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    """A cut at ε itself: other losses, negative ones, may bring the sum back below ε."""
    gap = module._gap
    monkeypatch.setattr(module, "_gap", lambda *arguments: (1e-9, gap(*arguments)[1]))
    truth = other(JUMPS, "1", "contour", 15)
    built = plan_truncated(law(JUMPS), "delta", Fraction(1), digits=8).build()
    wide = built.value(Fraction(1))
    assert wide.lower() < arb(float(truth)) < wide.upper() and wide.rad() > arb("1e-10")
    forget()
    monkeypatch.setattr(Truncated, "_recovered", lambda self, epsilon: arb(0))
    wrong = built.value(Fraction(1))
    assert wrong < arb(float(truth)) * arb("0.9999")


@pytest.mark.parametrize("lam", ["1/2", "2", "6", "20"])
@pytest.mark.parametrize("at", ["0", "1/2", "1"])
def test_chernoffs_bound_is_of_the_other_direction(at: str, lam: str) -> None:
    """D of one step in closed form, for λ that are good and poor."""
    mp, one = context(30), law("poisson(gaussian(sigma=1/2), q=0.9)")
    engine = Truncated(one, "delta", Parameters((Fraction(2),), None, Fraction(lam), 80))
    truth = mixture_delta(mp, mp.mpf(1) / 2, real(mp, Fraction(9, 10)), "add")(real(mp, Fraction(at)))
    assert fraction(truth) <= upper(engine._profile(arb(Fraction(at).numerator) / Fraction(at).denominator))


def test_what_it_is_not_for() -> None:
    for text, direction, quantity in (
        (JUMPS, "add", "delta"),
        (JUMPS, "remove", "tail"),
        (JUMPS + " + gaussian(sigma=3)", "remove", "delta"),
    ):
        with pytest.raises(NotSupported, match="truncated"):
            plan_truncated(law(text, direction), quantity, Fraction(1), digits=6)


def test_parameters_of_another_engine_are_refused() -> None:
    work = plan_truncated(law(QUIET), "delta", Fraction("2e-5"), digits=3).build()
    assert isinstance(work.parameters, Parameters)
    with pytest.raises(NoConvergence, match="unusable"):
        Truncated(work.loss, "delta", replace(work.parameters, many=work.parameters))  # type: ignore[arg-type]
