"""The adapters against opacus called directly."""

import pytest

from pldverify.accountants.adapters.opacus import GDP, PRV, RDP, RDPCurve, RDPIntegerOrders, RDPWideOrders
from pldverify.mechanisms import Gaussian, Laplace, PoissonSubsampled, Query
from pldverify.mechanisms.renyi_query import RenyiQuery

pytestmark = pytest.mark.slow
accountants = pytest.importorskip("opacus.accountants")
STEP = PoissonSubsampled(Gaussian(4, sensitivity=2), "0.03")


@pytest.mark.parametrize(("adapter", "kind"), [(RDP, "RDPAccountant"), (PRV, "PRVAccountant")])
def test_the_history_is_that_of_the_steps(adapter, kind: str) -> None:
    direct = getattr(accountants, kind)()
    for _ in range(30):
        direct.step(noise_multiplier=2.0, sample_rate=0.03)
    for _ in range(3):
        direct.step(noise_multiplier=5.0, sample_rate=0.5)
    composition = 30 * STEP + 3 * PoissonSubsampled(Gaussian(5), "0.5")
    assert adapter().claim(Query(composition, delta="1e-5")).value == direct.get_epsilon(1e-5)


@pytest.mark.parametrize("adapter", [RDPIntegerOrders, RDPWideOrders])
def test_orders_are_passed_as_they_are(adapter) -> None:
    direct = accountants.RDPAccountant()
    direct.history = [(2.0, 0.03, 30)]
    expected = direct.get_epsilon(1e-5, alphas=dict(adapter.options)["alphas"])
    assert adapter().claim(Query(30 * STEP, delta="1e-5")).value == expected


def test_gdp_estimates_one_kind_of_step_and_warns() -> None:
    direct = accountants.GaussianAccountant()
    direct.history = [(2.0, 0.03, 30)]
    claim = GDP().claim(Query(30 * STEP, delta="1e-5"))
    assert claim.value == direct.get_epsilon(1e-5) and claim.direction == "estimate"
    assert "can underestimate" in claim.parameters["warnings"]
    assert "one kind" in str(GDP().supports(Query(STEP + Gaussian(1), delta="1e-5")))


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        (Query(STEP, epsilon=1), "no delta at an epsilon"),
        (Query(STEP, delta="1e-5", adjacency="remove"), "got 'remove'"),
        (Query(Laplace(1), delta="1e-5"), "Gaussian mechanism alone"),
    ],
)
def test_what_it_does_not_have_is_refused(query: Query, reason: str) -> None:
    assert reason in str(PRV().supports(query))


def test_the_divergence_is_added_up() -> None:
    rdp = pytest.importorskip("opacus.accountants.analysis.rdp")
    expected = rdp.compute_rdp(q=0.03, noise_multiplier=2.0, steps=30, orders=2.5)
    assert RDPCurve().claim(RenyiQuery(30 * STEP, order="5/2")).value == expected
