"""Which neighbours are looked at: any prove, so what is held here is that they are near the worst known."""

from fractions import Fraction

import mpmath
import pytest

import pldverify as pv
from pldverify.mechanisms.halting import Halting
from pldverify.reference.laws.neighbours import halting
from pldverify.reference.search.neighbours import SHARES, attained_by, chosen, shares

F = Fraction


def test_the_rarest_outcome_has_nearly_all_of_the_loss() -> None:
    asked = pv.Composition.of((pv.AboveThreshold(2, 4), 1))
    ((_, seen),) = chosen(asked, "add-or-remove", SHARES[-1])
    assert isinstance(seen, Halting)
    law = halting(seen)
    assert law is not None and 0.999 < mpmath.log(mpmath.mpf(float(law.first[0] / law.second[0]))) < 1


@pytest.mark.parametrize("queries", [1, 2, 12, 40, 10**6])
def test_no_more_queries_are_chosen_than_there_are(queries: int) -> None:
    """What is refused would raise."""
    for steps in (1, 2):
        whole = pv.Composition.of((pv.GaussianAboveThreshold(1, 2, queries), steps))
        assert all(chosen(whole, "add-or-remove", share) for share in (*SHARES, *shares(whole)))


def test_mechanisms_inside_of_others_have_their_neighbours_too() -> None:
    """Of one run only what its base has is known."""
    inside = pv.RepeatAndSelect(2 * pv.NoisyMax(4), mean=3, shape=1)
    found = attained_by(1 * inside, "add-or-remove")
    assert found is not None and found == attained_by(2 * pv.NoisyMax(4), "add-or-remove")


def test_replaced_candidates_are_moved_twice() -> None:
    from pldverify.reference.laws.neighbours import winning

    sides = []
    for asked, relation in ((pv.NoisyMax(4), "replace-one"), (pv.NoisyMax(2), "add-or-remove")):
        ((_, seen),) = chosen(2 * asked, relation)  # type: ignore[arg-type]  # a word
        sides.append(winning(seen))  # type: ignore[arg-type]
    assert sides[0] == sides[1] is not None
