"""Draws that count as lost: the two pairs together dominate, and what is attained stays below."""

from fractions import Fraction
from math import comb

import mpmath as mp
import pytest

import pldverify as pv
from pldverify.errors import NoConvergence
from pldverify.mechanisms.attained import attained
from pldverify.mechanisms.few_draws import FewDraws, few_draws, most_draws
from pldverify.reference.engines.derived.both_sides import BothSides

DRAWS = [(4, 5, 1), (4, 5, 2), (6, 40, 1), (30, 100, 3)]
"""(m, n, L)"""


def profile(m: int, n: int, sigma: float, alpha: mp.mpf, levels: range) -> mp.mpf:
    """Σ v_ℓ h_ℓ(α) over the levels, for α ≥ 1, by Neyman and Pearson: thresholds are the best tests."""
    stay = mp.mpf(n - 1) ** m / mp.mpf(n) ** m
    total = mp.mpf(0)
    for level in levels:
        share = mp.binomial(m, level) * mp.mpf(n - 1) ** (m - level) / mp.mpf(n) ** m
        c = 2 * mp.mpf(level) / sigma
        x = (mp.log((alpha - stay) / (1 - stay)) + c * c / 2) / c
        p = stay * mp.ncdf(-x) + (1 - stay) * mp.ncdf(c - x)
        total += share / (1 - stay) * (p - alpha * mp.ncdf(-x))
    return total


@pytest.mark.parametrize(("m", "n", "most"), DRAWS)
def test_both_pairs_together_are_what_they_say_and_dominate(m: int, n: int, most: int) -> None:
    draws = pv.SampledWithReplacement(pv.Gaussian(sigma=1), m=m, n=n)
    _, lost = most_draws(draws, Fraction(comb(m, most + 1), n ** (most + 1)))
    whole = few_draws(pv.Composition.of((draws, 1)), lost)
    drawn = 1 - mp.mpf(n - 1) ** m / mp.mpf(n) ** m
    for epsilon in ("0", "0.7", "2"):
        alpha = mp.exp(mp.mpf(epsilon))
        kept = profile(m, n, 1, alpha, range(1, most + 1))
        weight = sum(
            mp.binomial(m, j) * mp.mpf(n - 1) ** (m - j) / mp.mpf(n) ** m for j in range(1, most + 1)
        )
        expected = (1 - mp.mpf(lost.numerator) / lost.denominator) * kept / (weight / drawn)
        expected += mp.mpf(lost.numerator) / lost.denominator
        found = pv.delta(whole, epsilon=epsilon, digits=6)
        low, high = (mp.mpf(end.numerator) / end.denominator for end in (found.lower, found.upper))
        assert low * (1 - mp.mpf("1e-12")) <= expected <= high * (1 + mp.mpf("1e-12"))
        assert profile(m, n, 1, alpha, range(1, m + 1)) < low


@pytest.mark.parametrize(("m", "n", "most"), DRAWS[:2])
def test_what_is_attained_stays_below(m: int, n: int, most: int) -> None:
    draws = pv.SampledWithReplacement(pv.Gaussian(sigma=1), m=m, n=n)
    _, lost = most_draws(draws, Fraction(comb(m, most + 1), n ** (most + 1)))
    (all_of_it, way), (less, _) = (
        attained(1 * draws, "replace-one", lost=part)  # type: ignore[misc]  # it has one
        for part in (Fraction(0), lost)
    )
    assert len(less.parts[0][0].levels) == most + 1 < len(all_of_it.parts[0][0].levels)
    for epsilon in ("0.1", "2"):
        low, high = (pv.delta(whole, epsilon=epsilon, adjacency=way, digits=3) for whole in (less, all_of_it))
        assert 0 < low.upper < high.lower


def test_each_kind_of_draws_has_its_share() -> None:
    first, second = (pv.SampledWithReplacement(pv.Gaussian(1), m=m, n=1000) for m in (10, 20))
    found = few_draws(5 * first + 7 * second + pv.Laplace(1), Fraction("1e-9"))
    lost = {m.delta: k for m, k in found.parts if isinstance(m, pv.ApproximateDP)}
    assert sorted(lost.values()) == [5, 7] and sum(delta * k for delta, k in lost.items()) <= Fraction("1e-9")
    assert sum(isinstance(m, FewDraws) for m, _ in found.parts) == 2
    assert few_draws(5 * first, Fraction(0)) == 5 * first


def test_other_bases_have_fewer_levels_too() -> None:
    draws = pv.SampledWithReplacement(pv.Laplace(b=1), m=5, n=1000)
    few = few_draws(pv.Composition.of((draws, 1)), Fraction("1e-9"))
    for epsilon in ("0.1", "1"):
        whole, less = (pv.delta(each, epsilon=epsilon, digits=6) for each in (draws, few))
        assert whole.lower <= less.upper <= whole.upper * Fraction("1.001") + Fraction("1e-9")


def test_a_bracket_says_what_it_lost() -> None:
    """Planted: a statement whose upper end is of fewer draws, and that says none are lost."""
    query = pv.Query(2 * pv.SampledWithReplacement(pv.Gaussian(4), m=4, n=1000), delta="1e-6")
    found = pv.bracket(query, digits=1)
    assert found.witness is not None and isinstance(found.witness.statement, BothSides)
    statement = found.witness.statement
    assert statement.lost == Fraction("1e-6") / 1024
    fields = {name: getattr(statement, name) for name in BothSides.__dataclass_fields__}
    assert BothSides(**fields).prove() == (found.lower, found.upper)
    with pytest.raises(NoConvergence, match="not the question of the revealed batches"):
        BothSides(**fields | {"lost": Fraction(0)}).prove()


def test_many_draws_are_never_cut_where_all_are_likely() -> None:
    crowded = pv.SampledWithReplacement(pv.Gaussian(1), m=10**4, n=2)
    assert most_draws(crowded, Fraction(1, 2**20)) == (10**4, 0)


@pytest.mark.parametrize(("base", "delta"), [(pv.PureDP(1), "0"), (pv.Gaussian(4), "1e-40")])
def test_nothing_is_lost_that_exceeds_delta(base: pv.PureDP | pv.Gaussian, delta: str) -> None:
    """Where more is lost above than δ allows, ε is infinite."""
    draws = pv.SampledWithReplacement(base, m=6, n=100_000)
    found = pv.bracket(draws, delta=delta, digits=1, seconds=5)
    assert 0 < found.upper < 100
