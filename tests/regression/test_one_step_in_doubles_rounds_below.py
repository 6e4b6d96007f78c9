"""Closed forms in doubles, reported as upper bounds, are an ulp or so below: exact is not sound.

The exact values by mpmath: δ(1) = Φ(−1/2) − e Φ(−3/2) for a Gaussian with σ = 1.
"""

import mpmath
import pytest

from pldverify.mechanisms import Gaussian, Query
from pldverify.rulings.check import check


@pytest.mark.parametrize("name", ["basic-composition", "gdp/upper"])
def test_the_gaussian(name: str) -> None:
    found = check(name, Query(Gaussian(1), epsilon=1))
    assert found.claim is not None
    with mpmath.workdps(40):
        exact = mpmath.ncdf(-mpmath.mpf(1) / 2) - mpmath.e * mpmath.ncdf(-mpmath.mpf(3) / 2)
        gap = mpmath.mpf(found.claim.value.numerator) / found.claim.value.denominator - exact
    assert abs(gap) < 1e-15
    assert found.verdict == ("SOUND" if gap > 0 else "UNSOUND")
