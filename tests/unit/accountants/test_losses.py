"""One-step losses: against scipy's distributions, definitions and each other."""

import itertools
import math

import numpy as np
import pytest
from scipy import stats
from scipy.integrate import quad

from pldverify.accountants import single_step
from pldverify.accountants.losses import loss, outcome
from pldverify.errors import NotSupported
from pldverify.mechanisms import Gaussian, Laplace, PoissonSubsampled, RandomizedResponse

MECHANISMS = [
    Gaussian("1.5"),
    Gaussian(2, sensitivity=3),
    PoissonSubsampled(Gaussian("0.8"), "0.1"),
    PoissonSubsampled(Gaussian(3), "0.5"),
    Laplace("1.5"),
    RandomizedResponse("0.8"),
    RandomizedResponse("0.2"),
    RandomizedResponse("0.5", 4),
    RandomizedResponse("0.1", 4),
]


@pytest.mark.parametrize("mechanism", MECHANISMS, ids=str)
@pytest.mark.parametrize("direction", ["remove", "add"])
def test_q_is_p_tilted(mechanism: object, direction: str) -> None:
    """Q(S > s) = ∫_s^∞ e^{−x} dP(S ≤ x), by parts: e^{−s} P(S > s) − ∫_s^∞ e^{−x} P(S > x) dx."""
    law = loss(mechanism, direction)  # type: ignore[arg-type]

    def above(x: float) -> float:
        return float(law.above(np.array([x]))[0])

    for s in (-0.7, -0.05, 0.03, 0.4, 1.1):
        cuts = sorted({s, *(k for k in law.knots if k > s), max(law.knots[-1], s) + 1})
        tail = sum(
            quad(lambda x: math.exp(-x) * above(x), a, b, epsabs=1e-14)[0]
            for a, b in itertools.pairwise(cuts)
        )
        expected = math.exp(-s) * above(s) - tail
        assert abs(float(law.above_q(np.array([s]))[0]) - expected) < 1e-11


def test_subsampled_tail_is_the_mixture_beyond_the_outcome() -> None:
    sigma, q = 0.8, 0.1
    law = loss(PoissonSubsampled(Gaussian("0.8"), "0.1"), "remove")
    for s in (-0.1, 0.0, 0.5, 3.0):
        t = stats.norm(scale=sigma).isf(0.5) + float(outcome(np.array([s]), sigma, q)[0])
        ratio = 1 - q + q * math.exp((2 * t - 1) / (2 * sigma**2))
        assert abs(math.log(ratio) - s) < 1e-13
        expected = (1 - q) * stats.norm.sf(t, scale=sigma) + q * stats.norm.sf(t, loc=1, scale=sigma)
        assert abs(float(law.above(np.array([s]))[0]) / expected - 1) < 1e-12
    assert float(law.above(np.array([math.log(0.9) - 1e-9]))[0]) == 1.0


def test_known_single_step_profiles() -> None:
    # Gaussian: Balle and Wang 2018; Laplace: 1 − e^{(ε − 1/b)/2}; randomised response: p − e^ε (1 − p)
    gauss = stats.norm.cdf(0.5 / 1.5 - 1.5) - math.e * stats.norm.cdf(-0.5 / 1.5 - 1.5)
    assert abs(single_step.delta(Gaussian("1.5"), 1.0) / gauss - 1) < 1e-12
    assert abs(single_step.delta(Laplace("0.5"), 1.0) / (1 - math.exp(-0.5)) - 1) < 1e-14
    assert abs(single_step.delta(RandomizedResponse("0.8"), 1.0) / (0.8 - math.e * 0.2) - 1) < 1e-14
    # amplification by sampling (Balle, Barthe, Gaboardi 2018): δ' = qδ at ε' = log(1 + q(e^ε − 1))
    amplified = math.log1p(0.3 * math.expm1(1.0))
    sampled = single_step.delta(PoissonSubsampled(Gaussian("1.5"), "0.3"), amplified)
    assert abs(sampled / (0.3 * gauss) - 1) < 1e-12


@pytest.mark.parametrize("mechanism", MECHANISMS, ids=str)
def test_epsilon_inverts_delta(mechanism: object) -> None:
    epsilon = single_step.epsilon(mechanism, 1e-3)  # type: ignore[arg-type]
    assert single_step.delta(mechanism, epsilon) <= 1e-3  # type: ignore[arg-type]
    assert single_step.delta(mechanism, epsilon - 1e-9) > 1e-3  # type: ignore[arg-type]


@pytest.mark.parametrize("p", ["0", "1"])
def test_infinite_losses_are_refused(p: str) -> None:
    with pytest.raises(NotSupported):
        loss(RandomizedResponse(p), "remove")
