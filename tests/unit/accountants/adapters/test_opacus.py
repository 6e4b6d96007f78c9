"""The adapters against opacus called directly (slow); what they pass on, without it."""

from typing import Any

import pytest

from pldverify.accountants import standalone
from pldverify.accountants.adapters.plain.opacus import GDP, PRV, RDPIntegerOrders, RDPWideOrders
from pldverify.accountants.registry import accountant
from pldverify.accountants.standalone import Question
from pldverify.accountants.worker import plain
from pldverify.mechanisms import Gaussian, Laplace, PoissonSubsampled, Query
from pldverify.mechanisms.renyi_query import RenyiQuery

STEP = PoissonSubsampled(Gaussian(4, sensitivity=2), "0.03")


@pytest.fixture
def accountants() -> Any:
    return pytest.importorskip("opacus.accountants")


@pytest.mark.slow
@pytest.mark.parametrize(("name", "kind"), [("rdp", "RDPAccountant"), ("prv", "PRVAccountant")])
def test_the_history_is_that_of_the_steps(accountants: Any, name: str, kind: str) -> None:
    direct = getattr(accountants, kind)()
    for _ in range(30):
        direct.step(noise_multiplier=2.0, sample_rate=0.03)
    for _ in range(3):
        direct.step(noise_multiplier=5.0, sample_rate=0.5)
    composition = 30 * STEP + 3 * PoissonSubsampled(Gaussian(5), "0.5")
    claim = accountant(f"opacus/{name}").claim(Query(composition, delta="1e-5"))
    assert claim.value == direct.get_epsilon(1e-5)


@pytest.mark.slow
@pytest.mark.parametrize("adapter", [RDPIntegerOrders, RDPWideOrders])
def test_orders_are_passed_as_they_are(accountants: Any, adapter: Any) -> None:
    direct = accountants.RDPAccountant()
    direct.history = [(2.0, 0.03, 30)]
    expected = direct.get_epsilon(1e-5, alphas=adapter.options["alphas"])
    assert accountant(adapter.name).claim(Query(30 * STEP, delta="1e-5")).value == expected


@pytest.mark.slow
def test_gdp_estimates_one_kind_of_step_and_warns(accountants: Any) -> None:
    direct = accountants.GaussianAccountant()
    direct.history = [(2.0, 0.03, 30)]
    claim = accountant("opacus/gdp").claim(Query(30 * STEP, delta="1e-5"))
    assert claim.value == direct.get_epsilon(1e-5) and claim.direction == "estimate"
    assert "can underestimate" in claim.parameters["warnings"]


def refusal(adapter: Any, query: Query) -> str:
    with pytest.raises(NotImplementedError) as refused:
        standalone.steps(adapter, Question(plain.query(query)))
    return str(refused.value)


def test_gdp_takes_one_kind_of_step() -> None:
    assert "mechanisms must be at most 1" in refusal(GDP(), Query(STEP + Gaussian(1), delta="1e-5"))


def test_noise_is_per_unit_of_sensitivity_and_q_is_passed() -> None:
    question = Question(plain.query(Query(30 * STEP + 2 * Gaussian(3), delta="1e-5")))
    found = [(call.arguments, count) for call, count in standalone.steps(PRV(), question)]
    assert ({"noise_multiplier": 2.0, "q": 0.03}, 30) in found
    assert ({"noise_multiplier": 3.0, "q": 1.0}, 2) in found


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        (Query(STEP, epsilon=1), "no delta at an epsilon"),
        (Query(STEP, delta="1e-5", adjacency="remove"), "got 'remove'"),
        (Query(Laplace(1), delta="1e-5"), "Gaussian mechanism alone"),
    ],
)
def test_what_it_does_not_have_is_refused(query: Query, reason: str) -> None:
    assert reason in refusal(PRV(), query)


@pytest.mark.slow
def test_the_divergence_is_added_up() -> None:
    rdp = pytest.importorskip("opacus.accountants.analysis.rdp")
    expected = rdp.compute_rdp(q=0.03, noise_multiplier=2.0, steps=30, orders=2.5)
    claim = accountant("opacus/rdp-curve").claim(RenyiQuery(30 * STEP, order="5/2"))
    assert claim.value == expected  # type: ignore[union-attr]  # adapters return claims
