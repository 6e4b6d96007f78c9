"""δ is monotone in the parameters of which a mechanism says so; elsewhere an irrational one is refused.

The proofs stand in the mechanisms' files. Here δ is enclosed at pairs of values, and every pair must be in
the order that the proof says, or overlap.
"""

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise

import pytest

import pldverify as pv
from pldverify.errors import InvalidInput
from pldverify.mechanisms.mechanism import Composition, Mechanism
from pldverify.numbers.exact import real
from pldverify.numbers.irrational import Irrational

F = Fraction
GAUSSIAN = pv.Gaussian(2)
Make = Callable[[object], Mechanism]
CASES: dict[tuple[type[Mechanism], str], tuple[Make, list[Fraction]]] = {
    (pv.Gaussian, "sigma"): (pv.Gaussian, [F(1, 2), F(1), F(2)]),
    (pv.Gaussian, "sensitivity"): (lambda x: pv.Gaussian(2, x), [F(1, 2), F(1), F(2)]),
    (pv.Laplace, "b"): (pv.Laplace, [F(1, 2), F(1), F(2)]),
    (pv.Laplace, "sensitivity"): (lambda x: pv.Laplace(2, x), [F(1, 2), F(1), F(2)]),
    (pv.DiscreteLaplace, "b"): (lambda x: pv.DiscreteLaplace(x, 2), [F(1, 2), F(1), F(2)]),
    (pv.GDP, "mu"): (pv.GDP, [F(1, 2), F(1), F(2)]),
    (pv.PureDP, "epsilon"): (pv.PureDP, [F(1, 2), F(1), F(2)]),
    (pv.ApproximateDP, "epsilon"): (lambda x: pv.ApproximateDP(x, "0.1"), [F(1, 2), F(1), F(2)]),
    (pv.ApproximateDP, "delta"): (lambda x: pv.ApproximateDP(1, x), [F(1, 100), F(1, 10), F(1, 2)]),
    (pv.Exponential, "epsilon"): (pv.Exponential, [F(1, 2), F(1), F(2)]),
    (pv.PermuteAndFlip, "epsilon"): (pv.PermuteAndFlip, [F(1, 2), F(1), F(2)]),
    (pv.NoisyMax, "b"): (pv.NoisyMax, [F(1, 2), F(1), F(2)]),
    (pv.NoisyMax, "sensitivity"): (lambda x: pv.NoisyMax(2, x), [F(1, 2), F(1), F(2)]),
    (pv.AboveThreshold, "b"): (lambda x: pv.AboveThreshold(x, 2), [F(1, 2), F(1), F(2)]),
    (pv.AboveThreshold, "query_b"): (lambda x: pv.AboveThreshold(2, x), [F(1, 2), F(1), F(2)]),
    (pv.AboveThreshold, "sensitivity"): (lambda x: pv.AboveThreshold(2, 4, x), [F(1, 2), F(1), F(2)]),
    (pv.ThresholdedHistogram, "threshold"): (
        lambda x: pv.ThresholdedHistogram(pv.Laplace(2, "1/2"), x),
        [F(3), F(5), F(9)],
    ),
    (pv.GroupDP, "epsilon"): (lambda x: pv.GroupDP(x, "0.01", 3), [F(1, 2), F(1), F(2)]),
    (pv.GroupDP, "delta"): (lambda x: pv.GroupDP(1, x, 3), [F(1, 100), F(1, 10), F(1, 2)]),
    (pv.RandomizedResponse, "p"): (lambda x: pv.RandomizedResponse(x, 4), [F(1, 3), F(1, 2), F(9, 10)]),
    (pv.PoissonSubsampled, "q"): (lambda x: pv.PoissonSubsampled(pv.Laplace(1), x), [F(1, 9), F(1, 2), F(1)]),
    (pv.SampledWithoutReplacement, "q"): (
        lambda x: pv.SampledWithoutReplacement(GAUSSIAN, x),
        [F(1, 9), F(1, 2), F(1)],
    ),
    (pv.KJH19Substitute, "q"): (lambda x: pv.KJH19Substitute(GAUSSIAN, x), [F(1, 9), F(1, 2), F(1)]),
}
IN_BASES: list[Make] = [
    lambda x: pv.PoissonSubsampled(pv.Gaussian(x), "0.2"),
    lambda x: pv.PoissonSubsampled(pv.Laplace(x), "0.2"),
    lambda x: pv.PoissonSubsampled(pv.DiscreteLaplace(x), "0.2"),
    lambda x: pv.SampledWithoutReplacement(pv.Gaussian(x), "0.2"),
    lambda x: pv.SampledWithReplacement(pv.Gaussian(x), 2, 10),
    lambda x: pv.KJH19Substitute(pv.Gaussian(x), "0.2"),
    lambda x: pv.KJH20WithReplacement(pv.Gaussian(x), 2, 10),
]
SCALES = [F(1, 2), F(1), F(2)]


