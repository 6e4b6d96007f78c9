"""ε(δ): the ends of the scale, brackets, directions."""

import math
from contextlib import suppress
from fractions import Fraction
from importlib import import_module
from math import inf

import pytest

import pldverify as pv
from pldverify.errors import InvalidInput, NoConvergence
from pldverify.reference.choice import Settled
from pldverify.reference.engines.conclude import conclude
from pldverify.reference.laws.composed_loss import ComposedLoss
from tests.oracle.closed_forms import (
    context,
    fraction,
    gaussian_delta,
    next_to_the_largest_loss,
    randomized_response_atoms,
    real,
)
from tests.unit.reference.told import Told

module = import_module("pldverify.reference.quantities.epsilon")
root = import_module("pldverify.reference.quantities.root")
PAIR = pv.PoissonSubsampled(pv.Gaussian(1), "0.2")


@pytest.mark.parametrize("delta", ["-1e-9", "1.0001", "nan", float("inf"), None, "x"])
def test_delta_must_be_a_probability(delta: object) -> None:
    with pytest.raises(InvalidInput, match="delta"):
        pv.epsilon(PAIR, delta=delta)


@pytest.mark.parametrize(
    "mechanism", [PAIR, 100 * PAIR, pv.Gaussian(1), pv.Laplace(1), pv.RandomizedResponse("0.7")]
)
def test_delta_one_asks_for_nothing(mechanism: pv.Composition) -> None:
    found = pv.epsilon(mechanism, delta=1)
    assert (found.lower, found.upper) == (0, 0)


@pytest.mark.parametrize("mechanism", [PAIR, 100 * PAIR, pv.Gaussian(1), pv.Laplace(1) + pv.Gaussian(9)])
def test_delta_zero_needs_bounded_losses(mechanism: pv.Composition) -> None:
    found = pv.epsilon(mechanism, delta=0, adjacency="remove")
    assert (found.lower, found.upper) == (inf, inf)


def test_delta_zero_of_bounded_losses_is_the_largest_one() -> None:
    assert Fraction(10) in pv.epsilon(3 * pv.Laplace("0.3"), delta=0, digits=30)
    responses = pv.epsilon(3 * pv.RandomizedResponse("0.75"), delta=0, digits=30)
    # 3 log 3 = 3.29583686600432907418573571076…
    assert Fraction("3.29583686600432907418573571076") <= responses.upper
    assert responses.lower <= Fraction("3.29583686600432907418573571077")


@pytest.mark.parametrize("delta", ["0.0796556745540578", "0.0796556745540581", "0.08", "0.5"])
def test_around_delta_of_zero(delta: str) -> None:
    # σ = 5: δ(0) = 0.07965567455405798…
    found = pv.epsilon(pv.Gaussian(5), delta=delta, digits=5)
    if Fraction(delta) > Fraction("0.07965567455405798"):
        assert (found.lower, found.upper) == (0, 0)
    else:
        assert 0 < found.lower <= found.upper < Fraction(1, 10**13)


@pytest.mark.parametrize("digits", [1, 4, 15, 40])
@pytest.mark.parametrize("delta", ["1e-3", "1e-9", "1e-60"])
def test_as_many_digits_as_asked(delta: str, digits: int) -> None:
    assert pv.epsilon(PAIR, delta=delta, digits=digits).digits >= digits


@pytest.mark.parametrize(("delta", "digits"), [("1e-320", 15), ("1e-400", 15), ("1e-4000", 5)])
@pytest.mark.parametrize("variance", [1, 100])
def test_a_delta_below_the_range_of_floats(variance: int, delta: str, digits: int) -> None:
    found = pv.epsilon(variance * pv.Gaussian(1), delta=delta, digits=digits)
    mp = context(40)
    low, high = (
        fraction(gaussian_delta(mp, variance)(real(mp, Fraction(x)))) for x in (found.lower, found.upper)
    )
    assert found.digits >= digits and low > Fraction(delta) > high


