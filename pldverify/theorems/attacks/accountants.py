"""What the texts say about accountants, against the truth."""

import math
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
        3 * Gaussian(2),
        20 * RandomizedResponse("3/5"),
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


def _factor(k: int, C: F, log: F) -> F:
    """n η/(k² C_k) of KH21's n = 2Lk/η with L of (D.13) and log(1/η) = ``log``."""
    return 2 * k * (k * C + 1 + log) / (k * k * C)


def points_at_small_losses() -> Iterator[Case]:
    """KH21 Lemma 4, n = O(k² C_k/η), at C_k = 1/k and k = log(1/η): the factor grows like k."""
    yield Case(
        "C_k = 1/k, log(1/η) = k: n η/(k² C_k) at k = 10⁵ ≤ 1000 times that at k = 10",
        _factor(10**5, F(1, 10**5), F(10**5)),
        1000 * _factor(10, F(1, 10), F(10)),
    )


def points_enough() -> Iterator[Case]:
    """It is at most 4 where k C_k ≥ 1 + log(1/η)."""
    for k in (1, 10, 10**5):
        for log in (F(0), F(7), F(k)):
            C = (1 + log) / k
            yield Case(f"k = {k}, log(1/η) = {log}, k C_k = 1 + log(1/η)", _factor(k, C, log), F(4))
            yield Case(f"k = {k}, log(1/η) = {log}, k C_k = 5(1 + log(1/η))", _factor(k, 5 * C, log), F(4))


def points_at_tiny_losses() -> Iterator[Case]:
    """GLW21 (2), k n = Õ(k³ ε̄/δ): at ε̄ = 1/k³ and any δ the factor is above k, no power of logarithms."""
    for k in (10, 10**5):
        yield Case(f"ε̄ = 1/k³, δ = 1, k = {k}: n δ/(k² ε̄) ≤ k", _factor(k, F(1, k**3), F(0)), F(k))


def points_up_to_logarithms() -> Iterator[Case]:
    """Where k ε̄ ≥ 1 it is at most 4 + 2 log(1/δ), at ε̄ ≈ 1/√k among others."""
    for k in (1, 10**2, 10**6):
        for log in (F(0), F(20), F(k)):
            for mean in (F(1, k), F(1, math.isqrt(k)), F(3)):
                where = f"k = {k}, ε̄ = {mean}, log(1/δ) = {log}"
                yield Case(where, _factor(k, mean, log), 4 + 2 * log)
