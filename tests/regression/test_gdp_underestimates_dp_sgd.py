"""The central limit of Gaussian DP (Bu, Dong, Long, Su 2020) reported as a guarantee is below the truth.

One step is checked by hand: with w(t) = 1 − q + q e^{(2t−1)/2σ²} the losses above ε are t > g(ε), so
δ(ε) = (1 − q − e^ε) Φ(−g/σ) + q Φ((1 − g)/σ). Many steps: the loss of k steps exceeds that of one alone.
"""

import math

import pytest
from scipy import stats

from pldverify.accountants.prv import PRVLower
from pldverify.mechanisms import Gaussian, PoissonSubsampled, Query
from pldverify.rulings.check import check


def one_step(sigma: float, q: float, epsilon: float) -> float:
    g = sigma**2 * math.log((math.exp(epsilon) - (1 - q)) / q) + 0.5
    return float((1 - q - math.exp(epsilon)) * stats.norm.sf(g / sigma) + q * stats.norm.sf((g - 1) / sigma))


@pytest.mark.parametrize(
    ("sigma", "q", "delta"), [("1", "0.1", "1e-5"), ("1", "0.5", "1e-5"), ("1", "0.001", "1e-6")]
)
def test_one_step(sigma: str, q: str, delta: str) -> None:
    found = check("gdp", Query(PoissonSubsampled(Gaussian(sigma), q), delta=delta))
    assert found.claim is not None
    assert one_step(float(sigma), float(q), float(found.claim.value)) > 1.5 * float(delta)
    assert found.verdict == "UNSOUND"


@pytest.mark.parametrize(
    ("sigma", "q", "k", "delta", "short"),
    [
        ("0.6", "0.004", 10_000, "1e-6", 1.58),
        ("1", "0.01", 10_000, "1e-6", 0.23),
        ("1.3", "1/250", 15_000, "1e-5", 0.029),
    ],
)
def test_thousands_of_steps_are_not_the_limit(sigma: str, q: str, k: int, delta: str, short: float) -> None:
    query = Query(k * PoissonSubsampled(Gaussian(sigma), q), delta=delta)
    found = check("gdp", query)
    assert found.verdict == "UNSOUND"
    assert found.excess is not None and found.excess > short
    assert found.claim is not None
    # another paper's lower bound, in floats, is above it as well
    assert PRVLower(eps_error=short / 4).claim(query).value > found.claim.value


def test_it_overestimates_elsewhere() -> None:
    found = check("gdp", Query(500 * PoissonSubsampled(Gaussian("1"), "0.2"), delta="1e-5"))
    assert found.verdict == "SOUND"


def test_as_an_estimate_it_says_what_a_report_of_it_would_be() -> None:
    query = Query(PoissonSubsampled(Gaussian("1"), "0.1"), delta="1e-5")
    found = check("gdp/estimate", query)
    assert found.verdict == "UNDECIDED"
    assert found.reason.endswith("reported as an upper bound it is UNSOUND")
    assert found.error is not None and found.error < -1.2
