"""Claims of zCDP, GDP and Rényi divergences: implied, or true of the mechanism."""

from fractions import Fraction
from typing import Any

import pytest

from pldverify.rulings import divergences
from pldverify.rulings.concentrated import _root
from tests.unit.claims.claims import noise, ruled

GAUSSIAN = noise(sampling="none", q=None, noise_multiplier=2, steps=4)  # ρ = 4/8, μ = 1, D_2 = 1
LAPLACE = {"mechanism": "laplace", "scale": 2, "sensitivity": 1, "sampling": "none", "steps": 1}


def of(*phases: dict[str, Any], **changes: Any) -> str:
    return str(ruled(*phases, epsilon=None, delta=None, **changes).verdict)


@pytest.mark.parametrize(
    ("claimed", "verdict"),
    [
        ({"rho": "0.5"}, "CERTIFIED"),
        ({"rho": "0.5", "relation": "="}, "CERTIFIED"),
        ({"rho": "0.4999"}, "REFUTED"),
        ({"rho": "0.5", "adjacency": "replace-one"}, "REFUTED"),
        ({"rho": "2", "adjacency": "replace-one"}, "CERTIFIED"),
        ({"mu": "1"}, "CERTIFIED"),
        ({"mu": "0.999"}, "REFUTED"),
        ({"mu": "2", "adjacency": "replace-one", "relation": "="}, "CERTIFIED"),
        ({"rdp": {"order": 2, "divergence": "1"}}, "CERTIFIED"),
        ({"rdp": {"order": 2, "divergence": "0.99"}}, "REFUTED"),
    ],
)
def test_gaussian_noise_is_decided(claimed: dict[str, Any], verdict: str) -> None:
    assert of(GAUSSIAN, **claimed) == verdict


@pytest.mark.parametrize(
    ("phase", "rho"),
    [
        ({"mechanism": "pure_dp", "epsilon": "0.2", "times": 3}, "0.06"),
        ({"mechanism": "gdp", "mu": "0.2"}, "0.02"),
        ({"mechanism": "zcdp", "rho": "0.0052", "times": 14}, "0.0728"),
        (LAPLACE, "0.125"),
        (noise(steps=3), "1.5"),
        (
            {
                "mechanism": "discrete_gaussian",
                "sigma": 2,
                "sensitivity": 1,
                "sampling": "none",
                "steps": 1,
            },
            "0.125",
        ),
    ],
)
def test_what_is_stated_implies_zcdp(phase: dict[str, Any], rho: str) -> None:
    assert of(phase, rho=rho) == "CERTIFIED"
    less = str(Fraction(rho) * Fraction(97, 100))
    assert of(phase, rho=less) in ("UNDECIDED", "REFUTED", "CONDITIONAL")


def test_a_divergence_refutes_a_rho() -> None:
    """D_α of Laplace noise b = 2 at α = 3/2, over α, is 0.0694: no smaller ρ holds."""
    assert of(LAPLACE, rho="0.06") == "REFUTED"
    assert of(LAPLACE, rho="0.11") == "UNDECIDED"  # between e^(−1/2) − 1/2 = 0.1065 and tanh(1/4)/2 = 0.1225
    assert of(LAPLACE, rho="0.1065") == "REFUTED" and of(LAPLACE, rho="0.1225") == "CERTIFIED"


def test_what_has_no_conversion_is_undecided() -> None:
    fixed = noise(sampling="fixed_without_replacement")
    assert of(fixed, rho="1000", adjacency="replace-one") == "UNDECIDED"
    assert of({"mechanism": "zcdp", "rho": "1"}, mu="100") in ("UNDECIDED", "CONDITIONAL")


def test_an_infinite_loss_has_no_parameter() -> None:
    leaks = {"mechanism": "approximate_dp", "epsilon": 1, "delta": "1e-6"}
    assert of(leaks, rho="100") == of(leaks, mu="100") == "REFUTED"


def test_roots_are_enclosed() -> None:
    for square in (Fraction(2), Fraction(1, 3), Fraction(10) ** 40 + 1, Fraction(1, 10**40 + 7)):
        low, high = _root(square)
        assert low**2 < square < high**2 and high - low < low / 10**20
    assert _root(Fraction(9, 4)) == (Fraction(3, 2), Fraction(3, 2))


LEAK = "approximate_dp(epsilon=1, delta=1e-6)"


@pytest.mark.parametrize(
    ("expression", "claimed"),
    [
        (f"gaussian(sigma=1e-200) + {LEAK}", {"rho": "1"}),  # 1e400/2 + ∞
        ("gaussian(sigma=1e-200)", {"rdp": {"order": "inf", "divergence": "1"}}),
        ("gaussian(sigma=1e200)", {"rdp": {"order": "inf", "divergence": "1"}}),  # 1e-400/2 · ∞ was NaN
        (LEAK, {"rdp": {"order": "1e400", "divergence": "1"}}),
    ],
)
def test_fractions_beyond_doubles_meet_infinity(expression: str, claimed: dict[str, Any]) -> None:
    assert of({"mechanism": "expression", "expression": expression}, **claimed) == "REFUTED"


def test_what_only_bounds_is_not_asked_for_a_lower_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Five divergences of unknown standing took 98 s, and could decide nothing."""
    monkeypatch.setattr(divergences, "_enclosed", None)
    monkeypatch.setattr(divergences, "_by_profile", None)
    fixed = noise(sampling="fixed_without_replacement", steps=2)
    for claimed in ({"rho": "20"}, {"mu": "20"}):
        assert of(fixed, **claimed, adjacency="replace-one") == "UNDECIDED"
