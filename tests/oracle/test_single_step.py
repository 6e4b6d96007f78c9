"""One step of each mechanism against its closed form, written out again in mpmath."""

from fractions import Fraction

import pytest

import pldverify as pv
from tests.oracle.closed_forms import (
    context,
    fraction,
    holds,
    laplace_delta,
    mixture_delta,
    randomized_response_delta,
    real,
)

MIXTURES = [
    ("1", "0.01", "0"),
    ("1", "0.01", "0.005"),
    ("1", "0.01", "5"),
    ("0.3", "0.1", "-0.1"),
    ("0.3", "0.1", "12"),
    ("5", "0.999", "-6"),
    ("5", "1e-9", "1e-9"),
    ("0.05", "0.5", "0.6931471805"),
    ("40", "0.2", "-0.3"),
    ("2", "0.3", "0.3566"),
]


@pytest.mark.parametrize("direction", ["add", "remove"])
@pytest.mark.parametrize(("sigma", "q", "epsilon"), MIXTURES)
def test_poisson_subsampled_gaussian(sigma: str, q: str, epsilon: str, direction: str) -> None:
    mp = context(200)
    truth = mixture_delta(mp, real(mp, sigma), real(mp, q), direction)(real(mp, epsilon))
    found = pv.delta(
        pv.PoissonSubsampled(pv.Gaussian(sigma), q), epsilon=epsilon, adjacency=direction, digits=40
    )
    assert found.digits >= 40
    assert holds(found, truth, 60)


@pytest.mark.parametrize(("sigma", "q", "epsilon"), MIXTURES)
def test_default_adjacency_is_the_larger_direction(sigma: str, q: str, epsilon: str) -> None:
    mp = context(200)
    truth = max(
        mixture_delta(mp, real(mp, sigma), real(mp, q), direction)(real(mp, epsilon))
        for direction in ("add", "remove")
    )
    assert holds(pv.delta(pv.PoissonSubsampled(pv.Gaussian(sigma), q), epsilon=epsilon), truth, 60)


def test_the_direction_of_the_larger_delta_changes_at_zero() -> None:
    pair = pv.PoissonSubsampled(pv.Gaussian(1), "0.2")
    for epsilon, larger, smaller in (("0.1", "remove", "add"), ("-0.1", "add", "remove")):
        high, low = (pv.delta(pair, epsilon=epsilon, adjacency=a) for a in (larger, smaller))
        assert low.upper < high.lower
        assert pv.delta(pair, epsilon=epsilon).overlaps(high)


@pytest.mark.parametrize(
    ("b", "epsilon"),
    [
        ("1", "0"),
        ("1", "1"),
        ("1", "0.999999999999"),
        ("0.3", "2"),
        ("0.3", "-7"),
        ("1", "-1"),
        ("20", "0.01"),
    ],
)
def test_laplace(b: str, epsilon: str) -> None:
    mp = context(80)
    truth = laplace_delta(mp, 1 / real(mp, b))(real(mp, epsilon))
    found = pv.delta(pv.Laplace(b), epsilon=epsilon, digits=40)
    assert found.digits >= 40
    assert holds(found, truth, 60)


@pytest.mark.parametrize(
    ("epsilon", "first"),
    [("-1", "1"), ("-0.9999", "0.8161"), ("0", "0.6967"), ("1", "0.5"), ("1.0000000001", "0")],
)
def test_laplace_tail_counts_the_atom_at_the_threshold(epsilon: str, first: str) -> None:
    # P(S ≥ s) = 1 − e^{(s−1)/2}/2 for −1 < s ≤ 1, and P(S ≥ −1) = 1
    found = pv.tail(pv.Laplace(1), epsilon=epsilon)
    assert abs(Fraction(found.lower) - Fraction(first)) <= Fraction(1, 10**4)
    if epsilon in ("-1", "1"):
        assert found.lower <= Fraction(first) <= found.upper


@pytest.mark.parametrize("p", ["0", "1", "0.5", "0.75", "0.25", "1e-9"])
@pytest.mark.parametrize("epsilon", ["0", "1", "-1", "20.5", "-25"])
def test_randomized_response(p: str, epsilon: str) -> None:
    mp = context(60)
    exact = Fraction(p)
    growth = mp.exp(real(mp, epsilon))
    truth = randomized_response_delta(exact, 1, fraction(growth))
    found = pv.delta(pv.RandomizedResponse(p), epsilon=epsilon)
    assert found.digits >= 30
    assert holds(found, truth, 45)


@pytest.mark.parametrize("p", ["0", "1"])
def test_a_mechanism_that_tells_all(p: str) -> None:
    tells_all = pv.RandomizedResponse(p)
    assert pv.delta(tells_all, epsilon=100).lower == 1
    assert pv.delta(50 * tells_all + pv.Gaussian(3), epsilon=100).lower == 1
    assert pv.tail(tells_all, epsilon=100).lower == 1
    assert pv.epsilon(tells_all, delta="0.999").lower == float("inf")
    assert pv.epsilon(tells_all, delta=1).upper == 0
    assert pv.rdp(tells_all, order=2).lower == float("inf")


def test_a_mechanism_that_tells_nothing() -> None:
    nothing = pv.RandomizedResponse("0.5")
    assert pv.delta(10 * nothing, epsilon=0).upper == 0
    assert pv.epsilon(10 * nothing, delta=0).upper == 0
    assert pv.rdp(10 * nothing, order=2).upper == 0
    # δ(ε) = 1 − e^ε for ε < 0 even so
    mp = context(60)
    assert holds(pv.delta(nothing, epsilon="-0.25"), -mp.expm1(mp.mpf("-0.25")), 50)
    assert [pv.tail(nothing, epsilon=e).upper for e in ("0", "1e-9")] == [1, 0]
    # and it adds nothing to a composition
    both, alone = (pv.delta(m, epsilon=1) for m in (nothing + pv.Gaussian(1), pv.Gaussian(1)))
    assert (both.lower, both.upper) == (alone.lower, alone.upper)


def test_beyond_the_largest_loss_nothing_is_left() -> None:
    # `add`: the loss −log w stays below −log(1 − q)
    pair = pv.PoissonSubsampled(pv.Gaussian(1), "0.5")
    assert pv.delta(10 * pair, epsilon="6.94", adjacency="add").upper == 0
    assert pv.delta(10 * pair, epsilon="6.94", adjacency="remove").lower > 0
    top = pv.epsilon(10 * pair, delta=0, adjacency="add")
    mp = context(60)
    assert holds(top, 10 * mp.log(2), 50)
    assert pv.epsilon(10 * pair, delta=0, adjacency="remove").lower == float("inf")
    assert holds(pv.epsilon(pv.Laplace("0.1"), delta=0), mp.mpf(10), 50)
