"""Trade-off functions: printed closed forms, most powerful tests counted exactly, duality, directions."""

from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

import pytest
from flint import arb

import pldverify as pv
from pldverify.balls.clock import allowance, clock, spend
from pldverify.errors import InvalidInput, NoConvergence
from pldverify.mechanisms.relations import Adjacency
from pldverify.reference.engines.derived import question
from pldverify.reference.engines.derived import trade_off as rule
from pldverify.reference.laws.composed_loss import ComposedLoss
from pldverify.reference.quantities import trade_off as module
from pldverify.reference.quantities.questions import trade_off
from tests.oracle.closed_forms import context, holds, mixture_delta, real

SAMPLED = pv.PoissonSubsampled(pv.Gaussian("0.8"), "0.2")
LEVELS = ["1e-9", "0.01", "0.3", "0.5", "0.97", "0.999999"]


def quantile(mp: Any, p: Any) -> Any:
    """z with P(N(0, 1) > z) = p."""
    return -mp.sqrt(2) * mp.erfinv(2 * p - 1)


def gaussian(mp: Any, mu: Any, alpha: Any) -> Any:
    """G_μ: Dong, Roth and Su, equation (6)."""
    return mp.ncdf(quantile(mp, alpha) - mu)


def sampled_gaussian(mp: Any, sigma: Any, q: Any, alpha: Any, direction: str) -> Any:
    """The most powerful test of one step: a threshold c in the outcome t.

    ``remove``: N(0, σ²) is the null hypothesis, t > c rejects it; ``add``: the mixture is, t < c rejects it.
    """

    def mixture(t: Any) -> Any:
        return (1 - q) * mp.ncdf(t / sigma) + q * mp.ncdf((t - 1) / sigma)

    if direction == "remove":
        return mixture(sigma * quantile(mp, alpha))
    guess = sigma * quantile(mp, 1 - alpha)
    c = mp.findroot(lambda t: mixture(t) / alpha - 1, (guess, guess + sigma / 4), tol=mp.mpf(10) ** -60)
    return mp.ncdf(-c / sigma)


def neyman_pearson(p: list[Any], q: list[Any], alpha: Any) -> Any:
    """1 − the power of the most powerful test of level α for the null hypothesis q, by counting."""
    power, left = 0 * alpha, alpha
    for _, a, b in sorted(((a / (a + b), a, b) for a, b in zip(p, q, strict=True) if a + b), reverse=True):
        share = min(1, left / b) if b else 1
        power, left = power + share * a, left - share * b
    return 1 - power


@pytest.mark.sample(4)
@pytest.mark.parametrize("alpha", LEVELS)
@pytest.mark.parametrize(("mu", "steps"), [("1", 1), ("0.01", 1), ("5", 1), ("0.5", 7), ("0.001", 10**6)])
def test_gaussian_to_twenty_digits(mu: str, steps: int, alpha: str) -> None:
    mp = context(60)
    truth = gaussian(mp, real(mp, mu) * mp.sqrt(steps), real(mp, alpha))
    found = trade_off(steps * pv.GDP(mu), alpha=alpha, digits=20)
    assert found.digits >= 20 and holds(found, truth, 50)


@pytest.mark.sample(5)
@pytest.mark.parametrize("alpha", ["1e-6", "0.05", "0.18393972", "0.2", "0.5", "0.9", "0.999"])
def test_laplace(alpha: str) -> None:
    """Dong, Roth and Su, Proposition A.6 (μ = 1)."""
    mp = context(60)
    a, e = real(mp, alpha), mp.exp(-1)
    truth = 1 - a / e if a < e / 2 else e / (4 * a) if a <= 0.5 else e * (1 - a)
    found = trade_off(pv.Laplace(2), alpha=alpha, adjacency="replace-one", digits=20)
    assert found.digits >= 20 and holds(found, truth, 50)


