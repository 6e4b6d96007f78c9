"""Rulings: literal and rounded, conditional, with what is not stated."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

import pldverify as pv
from pldverify.errors import InvalidInput, NoTruthValue
from pldverify.numbers.word import Certification
from pldverify.rulings.certify import narrowed
from pldverify.rulings.combine import overall
from pldverify.rulings.model import Claim
from pldverify.rulings.rule import rule
from pldverify.values.truth import _narrowing
from pldverify.values.value import UNKNOWN
from tests.unit.claims.claims import noise, ruled, verdicts


@pytest.mark.parametrize(
    ("epsilon", "changes", "literal", "rounded"),
    [
        ("0.96", {}, "CERTIFIED", ["CERTIFIED"]),
        ("0.95", {}, "REFUTED", ["CERTIFIED"]),  # 0.95421 rounds to 0.95
        ("0.94", {}, "REFUTED", ["REFUTED"]),
        ("0.95", {"exact": True}, "REFUTED", []),
        ("0.95", {"relation": "="}, "REFUTED", ["CERTIFIED"]),
        ("0.96", {"relation": "="}, "REFUTED", ["REFUTED"]),
        ("0.95", {"relation": ">="}, "CERTIFIED", ["CERTIFIED"]),
        ("0.96", {"relation": ">="}, "REFUTED", ["REFUTED"]),
        ("0.954", {"relation": ">="}, "CERTIFIED", ["CERTIFIED"]),
        ("0.9543", {"relation": ">="}, "REFUTED", ["REFUTED"]),
    ],
)
def test_literally_and_rounded(
    epsilon: str, changes: dict[str, Any], literal: str, rounded: list[str]
) -> None:
    found = ruled(epsilon=epsilon, **changes)
    assert found.verdict == literal
    assert verdicts(found, "rounded") == rounded


@pytest.mark.parametrize(
    ("relation", "epsilon", "verdict", "of_worst"),
    [
        (">=", "0.9", "CERTIFIED", True),
        ("<=", "0.9", "REFUTED", True),
        (">=", "1.1", "REFUTED", False),
        ("<=", "1.1", "CERTIFIED", False),
    ],
)
@pytest.mark.parametrize("claimed", ["epsilon", "mu"])
def test_of_the_worst_mechanism_is_what_its_lower_end_decides(
    relation: str, epsilon: str, verdict: str, of_worst: bool, claimed: str
) -> None:
    """Of what was run, which may tell less, "ε ≥ 0.9" was CERTIFIED without a word."""
    release, given = {"epsilon": ("pure_dp", {"delta": 0}), "mu": ("gdp", {})}[claimed]
    row = {"id": "a", "phase": [{"mechanism": release, claimed: 1}], "relation": relation, claimed: epsilon}
    (reading,) = rule(Claim.model_validate({**row, **given, "exact": True})).readings
    assert reading.verdict == verdict and ("worst mechanism" in reading.reason) == of_worst


def test_no_step_loses_nothing() -> None:
    assert ruled(noise(steps=0), epsilon="0").verdict == "CERTIFIED"
    assert ruled(noise(q=0), epsilon="0").verdict == "CERTIFIED"


def test_a_small_mu_of_many_sampled_steps_is_refuted() -> None:
    """It was UNDECIDED: no lower end but 0 was known."""
    row = {"id": "a", "phase": [noise(steps=1000)], "mu": "0.001", "adjacency": "add-or-remove"}
    assert rule(Claim.model_validate(row)).verdict == "REFUTED"


def test_no_noise_loses_everything() -> None:
    bare = ruled(noise(noise_multiplier=0), epsilon="1000")
    assert bare.verdict == "REFUTED" and {each.case.subject for each in bare.readings} == {"true"}
    within = ruled(noise(noise_multiplier=0), epsilon="0", delta="0.64")  # 1 − .99^100 = .634 are published
    assert within.verdict == "CERTIFIED"


@pytest.mark.slow
def test_balls_and_bins_by_name() -> None:
    """.857986, known independently; the account of Poisson batches is .954."""
    phase = noise(sampling="balls-and-bins", accounted_as="poisson", steps=None, epochs=1)
    found = ruled(phase, epsilon="0.86", exact=True)
    assert found.verdict == "CERTIFIED" and verdicts(found) == ["CERTIFIED", "REFUTED"]
    assert ruled(phase, epsilon="0.857", exact=True).verdict == "REFUTED"


def test_the_true_value_stands_beside_a_refutation() -> None:
    found = ruled(epsilon="0.9")
    truth = pv.epsilon("100 * poisson(gaussian(1), q=0.01)", delta="1e-6")
    lower, upper = found.readings[0].proved.ends
    assert lower <= truth.upper and truth.lower <= upper
    assert found.explanation.startswith("the true ε exceeds 0.9 by 0.0542")


def test_shuffled_and_accounted_as_poisson_is_conditional() -> None:
    found = ruled(noise(sampling="shuffled", accounted_as="poisson"))
    assert found.verdict == "CONDITIONAL"
    assert verdicts(found) == ["REFUTED", "UNDECIDED", "CERTIFIED"]


def test_the_poisson_account_is_refuted_where_noise_is_large() -> None:
    """.319 of ten epochs at σ = 4, where what the largest sum tells alone, .19, decides nothing."""
    phase = noise(sampling="shuffled", accounted_as="poisson", noise_multiplier="4", steps=1000)
    found = ruled(phase, epsilon="0.32", adjacency="zero-out")
    assert found.verdict == "CONDITIONAL"
    assert verdicts(found) == ["REFUTED", "CERTIFIED"]


@pytest.mark.parametrize(
    ("epsilon", "adjacency", "verdict"),
    [
        ("4.89", "zero-out", "CERTIFIED"),
        ("4.68", "zero-out", "REFUTED"),
        pytest.param("4.88", "zero-out", "UNDECIDED", marks=pytest.mark.slow),
        pytest.param("4.89", "unsaid", "CONDITIONAL", marks=pytest.mark.slow),
    ],
)
def test_a_shuffled_claim_above_the_bound_holds_under_zero_out(
    epsilon: str, adjacency: str, verdict: str
) -> None:
    """ε(1e-6) of 100 shuffled batches at σ = 1 is in [4.68091, 4.88655]: an independent computation."""
    said = {} if adjacency == "unsaid" else {"adjacency": adjacency}
    assert ruled(noise(sampling="shuffled"), epsilon=epsilon, **said).verdict == verdict


@pytest.mark.slow
def test_a_shuffled_claim_of_other_relations_and_of_a_part() -> None:
    """Slow; parts and what is not stated are asked below, and of Poisson batches."""
    phase = noise(sampling="shuffled")
    assert ruled(phase, epsilon="4.68").verdict == "UNDECIDED"  # of a record that is added nothing is known
    assert ruled(phase, epsilon="4.68", adjacency=None).verdict == "UNDECIDED"  # it may be meant
    assert ruled(phase, epsilon="50", adjacency=None).verdict == "CONDITIONAL"
    left = noise(sampling="shuffled", steps=99)  # a hundredth of the records took no part
    assert ruled(left, epsilon="4.5", adjacency="zero-out").verdict == "REFUTED"
    part = noise(sampling="shuffled", q="0.3", steps=3)  # a fourth batch may have: a bound from above alone
    assert ruled(part, epsilon="4.89", adjacency="zero-out").verdict == "CERTIFIED"
    assert ruled(part, epsilon="4.5", adjacency="zero-out").verdict == "UNDECIDED"
    assert ruled(part, epsilon="4.5", relation=">=", adjacency="zero-out").verdict == "UNDECIDED"


@pytest.mark.parametrize(
    ("claimed", "verdict"),
    [({"epsilon": "1"}, "UNDECIDED"), ({"epsilon": "9"}, "REFUTED"), ({"rho": "0.1"}, "UNDECIDED")],
)
def test_a_bound_from_above_refutes_an_equality_that_is_above_it_alone(
    claimed: dict[str, str], verdict: str
) -> None:
    """ε ≤ 4.9 of the run REFUTED ε = 1, which may be true."""
    part = noise(sampling="shuffled", q="0.3", steps=3)
    row: dict[str, Any] = {"epsilon": None, "delta": "1e-6" if "epsilon" in claimed else None, **claimed}
    found = ruled(part, adjacency="zero-out", relation="=", **row)
    assert (found.verdict, verdicts(found), verdicts(found, "rounded")) == (verdict, [verdict], [verdict])


@pytest.mark.slow
def test_what_is_not_stated_decides() -> None:
    between = ruled(epsilon="1", adjacency=None)  # add-or-remove 0.954, replace-one far more
    assert (between.verdict, verdicts(between)) == ("CONDITIONAL", ["CERTIFIED", "REFUTED"])
    assert ruled(epsilon="50", adjacency=None).verdict == "CERTIFIED"
    assert ruled(epsilon="0.1", adjacency=None).verdict == "REFUTED"


@pytest.mark.parametrize(("epsilon", "verdict"), [("2", "CONDITIONAL"), ("0.0001", "UNDECIDED")])
def test_a_relation_that_is_not_stated_and_can_not_be_judged_decides(epsilon: str, verdict: str) -> None:
    """Sampled Laplace noise has no proved pair where a record is replaced: that meaning was left out."""
    sampled = {"mechanism": "laplace", "scale": 1, "sensitivity": 1, "sampling": "poisson", "q": "0.1"}
    found = ruled({**sampled, "steps": 1}, epsilon=epsilon, adjacency=None)
    assert found.verdict == verdict
    assert ruled(SAMPLED, epsilon=epsilon, delta=0, adjacency=None).verdict == verdict
    stated = {"mechanism": "pure_dp", "epsilon": epsilon}
    assert ruled(stated, epsilon=epsilon, delta=0, adjacency=None).verdict == "CERTIFIED"


def test_a_claim_between_the_rules_of_steps_is_conditional() -> None:
    phase = noise(q=None, batch_size=256, dataset_size=60_000, steps=None, epochs=15, noise_multiplier="1.1")
    ceil, floor = (
        pv.epsilon(f"{k} * poisson(gaussian(1.1), q=256/60000)", delta="1e-5") for k in (3516, 3515)
    )
    middle = str((Fraction(ceil.lower) + Fraction(floor.upper)) / 2)
    found = ruled(phase, epsilon=middle, delta="1e-5")
    assert (found.verdict, verdicts(found)) == ("CONDITIONAL", ["REFUTED", "CERTIFIED"])


WITH_REPLACEMENT = noise(sampling="fixed_with_replacement", q=None, batch_size=1, dataset_size=2, steps=2)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"epsilon": "0.1"}, "the true ε is at most 14.6"),
        ({"epsilon": "100", "relation": ">="}, "the true ε is at least 85.3 less than 100"),
        ({"epsilon": "100"}, "the true ε is at most 14.6"),
    ],
)
def test_a_pair_that_is_not_attained_is_called_a_bound(
    monkeypatch: pytest.MonkeyPatch, changes: dict[str, Any], says: str
) -> None:
    """Beside UNDECIDED stood that the true ε exceeds 0.1 by 14."""
    monkeypatch.setattr("pldverify.rulings.certify._SECONDS", 60.0)
    for room in ("reference.quantities.bracket", "rulings.decide"):
        monkeypatch.setattr(f"pldverify.{room}.attained", lambda *whole: None)
    _narrowing.cache_clear()
    assert ruled(WITH_REPLACEMENT, adjacency="replace-one", **changes).explanation.startswith(says)


def test_a_claim_of_no_gdp_names_what_it_claims() -> None:
    """It said D_α."""
    assert "the true μ exceeds 0 by 10" in ruled(epsilon=None, delta=None, mu=0).explanation


def test_nothing_stated_is_nothing_judged() -> None:
    found = ruled(epsilon="1", phase=[])
    assert found.verdict == "UNDECIDED" and "no mechanism is stated" in found.explanation


@pytest.mark.slow
@pytest.mark.parametrize(
    ("changes", "name"),
    [
        ({"epsilon": "-5", "delta": "0"}, "epsilon"),
        ({"epsilon": "1", "delta": "banana"}, "delta"),
        ({"epsilon": "1", "delta": "7"}, "delta"),
        ({"rho": "banana"}, "rho"),
        ({"mu": "3", "regret": "9"}, "regret"),
        ({"tpr": {"fpr": "9", "tpr": "1"}}, "fpr"),
        ({"tpr": {"fpr": "0.1", "tpr": "x"}}, "tpr"),
        ({"rdp": {"order": "-1", "divergence": "1"}}, "order"),
    ],
)
def test_numbers_are_read_where_no_phase_is_stated(changes: Any, name: str) -> None:
    """One of them took a whole file's answers; others were UNDECIDED."""
    with pytest.raises(InvalidInput, match=f"^{name} must "):
        rule(Claim.model_validate({"id": "a", **changes}))


