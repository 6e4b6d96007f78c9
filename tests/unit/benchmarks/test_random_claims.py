"""The oracle of random claims against closed forms, and what its parts promise."""

from fractions import Fraction
from typing import Any

import pytest
from mpmath import mp

from benchmarks.claims.agree import intervals, supports, toml
from benchmarks.claims.draw import KINDS, draw, expression
from benchmarks.claims.meanings import meanings
from benchmarks.claims.numbers import number, square
from benchmarks.claims.oracle import Statement, allowed, right, statements
from benchmarks.claims.privacy_loss import (
    Atoms,
    Exact,
    Grid,
    Laplace,
    Mixture,
    Reverse,
    Sampled,
    gaussian_delta,
)
from benchmarks.claims.releases import discrete_sigma, known
from benchmarks.claims.shrink import shrunk
from benchmarks.claims.truth import delta_ends, truth
from benchmarks.random_claims import report

ONE = ("gaussian", "1", "1")
BOTH = (0, 1)


def _pure(epsilon: str) -> Atoms:
    part = known(("pure_dp", epsilon), "add-or-remove")
    assert part is not None and part.above is not None and isinstance(part.above[0], Atoms)
    return part.above[0]


@pytest.mark.parametrize(("mu", "steps"), [(1.0, 1), (0.5, 100), (0.1, 1000), (2.0, 3)])
def test_the_grid_encloses_gaussian_noise(mu: float, steps: int) -> None:
    grid = Grid([(Mixture(((0.0, 0.0), (1.0, mu)), ((1.0, 0.0),)), steps)])
    for epsilon in (0.0, 1.0, 4.0):
        true = gaussian_delta(mp.mpf(mu) ** 2 * steps, mp.mpf(epsilon))
        low, high = grid.lower_end(epsilon), grid.upper_end(epsilon)
        assert low <= true <= high and high - low < 2e-4 * true


def test_the_grid_encloses_one_step_of_laplace_noise() -> None:
    grid = Grid([(Laplace(0.7), 1)])
    for epsilon in (0.0, 0.3, 0.69):
        true = 1 - mp.exp((mp.mpf(epsilon) - mp.mpf(0.7)) / 2)
        assert grid.lower_end(epsilon) <= true <= grid.upper_end(epsilon)


@pytest.mark.parametrize(
    "release", [("pure_dp", "0.3"), ("approximate_dp", "0.3", "1e-4"), ("discrete_laplace", "2", "3")]
)
def test_the_grid_encloses_exact_compositions(release: Any) -> None:
    part = known(release, "add-or-remove")
    assert part is not None and part.above is not None
    for step in part.above:
        assert isinstance(step, Atoms)
        exact, grid = Exact([(step, 12)]), Grid([(step, 12)])
        for epsilon in (0.0, 1.0, 3.0):
            true = exact.delta(mp.mpf(epsilon))
            assert grid.lower_end(epsilon) <= true <= grid.upper_end(epsilon)


@pytest.mark.parametrize("q", ["0.1", "1/3"])
def test_a_sampled_step_has_q_times_the_delta(q: str) -> None:
    """δ(log(1 + q(e^ε − 1))) = q δ_base(ε) (Balle, Barthe, Gaboardi 2018, Theorem 8)."""
    part = known(("poisson", ONE, q), "add-or-remove")
    assert part is not None
    low, high = delta_ends([(part, 1)], (0,))
    for epsilon in (mp.mpf("0.5"), mp.mpf(2)):
        at = mp.log(1 + number(q) * (mp.exp(epsilon) - 1))
        true = number(q) * gaussian_delta(mp.mpf(1), epsilon)
        assert low(at) <= true <= high(at) and high(at) - low(at) < true / 1000


def test_sampled_laplace_noise_agrees_with_sampled_atoms() -> None:
    """Both wrappers of sampling, and the reversed pair, on the same two-point law."""
    step = _pure("1")
    mixed = step.sampled(mp.mpf("0.2"))
    for one, other in ((Sampled(step, 0.2), mixed), (Reverse(mixed), mixed.back())):
        a, b = Grid([(one, 5)]), Grid([(other, 5)])
        for epsilon in (0.0, 0.25, 1.0):
            assert a.lower_end(epsilon) <= b.upper_end(epsilon) and b.lower_end(epsilon) <= a.upper_end(
                epsilon
            )


