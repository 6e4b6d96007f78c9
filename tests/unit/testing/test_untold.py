"""Faults of other people's code, written as they stood there: the kit finds each, and names its cause."""

import math
from collections.abc import Callable

import pytest
from scipy import optimize, special

import pldverify as pv
from pldverify.testing import run_checks


def sums(query: pv.Query) -> float:
    """Noise is scaled by the sensitivity when it is added, and counted as of sensitivity 1."""
    if query.delta != 0:
        raise NotImplementedError("ε at δ = 0")
    return sum(count / _b(mechanism) for mechanism, count in query.composition.parts)


def parallel(query: pv.Query) -> float:
    """At δ = 0, mechanisms are taken to be run on different records; with a δ, by advanced composition."""
    ((mechanism, count), *others) = query.composition.parts
    if others or query.delta is None:
        raise NotImplementedError("ε of one mechanism")
    epsilon = 1 / _b(mechanism)
    if query.delta == 0:
        return epsilon
    root = math.sqrt(2 * count * -math.log(query.delta))
    return min(count * epsilon, epsilon * root + count * epsilon * math.expm1(epsilon))


def odometer(query: pv.Query) -> float:
    """δ of k steps is composed, and then multiplied by 1 − δ again."""
    ((mechanism, count), *others) = query.composition.parts
    if others or query.delta is None or not isinstance(mechanism, pv.ApproximateDP):
        raise NotImplementedError("ε of one (ε, δ)-mechanism")
    epsilon = float(mechanism.epsilon)
    delta = 1 - (1 - float(mechanism.delta)) ** count
    left = float(query.delta) - delta * (1 - delta)
    if left <= 0:
        return math.inf
    drift = count * epsilon * math.expm1(epsilon) / (math.exp(epsilon) + 1)
    return min(count * epsilon, drift + epsilon * math.sqrt(2 * count * -math.log(left)))


def inverted(query: pv.Query) -> float:
    """The scale of Laplace noise is passed for its inverse."""
    if query.delta is None:
        raise NotImplementedError("ε")
    return sum(count * _b(mechanism) for mechanism, count in query.composition.parts)


def converted(query: pv.Query) -> float:
    """Canonne, Kamath, Steinke 2020, Proposition 12, over a grid of orders, never cut at 0."""
    if not query.delta or query.adjacency == "replace-one":
        raise NotImplementedError("ε at δ > 0")
    rho = 0.0
    for mechanism, count in query.composition.parts:
        if not isinstance(mechanism, pv.Gaussian):
            raise NotImplementedError("Gaussian mechanisms")
        rho += count / (2 * float(mechanism.noise_multiplier) ** 2)
    log_delta = math.log(query.delta)
    return min(
        rho * alpha + math.log1p(-1 / alpha) - (log_delta + math.log(alpha)) / (alpha - 1)
        for alpha in (1.5, 2, 3, 4, 8, 16, 32, 64, 256, 1024)
    )


def _b(mechanism: object) -> float:
    if not isinstance(mechanism, pv.Laplace):
        raise NotImplementedError("Laplace mechanisms")
    return float(mechanism.b)


def calibrated(query: pv.Query) -> float:
    """Noise by bisection to two digits, of one step of sensitivity 1, whatever was asked."""
    assert isinstance(query, pv.NoiseQuery)
    ((mechanism, _), *_) = query.composition.parts
    if not isinstance(mechanism, pv.Laplace):
        raise NotImplementedError("Laplace noise")
    return round(1 / float(query.epsilon or 0), 2)


class Calibrated(pv.Accountant):
    direction = "upper"
    asks = (pv.NoiseQuery,)

    def claim(self, query: pv.Query) -> float:
        return calibrated(query)


class Brent(pv.Accountant):
    """Balle and Wang 2018, Theorem 8, solved by Brent's method, which stops on either side of the root."""

    direction = "upper"
    asks = (pv.NoiseQuery,)

    def __init__(self, tolerance: float) -> None:
        self.tolerance = tolerance

    def claim(self, query: pv.Query) -> float:
        if not isinstance(query, pv.NoiseQuery) or not query.delta:
            raise NotImplementedError("noise for (ε, δ), δ > 0")
        ((mechanism, _), *others) = query.composition.parts
        if others or not isinstance(mechanism, pv.Gaussian):
            raise NotImplementedError("one Gaussian mechanism")
        epsilon, delta, steps = float(query.epsilon or 0), float(query.delta), query.composition.steps

        def missing(factor: float) -> float:
            mu = math.sqrt(steps) / (factor * float(mechanism.noise_multiplier))
            near, far = special.ndtr([mu / 2 - epsilon / mu, -mu / 2 - epsilon / mu])
            return float(near - math.exp(epsilon) * far - delta)

        return float(optimize.brentq(missing, 0.01, 1e6, xtol=self.tolerance))


@pytest.mark.parametrize(("tolerance", "outcome"), [(0.05, "failed"), (1e-9, "passed")])
def test_noise_by_brents_method_is_asked(tolerance: float, outcome: str) -> None:
    """It stops wherever its tolerance allows: next to the root with too little noise, or far from it."""
    (result,) = run_checks(Brent(tolerance), checks=["noise"])
    assert result.outcome == outcome and "ends before there is enough" in result.check.cause


@pytest.mark.parametrize(
    ("accountant", "check", "cause"),
    [
        (sums, "delta-zero", "is that of one step, or of a sensitivity of 1"),
        (parallel, "delta-zero", "is that of one step"),
        (odometer, "infinite-loss", "lost in composition"),
        (inverted, "falls-with-noise", "The noise is inverted"),
        (converted, "range", "the result is not clipped"),
    ],
)
def test_the_kit_finds_it_and_names_its_cause(
    accountant: Callable[[pv.Query], float], check: str, cause: str
) -> None:
    subject = pv.Accountant.of(accountant, direction="upper")
    (result,) = run_checks(subject, checks=[check])
    assert result.outcome == "failed" and cause in result.check.cause


def test_a_calibration_is_asked_and_its_faults_are_told_apart() -> None:
    results = run_checks(Calibrated(), checks=["noise", "noise-steps", "noise-range", "noise-sensitivity"])
    outcomes = {result.check.name: result.outcome for result in results}
    assert outcomes == {
        "noise": "passed",  # 1 is enough for ε = 1
        "noise-steps": "failed",
        "noise-range": "failed",
        "noise-sensitivity": "passed",  # of b = 3 and sensitivity 3 the factor is that of 1 and 1
    }
