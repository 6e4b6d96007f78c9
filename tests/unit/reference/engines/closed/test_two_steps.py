"""One integral in balls against the same δ in mpmath, as an expectation over one of the two losses."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from flint import arb

import pldverify as pv
from pldverify.errors import NoConvergence, NotSupported
from pldverify.mechanisms.as_composition import as_composition
from pldverify.mechanisms.relations import Direction
from pldverify.reference.choice import settle
from pldverify.reference.engines.closed.two_steps import Parameters, TwoSteps
from pldverify.reference.laws.composed_loss import ComposedLoss, product
from pldverify.reference.search.closed_forms import plan_two_steps
from tests.oracle.closed_forms import context, holds, mixture_delta, normal_tail, real


def pair(sigma: str, q: str, direction: Direction) -> ComposedLoss:
    return product(as_composition(2 * pv.PoissonSubsampled(pv.Gaussian(sigma), q)), direction)


def mixture_tail(mp: Any, sigma: Any, q: Any, direction: str) -> Callable[[Any], Any]:
    """P(S ≥ ε) of one step, from the threshold in the outcome t."""

    def tail(eps: Any) -> Any:
        ratio = mp.exp(eps if direction == "remove" else -eps)
        if ratio <= 1 - q:
            return mp.mpf(direction == "remove")
        t = sigma**2 * mp.log((ratio - 1 + q) / q) + mp.mpf(1) / 2
        if direction == "add":
            return normal_tail(mp, -t / sigma)
        return (1 - q) * normal_tail(mp, t / sigma) + q * normal_tail(mp, (t - 1) / sigma)

    return tail


def expectation(mp: Any, sigma: Any, q: Any, direction: str, other: Callable[[Any], Any], eps: Any) -> Any:
    """E[other(ε − S)] over one step, split where ε − S is the end of the losses: all flatten out there."""

    def integrand(t: Any) -> Any:
        ratio = 1 - q + q * mp.exp((2 * t - 1) / (2 * sigma**2))
        loss, base = mp.log(ratio), mp.npdf(t, 0, sigma)
        return base * ratio * other(eps - loss) if direction == "remove" else base * other(eps + loss)

    points = [sigma * i for i in range(-15, 16)] + [1 + 15 * sigma]
    ratio = mp.exp(eps if direction == "remove" else -eps) / (1 - q)
    if ratio > 1 - q:
        end = sigma**2 * mp.log((ratio - 1 + q) / q) + mp.mpf(1) / 2
        points += [end + side * sigma / mp.mpf(4) ** j for j in range(12) for side in (-1, 1)] + [end]
    return mp.quad(integrand, sorted(points))


CELLS = [
    ("1", "0.2", "remove", "0.5"),
    ("1", "0.2", "remove", "0"),
    ("1", "0.2", "add", "0"),
    ("1", "0.2", "add", "0.4"),  # the largest loss is 0.446
    ("3", "0.7", "add", "0.05"),
    ("3", "0.9", "remove", "2"),
    ("0.8", "0.01", "remove", "1e-6"),
    ("0.8", "0.01", "add", "0.01"),
    ("10", "0.999", "remove", "0.3"),
]


@pytest.mark.parametrize(("sigma", "q", "direction", "epsilon"), CELLS)
def test_delta_and_tail(sigma: str, q: str, direction: Direction, epsilon: str) -> None:
    mp = context(25)
    single = real(mp, sigma), real(mp, q), direction
    for name, profile in (("delta", mixture_delta), ("tail", mixture_tail)):
        found = settle(pair(sigma, q, direction), name, Fraction(epsilon), 15, names=("two steps",)).enclosure  # type: ignore[arg-type]
        assert found.engine == "two steps" and found.digits >= 15
        assert holds(found, expectation(mp, *single, profile(mp, *single), real(mp, epsilon)), 15)


@pytest.mark.parametrize("direction", ["add", "remove"])
def test_precisions_overlap(direction: Direction) -> None:
    law = pair("0.6", "0.05", direction)
    values = [
        settle(law, "delta", Fraction("0.07"), digits, names=("two steps",)).enclosure
        for digits in (5, 20, 60)
    ]
    assert all(a.overlaps(b) for a in values for b in values)
    assert [value.digits >= d for value, d in zip(values, (5, 20, 60), strict=True)] == [True] * 3


@pytest.mark.parametrize("q", ["0.5", "1e-5", "0.99"])
def test_total_variation_from_both_directions(q: str) -> None:
    """At ε = 0 both directions are the total variation distance of the same two measures."""
    remove, add = (
        settle(pair("1.3", q, direction), "delta", Fraction(0), 25, names=("two steps",)).enclosure
        for direction in ("remove", "add")
    )
    assert remove.digits >= 25 and remove.overlaps(add)


def test_the_top_of_the_losses() -> None:
    """Just below −2 log(1 − q) ``add`` is tiny but proved; beyond, the engine has nothing."""
    law = pair("2", "0.5", "add")
    found = settle(law, "delta", Fraction("1.386294"), 10).enclosure
    assert 0 < found.lower <= found.upper < Fraction(1, 10**20) and found.digits >= 10
    steps = TwoSteps(law, "delta", Parameters(Fraction(15), 100))
    with pytest.raises(NoConvergence, match="at or beyond the end of the losses"):
        steps.value(Fraction(2))


def test_only_two_equal_steps() -> None:
    sampled = pv.PoissonSubsampled(pv.Gaussian(1), "0.1")
    for other in (3 * sampled, sampled + pv.Gaussian(1), 2 * pv.Laplace(1)):
        with pytest.raises(NotSupported, match="not two equal steps"):
            plan_two_steps(product(as_composition(other), "remove"), "delta", Fraction(1), digits=5)


def test_errors_are_named() -> None:
    steps = TwoSteps(pair("1", "1/5", "remove"), "delta", Parameters(Fraction(15), 100))
    terms = steps.errors(Fraction(1))
    assert set(terms) == {"left of the interval", "integral and rounding"}
    assert all(0 < term < arb("1e-20") for term in terms.values())