def test_two_records_of_a_promise_are_a_distance_apart() -> None:
    """Every 1-DP mechanism has total variation ≤ 1 − 1/e two records apart."""
    part = known(("group", ("pure_dp", "1"), 2), "add-or-remove")
    assert part is not None
    low, high = delta_ends([(part, 1)], BOTH)
    true = 1 - mp.exp(-1)
    assert low(mp.mpf(0)) <= true <= high(mp.mpf(0)) and high(mp.mpf(0)) - low(mp.mpf(0)) < mp.mpf(10) ** -30


def test_a_substituted_record_of_a_fixed_batch() -> None:
    """Between the pair that is attained and the one that dominates there is nothing at one step."""
    part = known(("sampled_without_replacement", ONE, "0.3"), "replace-one")
    assert part is not None
    low, high = delta_ends([(part, 1)], BOTH)
    for epsilon in (mp.mpf("0.5"), mp.mpf(2)):
        assert low(epsilon) <= high(epsilon) < low(epsilon) * (1 + mp.mpf(10) ** -5)


def test_standard_deviations_of_discrete_noise() -> None:
    assert abs(discrete_sigma(mp.mpf("0.463695")) - mp.mpf("0.5")) < mp.mpf(10) ** -6
    assert abs(discrete_sigma(mp.mpf(4)) - 4) < mp.mpf(10) ** -30


def test_numbers() -> None:
    assert (number("1%"), square("sqrt(2)"), square("3*sqrt(2)"), square("1/2")) == (
        mp.mpf(1) / 100,
        2,
        18,
        Fraction(1, 4),
    )
    assert abs(number("3*sqrt(2)") - mp.sqrt(18)) < mp.mpf(10) ** -50


def test_right_verdicts() -> None:
    assert allowed([(True, True)], []) == {"CERTIFIED", "UNDECIDED"}
    assert allowed([(False, True)], []) == {"REFUTED", "UNDECIDED"}
    assert allowed([(False, True)], [True]) == {"CONDITIONAL", "UNDECIDED"}
    assert allowed([(True, True), (None, False)], []) == {"CONDITIONAL", "UNDECIDED"}
    assert allowed([(True, True), (False, True)], []) == {"CONDITIONAL", "UNDECIDED"}
    assert allowed([(None, False)], [False]) == {"UNDECIDED"}


def test_statements_round_half_a_unit() -> None:
    said = statements({"epsilon": "8.0", "delta": "1e-5", "phase": []})["rounded"]
    assert (said.low, said.high) == (Fraction("7.95"), Fraction("8.05"))
    assert "rounded" not in statements({"epsilon": "1/3", "delta": "1e-5", "phase": []})


def test_prints_are_read() -> None:
    assert intervals("true ε = 1.2 ± 0.019") == [(Fraction("1.181"), Fraction("1.219"))]
    assert intervals("with rounding REFUTED, true ε = 6.90…") == [(Fraction("6.90"), Fraction("6.91"))]
    assert intervals("the true ε is 0.5… less than 2") == [(Fraction("1.4"), Fraction("1.5"))]
    assert intervals("the implied ε exceeds 0.4 by 1/25; it rounds to 0.4") == [
        (Fraction("0.44"), Fraction("0.44"))
    ]
    assert intervals("the true ρ is at most 2e-3") == [(None, Fraction("0.002"))]
    assert intervals("nothing is proved of the true ε") == []


def test_prints_support_verdicts() -> None:
    said = Statement("<=", Fraction("1.19"), Fraction("1.19"))
    assert not supports("CERTIFIED", said, (Fraction("1.181"), Fraction("1.219")))
    assert supports("CERTIFIED", said, (Fraction("1.181"), Fraction("1.19"))) and supports(
        "UNDECIDED", said, (None, None)
    )


