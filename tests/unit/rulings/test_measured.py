"""Claims of rates, of the advantage, of μ with a regret: against Gaussian noise, of which all is known."""

from fractions import Fraction
from math import comb
from statistics import NormalDist

import mpmath
import pytest
from pydantic import ValidationError

from pldverify.mechanisms import Composition, Exponential, Gaussian, PureDP, SampledWithoutReplacement
from pldverify.mechanisms.query import Query
from pldverify.numbers.enclosure import Enclosure
from pldverify.rulings import measured
from pldverify.rulings.measured import power
from pldverify.rulings.model import Claim
from pldverify.rulings.rule import rule
from pldverify.rulings.ruling import Ruling
from pldverify.values.truth import truth

NORMAL = NormalDist()
PHASE = {"mechanism": "gaussian", "noise_multiplier": 2, "sampling": "none", "steps": 4}
"""It is 1-GDP."""
TPR = NORMAL.cdf(NORMAL.inv_cdf(0.01) + 1)
ADVANTAGE = 2 * NORMAL.cdf(0.5) - 1


def ruled(**claimed: object) -> Ruling:
    row = {"id": "one", "adjacency": "add-or-remove", "exact": True, "phase": [PHASE], **claimed}
    return rule(Claim.model_validate(row))


def rate(value: float, relation: str = "<=") -> Ruling:
    return ruled(tpr={"fpr": "1%", "tpr": f"{value:.12f}"}, relation=relation)


def test_a_rate_is_judged_by_the_best_attack() -> None:
    assert rate(TPR + 1e-9).verdict == rate(TPR - 1e-9, ">=").verdict == "CERTIFIED"
    assert rate(TPR - 1e-9).verdict == rate(TPR + 1e-9, ">=").verdict == rate(TPR, "=").verdict == "REFUTED"
    assert rate(0.1).says == "TPR ≤ 0.100000000000 at FPR = 1%"


def test_so_is_the_advantage() -> None:
    assert ruled(advantage=f"{ADVANTAGE + 1e-9:.12f}").verdict == "CERTIFIED"
    found = ruled(advantage=f"{ADVANTAGE - 1e-9:.12f}")
    assert found.verdict == "REFUTED" and "the true advantage exceeds" in found.explanation


@pytest.mark.parametrize(("mu", "verdict"), [("0.9943", "REFUTED"), ("0.9944", "CERTIFIED")])
def test_a_regret_lowers_mu(mu: str, verdict: str) -> None:
    """Of G_1, moved by 0.001 in both errors, at x = y: 2Φ⁻¹(1 − Φ(−1/2) − 0.001) = 0.994324…"""
    least = 2 * NORMAL.inv_cdf(1 - NORMAL.cdf(-0.5) - 0.001)
    assert 0.9943 < least < 0.9944
    found = ruled(mu=mu, regret="0.001")
    assert found.verdict == verdict and found.says == f"μ ≤ {mu} with regret 0.001"
    assert ruled(mu=mu).verdict == "REFUTED"


def test_a_refuted_rate_would_hold_with_more_noise_or_fewer_steps() -> None:
    """With σ' the run is (4/σ'²)^½-GDP; at σ' = 3 the rate is Φ(Φ⁻¹(0.01) + 2/3) = 0.0485…"""
    found = {miss.name: miss for miss in ruled(tpr={"fpr": "1%", "tpr": "0.0485"}).misses}
    noise, steps = found["noise multiplier"], found["steps"]
    for miss, mu in ((noise, lambda x: 2 / x), (steps, lambda x: x**0.5 / 2)):
        holds, fails = (NORMAL.cdf(NORMAL.inv_cdf(0.01) + mu(float(x))) for x in (miss.value, miss.beyond))
        assert holds <= 0.0485 < fails


def test_a_tiny_rate_has_digits() -> None:
    """Φ(Φ⁻¹(1e-12) + 1) = 7.9736e-10."""
    found = power(Composition.of((Gaussian(1), 1)), "add-or-remove", Fraction(1, 10**12))
    assert found.lower is not None and found.upper is not None
    assert Fraction("7.9735e-10") < found.lower.at <= found.upper.at < Fraction("7.9737e-10")
    assert found.upper.at - found.lower.at < Fraction(1, 10**17)