@pytest.mark.parametrize("nines", [9, 17, 40])
@pytest.mark.parametrize("variance", [1000, 10_000])
def test_a_delta_next_to_one(variance: int, nines: int) -> None:
    delta = 1 - Fraction(1, 10**nines)
    found = pv.epsilon(variance * pv.Gaussian(1), delta=delta)
    mp = context(80)
    low, high = (
        fraction(gaussian_delta(mp, variance)(real(mp, Fraction(x)))) for x in (found.lower, found.upper)
    )
    assert found.digits >= 15 and low > delta > high


@pytest.mark.parametrize("nines", [3, 9, 19])
def test_a_delta_next_to_one_of_finitely_many_losses(nines: int) -> None:
    p, delta = Fraction(99, 100), 1 - Fraction(1, 10**nines)
    found = pv.epsilon(100 * pv.RandomizedResponse(p), delta=delta)
    mp = context(80)
    low, high = (
        sum(
            max(mp.mpf(0), mass * (1 - mp.exp(real(mp, Fraction(x)) - loss)))
            for loss, mass in randomized_response_atoms(mp, p, 100)
        )
        for x in (found.lower, found.upper)
    )
    assert found.digits >= 15 and fraction(low) > delta > fraction(high)


def test_the_larger_direction_is_reported() -> None:
    composition = 50 * PAIR
    add, remove = (pv.epsilon(composition, delta="1e-6", adjacency=a) for a in ("add", "remove"))
    assert add.upper < remove.lower
    assert pv.epsilon(composition, delta="1e-6").overlaps(remove)
    # with delta = 0 only `add` is finite, and the maximum is not
    assert pv.epsilon(composition, delta=0, adjacency="add").upper < inf
    assert pv.epsilon(composition, delta=0).lower == inf


def test_atoms_make_epsilon_jump() -> None:
    # δ(ε) = p − e^ε(1 − p) up to log 3: below δ(log 3) = 0 nothing, at δ = 1/4: e^ε = 2
    found = pv.epsilon(pv.RandomizedResponse("0.75"), delta="0.25", digits=25)
    assert Fraction("0.6931471805599453094172321") <= found.upper
    assert found.lower <= Fraction("0.6931471805599453094172322")


def test_a_largest_loss_beyond_all_numbers() -> None:
    found = pv.epsilon(pv.PoissonSubsampled(pv.Laplace("1e-4000"), "1e-300"), delta=0, adjacency="remove")
    assert (found.lower, found.upper) == (0, inf)


def test_what_leaves_the_range_of_floats_is_undecided() -> None:
    with pytest.raises(NoConvergence, match="epsilon: the search left the range of floats"):
        pv.epsilon(pv.PoissonSubsampled(pv.DiscreteGaussian("1e-4000"), "0.5"), delta="1e-6")


@pytest.mark.parametrize("places", [20, 30, 40, 300])
@pytest.mark.parametrize("k", [1, 2])
def test_a_delta_just_below_the_infinite_mass_leaves_no_epsilon(places: int, k: int) -> None:
    whole = k * pv.ApproximateDP(1, "1e-5")
    mass = 1 - (1 - Fraction(1, 10**5)) ** k
    below = pv.epsilon(whole, delta=mass - Fraction(1, 10**places), digits=5)
    assert below.lower == below.upper == inf
    assert k in pv.epsilon(whole, delta=mass, digits=5)
    above = pv.epsilon(whole, delta=mass + Fraction(1, 10**places), digits=5)
    assert k - Fraction(1, 1000) < above.lower <= k  # ε grows to k as δ falls to δ_∞
    assert above.upper < k + Fraction(1, 1000)


def test_a_largest_loss_below_zero() -> None:
    whole = pv.FinitePair(["0.5", "0.5"], [1, 0])  # losses log(1/2) and ∞
    found = pv.epsilon(whole, delta="0.5", adjacency="remove")
    assert found.lower == found.upper == 0


@pytest.mark.slow
def test_an_infinite_mass_of_too_many_bits_is_told_or_admitted() -> None:
    whole = 1000 * pv.Binomial(10**5, "1/3", 10**5)
    found = pv.epsilon(whole, delta=1 - Fraction(1, 10**30), digits=3)
    assert found.upper == inf