@pytest.mark.parametrize("alpha", ["0", "1/1024", "0.1", "0.25", "0.3", "1/2", "0.9", "1023/1024", "1"])
@pytest.mark.parametrize("steps", [1, 2, 5])
def test_randomized_response_piecewise_linear(steps: int, alpha: str) -> None:
    level, truth = Fraction(alpha), Fraction(3, 4)
    outcomes = list(product([truth, 1 - truth], repeat=steps))
    p = [prod(outcome) for outcome in outcomes]
    q = [prod(1 - x for x in outcome) for outcome in outcomes]
    if steps == 1:
        assert neyman_pearson(p, q, level) == max(1 - 3 * level, (1 - level) / 3)
    found = trade_off(steps * pv.RandomizedResponse(truth), alpha=level)
    assert neyman_pearson(p, q, level) in found and found.digits >= 10


@pytest.mark.parametrize("alpha", ["0", "0.001", "0.2", "0.4", "0.55", "0.8", "0.9999"])
@pytest.mark.parametrize("direction", ["remove", "add"])
def test_pairs_with_infinite_losses_by_counting(direction: str, alpha: str) -> None:
    p = [Fraction(x) for x in ("0.4", "0.2", "0.3", "0", "0.1")]
    q = [Fraction(x) for x in ("0.1", "0.4", "0.3", "0.2", "0")]
    other, null = (p, q) if direction == "remove" else (q, p)
    truth = neyman_pearson(other, null, Fraction(alpha))
    found = trade_off(pv.FinitePair(p, q), alpha=alpha, adjacency=direction)  # type: ignore[arg-type]
    assert truth in found and (found.digits >= 10 or truth == 0 == found.upper)


@pytest.mark.parametrize("alpha", ["0.001", "0.1", "0.4", "0.7", "0.728"])
def test_composed_approximate_dp_by_counting(alpha: str) -> None:
    mp = context(50)
    d, growth = real(mp, "0.1"), mp.exp(mp.mpf(1) / 2)
    p = [(1 - d) * growth / (1 + growth), (1 - d) / (1 + growth), d, mp.mpf(0)]
    q = [p[1], p[0], mp.mpf(0), d]
    thrice = [[mp.fprod(outcome) for outcome in product(side, repeat=3)] for side in (p, q)]
    truth = neyman_pearson(*thrice, real(mp, alpha))
    found = trade_off(3 * pv.ApproximateDP("0.5", "0.1"), alpha=alpha, digits=20)
    assert found.digits >= 20 and holds(found, truth, 40)


@pytest.mark.parametrize("alpha", ["0.01", "0.1", "0.5", "0.85", "0.9", "0.99"])
def test_pure_and_approximate_dp(alpha: str) -> None:
    """Dong, Roth and Su, Proposition 2.5: f_{ε,δ}; at α = 0.9 = 1 − δ it ends."""
    mp = context(60)
    a, d, e = real(mp, alpha), real(mp, "0.1"), mp.e
    truth = max(mp.mpf(0), 1 - d - e * a, (1 - d - a) / e)
    found = trade_off(pv.ApproximateDP(1, "0.1"), alpha=alpha, digits=20)
    assert holds(found, truth, 50) if Fraction(alpha) < Fraction("0.9") else found.upper == 0
    assert found.digits >= 20


@pytest.mark.parametrize("alpha", ["1e-6", "0.05", "0.5", "0.9", "0.9999"])
@pytest.mark.parametrize("direction", ["remove", "add"])
def test_sampled_gaussian_in_each_direction(direction: str, alpha: str) -> None:
    mp = context(80)
    sigma, q, level = real(mp, "0.8"), real(mp, "0.2"), real(mp, alpha)
    truth = sampled_gaussian(mp, sigma, q, level, direction)
    other = sampled_gaussian(mp, sigma, q, level, "add" if direction == "remove" else "remove")
    found = trade_off(SAMPLED, alpha=alpha, adjacency=direction, digits=15)  # type: ignore[arg-type]
    assert found.digits >= 15 and holds(found, truth, 40)
    assert not holds(found, other, 15)  # teeth: P and Q exchanged


