"""Laws of sampled Gaussian and Laplace mechanisms against quadrature of their densities in mpmath."""

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from math import comb
from typing import Any

import pytest
from mpmath import mp, mpc, mpf

import pldverify as pv
from pldverify.balls.ball import working
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.mechanisms.relations import Direction
from pldverify.reference.laws.composed_loss import product
from pldverify.reference.laws.law import Law

Density = Callable[[Any], Any]


def law_of(mechanism: Mechanism, direction: Direction) -> Law:
    ((law, count),) = product(pv.Composition.of((mechanism, 1)), direction).factors
    assert count == 1
    return law


def digits(value: Any) -> Any:
    return mpf(value.mid().str(40, radius=False))


def normal(centres: dict[Any, Any], sigma: Any) -> Density:
    return lambda t: mp.fsum(w * mp.npdf(t, c, sigma) for c, w in centres.items())


def hockey_stick(p: Density, q: Density, epsilon: Any, points: list[Any]) -> Any:
    """∫ (p − e^ε q)_+, split where the sign changes."""

    def gap(t: Any) -> Any:
        return p(t) - mp.exp(epsilon) * q(t)

    cuts = list(points)
    for a, b in pairwise(points):
        if gap(a) * gap(b) < 0:
            cuts.append(mp.findroot(gap, (a, b), solver="anderson", tol=mpf(10) ** -40))
    return mp.quad(lambda t: max(gap(t), mpf(0)), sorted(cuts))


def grid(low: int, high: int, count: int = 41) -> list[Any]:
    return [mpf(low) + mpf(high - low) * j / (count - 1) for j in range(count)]


def profile(law: Law, epsilon: Fraction) -> Any:
    p, q = law.tails(epsilon)
    return digits(p) - mp.exp(mpf(epsilon.numerator) / epsilon.denominator) * digits(q)


EPSILONS = [Fraction(x) for x in ("-0.7", "0", "0.2", "2")]


@pytest.mark.parametrize(("sigma", "q"), [("3", "0.6"), ("0.5", "0.02")])
def test_without_replacement_has_the_larger_profile_of_the_two_directions(sigma: str, q: str) -> None:
    """g(α) = H_α(M‖N) for α ≥ 1 and H_α(N‖M) for α ≤ 1, both from the densities."""
    law = law_of(pv.SampledWithoutReplacement(pv.Gaussian(sigma), q), "replace")
    with mp.workdps(20), working(170):
        mixture = normal({0: 1 - mpf(q), 2: mpf(q)}, mpf(sigma))
        base = normal({0: mpf(1)}, mpf(sigma))
        points = grid(-30, 32, 32)
        for epsilon in EPSILONS:
            at = mpf(epsilon.numerator) / epsilon.denominator
            both = [hockey_stick(*pair, at, points) for pair in ((mixture, base), (base, mixture))]
            expected = both[0] if epsilon >= 0 else both[1]
            assert expected >= max(both) * (1 - mpf("1e-15"))
            assert abs(profile(law, epsilon) - expected) <= expected * mpf("1e-11")


@pytest.mark.parametrize(("sigma", "m", "n"), [("1", 3, 4), ("2", 6, 50)])
def test_with_replacement_is_the_sum_of_the_group_profiles(sigma: str, m: int, n: int) -> None:
    """Σ b_ℓ H_β(N(2ℓ)‖N(0)), β = 1 + (e^ε − 1)/(1 − b₀), from the Gaussian's closed form."""
    law = law_of(pv.SampledWithReplacement(pv.Gaussian(sigma), m, n), "replace")
    with mp.workdps(40), working(170):
        weights = [comb(m, j) * mpf(n - 1) ** (m - j) / mpf(n) ** m for j in range(m + 1)]
        for epsilon in (x for x in EPSILONS if x >= 0):
            beta = 1 + mp.expm1(mpf(epsilon.numerator) / epsilon.denominator) / (1 - weights[0])
            expected = mpf(0)
            for level in range(1, m + 1):
                mu, rest = 2 * level / mpf(sigma), mp.log(beta)
                expected += weights[level] * (
                    mp.ncdf(mu / 2 - rest / mu) - beta * mp.ncdf(-mu / 2 - rest / mu)
                )
            assert abs(profile(law, epsilon) - expected) <= expected * mpf("1e-20")


