"""A ball of a mass that holds 0 has no logarithm: NaN losses were skipped by max, min and sort in silence.

Poisson sampling with q next to 1 computed (1 − q)·b + q·a with an inexact 1 − q. The atoms of loss NaN were
then left out of δ, of tails and of the support: false enclosures, and a false CERTIFIED.
"""

import math
from fractions import Fraction

import pytest

import pldverify as pv
from pldverify.mechanisms.mechanism import Mechanism

NEXT_TO_ONE = ["0." + "9" * n for n in (15, 22, 40, 60)]
THIRDS = pv.FinitePair(p=["0.5", "0.5", "0"], q=["0.5", "0.25", "0.25"])
ODD = pv.FinitePair(p=["0.5", "0.5", "0"], q=["0.25", "0.25", "0.5"])


def sampled(base: pv.FinitePair, q: str) -> tuple[list[Fraction], list[Fraction]]:
    rate = Fraction(q)
    mixed = [rate * a + (1 - rate) * b for a, b in zip(base.p, base.q, strict=True)]
    return mixed, list(base.q)


def brute_force(p: list[Fraction], q: list[Fraction], steps: int, growth: Fraction) -> Fraction:
    """Σ (p − e^ε q)_+ over all outcomes of ``steps`` steps, with a rational ``growth`` for e^ε."""
    rows = [(Fraction(1), Fraction(1))]
    for _ in range(steps):
        rows = [(a * x, b * y) for a, b in rows for x, y in zip(p, q, strict=True)]
    return sum((max(a - growth * b, Fraction(0)) for a, b in rows), Fraction(0))


@pytest.mark.parametrize("q", NEXT_TO_ONE)
@pytest.mark.parametrize("base", [THIRDS, ODD])
@pytest.mark.parametrize("steps", [1, 2, 3])
@pytest.mark.parametrize("epsilon", ["0.5", "0.01", "10"])
@pytest.mark.parametrize("direction", ["remove", "add"])
def test_delta_lies_between_brute_force_at_both_ends_of_its_growth(
    base: pv.FinitePair, q: str, steps: int, epsilon: str, direction: str
) -> None:
    p_masses, q_masses = sampled(base, q)
    if direction == "add":
        p_masses, q_masses = q_masses, p_masses
    low, high = (Fraction(math.exp(float(epsilon))) * (1 + side * Fraction(1, 10**12)) for side in (-1, 1))
    found = pv.delta(steps * pv.PoissonSubsampled(base, q=q), epsilon=epsilon, adjacency=direction)
    assert found.lower <= brute_force(p_masses, q_masses, steps, low)
    assert found.upper >= brute_force(p_masses, q_masses, steps, high)


def test_the_reproductions_of_the_review() -> None:
    first = pv.PoissonSubsampled(THIRDS, q="0." + "9" * 22)
    assert abs(pv.delta(first, epsilon="0.5").lower - Fraction(1, 4)) < Fraction(1, 10**20)
    second = pv.PoissonSubsampled(ODD, q="0." + "9" * 40)
    assert pv.certify(pv.Query(second, delta="0.1"), "1").verdict == "REFUTED"


@pytest.mark.parametrize("base", [pv.RandomizedResponse(1), pv.Binomial(4, "1/2"), THIRDS])
@pytest.mark.parametrize("q", NEXT_TO_ONE)
def test_the_losses_of_other_bases_are_those_of_no_sampling_to_many_digits(base: Mechanism, q: str) -> None:
    rest = 1 - Fraction(q)
    for steps in (1, 2):
        sampled_delta = pv.delta(steps * pv.PoissonSubsampled(base, q=q), epsilon="0.3", adjacency="remove")
        plain = pv.delta(steps * pv.PoissonSubsampled(base, q=1), epsilon="0.3", adjacency="remove")
        assert abs(sampled_delta.upper - plain.upper) <= 4 * steps * rest + Fraction(1, 10**25)


@pytest.mark.parametrize("q", NEXT_TO_ONE)
@pytest.mark.parametrize("direction", ["remove", "add"])
def test_tails_of_two_steps(q: str, direction: str) -> None:
    p_masses, q_masses = sampled(ODD, q)
    if direction == "add":
        p_masses, q_masses = q_masses, p_masses
    rows = [(a * c, b * d) for a, b in zip(p_masses, q_masses) for c, d in zip(p_masses, q_masses)]  # noqa: B905
    true = sum((a for a, b in rows if a and (b == 0 or a / b >= Fraction(math.exp(0.5)))), Fraction(0))
    found = pv.tail(2 * pv.PoissonSubsampled(ODD, q=q), epsilon="0.5", adjacency=direction)
    assert found.lower <= true <= found.upper


@pytest.mark.parametrize("adjacency", ["remove", "add"])
@pytest.mark.parametrize("b", ["1e-60", "1e-30", "1e-9"])
def test_a_mass_below_every_ball_is_refused_or_right(adjacency: str, b: str) -> None:
    """δ(1) of remove is q = 1/2 but for e^{−1/b}: 0 was an answer."""
    mechanism = pv.PoissonSubsampled(pv.DiscreteLaplace(b), q="0.5")
    try:
        found = pv.delta(mechanism, epsilon=1, adjacency=adjacency, digits=15)  # type: ignore[arg-type]
    except pv.errors.NoConvergence:
        return
    true = Fraction(1, 2) if adjacency == "remove" else 1 - Fraction(math.e) / 2
    assert max(true, Fraction(0)) - Fraction(1, 10**12) <= found.upper
    assert found.lower <= max(true, Fraction(0)) + Fraction(1, 10**12)
