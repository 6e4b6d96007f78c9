"""Where a contour runs."""

import math
from fractions import Fraction
from typing import Literal

import pytest

import pldverify as pv
from pldverify.balls.ball import working
from pldverify.mechanisms.expression import parse
from pldverify.reference.laws.composed_loss import ComposedLoss, product
from pldverify.reference.lemmas.kernel import Kernel
from pldverify.reference.search import tilt as module
from pldverify.reference.search.cumulant import cumulant
from pldverify.reference.search.tilt import tilt


def test_left_of_the_strip_the_period_knows_the_spread_of_the_loss() -> None:
    """δ is near 1 at an ε of 6.8e8, whose loss deviates by 5,900: λ = −1 alone asks for a period of ε."""
    steps = parse("1000000000 * poisson(gaussian(sigma=0.2), q=0.5)")
    found = tilt(product(steps, "add"), "delta", Fraction("6.759e8"), digits=12)
    assert found.kernel.side == "lower" and -1 < found.below < found.theta
    assert found.period < 100 * 5900
    delta = pv.delta(steps, epsilon="6.759e8", adjacency="add", engine="contour", digits=12)
    assert delta.digits >= 12
    # E[min(1, e^(ε−S))] = 1 − δ is at least P(S ≤ ε)
    assert not (1 - delta.lower < 1 - pv.tail(steps, epsilon="6.759e8", adjacency="add").upper)


def test_a_small_epsilon_needs_no_lambda_inside() -> None:
    found = tilt(product(parse("100 * gaussian(sigma=1)"), "add"), "delta", Fraction(1), digits=12)
    assert found.kernel.side == "lower" and -1 <= found.below < found.theta < found.above == 0


def test_the_period_is_short_where_cumulants_grow_like_exponentials_of_squares() -> None:
    """Newton's steps are tiny there, and were taken for convergence: 7,000 nodes instead of 300."""
    steps = product(parse("20000 * poisson(gaussian(sigma=0.45), q=5e-4)"), "remove")
    found = tilt(steps, "delta", Fraction(12), digits=6)
    theta = float(found.theta)

    def needed(lam: float) -> float:
        """Of the period, by the bound of the aliases above."""
        size = cumulant(steps, lam)[0] - lam * 12 + lam * math.log(lam / (1 + lam)) - math.log1p(lam)
        return (size - found.log_goal) / (lam - theta)

    best = min(needed(theta * (1 + i / 50)) for i in range(1, 200))
    assert found.period < 1.2 * max(best, -found.log_goal / theta)


def test_cumulants_of_a_schedule_next_to_rare_events() -> None:
    """Of 30 noise multipliers the least one alone has rare events at that order: no dozen nodes tell."""
    parts = [pv.PoissonSubsampled(pv.Gaussian(Fraction(467 + 11 * i, 100)), "2.8e-4") for i in range(30)]
    steps = product(pv.Composition.of(*((part, 50) for part in parts)), "remove")
    for order in (50, 178, 356, 357, 400):
        with working(100):
            proved = float(steps.log_moment(Fraction(order)))
        assert cumulant(steps, float(order))[0] == pytest.approx(proved, rel=1e-6, abs=0)


@pytest.mark.parametrize("side", ["upper", "lower"])
def test_a_cumulant_that_is_no_number(
    side: Literal["upper", "lower"], monkeypatch: pytest.MonkeyPatch
) -> None:
    def nothing(_product: ComposedLoss, order: float) -> tuple[float, float, float]:
        assert math.isfinite(order)
        return 10.0, 0.0, math.nan

    monkeypatch.setattr(module, "cumulant", nothing)
    spread = 1.0 if side == "upper" else -0.5
    found = module._shortest(ComposedLoss(()), Kernel("delta", side), 1.0, spread, 1.0, spread)
    assert 0 < found[1] < math.inf


@pytest.mark.parametrize("digits", [10, 12, 15, 30])
@pytest.mark.parametrize(
    ("quantity", "epsilon", "sigma", "q", "steps"),
    [
        ("delta", "3", "0.651", "0.321", 81_674),
        ("tail", "-3", "2", "0.01", 1000),
        ("tail", "-1.68", "0.998", "0.0000329", 541_665),
    ],
)
def test_next_to_one_the_sum_has_the_digits_of_the_answer(
    quantity: Literal["delta", "tail"], epsilon: str, sigma: str, q: str, steps: int, digits: int
) -> None:
    """What is summed is next to nothing: 40 bits were enough for it, and too few for 1 minus it."""
    whole = steps * pv.PoissonSubsampled(pv.Gaussian(sigma), q)
    found = tilt(product(whole, "remove"), quantity, Fraction(epsilon), digits=digits)
    assert found.kernel.side == "lower"
    assert found.bits(product(whole, "remove"), 1) > digits * math.log2(10)
    answer = {"delta": pv.delta, "tail": pv.tail}[quantity](whole, epsilon=epsilon, digits=digits)
    assert answer.digits >= digits and answer.upper <= 1