def test_extreme_numbers_end_in_a_verdict() -> None:
    """A rate at 10^−1000 asked for more digits than there are, and a ball of no number for a fraction."""
    assert ruled(tpr={"fpr": "1e-1000", "tpr": "1e-5"}).verdict == "CERTIFIED"
    noise = {"mechanism": "expression", "expression": "gaussian(1e-4000)"}
    found = ruled(mu="1e4000", regret="1e-4000", relation=">=", phase=[noise])
    assert found.verdict in ("UNDECIDED", "REFUTED")  # a regret lowers μ


def test_what_only_dominates_bounds_a_rate_from_above() -> None:
    """A planted error would be to keep T's ends where they are: 1 − T turns them.

    Any ε-DP has no more than randomised response: 1 − (1 − FPR)/e^ε, less than 0.88 at ε = 2.
    """
    found = power(Composition.of((Exponential(1), 2)), "replace-one", Fraction(1, 10))
    assert found.lower is not None and found.upper is not None
    assert Fraction(1, 10) < found.lower.at < found.upper.at < Fraction("0.88")


@pytest.mark.parametrize("claimed", [{"tpr": {"fpr": "10%", "tpr": "99%"}}, {"advantage": "99%"}])
def test_what_neighbours_of_irrational_noise_have_is_no_crash(claimed: dict[str, object]) -> None:
    noise = {"mechanism": "expression", "expression": "noisy_max(b=sqrt(2))"}
    assert ruled(phase=[noise], **claimed).verdict == "CERTIFIED"
    assert ruled(phase=[noise], **claimed, relation=">=").verdict == "REFUTED"


@pytest.mark.parametrize("run", ["zcdp(0.1)", "2 * exponential(1)"])
def test_a_rate_that_some_neighbours_have_is_a_lower_end(run: str) -> None:
    """Of Gaussian noise of μ² = 1/5, and of two candidates, it is above 0.0101 by far."""
    asked = {"mechanism": "expression", "expression": run}
    assert ruled(tpr={"fpr": "1%", "tpr": "1.5%"}, relation=">=", phase=[asked]).verdict == "CERTIFIED"
    assert ruled(tpr={"fpr": "1%", "tpr": "1.5%"}, phase=[asked]).verdict == "REFUTED"


def test_an_advantage_that_some_neighbours_have_refutes() -> None:
    """Of cut Poisson batches only the upper end was known. Where all others contribute 0, the record is kept
    with probability E min(Bin(10, 1/2), 3)/10, times the advantage of one Gaussian of μ = 1.
    """
    cut = {"mechanism": "gaussian", "noise_multiplier": 1, "sampling": "truncated-poisson", "steps": 1}
    phase = {**cut, "batch_size": 5, "dataset_size": 10, "max_batch": 3}
    kept = sum(comb(10, k) * min(k, 3) for k in range(11)) / 2**10 / 10
    least = kept * ADVANTAGE
    (found,) = ruled(advantage=f"{least - 1e-9:.12f}", phase=[phase]).readings
    assert found.verdict == "REFUTED" and found.proved.lower is not None
    assert abs(found.proved.lower.at - Fraction(least)) < Fraction(1, 10**10)
    assert "neighbours have" in found.proved.lower.by
    assert ruled(advantage=f"{least + 1e-9:.12f}", phase=[phase]).verdict == "UNDECIDED"


def test_a_rate_between_those_of_one_batch_and_its_reverse_is_attained() -> None:
    """At an FPR in between, all other records contribute c: (1 − q) N(c) + q N(1) against (1 − q) N(c) + q
    N(−1), where the test "the output is > 0" has the FPR (1 − q) Φ(c) + q Φ(−1), and what is proved is all
    that it finds, at the ends c = ±1, too.
    """
    one = Composition.of((SampledWithoutReplacement(Gaussian(1), "0.5"), 1))
    for c in (-0.9, -0.25, 0.5):
        fpr = (NORMAL.cdf(c) + NORMAL.cdf(-1)) / 2
        found = power(one, "replace-one", Fraction(fpr))
        tpr = (NORMAL.cdf(c) + NORMAL.cdf(1)) / 2
        assert found.lower is not None and found.upper is not None
        assert abs(found.lower.at - Fraction(tpr)) < Fraction(1, 10**8)
        assert abs(found.upper.at - Fraction(tpr)) < Fraction(1, 10**8)


