"""Planted errors in the truncated engine under replace-one, at cuts so poor that each bound counts."""

from fractions import Fraction
from functools import cache
from typing import Any

import pytest

import pldverify as pv
from pldverify.balls.ball import BOUND_BITS, ball, lower, short, upper, working
from pldverify.balls.compare import surely_less
from pldverify.errors import NoConvergence, OracleDisagreement
from pldverify.mechanisms.as_composition import as_composition
from pldverify.numbers.enclosure import Enclosure
from pldverify.reference.engines.inversion import contour, truncated
from pldverify.reference.laws.composed_loss import ComposedLoss, product
from pldverify.reference.search import truncated as search
from pldverify.reference.search.contour import plan_contour
from tests.teeth.planted import Plant, planted

POISSON = 20 * pv.PoissonSubsampled(pv.Gaussian(1), "0.5")
FIXED = 20 * pv.SampledWithoutReplacement(pv.Gaussian(2), "0.5")
ALL = [POISSON, FIXED]


@cache
def truth(composition: Any, epsilon: str) -> Enclosure:
    return pv.delta(composition, epsilon=epsilon, adjacency="replace-one", digits=10, engine="contour")


def law(composition: Any) -> ComposedLoss:
    return product(as_composition(composition), "replace")


def holds(module: Any, composition: Any, epsilon: str, cut: float, other: float, lam: float) -> bool:
    """With cuts at those losses."""
    loss, point = law(composition), Fraction(epsilon)
    cuts, others = (search._cuts(loss, s) for s in (cut, other))
    near = truncated.near_steps(loss, cuts)
    with working(BOUND_BITS):
        reached = not near.ends_by(point)
    line = plan_contour(near, "delta", point, digits=8).build().parameters if reached else None
    assert line is None or isinstance(line, contour.Parameters)
    parameters = module.Parameters(cuts, line, short(lam), 90, others)
    try:
        value = module.Truncated(loss, "delta", parameters).value(point)
    except OracleDisagreement:  # no probability at all
        return False
    exact = truth(composition, epsilon)
    return bool(lower(value) <= exact.upper and exact.lower <= upper(value))


PLANTS: list[tuple[Plant, tuple[float, float, float]]] = [
    (("total += k * law.far()[1]", "total += 0 * law.far()[1]"), (0.6, 3.0, 0.01)),
    (("(chernoff + self._left_out(at)).upper()", "self._left_out(at).upper()"), (0.6, 3.0, 0.01)),
    (("(chernoff + self._left_out(at)).upper()", "chernoff.upper()"), (1.2, 0.02, 200.0)),
    (("closed = first - ball(epsilon).exp() * second", "closed = first"), (2.5, 3.0, 0.5)),
    (("logs[i] += k * (-mass).log1p()", "logs[i] += (-mass).log1p()"), (2.5, 3.0, 0.5)),
]


@pytest.mark.sample(2)
@pytest.mark.parametrize("composition", ALL, ids=["poisson", "fixed"])
@pytest.mark.parametrize(("plant", "where"), PLANTS)
def test_every_part_of_the_bound_counts(
    composition: Any, plant: Plant, where: tuple[float, float, float]
) -> None:
    assert holds(truncated, composition, "1", *where)
    assert not holds(planted(truncated, plant), composition, "1", *where)


def test_both_cuts_are_asked_for_under_replace_one_alone() -> None:
    for composition, way, others in ((POISSON, "replace", ()), (POISSON, "remove", (Fraction(3),))):
        loss = product(as_composition(composition), way)  # type: ignore[arg-type]
        parameters = truncated.Parameters((Fraction(3),), None, Fraction(1), 64, others)
        with pytest.raises(NoConvergence, match="unusable"):
            truncated.Truncated(loss, "delta", parameters)


def profile(module: Any, loss: ComposedLoss, second: float, at: str) -> Fraction:
    """The bound of D(``at``) with the second cut at that loss."""
    cuts = search._cuts(loss, 2.0), search._cuts(loss, second)
    parameters = module.Parameters(cuts[0], None, Fraction(5), 90, cuts[1])
    return upper(module.Truncated(loss, "delta", parameters)._profile(ball(Fraction(at))))


@pytest.mark.sample(4)
@pytest.mark.parametrize("step", [pv.PoissonSubsampled(pv.Gaussian(1), "0.5"), FIXED])
@pytest.mark.parametrize("second", [0.02, 0.3, 1.0, 3.0])
@pytest.mark.parametrize("at", ["0", "0.1", "0.5", "1.5"])
def test_the_bound_of_the_profile_holds(step: Any, second: float, at: str) -> None:
    """At cuts so poor that each of its terms is most of it for some."""
    for composition in (step, 3 * step) if step is not FIXED else (step,):
        loss = law(composition)
        exact = pv.delta(composition, epsilon=at, adjacency="replace-one", digits=10)
        assert exact.lower <= profile(truncated, loss, second, at)


@pytest.mark.parametrize(
    ("plant", "second", "at"),
    [
        (("return alone + variation", "return 0 * alone + variation"), 0.3, "0.1"),
        (("return alone + variation * far", "return alone"), 0.02, "1.5"),
    ],
)
def test_both_terms_of_what_is_left_out_count(plant: Plant, second: float, at: str) -> None:
    """One step alone; and several of which none loses so much."""
    steps = FIXED if at == "1.5" else pv.PoissonSubsampled(pv.Gaussian(1), "0.5")
    exact = pv.delta(steps, epsilon=at, adjacency="replace-one", digits=10)
    assert profile(truncated, law(steps), second, at) >= exact.upper
    assert profile(planted(truncated, plant), law(steps), second, at) < exact.lower


def test_what_is_left_out_is_small_where_few_steps_lose_much() -> None:
    """One step in 10⁶ loses anything: what is left out is about its own profile, not its mass."""
    loss = law(15 * pv.SampledWithoutReplacement(pv.Gaussian("0.829"), "1.33e-6"))
    cuts = search._cuts(loss, 1e-4)
    engine = truncated.Truncated(loss, "delta", truncated.Parameters(cuts, None, Fraction(5), 90, cuts))
    with working(90):
        bound, far = engine._left_out(ball(Fraction(1, 100))), engine._others[0][0].far()[0]
        assert surely_less(0, bound) and surely_less(bound * 500, 15 * far)