def profile(mechanism: Mechanism, steps: int) -> list[pv.Enclosure]:
    whole = steps * mechanism
    return [
        pv.delta(whole, epsilon=epsilon, adjacency=adjacency, digits=8)
        for epsilon in ("-1/2", 0, "1/10", 1)
        for adjacency in (("add", "remove") if whole.has("add-or-remove") else ("replace-one",))
    ]


def in_order(less: list[pv.Enclosure], more: list[pv.Enclosure]) -> bool:
    """No value of the first list is proved to exceed that of the second, and one is proved to be less."""
    pairs = list(zip(less, more, strict=True))
    return all(a.lower <= b.upper for a, b in pairs) and any(a.upper < b.lower for a, b in pairs)


def test_every_parameter_that_is_said_to_be_ordered_is_tried() -> None:
    kinds = {value for value in vars(pv.mechanisms).values() if isinstance(value, type)}
    said = {(k, name) for k in kinds if issubclass(k, Mechanism) for name in (*k.rises, *k.falls)}
    assert said == {*CASES, (pv.ZCDP, "rho")}  # which has no pair, but an upper bound


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[0].__name__}-{case[1]}")
@pytest.mark.parametrize("steps", [1, 2])
def test_delta_is_in_the_order_that_is_said(case: tuple[type[Mechanism], str], steps: int) -> None:
    kind, name = case
    make, values = CASES[case]
    profiles = [profile(make(value), steps) for value in values]
    if name in kind.falls:
        profiles.reverse()
    assert all(in_order(less, more) for less, more in pairwise(profiles))


@pytest.mark.parametrize("make", IN_BASES)
def test_delta_falls_in_the_noise_of_a_base(make: Make) -> None:
    profiles = [profile(make(value), 1) for value in SCALES]
    assert all(in_order(less, more) for more, less in pairwise(profiles))


def test_a_wrong_order_would_be_seen() -> None:
    """The teeth: p below 1/k, where randomised response is less private the smaller p is."""
    low, high = (profile(pv.RandomizedResponse(p, 4), 1) for p in ("0.01", "0.2"))
    assert not in_order(low, high) and in_order(high, low)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[0].__name__}-{case[1]}")
def test_both_ends_are_exact_and_in_order(case: tuple[type[Mechanism], str]) -> None:
    kind, name = case
    number = real("sqrt(1/2)", name)
    assert isinstance(number, Irrational)
    mechanism = CASES[case][0](number)
    least, greatest = mechanism.ends()
    ends = number.lower, number.upper
    assert not mechanism.is_exact and least.is_exact and greatest.is_exact and mechanism.middle().is_exact
    assert (getattr(least, name), getattr(greatest, name)) == (ends[::-1] if name in kind.falls else ends)
    assert "sqrt(1/2)" in str(mechanism)
    assert Composition.of((mechanism, 3)) == pv.Query(str(3 * mechanism), delta=0).composition


def test_the_ends_of_a_base_are_taken_with_those_of_its_sample() -> None:
    mechanism = pv.PoissonSubsampled(pv.Gaussian("sqrt(2)"), "1/pi")
    least, greatest = (end for end in mechanism.ends())
    assert least.base.sigma > greatest.base.sigma and least.q < greatest.q  # type: ignore[attr-defined]
    assert pv.Gaussian(2).ends() == (pv.Gaussian(2), pv.Gaussian(2))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: pv.DiscreteGaussian("sqrt(2)"), r"^sigma must be rational, got sigma=sqrt\(2\)$"),
        (lambda: pv.Binomial(10, "1/pi"), "^p must be rational, got p=1/pi$"),
        (lambda: pv.FinitePair(["1/pi", "1-1/pi"], [1, 0]), r"^p\[0\] must be rational, got "),
        (
            lambda: pv.RandomizedResponse("1/pi"),
            "^p must be rational, or above 1/2 where δ rises, got p=1/pi$",
        ),
        (lambda: pv.SampledWithReplacement(pv.Gaussian(1), "pi", 10), "^m must be rational, got m=pi$"),
        (lambda: "pi" * pv.Gaussian(1), "^count must be rational, got count=pi$"),  # type: ignore[operator]
        (lambda: pv.PoissonSubsampled(pv.Gaussian(1), "pi/3"), r"^q must be in \(0, 1\], got q=pi/3$"),
    ],
)
def test_elsewhere_a_number_that_is_no_fraction_is_refused(make: Callable[[], object], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        make()