def test_numbers_that_are_no_fractions_have_rates() -> None:
    """ln(3)-DP: TPR 3 FPR up to the corner; N(√2): Φ(Φ⁻¹(FPR) + √2). They were refused."""
    found = power(Composition.of((PureDP("ln(3)"), 1)), "add-or-remove", Fraction(1, 10))
    assert found.lower is not None and found.upper is not None
    assert Fraction("0.3") - Fraction(1, 10**9) < found.lower.at <= Fraction("0.3") <= found.upper.at
    assert found.upper.at < Fraction("0.3") + Fraction(1, 10**9)
    found = power(Composition.of((Gaussian("sqrt(1/2)"), 1)), "add-or-remove", Fraction(1, 10))
    tpr = NORMAL.cdf(NORMAL.inv_cdf(0.1) + 2**0.5)
    assert found.lower is not None and found.upper is not None
    assert tpr - 1e-9 < found.lower.at <= found.upper.at < tpr + 1e-9


@pytest.mark.parametrize(("relation", "verdict"), [("<=", "REFUTED"), (">=", "CERTIFIED")])
def test_what_the_least_mu_and_rho_decide_is_decided(relation: str, verdict: str) -> None:
    """μ of two pairs is at the corner of T at which G_μ touches it, .681812…; ρ is a largest D_α/α, 2.542714…
    Both are between points that were tried, and stayed UNDECIDED, though ``gdp`` and ``zcdp`` knew them.
    """
    pairs = [
        (([6, 16, 25], [28, 21, 40]), ([8, 35], [4, 9])),
        (([1, 13], [11, 6]), ([33, 1], [25, 36])),
    ]
    found = [
        [{"mechanism": "expression", "expression": f"finite_pair({shares(p)}, {shares(q)})"} for p, q in both]
        for both in pairs
    ]
    assert ruled(phase=found[0], mu="0.68", relation=relation).verdict == verdict
    assert ruled(phase=found[1], rho="2.5427", relation=relation).verdict == verdict


def shares(counts: list[int]) -> str:
    return "[" + ", ".join(f"{count}/{sum(counts)}" for count in counts) + "]"


def test_mu_is_of_both_directions() -> None:
    """Losses are bounded in the direction ``add``, and infinite in the other one: μ = ∞ of both."""
    phase = {"mechanism": "expression", "expression": "finite_pair([0.5, 0.5], [0, 1])"}
    for adjacency in ("add", "remove", "add-or-remove"):
        found = ruled(phase=[phase], adjacency=adjacency, mu=29)
        assert found.verdict == "REFUTED"


@pytest.mark.parametrize(
    "claimed",
    [
        {"tpr": {"fpr": "1%", "tpr": "0.1"}, "advantage": "0.1"},
        {"regret": "0.1", "rho": "1"},
        {"regret": "0.1", "epsilon": "1", "delta": "1e-5"},
        {"tpr": {"fpr": "1%"}},
        {"tpr": "0.1"},
    ],
)
def test_one_thing_is_claimed(claimed: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        ruled(**claimed)


def test_a_rate_where_a_parameter_is_no_fraction() -> None:
    """σ = √2: Φ(Φ⁻¹(α) + 1/√2). Such a claim was refused."""
    found = power(Composition.of((Gaussian("sqrt(2)"), 1)), "add-or-remove", Fraction(1, 20))
    with mpmath.workdps(30):
        quantile = -mpmath.sqrt(2) * mpmath.erfinv(mpmath.mpf("0.9"))
        true = mpmath.ncdf(quantile + 1 / mpmath.sqrt(2))
    lower, upper = found.ends
    assert lower is not None and upper is not None and upper - lower < Fraction(1, 10**8)
    assert lower <= Fraction(mpmath.nstr(true, 20)) <= upper


@pytest.mark.parametrize(("claimed", "times"), [("1/2", 2), ("0.389143691645", 4)])
def test_more_digits_of_a_rate_are_asked_where_few_decide_nothing(
    claimed: str, times: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """1 − Φ(z − 1) = 0.389143691645… for Φ(z) = 0.9; both ends of the composition are asked, though equal."""
    asked = []

    def answered(query: Query, digits: int) -> Enclosure:
        asked.append(digits)
        return truth(query, digits)

    monkeypatch.setattr(measured, "truth", answered)
    statements = [("<=", Fraction(claimed))]
    power(Composition.of((Gaussian(1), 1)), "add-or-remove", Fraction(1, 10), statements)  # type: ignore[arg-type]
    assert len(asked) == times