def test_next_to_the_largest_loss() -> None:
    """With m = P(one loss is the largest), δ(ε) ≥ m¹⁰ (1 − e^{ε − top}): ε(1e-30) is top to 22 digits."""
    steps = 10 * pv.PoissonSubsampled(pv.Laplace(1), "0.01")
    found = pv.epsilon(steps, delta="1e-30", adjacency="remove", digits=3)
    one, largest = math.expm1(1), (0.99 * math.exp(-1) + 0.01) / 2
    top = 10 * math.log1p(0.01 * one)
    assert largest**10 > 4e-8
    assert found.lower < top < float(found.upper) * (1 + 1e-14) and found.digits >= 3


@pytest.mark.parametrize("steps", [10 * pv.Laplace(20), 3 * pv.RandomizedResponse("0.75")])
def test_a_guess_that_is_the_largest_loss_in_floats(steps: pv.Composition) -> None:
    """All losses are the largest one with probability 2^{−10} or more: ε(1e-30) is that to 26 digits."""
    top = 3 * math.log(3) if steps.steps == 3 else 0.5
    found = pv.epsilon(steps, delta="1e-30", digits=15)
    assert found.lower < top * (1 + 1e-15) and found.upper > top * (1 - 1e-15) and found.digits >= 15


def test_next_to_the_largest_of_tiny_losses() -> None:
    """What ε(1e-100) leaves of 10q is some 6e-7 of it: guesses, steps and widths are in units of that."""
    mp, q = context(25), "1e-9"
    steps = 10 * pv.PoissonSubsampled(pv.Gaussian("0.5"), q)
    found = pv.epsilon(steps, delta="1e-100", adjacency="add", digits=12)
    theta = mp.mpf("5e6") / real(mp, q)

    def delta(epsilon: object) -> Fraction:
        parameters = mp.mpf(1) / 2, real(mp, q), 10, real(mp, epsilon)
        return fraction(next_to_the_largest_loss(mp, *parameters, theta=theta, period=250 / theta))

    assert found.digits >= 12
    assert delta(found.upper) < Fraction(1, 10**100) < delta(found.lower)


def test_many_steps_of_a_law_with_a_density() -> None:
    """A float K(θ) that is off by 1e-4 a step sent the search to 1e-9; mean 79, deviation 12.6."""
    steps = 10**6 * pv.SampledWithReplacement(pv.Gaussian(4), m=2, n=100)
    found = pv.epsilon(steps, delta="1e-5", digits=3)
    assert 130 < found.lower <= found.upper < 134


def test_each_end_names_the_engine_that_proved_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """δ = e^{−ε}, to 3 digits, by one engine up to ε = 1 and by another beyond; a third brackets nothing."""

    def told(law: ComposedLoss, target: Fraction, point: Fraction, *_: object) -> Settled:
        delta = Fraction(math.exp(-point))
        engine = "near" if point < 1 else "far"
        proof = Told(delta * Fraction("0.9995"), delta * Fraction("1.0005"), engine, law, at=point)
        return Settled(conclude(proof), proof, None)

    monkeypatch.setattr(module, "_coarse", told)
    monkeypatch.setattr(module, "_refined", lambda *_: None)
    found = pv.epsilon(pv.Gaussian(1), delta=Fraction(math.exp(-1)), digits=2)
    assert found.lower < 1 < found.upper and found.engine == "far"
    notes = dict(found.provenance)
    assert notes["lower end"] == "near: δ(ε) exceeds the target there"
    assert notes["upper end"] == "far: δ(ε) does not exceed the target there"


def test_one_engine_for_both_ends_or_the_support_for_one() -> None:
    found = pv.epsilon(PAIR, delta="1e-6", digits=5, adjacency="remove")
    ends = [dict(found.provenance)[name] for name in ("lower end", "upper end")]
    assert all(end.startswith(f"{found.engine}: δ(ε)") for end in ends)
    top = pv.epsilon(3 * pv.Laplace(1), delta="1e-40", digits=3)
    assert dict(top.provenance)["upper end"].startswith("support: ")
    assert not dict(top.provenance)["lower end"].startswith("support: ")


