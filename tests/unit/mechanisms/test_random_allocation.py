"""k of T steps: blocks, their sizes, and what is refused."""

from typing import Any

import pytest

import pldverify as pv
from pldverify.errors import InvalidInput
from pldverify.mechanisms.expression import parse
from pldverify.mechanisms.hidden_batch import drawn

BASE = pv.Gaussian(2)


def test_the_steps_are_shared_out() -> None:
    for steps, k in ((10, 3), (12, 4), (7, 7), (10**9, 999)):
        whole = pv.random_allocation(BASE, steps=steps, participations=k)
        assert whole.steps == k
        assert sum(m.batches * times for m, times in whole.parts if isinstance(m, pv.BallsAndBins)) == steps


def test_one_participation_and_blocks_are_exact() -> None:
    one = pv.random_allocation(BASE, steps=10)
    assert one == pv.Composition.of((pv.BallsAndBins(BASE, batches=10), 1)) and one.standing == "exact"
    asked: dict[str, Any] = {"steps": 10, "participations": 2}
    assert pv.random_allocation(BASE, blocks=True, **asked).standing == "exact"
    assert pv.random_allocation(BASE, **asked).standing == "upper bound"


def test_a_share_is_read_back() -> None:
    whole = pv.random_allocation(BASE, steps=10, participations=2)
    assert parse(str(whole)) == whole


@pytest.mark.parametrize(("steps", "k"), [(3, 4), (0, 1), (2, 0), (2.5, 1)])
def test_what_can_not_be_drawn_is_refused(steps: float, k: int) -> None:
    with pytest.raises(InvalidInput, match=r"steps|participations"):
        pv.random_allocation(BASE, steps=steps, participations=k)


def test_a_share_is_of_steps_that_it_fits() -> None:
    for batches, k, whole in ((3, 3, 10), (4, 3, 10), (1, 3, 5)):
        assert pv.BallsAndBins(BASE, batches, k, whole).tight_steps == 0
    for wrong in ({"participations": 3, "steps": 9}, {"participations": 3, "steps": 15}, {"steps": 4}):
        with pytest.raises(InvalidInput, match="steps must be"):
            pv.BallsAndBins(BASE, batches=4, **wrong)
    with pytest.raises(InvalidInput, match="steps must be"):
        pv.BallsAndBins(BASE, batches=4, participations=3)


def test_shares_make_up_whole_draws() -> None:
    """What is left over belongs to none; all steps are no draw."""
    share = pv.random_allocation(BASE, steps=10, participations=3)
    whole = (
        5 * share + pv.BallsAndBins(BASE, 3, 3, 10) + pv.random_allocation(BASE, steps=9, participations=3)
    )
    found, rest = drawn(whole, "add-or-remove")
    assert [(sums.batches, sums.participations, k) for sums, k in found] == [(10, 3, 5), (9, 3, 1)]
    assert rest == []
    assert pv.random_allocation(BASE, steps=7, participations=7).standing == "exact"
