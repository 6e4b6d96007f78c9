"""Truncated Poisson batches against the mechanism itself: every sample of a few records, and every way to cut
it, is listed, and δ of the two mixtures that follow is integrated on a grid of outcomes.
"""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, product
from math import comb

import pytest

import pldverify as pv
from pldverify.balls.ball import working
from pldverify.mechanisms.relations import Adjacency
from pldverify.reference.laws.truncated_poisson import binomial_tail
from tests.oracle.test_hidden_batches import OFF, Mixture, delta, power


def cut(records: Sequence[float], q: float, largest: int) -> Mixture:
    """Sums of every sample, cut in every way."""
    found: Mixture = Counter()
    for size in range(len(records) + 1):
        chance = q**size * (1 - q) ** (len(records) - size)
        for sample in combinations(records, size):
            kept = min(size, largest)
            for batch in combinations(sample, kept):
                found[(sum(batch),)] += chance / comb(size, kept)  # type: ignore[assignment]  # of floats
    return found


def worst(q: float, n: int, largest: int, steps: int, epsilon: float, adjacency: Adjacency) -> float:
    """Over all data sets of contributions −1, 0, 1."""
    found = 0.0
    for others in product((-1.0, 0.0, 1.0), repeat=n - 1):
        if list(others) == sorted(others):
            second = [-1.0, *others] if adjacency == "replace-one" else list(others)
            pair = [power(cut(data, q, largest), steps) for data in ([1.0, *others], second)]
            found = max(found, delta(*pair, 0.8, epsilon, 0.06))
    return found


CUT = pytest.mark.parametrize(
    ("q", "n", "largest"), [("0.3", 3, 1), ("0.6", 3, 2), ("0.2", 4, 2), ("1", 3, 1)]
)


def holds_the_worst(q: str, n: int, largest: int, steps: int, epsilon: float, adjacency: Adjacency) -> None:
    """The upper end does, and the lower end is below it."""
    step = pv.TruncatedPoisson(pv.Gaussian("0.8"), q, n, largest)
    found = pv.bracket(steps * step, epsilon=epsilon, adjacency=adjacency, seconds=20)
    attack = worst(float(Fraction(q)), n, largest, steps, epsilon, adjacency)
    assert found.lower < attack * (1 + OFF) and attack < found.upper * (1 + OFF)


@pytest.mark.sample(4)
@pytest.mark.parametrize("adjacency", ["add-or-remove", "replace-one"])
@CUT
@pytest.mark.parametrize("epsilon", [0.3, 1.5])
def test_every_data_set_is_below_the_upper_end(
    q: str, n: int, largest: int, epsilon: float, adjacency: Adjacency
) -> None:
    holds_the_worst(q, n, largest, 1, epsilon, adjacency)


@pytest.mark.parametrize("adjacency", ["add-or-remove", "replace-one"])
@CUT
def test_two_steps_of_every_data_set_are_too(q: str, n: int, largest: int, adjacency: Adjacency) -> None:
    holds_the_worst(q, n, largest, 2, 1.0, adjacency)


def test_a_sample_that_is_always_cut_to_one_has_the_pair() -> None:
    """q = 1, B = 1: one of n records is drawn, and without it one of the others."""
    step = pv.TruncatedPoisson(pv.Gaussian("0.8"), 1, 3, 1)
    upper = float(pv.delta(step, epsilon=1, adjacency="add-or-remove").upper)
    assert worst(1.0, 3, 1, 1, 1.0, "add-or-remove") == pytest.approx(upper, rel=OFF, abs=0)
    assert upper == pytest.approx(
        float(pv.delta("poisson(gaussian(0.8, 2), q=1/3)", epsilon=1)), rel=1e-12, abs=0
    )


def test_what_is_never_cut_is_a_poisson_sample() -> None:
    step = pv.TruncatedPoisson(pv.Gaussian(1), "0.1", dataset_size=20, max_batch=20)
    plain = pv.delta("3 * poisson(gaussian(1), q=0.1)", epsilon=1, digits=3)
    assert pv.delta(3 * step, epsilon=1, digits=3) == plain
    assert (3 * step).standing == "exact"


@pytest.mark.parametrize(("n", "q", "k"), [(5, "1/3", 2), (40, "1/10", 9), (30, "4/5", 20), (7, "1/2", 7)])
def test_binomial_tails_are_the_sums(n: int, q: str, k: int) -> None:
    p = Fraction(q)
    exact = sum(comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(k, n + 1))
    with working(320):
        found = binomial_tail(n, p, k)
        assert found.overlaps(exact_ball(exact)) and found.rel_accuracy_bits() > 250


def exact_ball(value: Fraction) -> object:
    from pldverify.balls.ball import ball

    return ball(value)


@pytest.mark.parametrize(
    ("q", "n", "largest"),
    [("0.3", 30, 12), ("0.1", 50, 5), ("0.5", 20, 10), ("0.01", 500, 9), ("0.02", 2000, 45)],
)
def test_the_mean_batch_is_bounded_from_below(q: str, n: int, largest: int) -> None:
    p = Fraction(q)
    mean = sum(min(i, largest) * comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(n + 1))
    found = pv.TruncatedPoisson(pv.Gaussian(1), q, n, largest).least_q
    assert mean / n * Fraction(7, 10) < found <= mean / n


@pytest.mark.parametrize(("q", "n", "largest", "steps"), [("1/8", 100, 20, 10), ("1/16", 1000, 80, 20)])
def test_the_pair_in_print_is_no_smaller(q: str, n: int, largest: int, steps: int) -> None:
    """dp-accounting's has the same weights, and a looser pair for samples that are cut."""
    theirs = pytest.importorskip("dp_accounting.pld.privacy_loss_distribution")
    if not hasattr(theirs, "from_truncated_subsampled_gaussian_mechanism"):
        pytest.skip("an older dp-accounting")
    one = theirs.from_truncated_subsampled_gaussian_mechanism(
        dataset_size=n,
        sampling_probability=float(Fraction(q)),
        truncated_batch_size=largest,
        noise_multiplier=1.0,
        value_discretization_interval=1e-3,
    )
    found = pv.epsilon(steps * pv.TruncatedPoisson(pv.Gaussian(1), q, n, largest), delta="1e-6", digits=6)
    printed = one.self_compose(steps).get_epsilon_for_delta(1e-6)
    assert 0.95 * printed < float(found) < printed


def test_the_kept_rate_of_huge_batches_takes_no_time() -> None:
    """Its powers had a thousand million bits."""
    huge = pv.TruncatedPoisson(pv.Gaussian(1), q="0.01", dataset_size=10**11, max_batch=1_100_000_000)
    assert huge.least_q == 0
