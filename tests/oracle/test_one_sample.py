"""Several mechanisms on one Poisson sample, against the sums and integrals that define them."""

from fractions import Fraction
from itertools import product
from math import prod

import numpy as np
import pytest

import pldverify as pv
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.mechanisms.relations import Adjacency

Pair = list[tuple[Fraction, Fraction]]


def together(pairs: list[Pair]) -> Pair:
    """All outcomes, one by one."""
    one = Fraction(1)
    return [
        (prod((a for a, _ in row), start=one), prod((b for _, b in row), start=one))
        for row in product(*pairs)
    ]


def sampled(pairs: list[Pair], q: Fraction, direction: str) -> Pair:
    """The mixture against what it is without the record, or the reverse."""
    mixed = [((1 - q) * b + q * a, b) for a, b in together(pairs)]
    return mixed if direction == "remove" else [(b, a) for a, b in mixed]


def delta(pair: Pair, growth: Fraction) -> Fraction:
    return sum((max(Fraction(0), a - growth * b) for a, b in pair), Fraction(0))


RESPONSE: Pair = [(Fraction(3, 4), Fraction(1, 4)), (Fraction(1, 4), Fraction(3, 4))]
LOSING: Pair = [
    (Fraction(1, 10), Fraction(0)),
    (Fraction(9, 10) * Fraction(2, 3), Fraction(9, 10) * Fraction(1, 3)),
    (Fraction(9, 10) * Fraction(1, 3), Fraction(9, 10) * Fraction(2, 3)),
    (Fraction(0), Fraction(1, 10)),
]
FINITE: Pair = [
    (Fraction(1, 2), Fraction(1, 5)),
    (Fraction(1, 2), Fraction(3, 10)),
    (Fraction(0), Fraction(1, 2)),
]


@pytest.mark.parametrize("direction", ["remove", "add"])
@pytest.mark.parametrize("steps", [1, 2])
@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("2 * randomized_response(3/4)", [RESPONSE, RESPONSE]),
        ("randomized_response(3/4) + finite_pair([1/2, 1/2, 0], [1/5, 3/10, 1/2])", [RESPONSE, FINITE]),
        ("2 * approximate_dp(ln(2), 1/10)", [LOSING, LOSING]),
        (
            "approximate_dp(ln(2), 1/10) + 2 * finite_pair([1/2, 1/2, 0], [1/5, 3/10, 1/2])",
            [LOSING, FINITE, FINITE],
        ),
    ],
)
def test_finitely_many_outcomes_on_one_sample(
    text: str, pairs: list[Pair], steps: int, direction: Adjacency
) -> None:
    q, growth = Fraction(1, 5), Fraction(3, 2)
    step = sampled(pairs, q, direction)
    exact = delta(together([step] * steps), growth)
    text = text.replace("ln(2)", "0.693147180559945309417")  # several must have rational parameters
    found = pv.delta(f"{steps} * poisson({text}, q=1/5)", epsilon="ln(3/2)", adjacency=direction, digits=12)
    assert float(found) == pytest.approx(float(exact), rel=1e-9, abs=0)


def test_gaussians_on_one_sample_are_vectors() -> None:
    """δ of the vector of three outputs, by the one direction in which a record moves it."""
    rng = np.random.default_rng(1)
    sigmas, moves, q = np.array([2.0, 3.0, 1.5]), np.array([1.0, 0.5, 1.0]), 0.3
    x = rng.standard_normal((400_000, 3)) * sigmas
    ratio = 1 - q + q * np.exp(((x * moves - moves**2 / 2) / sigmas**2).sum(axis=1))
    sample = np.maximum(ratio - np.exp(0.1), 0)
    text = "gaussian(2) + gaussian(3, 1/2) + gaussian(3/2)"
    found = float(pv.delta(f"poisson({text}, q=3/10)", epsilon="0.1", adjacency="remove"))
    assert abs(sample.mean() - found) < 5 * sample.std() / len(sample) ** 0.5


def test_what_is_gdp_has_the_gaussian_on_a_sample() -> None:
    gaussian = pv.delta("5 * poisson(gaussian(1/2), q=1/10)", epsilon=1, digits=3)
    for whole in ("5 * poisson(gdp(2), q=1/10)", "5 * poisson(4 * gdp(1), q=1/10)"):
        assert pv.delta(whole, epsilon=1, digits=3) == gaussian


@pytest.mark.sample(4)
@pytest.mark.parametrize("adjacency", ["remove", "add"])
@pytest.mark.parametrize("steps", [1, 10, 100])
@pytest.mark.parametrize(
    ("mechanism", "rho"),
    [  # ε-DP is ε tanh(ε/2)-zCDP, less than ε²/2
        (pv.PureDP(1), "0.4621171572600098"),
        (pv.RandomizedResponse("0.9"), "1.758"),
        (pv.Gaussian(1), "0.5"),
        (pv.DiscreteGaussian(2, sensitivity=2), "0.5"),
    ],
)
def test_no_mechanism_that_is_zcdp_exceeds_the_upper_end(
    mechanism: Mechanism, rho: str, steps: int, adjacency: Adjacency
) -> None:
    promise = steps * pv.PoissonSubsampled(pv.ZCDP(rho), "0.2")
    true = steps * pv.PoissonSubsampled(mechanism, "0.2")  # type: ignore[arg-type]  # all are bases
    for epsilon in ("0.2", "1", "3"):
        found = pv.bracket(promise, epsilon=epsilon, adjacency=adjacency, seconds=5)
        assert pv.delta(true, epsilon=epsilon, adjacency=adjacency, digits=4).lower <= found.upper
    below = pv.bracket(promise, epsilon=1, adjacency=adjacency, seconds=5).lower
    noise = steps * pv.PoissonSubsampled(pv.GDP(f"sqrt(2*{rho})"), "0.2")
    assert below <= pv.delta(noise, epsilon=1, adjacency=adjacency, digits=4).upper


@pytest.mark.sample(2)
@pytest.mark.parametrize("steps", [1, 10, 100])
@pytest.mark.parametrize("epsilon", ["0.3", "1", "3"])
@pytest.mark.parametrize(("base", "rho"), [(pv.Gaussian(2), "0.5"), (pv.PureDP(1), "0.4621171572600098")])
def test_no_fixed_batch_of_what_is_zcdp_exceeds_the_upper_end(
    base: Mechanism, rho: str, epsilon: str, steps: int
) -> None:
    """Gaussian noise that a replaced record moves by 2C, and a promise of pure DP, in batches of a fifth."""
    promise = steps * pv.SampledWithoutReplacement(pv.ZCDP(rho), "0.2")
    known = steps * pv.SampledWithoutReplacement(base, "0.2")  # type: ignore[arg-type]  # both are bases
    above = pv.bracket(promise, epsilon=epsilon, seconds=5)
    below = pv.bracket(known, epsilon=epsilon, seconds=5)
    assert below.lower <= above.upper and above.two_sided


@pytest.mark.parametrize("steps", [1, 10, 100])
def test_a_fixed_batch_of_what_is_zcdp_has_what_gaussian_noise_has(steps: int) -> None:
    gaussian = pv.bracket(steps * pv.SampledWithoutReplacement(pv.Gaussian(2), "0.2"), epsilon=1, seconds=10)
    found = pv.bracket(steps * pv.SampledWithoutReplacement(pv.ZCDP("0.5"), "0.2"), epsilon=1, seconds=10)
    assert found.lower == pytest.approx(float(gaussian.lower), rel=0.05, abs=0) or steps == 1
    assert 0 < found.lower < found.upper
