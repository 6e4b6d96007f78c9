"""opacus 1.6.0, prv-accountant 0.2.0, autodp 0.2.3.1: next to order 1 their Rényi divergences are too small.

Found by the standard grid. They are log(1 + tiny)/(α − 1) in doubles: of DP-SGD with σ = 2, q = 1e-4 at
α = 1.001 0.03 % are lost, of pure DP with ε = 0.01 at α = 1 + 1e-7 a thousandth.
"""

from collections.abc import Callable
from importlib import metadata
from typing import Any

import mpmath
import pytest

FOUND_IN = {"opacus": "1.6.0", "prv_accountant": "0.2.0", "autodp": "0.2.3.1"}


def sampled() -> Any:
    """log E[(1 − q + q e^L)^α]/(α − 1) at σ = 2, q = 1e-4, α = 1.001, by quadrature."""
    a, q = mpmath.mpf(1.001), mpmath.mpf(1e-4)

    def integrand(x: Any) -> Any:
        return (1 - q + q * mpmath.exp((2 * x - 1) / 8)) ** a * mpmath.npdf(x, 0, 2)

    return mpmath.log(mpmath.quad(integrand, [-60, -20, 0, 5, 20, 60, 120])) / (a - 1)


def pure() -> Any:
    """Randomised response with odds e^0.01 at α = 1 + 1e-7."""
    a, p = mpmath.mpf(1.0000001), 1 / (1 + mpmath.exp(mpmath.mpf("-0.01")))
    return mpmath.log(p**a * (1 - p) ** (1 - a) + (1 - p) ** a * p ** (1 - a)) / (a - 1)


def by_opacus() -> float:
    from opacus.accountants.analysis import rdp

    return float(rdp.compute_rdp(q=1e-4, noise_multiplier=2.0, steps=1, orders=[1.001])[0])


def by_prv_accountant() -> float:
    from prv_accountant import PoissonSubsampledGaussianMechanism

    mechanism = PoissonSubsampledGaussianMechanism(noise_multiplier=2.0, sampling_probability=1e-4)
    return float(mechanism.rdp(1.001))


def by_autodp() -> float:
    from autodp import rdp_bank

    return float(rdp_bank.RDP_pureDP({"eps": 0.01}, 1.0000001))


@pytest.mark.parametrize(
    ("library", "ask", "truth", "lost"),
    [
        ("opacus", by_opacus, sampled, 2e-4),
        ("prv_accountant", by_prv_accountant, sampled, 2e-4),
        ("autodp", by_autodp, pure, 1e-3),
    ],
)
@pytest.mark.filterwarnings("ignore")
def test_it_is_too_small(
    library: str, ask: Callable[[], float], truth: Callable[[], Any], lost: float
) -> None:
    pytest.importorskip(library)
    if metadata.version(library) != FOUND_IN[library]:
        pytest.skip(f"found in {FOUND_IN[library]}")
    with mpmath.workdps(40):
        assert ask() < (1 - lost) * truth()
