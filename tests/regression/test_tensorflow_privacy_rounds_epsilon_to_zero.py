"""tensorflow-privacy 0.9.0: a tiny ε is rounded to 0.

Found by the standard grid. One step at σ = 10 and q = 1e-6 has δ(0) = 3.99e-8 > 1e-8, so ε(1e-8) > 0: it is
9.7e-8. The library, in an environment of its own (`pldverify env add tensorflow-privacy`), says 0:

    from dp_accounting import dp_event
    from dp_accounting.rdp import RdpAccountant
    step = dp_event.PoissonSampledDpEvent(1e-6, dp_event.GaussianDpEvent(10.0))
    print(RdpAccountant().compose(step).get_epsilon(1e-8))
"""

import math

import pytest

import pldverify as pv
from pldverify.accountants.registry import accountant
from pldverify.errors import MissingLibrary

QUERY = pv.Query(pv.PoissonSubsampled(pv.Gaussian(10), "1e-6"), delta="1e-8")


def test_the_true_epsilon_is_positive() -> None:
    """δ(0) = q (2Φ(1/2σ) − 1) = q erf(1/(2√2σ))."""
    at_zero = 1e-6 * math.erf(1 / (20 * math.sqrt(2)))
    assert at_zero > 1e-8 and pv.epsilon(QUERY.composition, delta="1e-8").lower > 9e-8


@pytest.mark.slow
def test_it_says_zero() -> None:
    try:
        subject = accountant("tensorflow-privacy/rdp")
    except MissingLibrary as missing:
        pytest.skip(str(missing))
    found = pv.check(subject, QUERY)
    if found.version != "0.9.0":
        pytest.skip(f"found in 0.9.0, this is {found.version}")
    assert (found.verdict, found.severity, found.claim.value) == ("UNSOUND", "material", 0)
