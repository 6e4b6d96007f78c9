"""The law of fixed choices: its tails are those from a loss on, also where that is an atom."""

from fractions import Fraction

import pytest

from pldverify.balls.ball import working
from pldverify.reference.laws.fixed_choices import FixedChoicesLaw

TINY = Fraction(1, 10**12)


@pytest.mark.parametrize("times", [2, 4, 5])
def test_tails_at_zero_hold_its_atom(times: int) -> None:
    """An even number of choices has an atom at 0: two events are the best there."""
    law = FixedChoicesLaw(Fraction(1), times)
    with working(120):
        before, here, beyond = (law.tails(s) for s in (-TINY, Fraction(0), TINY))
        for i in (0, 1):
            assert abs(before[i] - here[i]) < 1e-9
            assert bool(here[i] - beyond[i] > 1e-3) is (times % 2 == 0)


def test_losses_end_at_all_choices_together() -> None:
    law = FixedChoicesLaw(Fraction(1, 3), 6)
    assert law.largest_finite_loss == 2
    with working(120):
        assert all(x == 1 for x in law.tails(Fraction(-2))) and all(x == 0 for x in law.tails(Fraction(2)))
        assert all(0 < x < 1e-3 for x in law.tails(Fraction(199, 100)))
