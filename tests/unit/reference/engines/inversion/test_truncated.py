"""The truncated engine against other engines; and with planted bugs."""

from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from flint import arb

import pldverify as pv
from pldverify.balls.ball import upper, working
from pldverify.balls.compare import surely_at_most, surely_less
from pldverify.balls.memory import forget
from pldverify.errors import NoConvergence, NotSupported
from pldverify.mechanisms.as_composition import as_composition
from pldverify.mechanisms.expression import parse
from pldverify.numbers.enclosure import Enclosure
from pldverify.reference.engines.evaluator import evaluator
from pldverify.reference.engines.inversion.truncated import (
    NearLaw,
    Parameters,
    Truncated,
    TruncatedGrid,
    near_steps,
)
from pldverify.reference.laws import near_batch
from pldverify.reference.laws.composed_loss import ComposedLoss, product
from pldverify.reference.search import truncated as module
from pldverify.reference.search.truncated import plan_truncated, plan_truncated_grid
from tests.oracle.closed_forms import context, fraction, mixture_delta, real

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
    found = truncated(TWO, "0.5", 2)
    assert found.digits >= 2
    assert overlaps(found, other(TWO, "0.5", "two steps"))


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


FEW = "15 * sampled_without_replacement(gaussian(sigma=0.829), q=1.33e-6)"
BATCHES = "79 * sampled_without_replacement(gaussian(sigma=2.59), q=2e-4)"
QUIET_MIX = QUIET + " + 4 * poisson(gaussian(sigma=4), q=2e-6)"
TWO_BATCHES = "2 * sampled_without_replacement(gaussian(sigma=2), q=0.01)"


@pytest.mark.parametrize(
    ("text", "epsilon", "adjacency", "engine"),
    [
        (QUIET, "2e-5", "replace-one", "truncated"),
        (QUIET_MIX, "2e-5", "replace-one", "truncated"),
        (BATCHES, "0.01", "replace-one", "truncated"),
        (FEW, "9.3e-5", "replace-one", "grid"),
        (TWO_BATCHES, "0.01", "replace-one", "atom at zero"),
    ],
)
def test_a_grid_of_the_near_steps(text: str, epsilon: str, adjacency: Any, engine: str) -> None:
    digits = 5 if engine == "grid" else 10
    ours, theirs = (
        pv.delta(parse(text), epsilon=epsilon, adjacency=adjacency, digits=n, engine=name)
        for n, name in ((5, "truncated grid"), (digits, engine))
    )
    assert ours.digits >= 5 and theirs.digits >= digits and overlaps(ours, theirs)


@pytest.mark.parametrize(
    ("text", "direction"),
    [(JUMPS, "replace"), (TWO_BATCHES, "replace")],
)
def test_tails_of_near_steps(text: str, direction: str) -> None:
    """With what is far they are those of all, up to the cut; beyond it there are none."""
    whole = law(text, direction)
    near = near_steps(whole, module._cuts(whole, 0.7)).factors[0][0]
    assert isinstance(near, NearLaw)
    with working(120):
        for s in ("-0.5", "-0.001", "0", "0.1", "0.69"):
            rows = zip(near.tails(Fraction(s)), near.law.tails(Fraction(s)), near.far(), strict=True)
            assert all((a + c).overlaps(b) and surely_less(0, a) for a, b, c in rows)
        assert all(surely_at_most(mass, 0) for mass in near.tails(Fraction("0.71")))


def test_near_tails_that_count_what_is_far_are_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [pv.delta(parse(FEW), epsilon="9.3e-5", adjacency="replace-one", digits=5)]
    monkeypatch.setattr(near_batch, "without", lambda whole, far: whole)
    for engine in ("truncated grid", "grid"):
        forget()
        found.append(pv.delta(parse(FEW), epsilon="9.3e-5", adjacency="replace-one", digits=5, engine=engine))
    assert not overlaps(found[0], found[1]) and overlaps(found[0], found[2])


def test_parameters_of_another_engine_are_refused() -> None:
    for one, other_one in ((Truncated, TruncatedGrid), (TruncatedGrid, Truncated)):
        made = {Truncated: plan_truncated, TruncatedGrid: plan_truncated_grid}[one]
        work = made(law(QUIET, "replace"), "delta", Fraction("2e-5"), digits=3).build()
        one(work.loss, "delta", work.parameters)  # type: ignore[arg-type]
        with pytest.raises(NoConvergence, match="unusable"):
            other_one(work.loss, "delta", work.parameters)  # type: ignore[arg-type]
