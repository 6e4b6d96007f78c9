"""Compositions against sums and integrals of closed forms: δ(ε) = E_{S_A}[δ_B(ε − S_A)], no inversion."""

from fractions import Fraction
from math import comb
from typing import Any

import pytest

import pldverify as pv
from pldverify.mechanisms.relations import Direction
from tests.oracle.closed_forms import (
    Number,
    Profile,
    atoms_after,
    context,
    fraction,
    gaussian_delta,
    holds,
    inversion,
    laplace_after,
    laplace_delta,
    mixture_after,
    mixture_delta,
    randomized_response_atoms,
    randomized_response_delta,
    real,
    two_mixtures_delta,
)


def gaussian_part(mp: Any, sigma: str, k: int) -> tuple[pv.Composition, Profile]:
    return k * pv.Gaussian(sigma), gaussian_delta(mp, k / real(mp, sigma) ** 2)


@pytest.mark.sample(1)
@pytest.mark.parametrize("direction", ["add", "remove"])
@pytest.mark.parametrize(
    ("noise", "k", "sigma", "q", "epsilon"),
    [
        ("5", 40, "1", "0.1", "1"),
        ("5", 40, "1", "0.1", "0"),
        ("5", 40, "1", "0.1", "-3"),
        ("2", 3, "0.7", "0.3", "6"),
        ("30", 1000, "4", "0.9", "0.01"),
    ],
)
def test_gaussians_and_one_poisson_step(
    noise: str, k: int, sigma: str, q: str, epsilon: str, direction: str
) -> None:
    mp = context(40)
    composition, other = gaussian_part(mp, noise, k)
    truth = mixture_after(mp, real(mp, sigma), real(mp, q), direction, other)(real(mp, epsilon))
    found = pv.delta(
        composition + pv.PoissonSubsampled(pv.Gaussian(sigma), q),
        epsilon=epsilon,
        adjacency=direction,
        digits=15,
    )
    assert found.digits >= 15
    assert holds(found, truth, 18)


@pytest.mark.parametrize(
    ("sigma", "q", "epsilon", "direction"),
    [
        ("1", "0.2", "0.5", "remove"),
        ("1", "0.2", "0", "remove"),
        ("1", "0.2", "0", "add"),
        ("1", "0.2", "0.4", "add"),  # the largest loss is 0.446
        ("3", "0.7", "0.05", "add"),
        ("3", "0.9", "2", "remove"),
        ("0.8", "0.01", "1e-6", "remove"),
        ("0.8", "0.01", "0.01", "add"),
        ("10", "0.999", "0.3", "remove"),
        ("0.5", "0.01", "1", "remove"),
        ("0.3", "0.9", "5", "add"),
    ],
)
def test_two_poisson_steps(sigma: str, q: str, epsilon: str, direction: str) -> None:
    mp = context(40)
    truth = two_mixtures_delta(mp, real(mp, sigma), real(mp, q), direction, real(mp, epsilon))
    found = pv.delta(
        2 * pv.PoissonSubsampled(pv.Gaussian(sigma), q), epsilon=epsilon, adjacency=direction, digits=6
    )
    assert found.digits >= 6
    assert holds(found, truth, 12)


@pytest.mark.parametrize(
    ("b", "noise", "k", "epsilon"), [("1", "3", 10, "1"), ("0.5", "2", 4, "-1"), ("4", "9", 1, "0.3")]
)
def test_gaussians_and_one_laplace_step(b: str, noise: str, k: int, epsilon: str) -> None:
    mp = context(40)
    composition, other = gaussian_part(mp, noise, k)
    truth = laplace_after(mp, 1 / real(mp, b), other, [])(real(mp, epsilon))
    found = pv.delta(composition + pv.Laplace(b), epsilon=epsilon, digits=15)
    assert found.digits >= 15
    assert holds(found, truth, 20)


@pytest.mark.parametrize(("b", "epsilon"), [("1", "0.5"), ("2", "0"), ("0.5", "3.5")])
def test_two_laplace_steps(b: str, epsilon: str) -> None:
    mp = context(40)
    c, eps = 1 / real(mp, b), real(mp, epsilon)
    truth = laplace_after(mp, c, laplace_delta(mp, c), [eps - c, eps + c])(eps)
    found = pv.delta(2 * pv.Laplace(b), epsilon=epsilon, digits=6)
    assert found.digits >= 6
    assert holds(found, truth, 20)


@pytest.mark.parametrize(
    ("p", "k", "noise", "epsilon"), [("0.7", 3, "2", "1"), ("0.9", 8, "0.5", "10"), ("0.51", 1, "40", "0")]
)
def test_gaussians_and_randomized_responses(p: str, k: int, noise: str, epsilon: str) -> None:
    mp = context(40)
    composition, other = gaussian_part(mp, noise, 2)
    truth = atoms_after(mp, randomized_response_atoms(mp, Fraction(p), k), other)(real(mp, epsilon))
    found = pv.delta(composition + k * pv.RandomizedResponse(p), epsilon=epsilon, digits=20)
    assert found.digits >= 20
    assert holds(found, truth, 30)