@pytest.mark.slow
def test_draws_are_of_every_kind_and_repeat() -> None:
    drawn = [draw(4, i) for i in range(60)]
    assert {kind.partition(",")[0] for kind, _ in drawn} == set(KINDS)
    assert all(draw(4, i) == drawn[i] for i in (0, 17, 59))
    assert all(
        "UNDECIDED" in right(c, meanings(c)) or right(c, meanings(c)) == {"REFUSED"} for _, c in drawn[:20]
    )
    assert "_releases" not in toml(drawn[0][1])


def test_the_report_lists_what_is_wrong() -> None:
    row = {
        "kind": "poisson, epsilon",
        "verdict": "REFUTED",
        "wrong": ["ruling: REFUTED"],
        "disagree": [],
        "toml": "[[claim]]",
    }
    told = "\n".join(report({"1 0": row}, 5))
    assert "| poisson, epsilon | 1 | 0 | 1 |" in told and "#   wrong: ruling: REFUTED\n[[claim]]" in told


def test_a_fault_is_shrunk() -> None:
    """To one phase, few steps and round numbers, as long as it persists."""
    noisy = {"mechanism": "gaussian", "noise_multiplier": "1.2345", "sampling": "none", "steps": 90}
    several = expression((("laplace", "2", "1"), 5))
    claim = {"id": "a", "epsilon": "1.234", "delta": "1e-5", "exact": True, "phase": [noisy, *several, noisy]}
    small = shrunk(claim, lambda one: any(phase["mechanism"] == "expression" for phase in one["phase"]))
    assert small == {
        "id": "a",
        "epsilon": "1",
        "delta": "1e-5",
        "phase": expression((("laplace", "2", "1"), 1)),
    }
    few = shrunk({**claim, "phase": [noisy]}, lambda one: one["phase"][0].get("steps", 0) >= 10)
    assert few["phase"][0] == {**noisy, "noise_multiplier": "1", "steps": 11}


def test_a_claim_without_a_simpler_fault_stays() -> None:
    claim = draw(4, 0)[1]
    assert shrunk(claim, lambda one: False) is claim


def test_the_least_mu_of_discrete_noise_is_not_that_of_lost_digits() -> None:
    """Discrete Gaussian, σ = 3, moved by 2: μ is near 2/3; Φ⁻¹ of what is below 1e-57 said 1.001."""
    claim = {"id": "a", "mu": "1", "phase": []}
    true = truth([(known(("discrete_gaussian", "3", "2"), "add-or-remove"), 1)], "add-or-remove", claim)
    assert true.at_least(Fraction("0.669")) and not true.at_least(Fraction("0.67"))


@pytest.mark.parametrize(("fpr", "steps"), [("0.001", 1), ("5%", 4), ("1/3", 4)])
def test_the_rate_of_gaussian_noise(fpr: str, steps: int) -> None:
    """Φ(Φ⁻¹(α) + μ)."""
    alpha = number(fpr)
    quantile = -mp.sqrt(2) * mp.erfinv(1 - 2 * alpha)
    true = mp.ncdf(quantile + mp.sqrt(steps) / 2)
    claim = {"tpr": {"fpr": fpr, "tpr": "1"}}
    found = truth([(known(("gaussian", "2", "1"), "add-or-remove"), steps)], "add-or-remove", claim)
    assert found.at_most(true * mp.mpf("1.00001")) is True and found.at_most(true * mp.mpf("0.98")) is False
    assert found.at_least(true * mp.mpf("0.98")) is True and found.at_least(true * mp.mpf("1.00001")) is False


def test_the_advantage_of_randomised_response() -> None:
    """p − q."""
    response = known(("randomized_response", "0.75", 2), "add-or-remove")
    found = truth([(response, 1)], "add-or-remove", {"advantage": "1"})
    assert found.at_most(mp.mpf("0.5001")) is True and found.at_most(mp.mpf("0.4999")) is False
    assert found.at_least(mp.mpf("0.4999")) is True
