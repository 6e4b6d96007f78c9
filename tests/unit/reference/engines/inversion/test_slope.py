"""Tails from secants of δ: against closed forms, exact sums and the contour's own tails."""

from fractions import Fraction

import pytest
from flint import arb

import pldverify as pv
from pldverify.balls.ball import LOG2_10, lower, upper
from pldverify.errors import NoConvergence, NotSupported
from pldverify.mechanisms.as_composition import as_composition
from pldverify.mechanisms.relations import Direction
from pldverify.reference.choice import settle
from pldverify.reference.engines.evaluator import Work
from pldverify.reference.engines.inversion import slope as module
from pldverify.reference.engines.inversion.slope import Parameters, Slope
from pldverify.reference.laws.composed_loss import ComposedLoss, product
from pldverify.reference.search import slope as search
from pldverify.reference.search.closed_forms import plan_threshold
from pldverify.reference.search.contour import plan_contour
from pldverify.reference.search.grid import plan_grid
from pldverify.reference.search.slope import plan_slope
from tests.oracle.closed_forms import context, fraction, normal_tail, real
from tests.teeth.planted import planted

STEPS = 1000 * pv.PoissonSubsampled(pv.Gaussian(1), "0.01")


def law(
    composition: pv.Composition | pv.Gaussian | pv.Laplace, direction: Direction = "remove"
) -> ComposedLoss:
    return product(as_composition(composition), direction)


def delta_of(mechanism: pv.Gaussian | pv.Laplace, digits: int) -> Work:
    return plan_threshold(law(mechanism), "delta", Fraction(1), digits=2 * digits + 4).build()


def narrowest(mechanism: pv.Gaussian | pv.Laplace, epsilon: Fraction, digits: int) -> arb:
    found = search._narrowest(delta_of(mechanism, digits), law(mechanism), epsilon, digits)
    return found.value(epsilon)


def bits(digits: int) -> int:
    return int(2 * digits * LOG2_10) + 128


@pytest.mark.parametrize("digits", [3, 12, 30])
@pytest.mark.parametrize("epsilon", ["-2", "0", "1/3", "9"])
def test_a_gaussian(epsilon: str, digits: int) -> None:
    mp = context(80)
    truth = fraction(normal_tail(mp, real(mp, epsilon) - mp.mpf(1) / 2))  # S ~ N(1/2, 1)
    value = narrowest(pv.Gaussian(1), Fraction(epsilon), digits)
    assert lower(value) <= truth <= upper(value)
    assert value.rel_accuracy_bits() > 3.3 * digits - 4


@pytest.mark.parametrize("h", ["1", "1/100", "1e-12"])
@pytest.mark.parametrize("epsilon", ["-0.5", "0.99", "1", "1.5", "-1"])
def test_every_h_gives_bounds_also_at_an_atom(epsilon: str, h: str) -> None:
    # one Laplace loss: atoms at ±1, P(S ≥ ε) = 1 − e^{(ε−1)/2}/2 in between
    mp = context(80)
    eps, point = real(mp, epsilon), Fraction(epsilon)
    truth = mp.mpf(0) if eps > 1 else mp.mpf(1) if eps <= -1 else 1 - mp.exp((eps - 1) / 2) / 2
    parameters = Parameters(delta_of(pv.Laplace(1), 20), Fraction(h), bits(20))
    value = Slope(law(pv.Laplace(1)), "tail", parameters).value(point)
    slack = Fraction(1, 10**40)
    assert lower(value) - slack <= fraction(truth) <= upper(value) + slack
    if abs(eps) == 1 and h == "1e-12":  # the atom stays open
        assert 0.4 * mp.exp((eps - 1) / 2) < 2 * float(value.rad()) < 0.6


@pytest.mark.parametrize("direction", ["add", "remove"])
@pytest.mark.parametrize("epsilon", ["-0.3", "0", "1"])
def test_the_contour_agrees_with_its_own_tail(epsilon: str, direction: Direction) -> None:
    whole, point = law(STEPS, direction), Fraction(epsilon)
    first, second = (
        settle(whole, "tail", point, 12, names=(name,)).enclosure for name in ("contour slope", "contour")
    )
    assert first.overlaps(second)
    assert min(first.digits, second.digits) >= 12


@pytest.mark.parametrize("epsilon", ["0.1", "1.05", "1.95"])
def test_the_grid_agrees_with_exact_sums(epsilon: str) -> None:
    whole = law(2 * pv.PureDP("0.3") + 2 * pv.PureDP("0.7"))
    first, second = (
        settle(whole, "tail", Fraction(epsilon), 6, names=(name,)).enclosure
        for name in ("grid slope", "atoms")
    )
    assert first.lower <= second.lower and second.upper <= first.upper
    assert first.digits >= 2


def test_tails_that_had_no_engine() -> None:
    many = pv.tail(1000 * pv.PoissonSubsampled(pv.Laplace(2), "0.01"), epsilon="0.2", digits=20)
    assert many.engine == "contour slope" and many.digits >= 20
    few = pv.tail(pv.Laplace(1) + pv.RandomizedResponse("0.7"), epsilon="0.5", engine="grid slope")
    assert few.digits >= 2
    # P(S_1 + S_2 ≥ 1/2) with S_2 = ±log(7/3): all that is needed is the tail of one Laplace loss
    mp = context(40)
    shift = mp.log(mp.mpf(7) / 3)
    above = 1 - mp.exp((mp.mpf(1) / 2 - shift - 1) / 2) / 2
    assert shift + mp.mpf(1) / 2 > 1  # ε + log(7/3) lies above the Laplace loss
    assert few.lower <= fraction(mp.mpf(7) / 10 * above) <= few.upper


def test_what_it_does_not_take(monkeypatch: pytest.MonkeyPatch) -> None:
    for engine in (plan_contour, plan_grid):
        with pytest.raises(NotSupported, match="no δ"):
            plan_slope(engine, law(STEPS), "delta", Fraction(1), digits=5)
    monkeypatch.setattr(search, "MAX_SECONDS", 0.1)
    with pytest.raises(NoConvergence, match="predicted"):
        plan_slope(plan_grid, law(STEPS), "tail", Fraction(1), digits=5)


def test_planted_bugs_show() -> None:
    """A secant from the wrong side."""
    mp = context(80)
    truth = fraction(normal_tail(mp, mp.mpf(1) / 2))
    parameters = Parameters(delta_of(pv.Gaussian(1), 12), Fraction(1, 4**9), bits(12))
    wrong = planted(module, ("low.lower().max(here.lower())", "high.lower()"))
    for engine, right in ((module.Slope, True), (wrong.Slope, False)):
        value = engine(law(pv.Gaussian(1)), "tail", parameters).value(Fraction(1))
        assert (lower(value) <= truth <= upper(value)) is right


@pytest.mark.parametrize("h", ["0", "-1"])
def test_a_secant_needs_a_step_and_the_same_loss(h: str) -> None:
    delta = delta_of(pv.Gaussian(1), 5)
    with pytest.raises(NoConvergence):
        Slope(law(pv.Gaussian(1)), "tail", Parameters(delta, Fraction(h), 100))
    with pytest.raises(NoConvergence):
        Slope(law(pv.Gaussian(2)), "tail", Parameters(delta, Fraction(1), 100))
    tail = Work("threshold", delta.loss, "tail", delta.parameters)
    with pytest.raises(NoConvergence):
        Slope(law(pv.Gaussian(1)), "tail", Parameters(tail, Fraction(1), 100))
