"""KJH20s: err(L, n) compares total masses, which do not see the kink of 1 − e^{ε − s} at ε, and is too small.

One step at q = 0.1, σ = 1 is closed: δ(1) = (0.9 − e) Φ(−g) + 0.1 Φ(1 − g), g = log((e − 0.9)/0.1) + 1/2.
"""

import mpmath

from pldverify.accountants.fourier import FourierUpper
from pldverify.decomposition.error_budget import error_budget
from pldverify.mechanisms import Gaussian, PoissonSubsampled, Query
from pldverify.rulings.check import check

QUERY = Query(PoissonSubsampled(Gaussian(1), "0.1"), epsilon=1)


def test_the_upper_bound_is_below_the_closed_form() -> None:
    found = check("fourier/upper", QUERY)
    with mpmath.workdps(40):
        q, e = mpmath.mpf("0.1"), mpmath.e
        g = mpmath.log((e - 1 + q) / q) + mpmath.mpf(1) / 2
        exact = (1 - q - e) * mpmath.ncdf(-g) + q * mpmath.ncdf(1 - g)
        assert found.claim is not None
        short = exact - mpmath.mpf(found.claim.value.numerator) / found.claim.value.denominator
    assert 6e-13 < short < 7e-13
    assert found.verdict == "UNSOUND"


def test_the_budget_says_why() -> None:
    terms = {term.name: term for term in error_budget(FourierUpper(), QUERY).terms}
    assert terms["discretisation"].observed.upper < -6e-13
    assert terms["discretisation"].verdict == "INSIDE"  # of what a grid of this step can do, not of err(L, n)
    assert 0 < terms["margin"].observed.upper < 1e-14
