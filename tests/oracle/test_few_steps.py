"""Few steps at small sampling probabilities: ε(δ) to six digits at little work, and next to dp-accounting.

The questions are drawn as DP-SGD is asked about: σ in [0.4, 10], q in [1e-5, 1e-3], k in [10, 10⁴], δ in
[1e-10, 1e-4], all log-uniform; the first three once took 10 s and more.
"""

import math
import random

import pytest

import pldverify as pv
from pldverify.balls.clock import counted
from pldverify.balls.memory import forget

Question = tuple[str, str, int, str]
KNOWN: list[Question] = [
    ("3.92", "1.77e-5", 2593, "7.6e-9"),
    ("2.26", "3.74e-5", 1323, "2.8e-7"),
    ("0.693", "0.000634", 82, "6.7e-10"),
]
MOST = 2.5
"""Counted seconds: of one engine set up at one place, and of all searches."""


def drawn(count: int, seed: int) -> list[Question]:
    source = random.Random(seed)

    def between(low: float, high: float) -> float:
        return math.exp(source.uniform(math.log(low), math.log(high)))

    return [
        (
            f"{between(0.4, 10):.3g}",
            f"{between(1e-5, 1e-3):.3g}",
            round(between(10, 1e4)),
            f"{between(1e-10, 1e-4):.3g}",
        )
        for _ in range(count)
    ]


@pytest.mark.sample(4)
@pytest.mark.parametrize("question", KNOWN + drawn(12, 2026), ids=str)
def test_six_digits_take_little_work(question: Question) -> None:
    sigma, q, k, delta = question
    forget()
    before = counted()
    found = pv.epsilon(k * pv.PoissonSubsampled(pv.Gaussian(sigma), q), delta=delta, digits=6)
    assert found.digits >= 6
    assert counted() - before < MOST


@pytest.mark.parametrize(
    ("question", "interval"),
    [(KNOWN[1], 1e-6), (("3.92", "1.77e-5", 2593, "1e-6"), 1e-7), (("0.7", "0.001", 300, "1e-7"), 1e-4)],
    ids=str,
)
def test_a_fine_grid_of_dp_accounting_brackets_it(question: Question, interval: float) -> None:
    pld = pytest.importorskip("dp_accounting.pld.privacy_loss_distribution")
    sigma, q, k, delta = question
    low, high = (
        pld.from_gaussian_mechanism(
            float(sigma),
            sampling_prob=float(q),
            value_discretization_interval=interval,
            pessimistic_estimate=upper,
            use_connect_dots=upper,
        )
        .self_compose(k)
        .get_epsilon_for_delta(float(delta))
        for upper in (False, True)
    )
    found = pv.epsilon(k * pv.PoissonSubsampled(pv.Gaussian(sigma), q), delta=delta, digits=6)
    assert low <= found.lower and found.upper <= high
    assert high < 1.001 * float(found.upper)  # it is told apart from a wrong one