@pytest.mark.slow
@pytest.mark.parametrize(
    ("alpha", "direction", "about"),
    [("0.05", None, 0.914733843), ("0.9", None, 0.062014934), ("0.9", "remove", 0.090711464)],
)
def test_two_sampled_steps_where_the_search_passes_the_end_of_the_losses(
    alpha: str, direction: Adjacency | None, about: float
) -> None:
    """The engine that was set up for another ε refused there. ``about``: Neyman and Pearson's tests of 3001²
    pairs of outcomes in doubles, which nothing here computes; to 1e-8.
    """
    steps = 2 * pv.PoissonSubsampled(pv.Gaussian("0.6"), "0.05")
    found = pv.trade_off(steps, alpha=alpha, adjacency=direction, digits=15)
    assert found.digits >= 5 and found.lower - Fraction(1, 10**8) < about < found.upper + Fraction(1, 10**8)


@pytest.mark.slow
def test_few_digits_near_the_end_of_the_losses() -> None:
    """To eight digits a contour takes longer than the clock there; sums over cells give six. The value is
    that of the test above.
    """
    steps = 2 * pv.PoissonSubsampled(pv.Gaussian("0.6"), "0.05")
    found = pv.trade_off(steps, alpha="0.9", adjacency="remove", digits=6)
    about, error = 0.090711464, Fraction(1, 10**8)
    assert found.digits >= 5 and found.lower - error < about < found.upper + error


def test_the_closed_forms_are_the_dual_of_the_profile() -> None:
    mp = context(40)
    sigma, q, level = real(mp, "0.8"), real(mp, "0.2"), real(mp, "0.05")
    for direction in ("remove", "add"):
        profile = mixture_delta(mp, sigma, q, direction)
        best = max(1 - profile(eps) - mp.exp(eps) * level for eps in mp.linspace(-3, 6, 3001))
        truth = sampled_gaussian(mp, sigma, q, level, direction)
        assert best < truth < best + mp.mpf("1e-6")


def test_directions_are_inverse_functions() -> None:
    steps = 100 * pv.PoissonSubsampled(pv.Gaussian(1), "0.05")
    there = trade_off(steps, alpha="0.2", adjacency="remove", digits=12)
    back = trade_off(steps, alpha=there.lower, adjacency="add", digits=12)
    assert abs(float(back) - 0.2) < 1e-10


def test_both_directions_give_their_minimum_which_need_not_be_convex() -> None:
    mp = context(60)
    sigma, q = real(mp, "0.8"), real(mp, "0.2")
    below = {"remove": set[bool](), "add": set[bool]()}
    for alpha in ("0.05", "0.95"):
        sides = [sampled_gaussian(mp, sigma, q, real(mp, alpha), way) for way in ("remove", "add")]
        assert holds(trade_off(SAMPLED, alpha=alpha), min(sides), 40)
        for way, side in zip(below, sides, strict=True):
            below[way].add(side == min(sides))
    assert below == {"remove": {True, False}, "add": {True, False}}
    # where the two meet, the dual of the maximum of both profiles is smaller
    meet = mp.findroot(
        lambda a: sampled_gaussian(mp, sigma, q, a, "remove") - a, (mp.mpf("0.4"), mp.mpf("0.5"))
    )
    level = Fraction(mp.nstr(meet, 30))
    profiles = [mixture_delta(mp, sigma, q, way) for way in ("remove", "add")]
    convex = max(
        1 - max(profile(eps) for profile in profiles) - mp.exp(eps) * meet for eps in mp.linspace(-2, 2, 4001)
    )
    found = trade_off(SAMPLED, alpha=level)
    assert holds(found, meet, 25) and convex + mp.mpf("0.001") < meet


