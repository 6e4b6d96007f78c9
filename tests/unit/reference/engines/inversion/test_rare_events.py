"""The rare-events engine against other engines; and with planted bugs."""

from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from flint import arb

import pldverify as pv
from pldverify.balls.ball import lower, short, upper
from pldverify.errors import NoConvergence, NotSupported
from pldverify.mechanisms.as_composition import as_composition
from pldverify.mechanisms.expression import parse
from pldverify.numbers.enclosure import Enclosure
from pldverify.reference.engines.inversion import contour
from pldverify.reference.engines.inversion.rare_events import (
    Jump,
    Parameters,
    RareEvents,
    _moment,
    steps_with_jumps,
)
from pldverify.reference.laws.composed_loss import ComposedLoss, product
from pldverify.reference.laws.gaussian_mixture import GaussianMixtureLaw
from pldverify.reference.laws.gaussian_pair import NearPairLaw
from pldverify.reference.laws.sampled import mixtures, pair_of
from pldverify.reference.laws.soft_part import SoftPart
from pldverify.reference.search.contour import plan_contour
from pldverify.reference.search.outcome import outcome
from pldverify.reference.search.rare_events import plan_rare_events
from tests.oracle.closed_forms import context, fraction, real

ONE = "poisson(gaussian(sigma=1), q=1e-5)"
TWO = "2 * poisson(gaussian(sigma=1), q=0.01)"
FEW = "10 * poisson(gaussian(sigma=0.5), q=1e-5)"
SOME = "50 * poisson(gaussian(sigma=1), q=0.01)"
MANY = "1000 * poisson(gaussian(sigma=0.2), q=1e-3)"
MIXED = "40 * poisson(gaussian(sigma=1), q=0.01) + 30 * poisson(gaussian(sigma=2), q=0.005)"


def law(text: str, direction: str = "remove") -> ComposedLoss:
    return product(as_composition(parse(text)), direction)  # type: ignore[arg-type]


@cache
def by(engine: str, text: str, epsilon: str, digits: int) -> Enclosure:
    return pv.delta(parse(text), epsilon=epsilon, adjacency="remove", digits=digits, engine=engine)


def overlaps(one: Enclosure, two: Enclosure) -> bool:
    return one.lower <= two.upper and two.lower <= one.upper


@pytest.mark.parametrize(
    ("text", "epsilon", "other", "digits"),
    [
        (ONE, "3", "threshold", 30),
        (TWO, "2", "grid", 6),
        (SOME, "3", "contour", 15),
        (MIXED, "3", "contour", 15),
        (FEW, "3", "grid", 6),
        (MANY, "20", "grid", 5),
    ],
)
def test_it_overlaps_with_another_engine(text: str, epsilon: str, other: str, digits: int) -> None:
    found = by("rare events", text, epsilon, 12)
    assert found.digits >= 12
    assert overlaps(found, by(other, text, epsilon, digits))


def test_a_setup_answers_for_another_epsilon() -> None:
    built = plan_rare_events(law(SOME), "delta", Fraction(3), digits=12).build()
    value, truth = built.value(Fraction(301, 100)), by("contour", SOME, "3.01", 15)
    assert value.rad() < value * arb("1e-8")
    assert lower(value) <= truth.upper and truth.lower <= upper(value)


def assembled(text: str, epsilon: str, loss: str, width: float, beyond: float, lam: float) -> RareEvents:
    """An engine whose jumps begin at about ``loss``, with x₂ at so many widths beyond the cut."""
    jumps = tuple(
        Jump(short(cut), short(width), short(float(short(cut)) + beyond * width))
        for cut in (outcome(one, float(Fraction(loss))) for one, _ in mixtures(law(text)))
    )
    parts = tuple(
        (SoftPart(one, jump.cut, jump.width, True), k)
        for (one, k), jump in zip(mixtures(law(text)), jumps, strict=True)
    )
    some = plan_contour(steps_with_jumps(parts), "delta", Fraction(epsilon), digits=6).build().parameters
    assert isinstance(some, contour.Parameters)
    return RareEvents(law(text), "delta", Parameters(jumps, some, short(lam), 84))


@pytest.mark.parametrize(
    ("text", "setup", "term"),
    [
        (ONE, ("3", "2", 0.5, 1.0, 3.0), "_missed"),  # no step up to x₂ reaches ε
        (ONE, ("3", "2", 0.5, 30.0, 42.0), "_log_moment"),  # what exceeds ε is beyond the cut
        (SOME, ("1", "3", 0.2, 6.0, 15.0), "_log_moment"),
        (MIXED, ("0.8", "2", 0.2, 6.0, 20.0), "_log_moment"),
    ],
)
def test_jumps_that_begin_late_cost_width_and_never_truth(
    text: str, setup: tuple[str, str, float, float, float], term: str
) -> None:
    truth = by("threshold" if text == ONE else "contour", text, setup[0], 15)
    engine = assembled(text, *setup)
    value = engine.value(Fraction(setup[0]))
    assert lower(value) <= truth.lower and truth.upper <= upper(value)
    assert value.rad() > arb("1e-3") * value  # steps without a jump count
    setattr(engine, term, arb(0))  # what is beyond x₂ without a jump is forgotten, or most of what is not
    assert upper(engine.value(Fraction(setup[0]))) < truth.lower


def test_the_moment_without_a_jump_is_bounded() -> None:
    """∫ φ w^{λ+1} Φ((x_c − x)/τ) up to x₂, most of it beyond x_c."""
    mp, c, lam, q = context(20), 2, Fraction(3), Fraction(1, 2)
    one, cut, width, end = GaussianMixtureLaw(Fraction(1, 2), q, "remove"), 1, Fraction(2), 4
    found = _moment(SoftPart(one, Fraction(cut), width, True), NearPairLaw(pair_of(one), Fraction(end)), lam)
    power = real(mp, lam) + 1

    def integrand(x: Any) -> Any:
        ratio = 1 + real(mp, q) * mp.expm1(c * x - mp.mpf(c * c) / 2)
        return mp.npdf(x) * ratio**power * mp.ncdf((cut - x) / real(mp, width))

    truth = fraction(mp.quad(integrand, [-12, -4, 0, cut, (cut + end) / mp.mpf(2), end]))
    assert truth <= upper(found) < 3 * truth


def test_the_lower_side_has_its_own_mass() -> None:
    text = "30 * poisson(gaussian(sigma=0.2), q=0.1)"
    built = assembled(text, "5", "1", 0.2, 6.0, 1.0)
    assert built.some.kernel.side == "lower"
    value, truth = built.value(Fraction(5)), by("grid", text, "5", 5)
    assert lower(value) <= truth.upper and truth.lower <= upper(value) < 1.01 * truth.upper
    all_of_it = built.some.value(Fraction(5)) + 1 - built.some._mass  # as if G had the mass 1
    assert lower(all_of_it) > truth.upper


def test_what_it_is_not_for() -> None:
    for text, direction, quantity in (
        (SOME, "add", "delta"),
        (SOME, "remove", "tail"),
        (SOME + " + gaussian(sigma=3)", "remove", "delta"),
    ):
        with pytest.raises(NotSupported, match="rare events"):
            plan_rare_events(law(text, direction), quantity, Fraction(1), digits=6)
    with pytest.raises(NoConvergence, match="above 0"):
        plan_rare_events(law(SOME), "delta", Fraction(0), digits=6)