def test_what_an_evaluation_must_state_is_named() -> None:
    assert "unit of privacy" in ruled().not_stated
    assert "unit of privacy" not in ruled(unit="user").not_stated
    assert "adjacency" in ruled(noise(sampling="none", q=None), adjacency=None).not_stated


def test_guarantees_are_judged_by_what_they_imply() -> None:
    four = {"mechanism": "approximate_dp", "epsilon": "1.2", "delta": "1e-10", "times": 4}
    upper = ruled(four, epsilon="4.8", delta="4e-10")
    assert upper.verdict == "CERTIFIED"
    equal = ruled(four, epsilon="4.8", delta="4e-10", relation="=")
    assert equal.verdict == "REFUTED" and "as an upper bound it holds" in equal.explanation
    assert "worst mechanism" not in equal.readings[0].reason  # what was run tells less, too


def test_amplification_is_the_lemma() -> None:
    """ln(1 + 0.124(e^6.8 − 1)) = 4.72036 at 0.124 · 4.08e-8 = 5.0592e-9."""
    phase = {"mechanism": "approximate_dp", "epsilon": "6.8", "delta": "4.08e-8", "sampling": "poisson"}
    phase["q"] = "0.124"
    assert ruled(phase, epsilon="4.7204", delta="5.06e-9").verdict == "CERTIFIED"
    assert ruled(phase, epsilon="0.843", delta="4.08e-8").verdict == "REFUTED"


