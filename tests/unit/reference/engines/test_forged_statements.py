"""A statement whose parts are about something else proves nothing, whoever made it."""

from dataclasses import replace
from fractions import Fraction

import flint
import pytest

import pldverify as pv
from pldverify.balls.ball import ball, upper, working
from pldverify.balls.normal import normal_tail
from pldverify.errors import InvalidInput, NoConvergence, NotSupported, OracleDisagreement
from pldverify.mechanisms.as_composition import as_composition
from pldverify.reference.choice import settle
from pldverify.reference.engines.conclude import conclude
from pldverify.reference.engines.derived.backwards import Backwards
from pldverify.reference.engines.derived.between import Between
from pldverify.reference.engines.derived.directions import Directions
from pldverify.reference.engines.derived.inverse import AtInfiniteMass, Inverse
from pldverify.reference.engines.derived.privacy_loss_cdf import Cdf
from pldverify.reference.engines.derived.rough import Basic, Part
from pldverify.reference.engines.derived.support import Support
from pldverify.reference.engines.derived.trade_off import TradeOff
from pldverify.reference.laws.composed_loss import ComposedLoss, product
from tests.unit.reference.told import Told

PAIR = as_composition(pv.FinitePair(["0.5", "0.5"], ["0.1", "0.9"]))
REMOVE, ADD = product(PAIR, "remove"), product(PAIR, "add")
ONE = Fraction(1)
AT_ONE = tuple(settle(loss, "delta", ONE, 10).statement for loss in (REMOVE, ADD))


@pytest.mark.parametrize("which", ["largest", "smallest"])
def test_both_directions_together_are_no_statement_about_one(which: str) -> None:
    first, second = AT_ONE
    both = Directions(PAIR, "add-or-remove", which, (second, first))  # type: ignore[arg-type]
    target = Fraction("0.114")
    for forged in (
        Inverse(ADD, target, both, None),
        Inverse(ADD, target, None, both),
        Backwards(PAIR, "remove", -ONE, both, 80),
        Basic(ComposedLoss(((ADD.factors[0][0], 2),)), 2 * ONE, (both,)),
        Part(ComposedLoss(((ADD.factors[0][0], 2),)), ONE, both),
        Between((both, second)),
    ):
        with pytest.raises(NoConvergence):
            conclude(forged)


def test_more_losses_than_there_are_bound_nothing_from_below() -> None:
    """A part with a step too many, or with another law in it, is none."""
    first, second = AT_ONE
    two = conclude(Part(ComposedLoss(((REMOVE.factors[0][0], 2),)), ONE, first))
    assert two.lower == first.prove()[0] > 0 and two.upper == 1
    twice = settle(ComposedLoss(((REMOVE.factors[0][0], 2),)), "delta", ONE, 10).statement
    for forged in (Part(REMOVE, ONE, twice), Part(REMOVE, ONE, second), Part(REMOVE, ONE / 2, first)):
        with pytest.raises(NoConvergence, match="part"):
            conclude(forged)


def test_the_shares_of_basic_composition_are_all_of_epsilon_and_no_more() -> None:
    law = REMOVE.factors[0][0]
    assert conclude(Basic(ComposedLoss(((law, 2),)), 2 * ONE, AT_ONE[:1])).upper == 2 * AT_ONE[0].prove()[1]
    for forged in (
        Basic(ComposedLoss(((law, 2),)), ONE * 19 / 10, AT_ONE[:1]),
        Basic(ComposedLoss(((law, 2),)), 2 * ONE, AT_ONE[1:]),
        Basic(ComposedLoss(((law, 2),)), 2 * ONE, ()),
        Basic(ComposedLoss(((law, 2),)), 2 * ONE, (AT_ONE[0], AT_ONE[0])),
    ):
        with pytest.raises(NoConvergence, match="basic"):
            conclude(forged)


def test_statements_of_two_questions_have_no_intersection() -> None:
    first, second = AT_ONE
    other = settle(REMOVE, "delta", ONE / 2, 10).statement
    assert conclude(Between((first, Part(REMOVE, ONE, first)))).upper == first.prove()[1]
    for forged in (Between((first, second)), Between((first, other))):
        with pytest.raises(NoConvergence, match="between"):
            conclude(forged)
    with pytest.raises(OracleDisagreement):
        conclude(Between((first, Told(Fraction(0), Fraction(1, 10**9), "told", REMOVE, at=ONE))))


