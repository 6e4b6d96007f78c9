"""The law of the largest of several noisy batches: its data are validated before they are used."""

from fractions import Fraction

import pytest

from pldverify.errors import NoConvergence
from pldverify.reference.laws.largest_batch import LargestBatchLaw


@pytest.mark.parametrize("cuts", [(1, 0), (0, 1, 1), (2, 2)])
def test_cuts_must_rise(cuts: tuple[int, ...]) -> None:
    law = LargestBatchLaw(1, 0, 3, Fraction(1), tuple(map(Fraction, cuts)))
    with pytest.raises(NoConvergence, match="rise"):
        law.outcomes()
