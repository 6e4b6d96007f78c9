"""Calibration: analytic Gaussian calibration, neighbours on both sides, and ranges without an answer."""

import math
from fractions import Fraction

import pytest
from dp_accounting import GaussianDpEvent, SelfComposedDpEvent, calibrate_dp_mechanism
from dp_accounting.pld import PLDAccountant
from scipy.optimize import brentq
from scipy.stats import norm

import pldverify as pv
from pldverify.errors import InvalidInput
from pldverify.reference.calibrate import Calibration, calibrate


def gaussian_sigma(epsilon: float, delta: float, steps: int = 1) -> float:
    """Balle and Wang 2018, Theorem 8, solved in floats."""

    def excess(sigma: float) -> float:
        mu = math.sqrt(steps) / sigma
        return (
            float(norm.cdf(mu / 2 - epsilon / mu) - math.exp(epsilon) * norm.cdf(-mu / 2 - epsilon / mu))
            - delta
        )

    return float(brentq(excess, 0.05, 500, xtol=1e-13))


def sigma_for(epsilon: str, delta: str, resolution: str = "1e-6", steps: int = 1) -> Calibration:
    return calibrate(
        lambda sigma: steps * pv.Gaussian(sigma),
        parameter="sigma", epsilon=epsilon, delta=delta, low="0.1", high=400, resolution=resolution,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("epsilon", "delta", "steps"), [("1", "1e-5", 1), ("0.1", "1e-9", 1), ("3", "1e-6", 100)]
)
def test_gaussian_sigma(epsilon: str, delta: str, steps: int) -> None:
    found = sigma_for(epsilon, delta, steps=steps)
    truth = gaussian_sigma(float(epsilon), float(delta), steps)
    assert found.value - Fraction(1, 10**6) - Fraction(1, 10**8) < truth < found.value + Fraction(1, 10**8)


def test_both_sides_are_proved() -> None:
    found = sigma_for("1", "1e-5", "0.01")
    target = Fraction(1, 10**5)
    assert found.fails is not None
    assert found.passes.upper <= target < found.fails.lower
    assert pv.delta(pv.Gaussian(found.value), epsilon=1).overlaps(found.passes)
    assert pv.delta(pv.Gaussian(found.value - Fraction(1, 100)), epsilon=1).overlaps(found.fails)


def test_dp_accounting_calibrates_alike() -> None:
    there = calibrate_dp_mechanism(
        lambda: PLDAccountant(value_discretization_interval=1e-4),
        lambda sigma: SelfComposedDpEvent(GaussianDpEvent(sigma), 10),
        target_epsilon=2, target_delta=1e-6,
    )  # fmt: skip
    found = sigma_for("2", "1e-6", "1e-4", steps=10)
    assert float(found.value) == pytest.approx(there, rel=1e-3)


def test_most_steps_of_pure_dp_by_counting() -> None:
    found = calibrate(
        lambda k: int(k) * pv.PureDP("0.5"),
        parameter="steps", epsilon="2.25", delta="0.01", low=1, high=100, resolution=1,
    )  # fmt: skip

    def delta(k: int) -> float:
        p = 1 / (1 + math.exp(-0.5))
        losses = ((math.comb(k, j) * p**j * (1 - p) ** (k - j), (2 * j - k) / 2) for j in range(k + 1))
        return sum(mass * max(0.0, 1 - math.exp(2.25 - loss)) for mass, loss in losses)

    assert found.value == max(k for k in range(1, 100) if delta(k) <= 0.01)


def test_largest_q() -> None:
    found = calibrate(
        lambda q: 10_000 * pv.PoissonSubsampled(pv.Gaussian(1), q),
        parameter="q", epsilon=7, delta="1e-6", low="0.005", high="0.02", resolution="0.001",
    )  # fmt: skip
    steps, target = (
        (
            10_000 * pv.PoissonSubsampled(pv.Gaussian(1), q)
            for q in (found.value, found.value + Fraction(1, 1000))
        ),
        Fraction(1, 10**6),
    )
    assert [pv.delta(c, epsilon=7, digits=6).upper <= target for c in steps] == [True, False]


def test_a_range_that_passes_everywhere_has_no_failing_neighbour() -> None:
    found = calibrate(pv.Gaussian, parameter="sigma", epsilon=1, delta="0.5", low=5, high=9, resolution=1)
    assert (found.value, found.fails) == (5, None)


def test_a_range_that_passes_nowhere_is_refused() -> None:
    with pytest.raises(InvalidInput, match="sigma must reach"):
        calibrate(
            pv.Gaussian, parameter="sigma", epsilon=1, delta="1e-9", low="0.1", high="0.5", resolution="0.1"
        )


def test_equality_passes_where_it_is_exact() -> None:
    exact = calibrate(
        lambda p: pv.ApproximateDP(1, p),
        parameter="q",
        epsilon=1,
        delta="0.25",
        low="0.05",
        high="0.5",
        resolution="0.05",
    )
    assert exact.value == Fraction(1, 4) and exact.passes.upper == Fraction(1, 4)


@pytest.mark.parametrize(
    ("change", "name"),
    [
        ({"parameter": "noise"}, "parameter"),
        ({"delta": 0}, "delta"),
        ({"low": 0}, "low"),
        ({"resolution": -1}, "resolution"),
        ({"low": 9, "high": 5}, "low and high"),
        ({"high": 10**14}, "low and high"),
        ({"parameter": "steps", "resolution": "0.5"}, "resolution"),
    ],
)
def test_bad_arguments(change: dict[str, object], name: str) -> None:
    question = {
        "parameter": "sigma",
        "epsilon": 1,
        "delta": "0.1",
        "low": 1,
        "high": 9,
        "resolution": 1,
        **change,
    }
    with pytest.raises(InvalidInput, match=name):
        calibrate(pv.Gaussian, **question)  # type: ignore[arg-type]
