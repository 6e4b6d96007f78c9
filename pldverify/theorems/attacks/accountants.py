"""Claims of the texts about accountants, against proved values."""

import math
from collections.abc import Iterator
from fractions import Fraction as F

from pldverify import reference
from pldverify.accountants.gdp import GDP
from pldverify.accountants.prv import PRVLower, PRVUpper
from pldverify.accountants.rdp import RDP
from pldverify.balls import arb
from pldverify.balls.ball import ball
from pldverify.mechanisms import (
    Composition,
    Gaussian,
    PoissonSubsampled,
    Query,
    RandomizedResponse,
    SampledWithoutReplacement,
)
from pldverify.theorems import tables
from pldverify.theorems.attacks.prv import mesh_is_enough
from pldverify.theorems.attacks.recursions import one_period
from pldverify.theorems.discrete import SAMPLES, delta
from pldverify.theorems.evidence import Case, all_of, attacked, conditional, written
from pldverify.theorems.tables import Row


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


prv_theorem = all_of(
    written("Lemma 5.3 at η = δ_err/6 with cells of width h.", attacked(mesh_is_enough)),
    attacked(prv_sandwich),
)
"""GLW21 Theorem 5.5: a proof of its mesh, and no proof of the rest."""


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
    """KH21 Lemma 4: the factor n η/(k² C_k) is at most 4 where k C_k ≥ 1 + log(1/η)."""
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
    """GLW21 (2): the factor is at most 4 + 2 log(1/δ) where k ε̄ ≥ 1, at ε̄ ≈ 1/√k among others."""
    for k in (1, 10**2, 10**6):
        for log in (F(0), F(20), F(k)):
            for mean in (F(1, k), F(1, math.isqrt(k)), F(3)):
                where = f"k = {k}, ε̄ = {mean}, log(1/δ) = {log}"
                yield Case(where, _factor(k, mean, log), 4 + 2 * log)


def errors_grow_with_L() -> Iterator[Case]:
    """KJH19 Table 1, σ = 1, left: |printed − ε| at L = 10 < at L = 20 < at L = 40, n = 4·10⁶."""
    true = tables.epsilon("1")
    printed = {row["L"]: F(row["epsilon"]) for row in tables.tables()["KJH19-T1"]["rows"] if _left(row)}
    for near, far in ((10, 20), (20, 40)):
        left, right = (max(abs(printed[L] - F(end)) for end in (true.lower, true.upper)) for L in (near, far))
        yield Case(f"L = {near} and {far}", left, right - 2 * (F(true.upper) - F(true.lower)), "<")


def _left(row: Row) -> bool:
    return row["sigma"] == "1" and F(row["n"]) == 4 * 10**6


def same_run() -> Iterator[Case]:
    """KJH19 Table 1: L = 20, n = 4·10⁶ stands in both halves."""
    rows = tables.tables()["KJH19-T1"]["rows"]
    for sigma in ("1", "2"):
        first, second = (row["epsilon"] for row in rows if row["sigma"] == sigma and _shared(row))
        yield Case(f"σ = {sigma}", F(first), F(second), "=")


def _shared(row: Row) -> bool:
    return F(row["L"]) == 20 and F(row["n"]) == 4 * 10**6


def orders_at_roots() -> Iterator[Case]:
    """At ε̄ = 1/√k, k = m²: k³ε̄(1 + ε̄) ≤ 2k^{2.5}, k³ε̄ = k^{2.5} = m⁵, k²ε̄ = k^{1.5} = m³."""
    for m in (1, 2, 3, 10, 100, 1000, 10**4):
        k, mean = m * m, F(1, m)
        yield Case(f"k = {k}, (1)", k**3 * mean * (1 + mean), 2 * m**5)
        yield Case(f"k = {k}, (2)", k**3 * mean, m**5, "=")
        yield Case(f"k = {k}, equal algorithms", k**2 * mean, m**3, "=")


def _points(k: int, reach: F, lost: F) -> arb:
    """L/h of GLW21 Theorem 5.5, with L/ε_error = ``reach``."""
    return ball(reach) * (ball(F(k, 2)) * (12 / ball(lost)).log()).sqrt()


def one_mechanism() -> Iterator[Case]:
    """GLW21 Theorems 1.5, 1.6 at k = 1: log k = 0, but (L/h) log(L/h) is above 10⁶; δ_error = 10⁻¹⁰."""
    points = _points(1, F(10**5), F(1, 10**10))
    yield Case("k = 1, L/ε_error = 10⁵: (L/h) log(L/h) ≤ 10⁶ (L/ε_error) log k", points * points.log(), 0)


def many_mechanisms() -> Iterator[Case]:
    """GLW21 Theorems 1.5, 1.6: where log(L/h) ≤ 2 log k the cost is at most 4√k log k √log(1/δ) L/ε_error."""
    for k in (10**3, 10**4, 10**6):
        for reach in (F(1), F(10)):
            for lost in (F(1, 100), F(1, 10**10)):
                points = _points(k, reach, lost)
                order = ball(k).sqrt() * ball(k).log() * (-ball(lost).log()).sqrt() * ball(reach)
                where = f"k = {k}, L/ε_error = {reach}, δ_error = {lost}"
                yield Case(f"{where}: log(L/h)", points.log(), 2 * ball(k).log())
                yield Case(f"{where}: the cost", points * points.log(), 4 * order)


table_2_is_no_bound = conditional(
    tables.below("9.82392e-13", lambda: tables.binomial("1.9")), attacked(one_period)
)
"""KH21 section 4.4: an upper bound in exact arithmetic; Table 2 prints less than the truth at ε = 1.9."""