SAMPLED = {"mechanism": "pure_dp", "epsilon": 1, "sampling": "poisson", "q": "0.01"}


def test_a_guarantee_is_not_amplified_where_a_record_is_replaced() -> None:
    """Of the sample without the record nothing is known: it was CERTIFIED by the amplified ε."""
    assert ruled(SAMPLED, epsilon="0.02", delta=0).verdict == "CERTIFIED"
    with pytest.raises(InvalidInput, match="adjacency must be add-or-remove or zero-out"):
        ruled(SAMPLED, epsilon="0.02", delta=0, adjacency="replace-one")


def test_sampled_guarantees_compose_as_they_are_sampled() -> None:
    """32.3761 is the least ε of 100 halves of 1-DP. It was REFUTED by 41.79, that of 100 times 0.62-DP."""
    half = {**SAMPLED, "q": "0.5", "times": 100}
    assert ruled(half, epsilon="32.3761", delta="1e-5").verdict == "CERTIFIED"
    assert ruled(half, epsilon="32.3760", delta="1e-5").verdict == "REFUTED"


def test_a_zcdp_claim_that_only_gaussians_meet_is_conditional() -> None:
    phase = {"mechanism": "zcdp", "rho": "2.56"}
    found = ruled(phase, epsilon="17.14", delta="1e-10")
    assert (found.verdict, verdicts(found)) == ("CONDITIONAL", ["UNDECIDED", "CERTIFIED"])
    assert ruled(phase, epsilon="17.2", delta="1e-10").verdict == "CERTIFIED"
    assert ruled(phase, epsilon="16.4", delta="1e-10").verdict == "REFUTED"  # Gaussian noise needs 16.47


