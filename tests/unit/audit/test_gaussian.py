"""Bounds on μ: the theorem against all guesses on random mechanisms, coverage by all counts, closed forms."""

from fractions import Fraction
from itertools import combinations, product
from math import comb, nextafter
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from scipy.special import ndtr, ndtri

from pldverify.audit import GaussianConfidence, clopper_pearson_gdp, gaussian, one_run_gdp
from pldverify.errors import InvalidInput, NoTruthValue
from tests.teeth.planted import planted

# --- the theorem, against every rule of guessing ---

Laws = dict[tuple[int, ...], Any]


def drawn(seed: int) -> tuple[int, int, Laws]:
    """Canaries, guesses, and a law of a few outputs for each of their bits."""
    rng = np.random.default_rng(seed)
    m = int(rng.integers(1, 4))
    outputs, spread = int(rng.integers(2, 7)), 10 ** rng.uniform(-1, 1.5)
    laws = {bits: rng.dirichlet(np.full(outputs, spread)) + 1e-9 for bits in product((0, 1), repeat=m)}
    return m, int(rng.integers(1, m + 1)), {bits: law / law.sum() for bits, law in laws.items()}


def true_mu(laws: Laws) -> float:
    """The least μ: T is a polygon with a corner after each output, in the order of their ratios, and G_μ is
    convex, so it is at most T where it is so at the corners.
    """
    found = 0.0
    for bits, p in laws.items():
        for j in range(len(bits)):
            q = laws[(*bits[:j], 1 - bits[j], *bits[j + 1 :])]
            order = np.argsort(-p / q)
            t, f = np.cumsum(p[order])[:-1], np.cumsum(q[order])[:-1]
            found = max(found, float(np.max(ndtri(t) - ndtri(f))))
    return found


def most(laws: Laws, m: int, r: int, v: int) -> float:
    """The largest P[V ≥ v] of all rules that guess r bits: for each output the best guess."""
    total = 0.0
    for y in range(len(next(iter(laws.values())))):
        total += max(
            sum(
                law[y]
                for bits, law in laws.items()
                if sum(bits[i] == g for i, g in zip(at, said, strict=True)) >= v
            )
            for at in combinations(range(m), r)
            for said in product((0, 1), repeat=r)
        )
    return total / len(laws)


def false_refutations(module: ModuleType, seeds: range) -> int:
    """How often the theorem excludes what a mechanism does."""
    wrong = 0
    for seed in seeds:
        m, r, laws = drawn(seed)
        mu = Fraction(true_mu(laws) + 1e-9)
        for v in range(1, r + 1):
            wrong += module.refutes(mu, v, r, m, Fraction(most(laws, m, r, v) - 1e-9))
    return wrong


def test_no_mechanism_is_refuted_by_its_own_mu() -> None:
    assert false_refutations(gaussian, range(100)) == 0


@pytest.mark.slow
def test_no_mechanism_of_many_is_refuted_by_its_own_mu() -> None:
    assert false_refutations(gaussian, range(100, 3000)) == 0


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("v * beta\n    with", "(v + 1) * beta\n    with"),
        ("- ball(c * reached)", "- ball(c * reached / 2)"),
        ("+ m * g -", "+ 2 * m * g -"),
        ("(ball(mu) + _quantile", "(ball(mu / 2) + _quantile"),
    ],
)
def test_a_theorem_that_says_more_would_be_seen(old: str, new: str) -> None:
    assert false_refutations(planted(gaussian, (old, new)), range(100)) > 0


# --- how often it is wrong: exactly ---


def binomial(n: int, p: float) -> list[float]:
    return [comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)]


def share_of_misses(r: int, mu: float, law: list[float], confidence: str = "0.95") -> float:
    return sum(mass for v, mass in enumerate(law) if one_run_gdp(v, r, confidence=confidence).mu > mu)


@pytest.mark.parametrize("confidence", ["0.95", "0.5"])
@pytest.mark.parametrize("mu", [0, 0.01, 0.1, 0.5, 1, 2, 4])
@pytest.mark.parametrize("r", [1, 12, 40])
def test_independent_canaries_are_missed_as_rarely_as_is_said(r: int, mu: float, confidence: str) -> None:
    """Each has the pair N(0, 1), N(μ, 1): the best guess is right with probability Φ(μ/2)."""
    assert share_of_misses(r, mu, binomial(r, float(ndtr(mu / 2))), confidence) <= 1 - float(confidence)


