"""What the texts say about accountants, against the truth."""

from collections.abc import Iterator
from fractions import Fraction as F

from pldverify import reference
from pldverify.accountants.gdp import GDP
from pldverify.accountants.prv import PRVLower, PRVUpper
from pldverify.accountants.rdp import RDP
from pldverify.mechanisms import (
    Composition,
    Gaussian,
    PoissonSubsampled,
    Query,
    RandomizedResponse,
    SampledWithoutReplacement,
)
from pldverify.theorems.discrete import SAMPLES, delta
from pldverify.theorems.evidence import Case
from pldverify.theorems.record import Outcome, Verdict


def figure_1() -> Composition:
    """GLW21 Figure 1 at k = 1000."""
    return 1000 * PoissonSubsampled(Gaussian("0.8"), "0.001")


def gdp_underreports() -> Iterator[Case]:
    """ε of the GDP accountant is 10 % below the truth."""
    claim = F(float(GDP().claim(Query(figure_1(), delta="1e-7")).value))
    true = reference.epsilon(figure_1(), delta="1e-7", digits=6)
    yield Case("σ = 0.8, q = 0.001, k = 1000, δ = 1e-7", claim, F(9, 10) * F(true.lower), "<")


def rdp_overestimates() -> Iterator[Case]:
    """ε of the RDP accountant is 20 % above the truth."""
    claim = F(float(RDP().claim(Query(figure_1(), delta="1e-7")).value))
    true = reference.epsilon(figure_1(), delta="1e-7", digits=6)
    yield Case("σ = 0.8, q = 0.001, k = 1000, δ = 1e-7", F(12, 10) * F(true.upper), claim, "<")


def prv_sandwich() -> Iterator[Case]:
    """The two ends of (8) in floats, on losses for which rounding is far below δ."""
    for composition in (
        10 * Gaussian(4),
        50 * PoissonSubsampled(Gaussian(1), "0.02"),
        7 * RandomizedResponse("3/4"),
    ):
        for epsilon in ("1/2", "3/2"):
            true = reference.delta(composition, epsilon=epsilon, adjacency="remove", digits=8)
            query = Query(composition, epsilon=epsilon, adjacency="remove")
            upper, lower = (F(float(made().claim(query).value)) for made in (PRVUpper, PRVLower))
            yield Case(f"{composition}, ε = {epsilon}", F(true.lower), upper)
            yield Case(f"{composition}, ε = {epsilon}", lower, F(true.upper))


def fixed_size_is_not_poisson() -> Iterator[Case]:
    """One step, σ = 2, q = 0.3, ε = 1: fixed size and replacement against Poisson, add or remove."""
    fixed = reference.delta(SampledWithoutReplacement(Gaussian(2), "0.3"), epsilon=1, digits=8)
    poisson = reference.delta(PoissonSubsampled(Gaussian(2), "0.3"), epsilon=1, digits=8)
    yield Case("σ = 2, q = 0.3, ε = 1, k = 1", F(fixed.lower), F(poisson.upper))


def truncation_condition() -> Iterator[Case]:
    """δ(ε) falls: of every law, between points that are asked for."""
    for i, law in enumerate(SAMPLES):
        for a, b in ((F(0), F(1, 2)), (F(1, 2), F(3)), (F(3), F(20))):
            yield Case(f"law {i}, {a} ≤ {b}", delta(law, b), delta(law, a))


def hidden_constant() -> Outcome:
    """KH21's n = 2Lk/η, L of (D.13), log(1/η) = k, over k²C_k/η: bounded only if C_k is bounded below."""
    small, one = (
        [2 * k * (k * c(k) + 1 + k) / (k * k * c(k)) for k in (10, 1000, 100000)] for c in (_nth, _one)
    )
    if small[-1] < 1000 * small[0] or max(one) > 5:
        return Outcome(Verdict.SUPPORTED, "n η/(k² C_k) stays bounded")
    return Outcome(
        Verdict.CONDITIONAL,
        f"C_k = 1/k: n η/(k² C_k) is {float(small[0]):.3g} at k = 10 and {float(small[-1]):.3g} at k = "
        f"100000; "
        f"C_k = 1: at most {float(max(one)):.3g}",
    )


def _nth(k: int) -> F:
    return F(1, k)


def _one(k: int) -> F:
    return F(1)