def test_gaussian_noise_is_one_of_the_mechanisms_that_are_zcdp() -> None:
    """It was CONDITIONAL: what one mechanism has, the worst one has at least."""
    phase = {"mechanism": "zcdp", "rho": "0.427", "times": 5}
    found = ruled(phase, epsilon="10.4053", delta="1e-5", relation=">=")
    assert (found.verdict, verdicts(found)) == ("CERTIFIED", ["CERTIFIED", "CERTIFIED"])
    gaussian = pv.epsilon(pv.Gaussian(sigma="1/sqrt(2*5*0.427)"), delta="1e-5")
    lower, upper = found.readings[0].proved.ends
    assert Fraction("10.4053") < lower <= gaussian.upper < upper


def test_a_ruling_has_no_truth_value() -> None:
    with pytest.raises(NoTruthValue):
        bool(ruled())
    with pytest.raises(NoTruthValue):
        bool(ruled().verdict)


@pytest.mark.parametrize("verdict", ["CERTIFIED", "REFUTED"])
def test_what_was_run_decides_beside_what_may_be_meant(verdict) -> None:
    assert overall([("run", verdict), ("possible", "UNDECIDED")]) == verdict


def test_the_truth_beside_a_verdict_decides_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """One of more digits may be less near to the claim than the one that decided."""
    query = pv.Query(pv.Gaussian(1), delta="1e-6")
    near, claimed = pv.epsilon(pv.Gaussian(1), delta="1e-6"), Fraction("4.8865")
    assert claimed < near.lower < Fraction("4.8866")
    rough, narrow = (
        replace(near, lower=claimed + shift, upper=near.upper + width)
        for shift, width in ((Fraction(1, 10**6), 1), (-Fraction(1, 10**9), Fraction(1, 10**9)))
    )
    made = replace(pv.certify(query, claimed), truth=rough)
    monkeypatch.setattr("pldverify.rulings.certify.bracket", lambda *_: narrow)
    assert narrowed(made).truth == rough
    made = replace(made, truth=replace(rough, lower=claimed - 1))
    assert narrowed(made).truth == narrow


