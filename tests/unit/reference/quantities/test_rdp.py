"""Rényi divergence: arguments and infinite values. Values: tests/oracle/test_rdp.py."""

import math
from decimal import Decimal
from fractions import Fraction
from math import inf

import numpy as np
import pytest

import pldverify as pv
from pldverify.errors import InvalidInput, NoConvergence, NotSupported


@pytest.mark.parametrize("order", [0, -3, "-inf", "nan", float("-inf"), float("nan"), None, "", "two", True])
def test_order_is_positive(order: object) -> None:
    with pytest.raises(InvalidInput, match=r"order must be .*> 0.*inf.*, got order="):
        pv.rdp(pv.Gaussian(1), order=order)


@pytest.mark.parametrize(
    "order", [inf, "inf", "Infinity", "+inf", "∞", Decimal("Infinity"), np.float32("inf")]
)
def test_infinity_is_an_order(order: object) -> None:
    assert 1 in pv.rdp(pv.Laplace(1), order=order)


@pytest.mark.parametrize("order", [1, "1.5", 2, inf])
def test_an_infinite_loss_has_an_infinite_divergence(order: object) -> None:
    for steps in (3 * pv.Gaussian(1) + pv.RandomizedResponse(0), pv.ApproximateDP(1, "1e-9")):
        found = pv.rdp(steps, order=order)
        assert (found.lower, found.upper) == (inf, inf)


def test_infinite_losses_count_below_order_one_by_what_they_leave() -> None:
    # one outcome in common, p = q = 1/3: D = log(1/3)/(α − 1)
    pair = pv.FinitePair(["1/3", "2/3", 0], ["1/3", 0, "2/3"])
    found = pv.rdp(pair, order="1/4", adjacency="remove")
    assert found.digits >= 30
    assert abs(float(found) - math.log(3) * 4 / 3) < 1e-14
    apart = pv.rdp(pv.FinitePair([1, 0], [0, 1]), order="1/4")
    assert (apart.lower, apart.upper) == (inf, inf)


def test_one_direction_may_be_infinite_and_the_other_not() -> None:
    pair = pv.FinitePair(["1/2", "1/2", 0], ["1/4", "1/4", "1/2"])
    remove, add, both = (pv.rdp(pair, order=1, adjacency=way) for way in ("remove", "add", "add-or-remove"))  # type: ignore[arg-type]
    assert abs(float(remove) - math.log(2)) < 1e-14 and remove.digits >= 30
    assert add.lower == both.lower == inf


def test_no_loss_has_no_divergence() -> None:
    assert all(pv.rdp(pv.RandomizedResponse("1/2"), order=order).upper == 0 for order in ("1/3", 1, 7, inf))


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
        pv.rdp(pv.PoissonSubsampled(pv.Gaussian("1e-400"), "0.1"), order=1)


def test_noise_beyond_the_range_of_floats_has_a_divergence() -> None:
    """αq²/(2σ²) but for a factor 1 + O(1/σ): nothing that the proof chooses is a float."""
    found = pv.rdp(
        pv.PoissonSubsampled(pv.Gaussian("1e400"), "0.1"), order="1.5", adjacency="remove", digits=5
    )
    leading = Fraction("0.75") / 100 / 10**800
    assert abs(found.lower / leading - 1) < Fraction(1, 10**5) > abs(found.upper / leading - 1)
