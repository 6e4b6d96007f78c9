"""opacus 1.6.0 and prv-accountant 0.2.0: Rényi divergences of large fractional orders may be negative.

Found by the standard grid. One step of DP-SGD with σ = 10, q = 1/10 at α = 317.23: both say −0.1057, where
Jensen's inequality has D ≥ 0 and mpmath has 0.0236. 10⁴ such steps are said to cost ε = −1054 at δ = 1e-6.
"""

from collections.abc import Callable
from importlib import metadata
from typing import Any

import mpmath
import pytest

import pldverify as pv

SIGMA, Q, ORDER = 10.0, 0.1, 317.23
FOUND_IN = {"opacus": "1.6.0", "prv_accountant": "0.2.0"}


def divergence() -> Any:
    """log ∫ p^α q^(1−α) / (α − 1) with p = (1 − Q) N(0, σ²) + Q N(1, σ²) against N(0, σ²)."""
    with mpmath.workdps(40):
        a, s, q = mpmath.mpf(ORDER), mpmath.mpf(SIGMA), mpmath.mpf(Q)

        def integrand(x: Any) -> Any:
            ratio = 1 - q + q * mpmath.exp((2 * x - 1) / (2 * s * s))
            return ratio**a * mpmath.npdf(x, 0, s)

        moment = mpmath.quad(integrand, [-150, -50, 0, 30, 60, 100, 200, 400, 800])
        return mpmath.log(moment) / (a - 1)


def by_opacus() -> float:
    from opacus.accountants.analysis import rdp

    return float(rdp.compute_rdp(q=Q, noise_multiplier=SIGMA, steps=1, orders=[ORDER])[0])


def by_prv_accountant() -> float:
    from prv_accountant import PoissonSubsampledGaussianMechanism

    mechanism = PoissonSubsampledGaussianMechanism(noise_multiplier=SIGMA, sampling_probability=Q)
    return float(mechanism.rdp(ORDER))


@pytest.mark.parametrize(("library", "ask"), [("opacus", by_opacus), ("prv_accountant", by_prv_accountant)])
@pytest.mark.filterwarnings("ignore")
def test_it_is_below_zero(library: str, ask: Callable[[], float]) -> None:
    pytest.importorskip(library)
    if metadata.version(library) != FOUND_IN[library]:
        pytest.skip(f"found in {FOUND_IN[library]}")
    assert ask() == pytest.approx(-0.1056937, abs=1e-6)


def test_the_truth_is_positive() -> None:
    truth = divergence()
    assert float(truth) == pytest.approx(0.0236159511, abs=1e-9)
    proved = pv.rdp(pv.PoissonSubsampled(pv.Gaussian(SIGMA), Q), order=ORDER, adjacency="remove", digits=12)
    assert abs(float(proved.lower) - float(truth)) < 1e-12
