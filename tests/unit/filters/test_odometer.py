"""Odometers: the bound by hand, and the promise against runs that are enumerated."""

import math
from fractions import Fraction as F

import mpmath
import pytest

import pldverify as pv
from pldverify.errors import InvalidInput


def by_hand(rho: float, delta: float, orders: list[float]) -> float:
    return min(a * rho + mpmath.log(len(orders) / delta) / (a - 1) for a in orders)


@pytest.mark.parametrize("by", ["rdp", "zcdp", "gdp"])
def test_the_bound_is_the_formula(by) -> None:
    orders = [2, 5, 20]
    meter = pv.Odometer(delta="1e-5", by=by, orders=orders)
    meter.spend("gaussian(2) + 3 * gaussian(5)")
    meter.spend("gaussian(10)")
    expected = by_hand(1 / 8 + 3 / 50 + 1 / 200, 1e-5, orders)
    assert meter.epsilon >= F(0) and abs(float(meter.epsilon) - expected) < 1e-12


def test_nothing_was_asked() -> None:
    """Nor what looks at no record: the loss is 0. Any cost, however small, has the price of the formula."""
    meter = pv.Odometer(delta="0.5", orders=[2])
    assert meter.epsilon == 0
    meter.spend("pure_dp(0)")
    assert meter.epsilon == 0
    meter.spend("gaussian(1e9)")
    assert abs(float(meter.epsilon) - math.log(2)) < 1e-15


def test_what_is_not_proved_is_no_number() -> None:
    meter = pv.Odometer(delta="1e-5", by="gdp")
    meter.spend("gaussian(1)")
    meter.spend("zcdp(0.1)")
    meter.spend("gaussian(1)")
    assert meter.epsilon is None


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"delta": 0}, "delta must be in"),
        ({"delta": "0.1", "by": "pld"}, "by must be rdp, zcdp or gdp, got by='pld'"),
        ({"delta": "0.1", "orders": []}, "orders must be one or more, got none"),
        ({"delta": "0.1", "orders": ["inf"]}, "order must be finite for an odometer"),
        ({"delta": "0.1", "orders": [1]}, "order must be > 1"),
    ],
)
def test_bad_arguments_are_told(given, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        pv.Odometer(**given)


def test_the_loss_ever_exceeds_its_bound_with_at_most_delta() -> None:
    """Eight coins, the next one the braver the more was lost: the probability of ever being above the bound,
    summed over all 2⁸ runs.
    """
    delta = F(1, 10)
    meters = {(): pv.Odometer(delta=delta, orders=[3])}
    rows = [((), F(1), 0.0, False)]
    for _ in range(8):
        following = []
        for seen, chance, loss, above in rows:
            p = F(3, 5) if loss <= 0 else F(7, 10)
            spent = sum(1 for _ in seen)
            key = tuple(sorted(seen))
            if key not in meters:
                meters[key] = pv.Odometer(delta=delta, orders=[3])
                for one in key:
                    meters[key].spend(pv.RandomizedResponse(one))
            assert spent == len(key)
            after = tuple(sorted((*seen, p)))
            if after not in meters:
                meters[after] = pv.Odometer(delta=delta, orders=[3])
                for one in after:
                    meters[after].spend(pv.RandomizedResponse(one))
            bound = float(meters[after].epsilon)
            for right, mass in ((1, p), (-1, 1 - p)):
                more = loss + right * math.log(p / (1 - p))
                following.append(((*seen, p), chance * mass, more, above or more > bound))
        rows = following
    exceeded = sum(chance for _, chance, _, above in rows if above)
    assert sum(chance for _, chance, _, _ in rows) == 1 and 0 < exceeded <= delta