@pytest.mark.parametrize(
    ("composition", "digits"),
    [
        (1000 * pv.PoissonSubsampled(pv.Gaussian(1), "0.01"), 10),
        (300 * pv.PureDP("0.1"), 10),
        (50 * pv.SampledWithoutReplacement(pv.Gaussian(2), "0.1") + pv.GDP(1), 10),
        (2 * pv.PoissonSubsampled(pv.Laplace(1), "0.1") + pv.RandomizedResponse("0.6"), 3),
    ],
)
def test_every_point_of_the_profile_lies_below(composition: pv.Composition, digits: int) -> None:
    """Weak duality with δ(ε) as proved elsewhere; near the best ε it is almost attained."""
    alpha = Fraction("0.2")
    found = trade_off(composition, alpha=alpha, digits=digits)
    assert found.digits >= digits
    mp, highest = context(40), Fraction(0)
    for eps in range(-24, 41, 4):
        profile = pv.delta(composition, epsilon=Fraction(eps, 16), digits=3)
        growth = Fraction(mp.nstr(mp.exp(mp.mpf(eps) / 16), 30))
        assert 1 - profile.upper - growth * alpha <= found.upper
        highest = max(highest, 1 - profile.lower - growth * alpha)
    assert highest > found.lower * Fraction(95, 100)


def test_the_ends() -> None:
    assert trade_off(pv.Gaussian(1), alpha=0).lower == 1
    assert trade_off(pv.Gaussian(1), alpha=1).upper == 0
    assert Fraction("0.81") in trade_off(2 * pv.ApproximateDP(1, "0.1"), alpha=0)
    assert trade_off(2 * pv.ApproximateDP(1, "0.1"), alpha="0.81").upper == 0
    assert trade_off(pv.RandomizedResponse(1), alpha="0.1").upper == 0
    assert trade_off(pv.RandomizedResponse("0.5"), alpha="0.1").lower == Fraction("0.9")


def test_values_too_small_for_exact_ends() -> None:
    found = trade_off(pv.GDP(300), alpha="0.5")
    assert found.lower == 0 < found.upper < Fraction(1, 10**6000)


def test_engines_that_would_use_up_the_clock_leave_time_for_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked, settle = [], module.settle

    def slow(loss: ComposedLoss, quantity: Any, size: Fraction, goal: int, *, names: Any) -> Any:
        asked.append(names)
        while names is module._EXACT:
            spend(0.01)
        return settle(loss, quantity, size, goal, names=names)

    monkeypatch.setattr(module, "settle", slow)
    with clock(20), allowance(50):  # counted work is the same everywhere
        found = trade_off(2 * pv.Gaussian(2), alpha="1/4", digits=6)
    assert found.digits >= 6 and module._EXACT in asked and tuple(module.ENGINES) in asked


@pytest.mark.slow
def test_mixed_losses() -> None:
    """Laplace and randomised response: δ is the mean of two Laplace profiles, its dual a fine search."""
    mp = context(30)
    c, p, level = mp.mpf(1), mp.mpf(3) / 4, mp.mpf("0.1")
    size = mp.log(3)

    def laplace(eps: Any) -> Any:
        return mp.mpf(0) if eps >= c else 1 - mp.exp(eps) if eps <= -c else -mp.expm1((eps - c) / 2)

    def dual(eps: Any) -> Any:
        delta = p * laplace(eps - size) + (1 - p) * laplace(eps + size)
        return 1 - delta - mp.exp(eps) * level

    best = max((mp.mpf(j) / 10_000 for j in range(-20_000, 25_000)), key=dual)
    found = trade_off(pv.Laplace(1) + pv.RandomizedResponse("0.75"), alpha="0.1", digits=4)
    assert found.digits >= 4
    assert found.lower - Fraction(1, 10**8) <= Fraction(mp.nstr(dual(best), 20)) <= found.upper