def test_all_finite_losses_may_be_negative() -> None:
    """p = 0 never answers the truth: what is left of P(S = ∞) = 1 − 0.99² has a loss below 0."""
    steps = 2 * pv.PoissonSubsampled(pv.RandomizedResponse(0), "0.01")
    assert pv.epsilon(steps, delta="0.1", adjacency="remove").upper == 0
    assert pv.epsilon(steps, delta="0.019", adjacency="remove").lower == inf


@pytest.mark.parametrize("delta", ["0.6", "0.75", "0.8"])
def test_a_negative_loss_or_none(delta: str) -> None:
    pair = pv.FinitePair(["0.5", "0.5"], [0, 1])
    assert pv.epsilon(pair, delta=delta, adjacency="remove").upper == 0


def test_next_to_delta_of_zero() -> None:
    steps = 60 * pv.PoissonSubsampled(pv.Gaussian(1), "0.1")
    at_zero = pv.delta(steps, epsilon=0, adjacency="remove", digits=20)
    found = pv.epsilon(steps, delta=at_zero.upper + Fraction(1, 10**10), adjacency="remove", digits=3)
    assert (found.lower, found.upper) == (0, 0)


@pytest.mark.parametrize(("delta", "odds"), [("1e-31", "1.6e-30"), ("1e-400", "2e-30"), ("1e-6", "0")])
def test_a_ratio_next_to_one_has_few_digits_in_its_logarithm(delta: str, odds: str) -> None:
    """One response that is hardly ever sampled: δ(ε) = q/2 − (e^ε − 1)/4, so ε = log(1 + 2q − 4δ)."""
    value = pv.epsilon(pv.PoissonSubsampled(pv.RandomizedResponse("0.75"), "1e-30"), delta=delta, digits=8)
    truth = Fraction(odds)  # ε differs from e^ε − 1 by 1e-60
    assert value.lower <= truth + Fraction(1, 10**55) and truth - Fraction(1, 10**55) <= value.upper
    assert value.digits >= 8


@pytest.mark.slow
def test_six_digits_from_an_engine_of_six() -> None:
    """Both ends were looked for a third of 1e-6 from ε, where 6 digits of δ tell no side; six times over."""
    steps = 12 * pv.PoissonSubsampled(pv.Gaussian("0.547"), "0.000136")
    assert pv.epsilon(steps, delta="5.27e-5", adjacency="replace-one", digits=6).digits >= 6


@pytest.mark.parametrize(("sigma", "delta"), [("0.378", "4.04e-6"), ("0.557", "1.37e-10")])
def test_next_to_an_atom(sigma: str, delta: str) -> None:
    """δ falls there by orders of magnitude within 1e-4 of ε: to stop so near to it is too early."""
    found = pv.epsilon(pv.DiscreteGaussian(sigma), delta=delta, digits=6)
    assert found.digits >= 6
    mp = context(40)
    scale = 2 * mp.mpf(sigma) ** 2
    masses = {x: mp.exp(-x * x / scale) for x in range(-30, 31)}
    total = mp.fsum(masses.values())

    def exceeds(end: Fraction | float) -> bool:
        growth = mp.exp(real(mp, Fraction(end)))
        terms = (masses[x] - growth * masses.get(x + 1, 0) for x in masses)
        return bool(mp.fsum(t for t in terms if t > 0) / total > real(mp, Fraction(delta)))

    assert exceeds(found.lower) and not exceeds(found.upper)


@pytest.mark.parametrize(("slow", "few"), [(2, True), (1000, False)])
def test_a_cliff_is_bisected(slow: int, few: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """δ falls by orders of magnitude next to ε, and hardly beyond: secants went to and fro 100 times."""
    coarse, looks = module._coarse, list[object]()
    monkeypatch.setattr(root, "_SLOW", slow)
    monkeypatch.setattr(module, "_coarse", lambda *given: looks.append(given) or coarse(*given))
    with suppress(NoConvergence):
        pv.epsilon(pv.DiscreteGaussian("0.1"), delta="1e-23", digits=6)
    assert (len(looks) < 50) == few