def test_a_truth_that_proves_less_replaces_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file said ε ≥ 5.84, beside the words ε ≥ 6.00: more time had been spent before."""
    query = pv.Query(pv.Gaussian(1), delta="1e-6")
    near = pv.epsilon(pv.Gaussian(1), delta="1e-6")
    rough, less = (replace(near, lower=Fraction(low), upper=Fraction(5)) for low in (4, 3))
    made = replace(pv.certify(query, 9), truth=rough)
    monkeypatch.setattr("pldverify.rulings.certify.bracket", lambda *_: less)
    assert narrowed(made).truth == rough


@pytest.mark.parametrize(("lower", "verdict"), [("4.8866", "REFUTED"), ("4.8864", "UNDECIDED")])
def test_what_is_shown_beside_undecided_does_not_decide(
    lower: str, verdict: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second more of the bracket may decide: the verdict stood beside an interval that contradicted it."""
    near = pv.epsilon(pv.Gaussian(1), delta="1e-6")
    rough = replace(near, lower=Fraction(0), upper=Fraction(9))
    open_still: dict[str, Any] = {
        "verdict": Certification("UNDECIDED"),
        "reason": "too wide",
        "cause": "TOO WIDE",
    }
    made = replace(
        pv.certify(pv.Gaussian(1), "4.8865", delta="1e-6"), truth=rough, proved=UNKNOWN, **open_still
    )
    found = replace(near, lower=Fraction(lower), upper=Fraction(5))
    monkeypatch.setattr("pldverify.rulings.certify.bracket", lambda *_: found)
    shown = narrowed(made)
    assert (shown.verdict, shown.truth) == (verdict, found)
    assert (shown.reason == "") == (verdict == "REFUTED") == (shown.cause is None)
