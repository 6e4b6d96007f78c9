"""Planted errors in the truncated engine under replace-one, at cuts so poor that each bound counts."""

from fractions import Fraction
from functools import cache
from typing import Any

import pytest

import pldverify as pv
from pldverify.balls.ball import BOUND_BITS, lower, short, upper, working
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
    (("(chernoff + self._left_out).upper()", "self._left_out.upper()"), (0.6, 3.0, 0.01)),
    (("(chernoff + self._left_out).upper()", "chernoff.upper()"), (1.2, 0.02, 200.0)),
    (("closed = first - ball(epsilon).exp() * second", "closed = first"), (2.5, 3.0, 0.5)),
    (("logs[i] += k * (-mass).log1p()", "logs[i] += (-mass).log1p()"), (2.5, 3.0, 0.5)),
]


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
