"""Accountants of ours that claim upper bounds said δ = 0 where doubles underflow. The true δ is > 0.

exp of less than −745 is 0, and so is Φ(−40). What is left where a bound is below the least normal double is
that double, or the rounding error of the terms of which it is the difference. Where δ is 0, it is 0 still.
"""

import pytest

import pldverify as pv
from pldverify.accountants import single_step

NAMES = [
    "rdp/canonne-2020",
    "rdp/mironov-2017",
    "rdp/asoodeh-2020",
    "moments",
    "basic-composition",
    "advanced-composition",
    "kairouz-oh-viswanath",
]


@pytest.mark.sample(9)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "query",
    [
        pv.Query(pv.Gaussian(1), epsilon=45),
        pv.Query(10 * pv.Gaussian(10), epsilon=60),
        pv.Query(pv.PoissonSubsampled(pv.Gaussian("0.7"), q="0.001"), epsilon=60),
        pv.Query(3_000 * pv.RandomizedResponse("0.75"), epsilon="3295.8"),
    ],
    ids=str,
)
def test_no_upper_bound_is_zero(name: str, query: pv.Query) -> None:
    found = pv.check(name, query)
    assert found.claim is not None and found.claim.value > 0
    assert found.verdict == "SOUND"


@pytest.mark.parametrize("name", ["basic-composition", "kairouz-oh-viswanath"])
@pytest.mark.parametrize("mechanism", [pv.Laplace(2), pv.RandomizedResponse("0.75")], ids=str)
def test_what_is_zero_stays_zero(name: str, mechanism: pv.Laplace | pv.RandomizedResponse) -> None:
    found = pv.check(name, pv.Query(4 * mechanism, epsilon=5))
    assert found.claim is not None and found.claim.value == 0
    assert found.verdict == "SOUND"


def test_a_difference_is_at_least_its_rounding_error() -> None:
    """Next to the largest loss both terms of δ are the same to the last digit."""
    below = pv.Query(pv.Laplace(1), epsilon=pv.numbers.exact.rational(1 - 2**-53, "epsilon"))
    assert single_step.delta(pv.Laplace(1), float(below.epsilon or 0)) > 0
    assert pv.check("basic-composition", below).verdict == "SOUND"
