"""Where small masses may be cut off: a point of some level, whatever the masses are."""

import pytest
from flint import arb, fmpz_poly

from pldverify.reference.engines.convolution.hints import negligible
from pldverify.reference.engines.convolution.masses import Masses

MANY = 2**23


@pytest.mark.parametrize(
    ("levels", "point"),
    [
        ([[1, 2, 3], [4, 5]], (0, 0)),  # everything together is negligible: nothing is cut
        ([[], []], (0, 0)),
        ([[1, 2, MANY, 3], [4]], (0, 2)),
        ([[1, 2, 3], [0, MANY]], (1, 1)),
        ([[0, 0, 0, MANY // 4, MANY // 4, MANY // 4], [0]], (0, 5)),
    ],
)
def test_the_first_point_that_counts(levels: list[list[int]], point: tuple[int, int]) -> None:
    assert negligible([Masses(0, fmpz_poly(row)) for row in levels], [arb(0)] * len(levels)) == point
