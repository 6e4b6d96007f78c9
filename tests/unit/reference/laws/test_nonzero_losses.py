"""Three and more losses that are not 0: the mass of them, and what has no such loss."""

from fractions import Fraction
from math import comb

import pytest

from pldverify.balls.ball import working
from pldverify.errors import InvalidInput
from pldverify.reference.laws.near_batch import NearBatchLaw
from pldverify.reference.laws.nonzero_losses import NonzeroLosses
from pldverify.reference.laws.shifted_gaussian import ShiftedGaussianLaw

BATCH = ShiftedGaussianLaw(Fraction(1), Fraction(1, 5))
DRAWN = ShiftedGaussianLaw(Fraction(1, 2), (3, 20))


@pytest.mark.parametrize("law", [BATCH, DRAWN])
@pytest.mark.parametrize("k", [3, 4, 20])
def test_its_mass_is_that_of_three_and_more(law: ShiftedGaussianLaw, k: int) -> None:
    with working(120):
        measure, ((_, m),) = NonzeroLosses(law, k), law.points()
        whole = sum(comb(k, i) * m ** (k - i) * (1 - m) ** i for i in range(3, k + 1))
        (at_zero,) = measure.on_line(Fraction(0), Fraction(0), 0)
        assert measure.mass().overlaps(whole) and at_zero.real.overlaps(whole)
        assert whole.rad() < 1e-25


@pytest.mark.parametrize("k", [2, 0, -1])
def test_fewer_steps_are_refused(k: int) -> None:
    with pytest.raises(InvalidInput, match=f"steps must be >= 3, got steps={k}"):
        NonzeroLosses(BATCH, k)


def test_a_near_batch_is_drawn_once() -> None:
    assert NearBatchLaw(BATCH, Fraction(3)).cut == 3
    with pytest.raises(InvalidInput, match="one component"):
        NearBatchLaw(DRAWN, Fraction(3))
