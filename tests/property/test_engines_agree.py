"""Two rigorous engines that both apply enclose the same number."""

import math
import os
from collections import Counter
from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import pldverify as pv
from pldverify.balls.clock import clock
from pldverify.errors import NoConvergence
from pldverify.mechanisms.as_composition import as_composition
from pldverify.mechanisms.relations import Direction
from pldverify.numbers.enclosure import Enclosure
from pldverify.reference.choice import settle
from pldverify.reference.laws.composed_loss import product

NIGHTLY = os.environ.get("HYPOTHESIS_PROFILE") == "nightly"
COMPARED: Counter[str] = Counter()
directions = st.sampled_from(["add", "remove"])


def decimals(low: float, high: float) -> st.SearchStrategy[Fraction]:
    return st.floats(low, high).map(lambda x: Fraction(f"{10**x:.2e}"))


def answer(
    composition: pv.Composition, direction: Direction, epsilon: Fraction, engine: str
) -> Enclosure | None:
    try:
        with clock():
            law = product(as_composition(composition), direction)
            return settle(law, "delta", epsilon, 3, names=(engine,)).enclosure
    except NoConvergence:
        return None


def compare(
    composition: pv.Composition, direction: Direction, epsilon: Fraction, engines: tuple[str, str]
) -> None:
    first, second = (answer(composition, direction, epsilon, engine) for engine in engines)
    if first is not None and second is not None and {first.engine, second.engine} == set(engines):
        assert first.overlaps(second)
        COMPARED["/".join(engines)] += 1


def examples(few: int) -> Callable[[Callable[..., None]], Callable[..., None]]:
    return settings(
        max_examples=40 * few if NIGHTLY else few, deadline=None, suppress_health_check=[HealthCheck.too_slow]
    )


@examples(12)
@given(decimals(-0.1, 0.7), decimals(-1.5, -0.5), st.integers(15, 40), st.floats(0.2, 3), directions)
def poisson(sigma: Fraction, q: Fraction, k: int, deviations: float, direction: Direction) -> None:
    mu = float(q) * k**0.5 * (2.718 ** (1 / float(sigma) ** 2) - 1) ** 0.5
    epsilon = Fraction(f"{max(0.01, mu * mu / 2 + (deviations - 1) * mu):.3e}")
    compare(k * pv.PoissonSubsampled(pv.Gaussian(sigma), q), direction, epsilon, ("contour", "grid"))


@examples(8)
@given(decimals(-0.3, 0.5), decimals(0, 0.7), st.integers(1, 6), st.floats(0.1, 3))
def laplace(b: Fraction, noise: Fraction, k: int, epsilon: float) -> None:
    compare(k * pv.Laplace(b) + 3 * pv.Gaussian(noise), "remove", Fraction(epsilon), ("contour", "grid"))


@examples(12)
@given(
    st.fractions(Fraction(11, 20), Fraction(19, 20), max_denominator=40),
    st.integers(2, 40),
    st.floats(0.05, 0.9),
)
def responses(p: Fraction, k: int, share: float) -> None:
    top = k * (float(p / (1 - p)) - 1) / 2
    compare(
        k * pv.RandomizedResponse(p), "remove", Fraction(f"{share * min(top, k):.4f}"), ("lattice", "grid")
    )


@examples(8)
@given(st.integers(1, 12), decimals(-0.3, 0.8), st.integers(2, 12), st.floats(0.05, 0.8))
def discrete(sensitivity: int, b: Fraction, k: int, share: float) -> None:
    epsilon = Fraction(f"{share * k * sensitivity / float(b):.4f}")
    compare(k * pv.DiscreteLaplace(b, sensitivity=sensitivity), "remove", epsilon, ("lattice", "grid"))


@examples(10)
@given(decimals(-0.5, 1), decimals(-2, 0), st.floats(0, 3), directions)
def single(sigma: Fraction, q: Fraction, epsilon: float, direction: Direction) -> None:
    pair = as_composition(pv.PoissonSubsampled(pv.Gaussian(sigma), q))
    compare(pair, direction, Fraction(f"{epsilon:.3f}"), ("threshold", "grid"))


@examples(8)
@given(st.integers(1, 12), decimals(-0.7, 1), st.integers(1, 12), decimals(-0.7, 1), st.floats(0.02, 0.6))
def laplaces(k: int, b: Fraction, m: int, other: Fraction, share: float) -> None:
    epsilon = Fraction(f"{share * (k / float(b) + m / float(other)):.4f}")
    compare(k * pv.Laplace(b) + m * pv.Laplace(other), "remove", epsilon, ("residues", "grid"))


@examples(20)
@given(
    st.fractions(Fraction(21, 40), Fraction(19, 20), max_denominator=40),
    st.integers(2, 4),
    st.integers(2, 60),
    st.floats(-0.4, 0.9),
)
def categories(p: Fraction, n: int, k: int, share: float) -> None:
    top = k * math.log(p * (n - 1) / (1 - p))
    compare(
        k * pv.RandomizedResponse(p, categories=n),
        "remove",
        Fraction(f"{share * top:.4f}"),
        ("atoms", "lattice"),
    )


@examples(8)
@given(
    decimals(-0.7, 0.3),
    decimals(-5, -1),
    st.sampled_from([2, 3, 10, 50]),
    st.floats(4, 9),
    st.sampled_from(["contour", "truncated"]),
)
def rare(sigma: Fraction, q: Fraction, k: int, far: float, other: str) -> None:
    """ε is the loss of one step that is drawn, at so many σ."""
    c = 1 / float(sigma)
    epsilon = math.log1p(float(q) * math.expm1(c * far + c * c / 2))
    steps = k * pv.PoissonSubsampled(pv.Gaussian(sigma), q)
    compare(steps, "remove", Fraction(f"{epsilon:.3e}"), ("grid", other))


@pytest.mark.parametrize(
    ("run", "engines", "least"),
    [
        (poisson, "contour/grid", 6),
        (laplace, "contour/grid", 4),
        (responses, "lattice/grid", 6),
        (discrete, "lattice/grid", 4),
        (single, "threshold/grid", 3),
        (laplaces, "residues/grid", 5),
        (categories, "atoms/lattice", 12),
        (rare, "grid/truncated", 1),
    ],
)
def test_engines_overlap(run: Callable[[], None], engines: str, least: int) -> None:
    before = COMPARED[engines]
    run()
    assert COMPARED[engines] - before >= least
