"""Claims about Rényi divergences, judged. D_α of a Gaussian mechanism is α/2σ²."""

import math
from fractions import Fraction

import pytest

from pldverify.accountants.accountant import Accountant
from pldverify.mechanisms import Gaussian, Laplace, PoissonSubsampled, Query, RandomizedResponse
from pldverify.mechanisms.renyi_query import RenyiQuery
from pldverify.numbers.claim import Claim, Promise
from pldverify.rulings.check import check
from pldverify.rulings.decide import decide
from pldverify.sweeps.sweep import sweep

QUERY = RenyiQuery(3 * Gaussian(2), order=4)
TRUE = Fraction(3 * 4, 2 * 2**2)
ULP = Fraction(1, 2**40)


@pytest.mark.parametrize(
    ("value", "direction", "verdict"),
    [
        (TRUE + ULP, "upper", "SOUND"),
        (TRUE - ULP, "upper", "UNSOUND"),
        (TRUE, "upper", "SOUND"),  # exact, so a tie is decided
        (TRUE, "lower", "SOUND"),
        (TRUE - ULP, "lower", "SOUND"),
        (TRUE + ULP, "lower", "UNSOUND"),
        (math.inf, "upper", "SOUND"),
        (Fraction(-1), "upper", "UNSOUND"),
        (Fraction(0), "lower", "SOUND"),
    ],
)
def test_a_bound_is_judged_by_the_true_divergence(value, direction, verdict: str) -> None:
    assert decide(Claim(value, direction, "test"), QUERY).verdict == verdict


@pytest.mark.parametrize(("error", "verdict"), [(2 * ULP, "SOUND"), (ULP / 2, "UNSOUND")])
def test_an_estimate_is_judged_by_its_error_in_nats(error: Fraction, verdict: str) -> None:
    claim = Claim(TRUE - ULP, "estimate", "test", {}, Promise(error, Fraction(0)))
    assert decide(claim, QUERY).verdict == verdict


def test_an_order_where_the_loss_is_not_finite() -> None:
    query = RenyiQuery(RandomizedResponse(1), order=2)
    assert decide(Claim(Fraction(10**9), "upper", "test"), query).verdict == "UNSOUND"


class _Curve(Accountant):
    """RDP of the Laplace mechanism by Mironov 2017, Proposition 6."""

    direction = "upper"
    asks = (RenyiQuery, Query)

    def __init__(self, factor: float = 1 + 1e-12) -> None:
        self.factor = factor

    def claim(self, query: Query) -> float:
        ((mechanism, count),) = query.composition.parts
        assert isinstance(query, RenyiQuery) and isinstance(mechanism, Laplace)
        a, eps = float(query.order), 1 / float(mechanism.b)
        terms = a * math.exp((a - 1) * eps) + (a - 1) * math.exp(-a * eps)
        return self.factor * count * math.log(terms / (2 * a - 1)) / (a - 1)


def test_an_accountant_that_asks_for_divergences_is_asked() -> None:
    query = RenyiQuery(5 * Laplace(2), order="2.5")
    assert check(_Curve(), query).verdict == "SOUND"
    short = check(_Curve(1 - 1e-6), query)
    assert (short.verdict, short.severity) == ("UNSOUND", "material")
    assert short.excess is not None and short.excess > 0
    assert short.to_json()["quantity"] == "rdp" and short.to_json()["order"] is not None


def test_all_others_are_not() -> None:
    found = check("rdp", RenyiQuery(Gaussian(1), order=2))
    assert found.claim is None and "not asked for the quantity rdp" in found.reason
    assert check("dp-accounting/rdp-curve", Query(Gaussian(1), delta="1e-5")).claim is None


def test_dp_accounting_s_curve_of_replaced_records_is_that_of_removed_ones() -> None:
    step = PoissonSubsampled(Gaussian(2), "1/4")
    queries = [
        RenyiQuery(10 * step, order="5/2"),
        RenyiQuery(Gaussian(1), order=2, adjacency="replace-one"),
    ]
    sound, unsound = sweep("dp-accounting/rdp-curve", queries)
    assert (sound.verdict, unsound.verdict, unsound.severity) == ("SOUND", "UNSOUND", "material")
    assert unsound.claim is not None and unsound.claim.value == 1  # α/2σ² where it is 2α/σ²