@pytest.mark.parametrize("share", [0.01, 0.03, 0.049, 0.051, 0.2, 1])
@pytest.mark.parametrize("right", [0.6, 0.9, 0.999])
def test_a_leak_in_few_runs_is_missed_as_rarely_as_is_said(share: float, right: float) -> None:
    """In a share of the runs every bit comes out, right or wrong; in the others nothing does."""
    mu = float(ndtri(share * right) - ndtri(share * (1 - right)))
    rare, rest = binomial(40, right), binomial(40, 0.5)
    law = [share * a + (1 - share) * b for a, b in zip(rare, rest, strict=True)]
    assert share_of_misses(40, mu, law) <= 0.05


def test_it_is_next_to_what_such_a_leak_allows() -> None:
    """In 1/20 of the runs .9 of 10⁴ guesses are right: any more would be false."""
    limit = float(ndtri(0.05 * 0.9) - ndtri(0.05 * 0.1))
    assert 0.98 * limit < one_run_gdp(9_000, 10_000).mu < 1.001 * limit


def test_one_guess_by_hand() -> None:
    """P[V ≥ 1] ≤ Φ(μ/2), the success of the best test."""
    found = float(one_run_gdp(1, 1, confidence="0.3").mu)
    assert found == pytest.approx(2 * float(ndtri(0.7)), rel=1e-7, abs=0) and found < 2 * float(ndtri(0.7))
    assert one_run_gdp(1, 1).mu == one_run_gdp(50, 100).mu == one_run_gdp(0, 9).mu == 0


def test_canaries_that_are_not_guessed_show_less() -> None:
    """Of m canaries one is guessed: a + m g(a/m) > 1 for a = β."""
    less = one_run_gdp(1, 1, canaries=3, confidence="0.3").mu
    beta = 0.7
    root = float(ndtri(beta / 3) - ndtri((1 - beta) / 3))
    assert float(less) == pytest.approx(root, rel=1e-7, abs=0)
    assert less < one_run_gdp(1, 1, confidence="0.3").mu


def test_two_sets_of_runs_by_hand() -> None:
    """Ten of ten: t ≥ .025^{1/10}; none of ten: f at most 1 minus that."""
    t = 0.025**0.1
    found = clopper_pearson_gdp(10, 10, 0, 10)
    assert float(found.mu) == pytest.approx(2 * float(ndtri(t)), rel=1e-7, abs=0)
    assert clopper_pearson_gdp(10, 10, 10, 10).mu == clopper_pearson_gdp(0, 10, 9, 10).mu == 0
    assert clopper_pearson_gdp(0, 10, 10, 10).mu == 0  # its sign is that of t − f


@pytest.mark.parametrize(
    ("tpr", "fpr"), [(0.5, 0.5), (0.9, 0.1), (0.3, 0.01), (0.99, 0.7), (1e-3, 1e-4), (0.2, 0.2)]
)
def test_two_sets_of_runs_miss_as_rarely_as_is_said(tpr: float, fpr: float) -> None:
    mu = float(ndtri(tpr) - ndtri(fpr))
    rows = product(enumerate(binomial(11, tpr)), enumerate(binomial(9, fpr)))
    misses = sum(p * q for (a, p), (b, q) in rows if clopper_pearson_gdp(a, 11, b, 9).mu > nextafter(mu, 9))
    assert misses <= 0.05


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ({"correct": 3, "guesses": 2}, "correct"),
        ({"correct": 1, "guesses": 2, "canaries": 1}, "canaries"),
        ({"correct": 1, "guesses": 20_001}, "guesses"),
        ({"correct": 1, "guesses": 2, "confidence": 1}, "confidence"),
    ],
)
def test_counts_that_are_none_are_refused_by_name(arguments: Any, named: str) -> None:
    with pytest.raises(InvalidInput, match=f"^{named} must be"):
        one_run_gdp(**arguments)


def test_a_bound_on_mu_meets_no_proved_end() -> None:
    found = one_run_gdp(90, 100)
    assert (
        isinstance(found, GaussianConfidence)
        and str(found).startswith("μ ≥ 0.84")
        and found.bound == found.mu
    )
    with pytest.raises(NoTruthValue):
        bool(found)
