"""The adversary of filters: what it proves, what it can't, and the faulty filters that it finds."""

from fractions import Fraction as F

import pytest

import pldverify as pv
from pldverify.errors import InvalidInput
from pldverify.filters.pld_filter import AFTER_ONE, AFTER_ZERO, FIRST, adaptive_delta
from pldverify.testing import attack_filter, run_checks
from pldverify.testing.zoo.filters import MUTANTS

COINS = [FIRST, AFTER_ONE, AFTER_ZERO]


def composes(epsilon: str, delta: F):
    def admits(taken, asked) -> bool:
        return pv.delta(sum(taken, asked), epsilon=epsilon).upper <= delta

    return admits


def test_it_finds_what_was_proved_by_hand() -> None:
    found = attack_filter(composes("1.3863", F(1, 6)), COINS, epsilon="1.3862943", delta=F(1, 6))
    by_hand = adaptive_delta(lambda seen: FIRST, lambda seen: (AFTER_ONE, AFTER_ZERO)[seen[0]])
    assert found.refutes and abs(found.delta - by_hand) < F(1, 10**6)
    assert str(found) == f"{FIRST}, then {AFTER_ZERO}\n{FIRST}, then {AFTER_ONE}"


def test_a_run_of_no_choice_is_its_composition() -> None:
    """Without cells that merge losses the value is the true δ of the composition."""
    found = attack_filter(
        lambda taken, asked: True, ["randomized_response(3/4)"], epsilon=1, delta=0, depth=3
    )
    truth = pv.delta("3 * randomized_response(3/4)", epsilon=1)
    assert truth.lower <= found.delta + F(1, 10**30) and found.delta <= truth.upper


@pytest.mark.parametrize("query", ["gaussian(1)", "laplace(1)", "poisson(gaussian(1), q=0.2)"])
def test_cells_of_a_loss_prove_less_than_the_truth(query: str) -> None:
    found = attack_filter(lambda taken, asked: True, [query], epsilon="0.5", delta=0, depth=1)
    truth = pv.delta(query, epsilon="0.5")
    assert 0 < truth.lower / 2 < found.delta <= truth.upper


@pytest.mark.parametrize("given", [{"rho": "0.05"}, {"mu": "0.4"}, {"rdp": {2: "0.1", 8: "0.4"}}])
def test_true_filters_are_not_refuted(given) -> None:
    """A filter of ours, promised the δ that its promise implies."""
    promise = pv.Filter(**given).promise
    if isinstance(promise, dict):
        delta = pv.delta_from_rdp(list(promise), list(promise.values()), epsilon="0.5")
    else:
        delta = pv.bracket(promise, epsilon="0.5").upper
    queries = ["gaussian(4)", "gaussian(6)", "approximate_dp(0.1, 0)"]

    def admits(taken, asked) -> bool:
        budget = pv.Filter(**given)
        return all(budget.admit(one) for one in (*taken, asked))

    found = attack_filter(admits, queries, epsilon="0.5", delta=delta, depth=2)
    assert found.tree is not None and not found.refutes


@pytest.mark.parametrize(
    "mutant",
    [pytest.param(one, marks=pytest.mark.slow if one.name.startswith("losses") else ()) for one in MUTANTS],
    ids=lambda mutant: mutant.name,
)
def test_faulty_filters_are_found_and_told(mutant) -> None:
    (result,) = run_checks(mutant.make(), checks=["adaptive"])
    assert result.outcome == "failed" and result.breaks[0].fault == "UNSOUND"
    assert "chosen by what was seen" in str(result)


@pytest.mark.slow  # the cheap twin is the attack on what was proved by hand
def test_composed_losses_fail_by_adaptivity_alone() -> None:
    """Every run of the filter is within its budget; what is found is in none of them."""
    mutant = MUTANTS[0].make()
    (result,) = run_checks(mutant, checks=["adaptive"])
    whole = result.breaks[0].queries[0].composition
    assert pv.delta(whole, epsilon="1.3862").upper <= F("0.1667") < F("0.2222")


def test_an_accountant_that_is_no_filter_is_skipped() -> None:
    half = pv.Accountant.of(lambda query: 0.5, direction="upper", name="half")
    (result,) = run_checks(half, checks=["adaptive"])
    assert result.outcome == "skipped" and "it has no method admits" in result.why_skipped


def test_a_filter_that_raises_admits_nothing() -> None:
    class Raises(type(MUTANTS[0].make())):
        def admits(self, taken, asked, epsilon, delta) -> bool:
            raise RuntimeError("no")

    (result,) = run_checks(Raises(lambda taken, asked: asked), checks=["adaptive"])
    assert result.outcome == "skipped"


@pytest.mark.parametrize(
    "query", ["sampled_without_replacement(gaussian(1), q=0.1)", "zcdp(1)", "gaussian(1) + laplace(1)"]
)
def test_queries_that_the_adversary_can_not_play_are_told(query: str) -> None:
    with pytest.raises((InvalidInput, pv.errors.NotSupported)):
        attack_filter(lambda taken, asked: True, [query], epsilon=1, delta=0)
