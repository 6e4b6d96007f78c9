"""Rényi divergence: arguments and infinite values. Values: tests/oracle/test_rdp.py."""

from math import inf

import pytest

import pldverify as pv
from pldverify.errors import InvalidInput, NoConvergence, NotSupported


@pytest.mark.parametrize("order", [1, 0, -3, "0.999", "nan", float("inf"), None])
def test_order_must_exceed_one(order: object) -> None:
    with pytest.raises(InvalidInput, match="order"):
        pv.rdp(pv.Gaussian(1), order=order)


def test_an_infinite_loss_has_an_infinite_divergence() -> None:
    found = pv.rdp(3 * pv.Gaussian(1) + pv.RandomizedResponse(0), order="1.5")
    assert (found.lower, found.upper) == (inf, inf)


def test_no_loss_has_no_divergence() -> None:
    assert pv.rdp(pv.RandomizedResponse("1/2"), order=7).upper == 0


@pytest.mark.parametrize("digits", [1, 30, 200])
def test_as_many_digits_as_asked_near_order_one(digits: int) -> None:
    pair = pv.PoissonSubsampled(pv.Gaussian(1), "0.01")
    assert pv.rdp(pair, order="1.0000000000000001", digits=digits).digits >= digits


def test_a_claim_without_a_pair_has_no_divergence() -> None:
    with pytest.raises(NotSupported):
        pv.rdp(pv.ZCDP("0.1"), order=2)


def test_what_leaves_the_range_of_floats_is_undecided() -> None:
    with pytest.raises(NoConvergence, match="nodes"):
        pv.rdp(1000 * pv.PoissonSubsampled(pv.Laplace(10**5), 0.01), order="1e100")
    with pytest.raises(NoConvergence, match="rdp: the search left the range of floats"):
        pv.rdp(pv.PoissonSubsampled(pv.Gaussian("0.2"), "1e-4000"), order="1.5")
