"""How many sums there can be: what is added to nothing stays as it is."""

from fractions import Fraction

import pytest

from pldverify.reference.search.sums import NOTHING, Size


@pytest.mark.parametrize("size", [Size(7, Fraction(1, 3), Fraction(2)), Size(4, None, Fraction(5))])
def test_no_losses_add_nothing_to_a_size(size: Size) -> None:
    assert NOTHING.plus(size) == size == size.plus(NOTHING)