@pytest.mark.parametrize(("k", "epsilon"), [(3, "0"), (3, "2.9"), (3, "3.9"), (1, "2"), (9, "1/7")])
def test_a_laplace_step_and_pure_claims(k: int, epsilon: str) -> None:
    mp = context(60)
    up = mp.e / (1 + mp.e)  # of a claim of ε = 1
    rows = [(2 * i - k, comb(k, i) * up**i * (1 - up) ** (k - i)) for i in range(k + 1)]
    truth = atoms_after(mp, rows, laplace_delta(mp, mp.mpf(1)))(real(mp, epsilon))
    found = pv.delta(k * pv.PureDP(1) + pv.Laplace(1), epsilon=epsilon, digits=6)
    assert found.digits >= 6 or truth == 0
    assert holds(found, truth, 50)


@pytest.mark.parametrize("direction", ["add", "remove"])
@pytest.mark.parametrize("epsilon", ["-0.3", "0.5", "1.5"])
def test_one_poisson_step_and_randomized_responses(epsilon: str, direction: Direction) -> None:
    mp = context(50)
    profile = mixture_delta(mp, mp.mpf(1), mp.mpf(1) / 10, direction)
    truth = atoms_after(mp, randomized_response_atoms(mp, Fraction("0.6"), 10), profile)(real(mp, epsilon))
    steps = pv.PoissonSubsampled(pv.Gaussian(1), "0.1") + 10 * pv.RandomizedResponse("0.6")
    found = pv.delta(steps, epsilon=epsilon, adjacency=direction, digits=6)
    assert found.digits >= 6
    assert holds(found, truth, 40)


@pytest.mark.parametrize("p", ["0.6", "0.95", "1/3"])
@pytest.mark.parametrize("k", [2, 3, 10, 41])
@pytest.mark.parametrize("epsilon", ["0", "0.5", "3", "-2"])
def test_randomized_responses(p: str, k: int, epsilon: str) -> None:
    mp = context(150)
    truth = randomized_response_delta(Fraction(p), k, fraction(mp.exp(real(mp, epsilon))))
    found = pv.delta(k * pv.RandomizedResponse(p), epsilon=epsilon, digits=30)
    assert found.digits >= 30
    assert holds(found, truth, 60)


CONTOURS: list[tuple[list[tuple[str, str, int]], str, str, tuple[str, str]]] = [
    # [(σ, q, k), …], direction, ε, two values of θ
    ([("2", "0.05", 100)], "remove", "1", ("6", "7")),
    ([("2", "0.05", 100)], "add", "1", ("6", "7")),
    ([("1", "0.01", 5000), ("3", "0.3", 20)], "remove", "3", ("3", "3.5")),
    ([("5", "1e-4", 10**8)], "remove", "1", ("5", "6")),
    ([("5", "1e-4", 10**8)], "add", "1", ("5", "6")),
    ([("5", "1e-6", 10**12)], "remove", "1.5", ("7", "8")),
    ([("5", "1e-6", 10**12)], "add", "1.5", ("7", "8")),
]


@pytest.mark.parametrize(("parts", "direction", "epsilon", "tilts"), CONTOURS)
def test_many_poisson_steps(
    parts: list[tuple[str, str, int]], direction: str, epsilon: str, tilts: tuple[str, str]
) -> None:
    mp = context(42)
    numbers: list[tuple[Number, Number, int]] = [(real(mp, s), real(mp, q), k) for s, q, k in parts]
    first, second = (
        inversion(mp, numbers, direction, real(mp, epsilon), theta=real(mp, tilt), period=period)
        for tilt, period in zip(tilts, (mp.mpf(24), mp.mpf(26)), strict=True)
    )
    assert abs(first / second - 1) < mp.mpf(10) ** -17
    composition = sum_of([(k, pv.PoissonSubsampled(pv.Gaussian(s), q)) for s, q, k in parts])
    found = pv.delta(composition, epsilon=epsilon, adjacency=direction, digits=15)  # type: ignore[arg-type]
    assert found.digits >= 15
    assert holds(found, first, 17)


def sum_of(parts: list[tuple[int, pv.PoissonSubsampled]]) -> pv.Composition:
    (k, mechanism), *rest = parts
    total = k * mechanism
    for k, mechanism in rest:
        total = total + k * mechanism
    return total


@pytest.mark.parametrize("direction", ["add", "remove"])
def test_tail_of_gaussians_and_one_poisson_step(direction: str) -> None:
    mp = context(40)
    sigma, q, eps = mp.mpf("1.5"), mp.mpf("0.25"), mp.mpf("0.4")
    variance = mp.mpf(20) / 16

    def above(threshold: Number) -> Number:  # P(S_G ≥ threshold)
        return mp.erfc((threshold - variance / 2) / mp.sqrt(2 * variance)) / 2

    truth = mixture_after(mp, sigma, q, direction, above)(eps)
    composition = 20 * pv.Gaussian(4) + pv.PoissonSubsampled(pv.Gaussian("1.5"), "0.25")
    found = pv.tail(composition, epsilon="0.4", adjacency=direction, digits=12)  # type: ignore[arg-type]
    assert found.digits >= 12
    assert holds(found, truth, 20)
