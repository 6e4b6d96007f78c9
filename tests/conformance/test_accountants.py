"""Every registered accountant keeps the interface, on every mechanism that it supports."""

import pytest

from pldverify.accountants.accountant import Accountant
from pldverify.accountants.ask import ask, refusal
from pldverify.accountants.registry import accountant
from pldverify.accountants.worker.objects import read, write
from pldverify.mechanisms import Gaussian, Laplace, PoissonSubsampled, Query, RandomizedResponse
from pldverify.mechanisms.noise_query import NoiseQuery
from pldverify.mechanisms.renyi_query import RenyiQuery
from pldverify.mechanisms.trade_off_query import TradeOffQuery
from tests.unit.accountants.installed import installed

STEP = PoissonSubsampled(Gaussian(1), "0.02")
QUERIES = {
    "epsilon of randomised response": Query(10 * RandomizedResponse("0.6"), delta="1e-4"),
    "epsilon of laplace": Query(20 * Laplace(5), delta="1e-4"),
    "delta of laplace": Query(20 * Laplace(5), epsilon="0.5"),
    "epsilon of one gaussian": Query(Gaussian(5), delta="1e-4"),
    "epsilon of gaussian": Query(10 * Gaussian(15, sensitivity=3), delta="1e-4"),
    "epsilon of dp-sgd": Query(100 * STEP, delta="1e-4"),
    "delta of dp-sgd": Query(100 * STEP, epsilon="0.5"),
    "divergence of laplace": RenyiQuery(20 * Laplace(5), order=3),
    "divergence of dp-sgd": RenyiQuery(1000 * STEP, order=5),
    "noise of a gaussian": NoiseQuery(Gaussian(1), epsilon=1, delta="1e-4"),
    "noise of laplace": NoiseQuery(Laplace(1), epsilon=1, delta="1e-4"),
    "type II error of dp-sgd": TradeOffQuery(100 * STEP, alpha="0.05"),
    "epsilon of dp-sgd after a gaussian": Query(100 * STEP + 2 * Gaussian(5), delta="1e-4"),
}
LITTLE = (Query(Gaussian(50), delta="1e-4"), Query(2 * Gaussian(60), delta="1e-4"))
"""Little is lost, so that a fine grid is small."""
FAILS = {
    ("fourier-accountant", Gaussian): "OverflowError: cannot convert float infinity to integer",
    ("autodp/fourier", PoissonSubsampled): "KeyError: 'gamma'",
}
"""What a library says to a kind of mechanism; an adapter does not help it."""
NOUGHT = ("autodp/fourier", QUERIES["epsilon of randomised response"])
"""It searches in a δ that jumps between -0.1 and 1.4, and ends at ε = 0."""
EACH_QUERY = pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES)
EACH_ACCOUNTANT = pytest.mark.parametrize("name", installed())


@pytest.mark.sample(26)
@EACH_ACCOUNTANT
@EACH_QUERY
def test_it_claims_or_refuses(name: str, query: Query) -> None:
    subject: Accountant = accountant(name)
    reason = refusal(subject, query)
    if reason is not None:
        assert reason and "\n" not in reason
        failure = ask(subject, query).failure
        assert failure is not None and failure.kind == "REFUSED"
        return
    answer = ask(subject, query)
    fails = [FAILS[name, type(part)] for part, _ in query.composition.parts if (name, type(part)) in FAILS]
    if fails:
        assert answer.failure is not None and fails[0] in str(answer.failure)
        return
    assert answer.failure is None, answer.failure
    claim = answer.claim
    assert claim is not None
    assert claim.direction == subject.direction
    assert claim.source.startswith(name) and answer.version in claim.source
    assert claim.parameters
    assert all(isinstance(k, str) and isinstance(v, str) for k, v in claim.parameters.items())
    # Every true ε here is between 0.5 and 10, every true δ between 0 and 1: wide enough for a wrong
    # accountant, too narrow for a wrong unit. An upper bound may give everything away.
    assert claim.value > 0 or claim.direction == "lower" or (name, query) == NOUGHT
    assert claim.value < 20 or claim.direction == "upper"
    assert claim.promise is None or subject.direction == "estimate"


@EACH_ACCOUNTANT
def test_it_supports_something_and_can_be_sent_to_a_worker(name: str) -> None:
    subject = accountant(name)
    assert any(refusal(subject, query) is None for query in QUERIES.values())
    assert read(write(subject)).name == name
    assert subject.name == name
    assert subject.version()


@pytest.mark.sample(14)
@pytest.mark.parametrize("library", ["dp-accounting", "prv-accountant"])
@EACH_QUERY
def test_third_party_accountants_support_every_basic_mechanism(library: str, query: Query) -> None:
    assert type(query) is not Query or accountant(library).supports(query) is None


@pytest.mark.sample(19)
@EACH_ACCOUNTANT
def test_it_is_asked_without_being_changed(name: str) -> None:
    """Purity: the same question twice, with another one in between, has the same answer."""
    subject = accountant(name)
    supported = [query for query in (*LITTLE, *QUERIES.values()) if refusal(subject, query) is None]
    first = ask(subject, supported[0]).claim
    ask(subject, supported[1 if supported[0] in LITTLE else -1])
    assert ask(subject, supported[0]).claim == first