@pytest.mark.parametrize(
    ("mechanism", "first", "second"),
    [
        (
            pv.KJH19Substitute(pv.Gaussian("0.8"), "0.3"),
            normal({0: mpf("0.7"), 1: mpf("0.3")}, mpf("0.8")),
            normal({0: mpf("0.7"), -1: mpf("0.3")}, mpf("0.8")),
        ),
        (
            pv.KJH20WithReplacement(pv.Gaussian(2), 3, 4),
            normal({j: comb(3, j) * mpf(3) ** (3 - j) / 64 for j in range(4)}, mpf(2)),
            normal({-j: comb(3, j) * mpf(3) ** (3 - j) / 64 for j in range(4)}, mpf(2)),
        ),
    ],
    ids=["KJH19 5.3", "KJH20s B.4"],
)
def test_printed_pairs_are_as_printed(mechanism: Mechanism, first: Density, second: Density) -> None:
    law = law_of(mechanism, "replace")
    with mp.workdps(20), working(170):
        for epsilon in EPSILONS:
            at = mpf(epsilon.numerator) / epsilon.denominator
            expected = hockey_stick(first, second, at, grid(-30, 32, 32))
            assert abs(profile(law, epsilon) - expected) <= abs(expected) * mpf("1e-11")
        for theta in (mpf("1.5"), mpf("-2.25")):
            z = mpc(theta, mpf("0.75"))
            value = law.on_line(Fraction(str(theta)), Fraction(3, 4), 1)[1]
            integrand = lambda t, z=z: first(t) * mp.exp(z * mp.log(first(t) / second(t)))  # noqa: E731
            expected = mp.quad(integrand, grid(-40, 42, 22))
            assert abs(mpc(digits(value.real), digits(value.imag)) - expected) <= abs(expected) * mpf("1e-11")


@pytest.mark.parametrize("direction", ["remove", "add"])
def test_poisson_sampled_laplace(direction: Direction) -> None:
    b, s, q = mpf("0.8"), mpf(1), mpf("0.3")
    law = law_of(pv.PoissonSubsampled(pv.Laplace("0.8"), "0.3"), direction)

    def base(t: Any) -> Any:
        return mp.exp(-abs(t) / b) / (2 * b)

    def mixture(t: Any) -> Any:
        return (1 - q) * base(t) + q * base(t - s)

    first, second = (mixture, base) if direction == "remove" else (base, mixture)
    with mp.workdps(20), working(170):
        points = sorted({mpf(0), s, *grid(-40, 41, 28)})
        for epsilon in (Fraction(x) for x in ("-0.2", "-0.05", "0", "0.1", "0.25")):
            at = mpf(epsilon.numerator) / epsilon.denominator
            expected = hockey_stick(first, second, at, points)
            assert abs(profile(law, epsilon) - expected) <= abs(expected) * mpf("1e-11")
        for theta in (mpf("1.5"), mpf("-2.25")):
            z = mpc(theta, mpf("0.75"))
            value = law.on_line(Fraction(str(theta)), Fraction(3, 4), 1)[1]
            integrand = lambda t, z=z: first(t) * mp.exp(z * mp.log(first(t) / second(t)))  # noqa: E731
            expected = mp.quad(integrand, points)
            assert abs(mpc(digits(value.real), digits(value.imag)) - expected) <= abs(expected) * mpf("1e-11")


@pytest.mark.parametrize(
    ("sigma", "sensitivity", "q", "epsilon", "printed"),
    [
        # google/differential-privacy, privacy_loss_mechanism_test.py, Gaussian under REPLACE, 7 places
        ("2", "1", "0.8", "1", 0.05808665654484252),
        ("2", "3", "0.7", "1", 0.4013057526509164),
        ("1", "1", "1", "-2", 0.90958223),
        ("1", "1", "1", "0", 0.68268949),
        ("1", "1", "0.2", "-0.1", 0.1841451),
        ("1", "1", "0.2", "0", 0.1365379),
        ("1", "1", "0.2", "0.5", 0.0250311655),
    ],
)  # fmt: skip
def test_printed_substitute_values(
    sigma: str, sensitivity: str, q: str, epsilon: str, printed: float
) -> None:
    for kind in (pv.KJH19Substitute, pv.PoissonSubsampled):
        mechanism = kind(pv.Gaussian(sigma, sensitivity), q)
        value = pv.delta(mechanism, epsilon=epsilon, adjacency="replace-one")
        assert abs(float(value) - printed) < 1e-7


def test_zcdp_has_no_exact_answer() -> None:
    with pytest.raises(pv.errors.NotSupported, match=r"zcdp\(rho=0.5\) bounds δ\(ε\) but does not fix it"):
        pv.delta(pv.ZCDP("0.5"), epsilon=1)


def test_gdp_is_the_gaussian_mechanism() -> None:
    one, other = pv.delta(pv.GDP("0.5"), epsilon=1), pv.delta(pv.Gaussian(2), epsilon=1)
    assert (one.lower, one.upper) == (other.lower, other.upper)
