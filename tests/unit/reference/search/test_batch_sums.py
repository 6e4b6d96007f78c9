"""What the search believes of an event is what is proved of it."""

from fractions import Fraction
from math import exp

import numpy as np
import pytest

from pldverify.mechanisms.hidden_batch import Drawn
from pldverify.reference.laws.batch_sums import BatchSumsLaw, Events, corners
from pldverify.reference.search.batch_sums import StepSums
from pldverify.reference.search.effort import Effort

EFFORT = Effort(looks=9, cells=150, steps=8, log_size=12)


@pytest.mark.parametrize("gap", [(2, 1), (1, 2), (2, 0)])
@pytest.mark.parametrize(("batches", "variance"), [(1, 1), (3, 1), (100, 16), (1000, 4)])
def test_the_chances_are_those_that_are_proved(gap: tuple[int, int], batches: int, variance: int) -> None:
    sums = StepSums(Drawn(*gap, batches, Fraction(variance)), 1e-9, EFFORT)
    for log in (-0.02, 0.01, 0.3):
        tried = sums._tried(log, EFFORT)
        assert tried is not None
        found = corners(
            BatchSumsLaw(*gap, batches, Fraction(variance), Events((), sums.cells, (tried.look,)))
        )
        p, q = exp(tried.p), exp(tried.q)
        if p - q > 1e-9:
            (_, (more, less), _) = found
            assert abs(float(less) - p) < 1e-6 * p and abs(float(more) - q) < 1e-6 * q


@pytest.mark.parametrize("gap", [(1, 0), (0, 1)])
@pytest.mark.parametrize(("steps", "k", "variance"), [(4, 2, 1), (200, 7, "1/4"), (1000, 30, 9)])
def test_scores_of_several_steps_are_near_the_loss(
    gap: tuple[int, int], steps: int, k: int, variance: str
) -> None:
    """In the tail log P/Q of {log dP/dQ ≥ x} is a little more than x."""
    sums = StepSums(Drawn(*gap, steps, Fraction(variance), participations=k), 1e-9, EFFORT)
    rows = [(log, tried) for log in (0.3, 1.0, 2.0, 4.0, 8.0) if (tried := sums._tried(log, EFFORT))]
    far = [tried.p - tried.q - log for log, tried in rows if 1e-7 < exp(tried.p) < 0.2]
    assert far and all(0 < more < 2 for more in far)


def test_looks_are_as_many_as_are_asked_for_and_lie_on_the_curve() -> None:
    sums = StepSums(Drawn(2, 1, 50, Fraction(9)), 1e-10, EFFORT)
    looks = sums.looks(1e-8)
    assert len(looks) == EFFORT.looks
    assert len(corners(BatchSumsLaw(2, 1, 50, Fraction(9), Events((), sums.cells, looks)))) > EFFORT.looks


@pytest.mark.parametrize("variance", ["1e-8", "1e-3", "1e12"])
@pytest.mark.parametrize("log", [-500.0, 0.0, 500.0])
@pytest.mark.parametrize("k", [1, 1000])
def test_what_leaves_the_range_of_floats_is_no_event(variance: str, log: float, k: int) -> None:
    sums = StepSums(Drawn(2, 1, 10**6, Fraction(variance), participations=k), 1e-300, EFFORT)
    with np.errstate(all="ignore"):
        made = sums._made(log, EFFORT)
    assert made is None or made[0].tilts[1] > 0