@pytest.mark.parametrize("wrong", ["ceiling", "interval", "directions"])
def test_planted_bugs_are_found(monkeypatch: pytest.MonkeyPatch, wrong: str) -> None:
    """Teeth: an upper bound from one end, intervals left out, the reverse direction used as it stands."""
    ceiling = rule._ceiling
    if wrong == "ceiling":
        monkeypatch.setattr(
            rule,
            "_ceiling",
            lambda a, z, b, c: (min(a.at(b).upper(), z.at(c).upper()), ceiling(a, z, b, c)[1]),
        )
    elif wrong == "interval":
        monkeypatch.setattr(rule, "_ceiling", lambda a, z, b, c: (arb(0), ceiling(a, z, b, c)[1]))
    else:
        for owner in (module, question):
            monkeypatch.setattr(owner, "reverse", lambda direction: direction)
    mp, failures = context(60), 0
    for alpha in ("0.05", "0.9", "0.999"):
        truth = sampled_gaussian(mp, real(mp, "0.8"), real(mp, "0.2"), real(mp, alpha), "remove")
        try:
            failures += not holds(trade_off(SAMPLED, alpha=alpha, adjacency="remove"), truth, 40)
        except (NoConvergence, pv.errors.OracleDisagreement):
            failures += 1
    assert failures


@pytest.mark.parametrize(
    ("change", "name"),
    [
        ({"alpha": "-0.1"}, "alpha"),
        ({"alpha": "1.1"}, "alpha"),
        ({"alpha": "nan"}, "alpha"),
        ({"digits": 0}, "digits"),
        ({"adjacency": "both"}, "adjacency"),
        ({"composition": 7}, "composition"),
    ],
)
def test_bad_arguments(change: dict[str, Any], name: str) -> None:
    question: dict[str, Any] = {"composition": pv.Gaussian(1), "alpha": "0.1", **change}
    with pytest.raises(InvalidInput, match=name):
        trade_off(question.pop("composition"), **question)


def test_an_upper_bound_may_exceed_one_minus_alpha() -> None:
    """A rough roof over few points lies above 1 − α, by rounding or by much: no contradiction."""
    found = pv.trade_off(2 * pv.PoissonSubsampled(pv.Gaussian(1), "0.01"), alpha="0.1", digits=4)
    assert found.digits >= 4 and found.upper <= Fraction(9, 10)


def test_a_roof_that_stops_early_is_the_lowest(monkeypatch: pytest.MonkeyPatch) -> None:
    """Intervals that can't matter are not looked at to the end: the bound is that of all ceilings."""
    alpha = Fraction(1, 10)
    profile = pv.profile(SAMPLED, "remove")
    points = [Fraction(i, 4) for i in range(-4, 8)]
    rows = [
        rule.point(each, alpha, arb(float(delta)))
        for each, delta in zip(points, profile.delta(points, digits=6), strict=True)
    ]
    found = rule.roof(rows, arb(1) / 10, arb(1), arb(1))[0]
    lowest = rule._lowest
    monkeypatch.setattr(rule, "_lowest", lambda ceilings, enough: lowest(ceilings, arb.neg_inf()))
    assert found == rule.roof(rows, arb(1) / 10, arb(1), arb(1))[0]
    monkeypatch.setattr(rule, "_lowest", lambda ceilings, enough: list(ceilings)[-1])
    assert found != rule.roof(rows, arb(1) / 10, arb(1), arb(1))[0]  # teeth


@pytest.mark.parametrize("levels", [("1e-8", "0.5"), ("0.5", "1e-8"), ("0.999", "1e-4", "0.3")])
def test_one_evaluator_serves_both_directions_and_far_levels(levels: tuple[str, ...]) -> None:
    """One that was set up far away may know nothing of a δ, whose ball is then around 0."""
    mp = context(40)
    works: module.Works = {}
    for level in levels:
        truths = [
            sampled_gaussian(mp, real(mp, "0.8"), real(mp, "0.2"), real(mp, level), way)
            for way in ("remove", "add")
        ]
        whole = pv.Composition(((SAMPLED, 1),))
        found = module.least_error(whole, "add-or-remove", Fraction(level), 6, works)
        assert found.digits >= 6 and holds(found, min(truths), 30)
