"""Steps with more noise or rarer samples lose no more: δ of a schedule lies between those of its groups."""

from dataclasses import replace
from fractions import Fraction
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pldverify as pv
from pldverify.errors import NoConvergence
from pldverify.mechanisms.as_composition import as_composition
from pldverify.mechanisms.relations import Direction
from pldverify.reference.choice import settle
from pldverify.reference.engines.conclude import conclude, prove_again
from pldverify.reference.engines.derived.dominated import Dominated, dominates
from pldverify.reference.engines.derived.question import Proved
from pldverify.reference.laws.composed_loss import ComposedLoss, product
from pldverify.reference.laws.gaussian_mixture import GaussianMixtureLaw
from pldverify.reference.search.grouped import grouped

DIRECTIONS: tuple[Direction, ...] = ("remove", "add")
SIDES: tuple[Literal["upper", "lower"], ...] = ("upper", "lower")
ONE = Fraction(1)


def step(sigma: object, q: object) -> pv.PoissonSubsampled:
    return pv.PoissonSubsampled(pv.Gaussian(sigma), q)


SCHEDULE = pv.Composition.of(
    *((step(Fraction(100 + 3 * i, 100), Fraction(20 + i, 1000)), 1 + i % 3) for i in range(12)),
    (pv.Laplace(9), 2),
)


def known(loss: ComposedLoss, epsilon: Fraction, digits: int = 6) -> Proved:
    return settle(loss, "delta", epsilon, digits).statement


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("most", [2, 5])
def test_the_truth_lies_between_the_groups(direction: Direction, most: int) -> None:
    loss, epsilon = product(SCHEDULE, direction), Fraction("0.4")
    low, high = known(loss, epsilon).prove()
    ends = {}
    for side in SIDES:
        other, places = grouped(loss, most, side)
        assert len(other.factors) <= most + 1  # the Laplace mechanism is a group of its own
        found = conclude(Dominated(loss, epsilon, places, known(other, epsilon), side))
        assert prove_again(found) == found
        ends[side] = found
    assert ends["upper"].upper > high and ends["upper"].lower == 0
    assert 0 < ends["lower"].lower < low and ends["lower"].upper == 1


parameters = st.tuples(st.integers(40, 300), st.integers(1, 60))


@given(parameters, parameters, st.integers(1, 4), st.sampled_from(DIRECTIONS))
def test_what_dominates_has_the_larger_delta(
    first: tuple[int, int], second: tuple[int, int], k: int, direction: Direction
) -> None:
    """Whatever the two pairs are: by an engine that knows nothing of the order, one step and several."""
    laws = [GaussianMixtureLaw(Fraction(s, 100), Fraction(q, 100), direction) for s, q in (first, second)]
    if not dominates(*laws):
        assert first[0] > second[0] or first[1] < second[1]
        return
    for epsilon in (Fraction(0), Fraction(1, 50), Fraction(1, 3)):
        if k > 1 and epsilon:  # one step has a closed form
            more, less = (known(ComposedLoss(((law, k),)), epsilon, 3).prove() for law in laws)
        else:
            more, less = (known(ComposedLoss(((law, 1),)), epsilon).prove() for law in laws)
        assert more[1] >= less[0]


def test_no_other_laws_are_compared() -> None:
    law = GaussianMixtureLaw(ONE, Fraction(1, 10), "remove")
    more_noise, rarer = replace(law, noise_multiplier=2 * ONE), replace(law, q=Fraction(1, 20))
    assert dominates(law, law) and dominates(law, more_noise) and dominates(law, rarer)
    for other in (more_noise, rarer):
        assert not dominates(other, law)
    assert not dominates(rarer, more_noise) and not dominates(more_noise, rarer)
    assert not dominates(law, replace(more_noise, direction="add"))
    laplace = product(as_composition(pv.Laplace(1)), "remove").factors[0][0]
    assert dominates(laplace, laplace) and not dominates(law, laplace) and not dominates(laplace, law)


@pytest.mark.parametrize("side", SIDES)
def test_a_forged_order_proves_nothing(side: Literal["upper", "lower"]) -> None:
    loss, epsilon = product(SCHEDULE, "remove"), Fraction("0.4")
    other, places = grouped(loss, 3, side)
    honest = Dominated(loss, epsilon, places, known(other, epsilon, 3), side)
    honest.prove()
    few = ComposedLoss(tuple((law, max(1, k - 1)) for law, k in other.factors))
    wrong_way, _ = grouped(loss, 3, "lower" if side == "upper" else "upper")
    for forged in (
        replace(honest, side="lower" if side == "upper" else "upper"),
        replace(honest, part=known(wrong_way, epsilon, 3)),
        replace(honest, part=known(few, epsilon, 3)),  # a step too few
        replace(honest, part=known(other, epsilon / 2, 3)),
        replace(honest, at=epsilon / 2),
        replace(honest, places=places[:-1]),
        replace(honest, places=(*places[:-1], 99)),
        replace(honest, places=(*places[:-1], -1)),
        replace(honest, places=places[::-1]),
        replace(honest, loss=product(SCHEDULE, "add")),
        replace(honest, loss=product(pv.Composition.of(*SCHEDULE.parts, (step(1, "0.02"), 1)), "remove")),
    ):
        with pytest.raises(NoConvergence, match="dominated"):
            forged.prove()
