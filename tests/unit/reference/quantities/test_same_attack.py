"""One attack at many ε: around the truth where that is known, proved again, and no more than it has."""

from fractions import Fraction
from functools import cache
from typing import Any

import pytest

import pldverify as pv
from pldverify.errors import NoConvergence
from pldverify.reference.quantities import same_attack
from pldverify.reference.quantities.bracket import narrowing
from pldverify.reference.quantities.same_attack import attacked
from tests.teeth.planted import planted

ALONE = 5 * pv.ShuffledBatches(pv.Gaussian(sigma=3), batches=1)
"""One batch hides nobody: five Gaussians."""
GRID = [Fraction(i, 4) for i in (0, 2, 5, 9, 16)]


@cache
def truth() -> pv.Enclosure:
    return narrowing(pv.Query(ALONE, delta="1e-3")).until(lambda found: found.lower > 1, 30)


def found(module: Any = same_attack, floor: Fraction = Fraction(0)) -> list[pv.Enclosure]:
    known = attacked(truth())
    assert known is not None
    asked: list[pv.Enclosure] = module.same_attack(known, GRID, 4, floor)
    return asked


def test_the_truth_is_between_and_near_where_the_attack_was_looked_for() -> None:
    exact = pv.profile(5 * pv.Gaussian(sigma=3)).delta(GRID, digits=8)
    got = found()
    pairs = list(zip(got, exact, strict=True))
    assert all(each.lower <= true.lower and true.upper <= each.upper for each, true in pairs)
    assert all(each.lower > true.lower * Fraction(9, 10) for each, true in pairs[:4])


def test_it_is_proved_again() -> None:
    for each in found()[1:2]:
        assert pv.prove_again(each) == each and each.witness is not None


def test_below_the_floor_nothing_is_asked() -> None:
    got = found(floor=Fraction(1, 100))
    assert [each.lower > 0 for each in got] == [True, True, True, True, False]
    assert got[2].lower > Fraction(1, 100) > got[3].lower


@pytest.mark.parametrize(
    "plant",
    [('"delta", epsilon, digits', '"delta", epsilon / 2, digits'), ("at=epsilon", "at=2 * epsilon")],
)
def test_another_point_is_refused(plant: tuple[str, str]) -> None:
    with pytest.raises(NoConvergence, match="not the question of"):
        found(planted(same_attack, plant))


def test_one_event_is_no_attack_for_other_points() -> None:
    shuffled = pv.Query(pv.ShuffledBatches(pv.Gaussian(sigma=1), batches=100), delta="1e-6")
    once = narrowing(shuffled).until(lambda found: found.lower > 1, 30)
    assert attacked(once) is None and attacked(None) is None
    assert attacked(pv.delta(pv.Gaussian(1), epsilon=1)) is None