def test_a_direction_may_not_be_missing() -> None:
    with pytest.raises(NoConvergence):
        conclude(Directions(PAIR, "add-or-remove", "largest", AT_ONE[:1]))


def test_the_parts_of_a_distribution_function_have_roles() -> None:
    normal = as_composition(pv.Gaussian(1))
    loss = product(normal, "remove")
    tail, delta = (settle(loss, name, Fraction(0), 10).statement for name in ("tail", "delta"))  # type: ignore[arg-type]
    assert conclude(Cdf(normal, "remove", Fraction(0), tail, delta, None, 80)).digits >= 8
    with pytest.raises(NoConvergence):
        conclude(Cdf(normal, "remove", Fraction(0), delta, tail, None, 80))
    # a bound from the tail is one above 0 only: at 0 it is not looked at
    forged = Told(Fraction(0), Fraction(0), "told", REMOVE, "tail", Fraction(0))
    assert conclude(Cdf(normal, "remove", Fraction(0), tail, delta, forged, 80)).upper < Fraction(1, 2)


@pytest.mark.parametrize("epsilon", ["-1/10", "-1/2", "-99/100", "-2"])
def test_a_distribution_function_below_zero(epsilon: str) -> None:
    """S ~ N(1/2, 1)."""
    normal, point = as_composition(pv.Gaussian(1)), Fraction(epsilon)
    loss = product(normal, "add")
    tail, delta = (settle(loss, name, -point, 12).statement for name in ("tail", "delta"))  # type: ignore[arg-type]
    found = conclude(Cdf(normal, "remove", point, tail, delta, None, 80))
    with working(100):
        truth = normal_tail(ball(Fraction(1, 2) - point))
        assert ball(found.lower).union(ball(found.upper)).contains(truth) and found.digits >= 8


@pytest.mark.parametrize(
    ("mechanism", "engine"),
    [
        (1000 * pv.PoissonSubsampled(pv.Gaussian(10), "1e-3"), "truncated"),
        (20 * pv.FinitePair(["0.5", "0.25", "0.25"], ["0.1", "0.5", "0.4"]), "smoothing"),
    ],
)
def test_an_engine_of_delta_is_none_of_tails(mechanism: pv.Composition, engine: str) -> None:
    way = mechanism.directions()[0]
    work = settle(product(mechanism, way), "delta", ONE / 10, 3, names=(engine,)).work
    assert work is not None
    with pytest.raises(NotSupported):
        replace(work, quantity="tail").value(ONE / 10)
    with pytest.raises(NotSupported):
        replace(work, quantity="cdf").value(ONE / 10)  # type: ignore[arg-type]


def test_the_zero_loss_below_zero() -> None:
    low, high = Support(ComposedLoss(()), -ONE, "delta", 64).prove()
    assert low <= upper(1 - flint.arb(-1).exp()) and high > Fraction(63, 100)


def test_small_forgeries() -> None:
    with pytest.raises(NoConvergence):
        conclude(TradeOff(PAIR, "remove", ONE / 2, (), 80))
    with pytest.raises(InvalidInput):
        ComposedLoss(((REMOVE.factors[0][0], -1),))
    with pytest.raises(NoConvergence):
        conclude(Support(REMOVE, Fraction(10), "rdp", 64))  # type: ignore[arg-type]
    assert AtInfiniteMass(REMOVE, ONE, 64).prove() == (0, 0)


@pytest.mark.parametrize(("field", "value"), [("strides", -153), ("variance", Fraction(-1)), ("stride", -1)])
def test_smoothing_needs_noise_and_nodes(field: str, value: object) -> None:
    steps = 20 * pv.FinitePair(["0.5", "0.25", "0.25"], ["0.1", "0.5", "0.4"])
    work = settle(product(steps, "remove"), "delta", ONE, 3, names=("smoothing",)).work
    assert work is not None
    with pytest.raises(NoConvergence):
        replace(work, parameters=replace(work.parameters, **{field: value})).value(ONE)  # type: ignore[type-var]
