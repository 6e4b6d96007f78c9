"""Basic, advanced and optimal composition: formulas by hand, and their order."""

import itertools
import math
from fractions import Fraction

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pldverify
from pldverify.accountants import advanced_composition, basic_composition, kairouz_oh_viswanath, single_step
from pldverify.accountants.advanced_composition import AdvancedComposition
from pldverify.accountants.basic_composition import BasicComposition
from pldverify.accountants.kairouz_oh_viswanath import KairouzOhViswanath
from pldverify.mechanisms import Gaussian, Laplace, PoissonSubsampled, Query, RandomizedResponse
from pldverify.mechanisms.mechanism import Composition


def test_basic_composition_by_hand() -> None:
    whole = Composition.of((Laplace(10), 3), (Laplace(5), 2))
    assert abs(basic_composition.epsilon(whole, 1e-12) - (0.3 + 0.4)) < 1e-9
    assert basic_composition.delta(whole, 0.7) > 0  # shared equally, 0.14 < 1/5
    assert basic_composition.delta(whole, 1.0) == 0.0
    expected = 10 * single_step.delta(Gaussian(5), 0.2)
    assert abs(basic_composition.delta(Composition.of((Gaussian(5), 10)), 2.0) / expected - 1) < 1e-15
    assert basic_composition.delta(Composition.of((Gaussian("0.1"), 10)), 1.0) == 1.0


def test_advanced_composition_by_hand() -> None:
    # GLW21 Proposition 1.3 for pure (0.1, 0)-DP steps, δ' = δ: the grid may only come close from above
    formula = 0.1 * math.sqrt(200 * math.log(1e6)) + 100 * 0.1 * math.expm1(0.1)
    found = advanced_composition.epsilon(Laplace(10), 100, 1e-6)
    assert formula * (1 - 1e-12) <= found < 1.06 * formula
    # δ and ε are inverse
    assert advanced_composition.delta(Laplace(10), 100, found) <= 1e-6 * (1 + 1e-9)


@pytest.mark.parametrize(("step", "k", "epsilon"), [(0.5, 3, 0.7), (1.0, 4, 2.0), (0.2, 6, 0.0)])
def test_optimal_composition_of_pure_steps_is_all_outcomes(step: float, k: int, epsilon: float) -> None:
    p = math.exp(step) / (1 + math.exp(step))
    total = 0.0
    for bits in itertools.product((0, 1), repeat=k):
        left = math.prod(p if bit else 1 - p for bit in bits)
        right = math.prod(1 - p if bit else p for bit in bits)
        total += max(0.0, left - math.exp(epsilon) * right)
    assert abs(kairouz_oh_viswanath.pure(step, k, epsilon) - total) < 1e-15
    mixed = 1 - (1 - 1e-3) ** k * (1 - total)
    assert abs(kairouz_oh_viswanath.approximate(step, 1e-3, k, epsilon) - mixed) < 1e-15


@given(st.floats(0.01, 2), st.integers(1, 60))
@settings(max_examples=50)
def test_theorem_3_3_at_its_own_epsilons(step: float, k: int) -> None:
    """((k − 2i)ε, δ_i)-DP with δ_i = Σ_{l<i} C(k, l)(e^{(k−l)ε} − e^{(k−2i+l)ε})/(1 + e^ε)^k."""
    for i in range(k // 2 + 1):
        terms = [
            math.comb(k, j)
            * (math.exp((k - j) * step) - math.exp((k - 2 * i + j) * step))
            / (1 + math.exp(step)) ** k
            for j in range(i)
        ]
        found = kairouz_oh_viswanath.pure(step, k, (k - 2 * i) * step)
        assert abs(found - math.fsum(terms)) < 1e-12


@pytest.mark.parametrize(("b", "k"), [("0.2", 35), ("0.1", 100), ("0.2", 100), ("0.5", 100)])
def test_next_to_one_a_last_digit_of_delta_is_hundreds_of_epsilon(b: str, k: int) -> None:
    delta = 1 - 2.0**-53
    found = KairouzOhViswanath().claim(Query(k * Laplace(b), delta=delta)).value
    with mpmath.workdps(60):
        step = 1 / mpmath.mpf(b)
        p, s = 1 / (1 + mpmath.exp(-step)), [step * (2 * i - k) for i in range(k + 1)]
        weights = [mpmath.binomial(k, i) * p**i * (1 - p) ** (k - i) for i in range(k + 1)]
        kept = mpmath.fsum(
            w * min(1, mpmath.exp(float(found) - at)) for w, at in zip(weights, s, strict=True)
        )
        assert 1 - kept <= delta


@pytest.mark.parametrize(("k", "sigma"), [(1, "0.05"), (3, "0.02")])
def test_a_delta_that_is_one_in_doubles_is_less(k: int, sigma: str) -> None:
    for nines in (17, 20):
        query = Query(k * Gaussian(sigma), delta=1 - Fraction(1, 10**nines))
        claim = KairouzOhViswanath().claim(query).value
        assert claim >= pldverify.epsilon(query.composition, delta=query.delta).lower > 10


def test_randomised_response_is_exact() -> None:
    found = float(KairouzOhViswanath().claim(Query(5 * RandomizedResponse("0.7"), epsilon="0.9")).value)
    total = 0.0
    for bits in itertools.product((0, 1), repeat=5):
        ones = sum(bits)
        total += max(0.0, 0.7**ones * 0.3 ** (5 - ones) - math.exp(0.9) * 0.3**ones * 0.7 ** (5 - ones))
    assert abs(found - total) < 1e-14


@pytest.mark.parametrize(
    "query",
    [
        Query(100 * Laplace(10), delta="1e-6"),
        Query(1000 * RandomizedResponse("0.51"), delta="1e-6"),
        Query(1000 * RandomizedResponse("0.51"), epsilon=2),
    ],
    ids=str,
)
def test_optimal_is_below_advanced_is_below_basic(query: Query) -> None:
    optimal, advanced, basic = (
        a().claim(query).value for a in (KairouzOhViswanath, AdvancedComposition, BasicComposition)
    )
    assert optimal < advanced < basic


def test_refusals() -> None:
    mixed = Query(Gaussian(1) + Laplace(1), delta="1e-5")
    assert BasicComposition().supports(mixed) is None
    assert AdvancedComposition().supports(mixed) is not None
    assert KairouzOhViswanath().supports(mixed) is not None
    assert KairouzOhViswanath().supports(Query(10**7 * Laplace(100), delta="1e-5")) is not None
    for subject in (BasicComposition(), AdvancedComposition(), KairouzOhViswanath()):
        assert subject.supports(Query(RandomizedResponse(1), delta="1e-5")) is not None
        assert subject.supports(Query(PoissonSubsampled(Gaussian(1), "0.1"), epsilon="1")) is None
        assert subject.supports(Query(Laplace(1), epsilon=1, adjacency="replace-one")) is not None
