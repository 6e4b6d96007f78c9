"""From a composition to the laws behind it."""

from fractions import Fraction

import pytest
from flint import arb

import pldverify as pv
from pldverify.balls.ball import ball, working
from pldverify.errors import InvalidInput, NotSupported
from pldverify.mechanisms.as_composition import as_composition
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.reference.laws.approximate_dp import ApproximateDPLaw
from pldverify.reference.laws.composed_loss import ComposedLoss, product, with_gaussians
from pldverify.reference.laws.gaussian import GaussianLaw
from pldverify.reference.laws.gaussian_mixture import GaussianMixtureLaw
from pldverify.reference.laws.laplace import LaplaceLaw
from pldverify.reference.laws.sampled import up_to
from pldverify.reference.laws.sampled_zcdp import SampledZCDPBound
from pldverify.reference.quantities.directions import distinct
from pldverify.reference.search.cumulant import cumulant


def test_gaussians_merge_into_one() -> None:
    mixed = 3 * pv.Gaussian(2, sensitivity=4) + pv.PoissonSubsampled(pv.Gaussian("0.5"), 1)
    assert product(mixed, "add").factors == ((GaussianLaw(Fraction(3 * 4 + 4)), 1),)


def test_directions_differ_only_where_sampling_makes_them() -> None:
    symmetric = as_composition(pv.Gaussian(1)) + pv.Laplace(2) + pv.RandomizedResponse("0.7")
    assert distinct(symmetric, ("remove", "add")) == ["remove"]
    assert distinct(symmetric + pv.PoissonSubsampled(pv.Gaussian(1), "0.1"), ("remove", "add")) == [
        "remove",
        "add",
    ]


def test_each_direction_names_its_law() -> None:
    pair = as_composition(7 * pv.PoissonSubsampled(pv.Gaussian(3, sensitivity=2), "0.1"))
    for direction in ("add", "remove"):
        expected = GaussianMixtureLaw(Fraction(3, 2), Fraction(1, 10), direction)  # type: ignore[arg-type]
        assert product(pair, direction).factors == ((expected, 7),)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("mechanism", "twice"),
    [
        (pv.Gaussian(3), pv.Gaussian(3, sensitivity=2)),
        (pv.Laplace(3), pv.Laplace(3, sensitivity=2)),
        (pv.DiscreteGaussian(3), pv.DiscreteGaussian(3, sensitivity=2)),
        (pv.DiscreteLaplace(3), pv.DiscreteLaplace(3, sensitivity=2)),
        (pv.Binomial(100, "1/4"), pv.Binomial(100, "1/4", sensitivity=2)),
    ],
    ids=str,
)
def test_a_replaced_record_moves_the_query_twice(mechanism: Mechanism, twice: Mechanism) -> None:
    """From one end to the other of what a removed one spans."""
    for replaced, removed in (("replace", "remove"), ("replace-back", "add")):
        whole, known = (
            product(as_composition(one), way)  # type: ignore[arg-type]
            for one, way in ((mechanism, replaced), (twice, removed))
        )
        assert whole == known != product(as_composition(mechanism), removed)  # type: ignore[arg-type]


def test_both_names_of_a_randomized_response_are_one_law() -> None:
    mixed = 2 * pv.RandomizedResponse("0.2") + 3 * pv.RandomizedResponse("0.8")
    ((_, count),) = product(mixed, "remove").factors
    assert count == 5


def test_steps_count_with_multiplicity() -> None:
    whole = 4 * pv.Laplace(1) + 5 * pv.RandomizedResponse("0.8")
    assert product(whole, "remove").steps == 9


def test_finite_mass() -> None:
    assert product(as_composition(pv.Gaussian(1)), "remove").finite_mass() == 1
    assert product(pv.Gaussian(1) + pv.RandomizedResponse(1), "remove").finite_mass().is_zero()


def test_support_ends_exactly_where_the_losses_are_rational() -> None:
    laplaces = product(3 * pv.Laplace("0.3"), "remove")
    assert laplaces.ends_by(Fraction(10))
    assert not laplaces.ends_by(10 - Fraction(1, 10**300))
    assert laplaces.ends_before(10 + Fraction(1, 10**300))
    assert not laplaces.ends_before(Fraction(10))
    top = laplaces.largest_finite_loss()
    assert top is not None and top.contains(10)


def test_support_of_add_ends_at_the_logarithm() -> None:
    pairs = product(as_composition(2 * pv.PoissonSubsampled(pv.Gaussian(1), "0.5")), "add")
    assert pairs.ends_by(Fraction("1.39")) and not pairs.ends_by(Fraction("1.38"))
    assert pairs.ends_before(Fraction("1.39")) and not pairs.ends_before(Fraction("1.38"))
    top = pairs.largest_finite_loss()
    assert top is not None and top.overlaps(2 * arb(2).log())
    assert (
        product(
            as_composition(2 * pv.PoissonSubsampled(pv.Gaussian(1), "0.5")), "remove"
        ).largest_finite_loss()
        is None
    )


@pytest.mark.parametrize("lam", ["0", "0.5", "3", "-1"])
def test_log_moment_adds_over_the_parts(lam: str) -> None:
    tilt = Fraction(lam)
    whole = product(3 * pv.Gaussian(2) + 5 * pv.Laplace(4), "remove")
    laplace = 5 * LaplaceLaw(Fraction(1, 4)).on_line(tilt, Fraction(0), 0)[0].real.log()
    assert whole.log_moment(tilt).overlaps(ball(Fraction(3, 4) * tilt * (tilt + 1) / 2) + laplace)


@pytest.mark.parametrize("theta", [-0.4, 0.3, 2.0, 11.0])
def test_the_float_cumulant_and_its_derivatives(theta: float) -> None:
    whole = product(
        4 * pv.PoissonSubsampled(pv.Gaussian(1), "0.2") + 2 * pv.Laplace(1) + pv.RandomizedResponse("0.8"),
        "remove",
    )
    h = 1e-3
    left, middle, right = (float(whole.log_moment(Fraction(theta + d)).mid()) for d in (-h, 0.0, h))
    value, slope, curvature = cumulant(whole, theta)
    assert abs(value - middle) < 1e-6 * max(1, abs(middle))
    assert abs(slope - (right - left) / (2 * h)) < 1e-3 * max(1, abs(slope))
    assert abs(curvature - (left - 2 * middle + right) / h**2) < 0.05 * curvature


def test_a_claim_without_a_pair_has_no_law() -> None:
    with pytest.raises(NotSupported, match="zcdp"):
        product(as_composition(pv.ZCDP("0.1")), "remove")


def test_the_infinite_mass_is_accurate_when_tiny_and_exact_when_dyadic() -> None:
    tiny = product(as_composition(1000 * pv.ApproximateDP("0.1", "1e-80")), "remove").infinite_mass()
    exact = 1 - (1 - Fraction(1, 10**80)) ** 1000
    assert tiny.contains(ball(exact)) and tiny.rel_accuracy_bits() > 40  # 1 − M(0) has no digits at 53 bits
    assert product(as_composition(pv.ApproximateDP(1, "0.25")), "remove").infinite_mass() == arb(1) / 4


def test_no_exact_distance_of_long_fractions() -> None:
    """28 steps of masses with 1,000 bits took 10 s; balls have δ(0) at once."""
    answers = 28 * pv.RandomizedResponse(1 - Fraction(1, 10**300))
    assert product(answers, "add").exact_distance() is None
    assert product(2 * pv.RandomizedResponse("0.75"), "add").exact_distance() == Fraction(1, 2)
    assert 1 - pv.delta(answers, epsilon=0).lower < Fraction(1, 10**30)


@pytest.mark.parametrize("shift", ["0.001", "1", "20"])
@pytest.mark.parametrize("lost", ["0", "1e-9", "0.3"])
def test_what_a_measure_lacks_is_not_infinite(shift: str, lost: str) -> None:
    """1 − M(0) was taken for δ_∞ where it is above .01, the masses at infinity alone where it is below."""
    part = up_to(GaussianMixtureLaw(1 / Fraction(shift), Fraction(1, 5), "remove"), Fraction(1))
    loss = ComposedLoss(((part, 1), (ApproximateDPLaw(Fraction(1), Fraction(lost)), 2)))
    with working(100):
        truth = part.mass() * ball(1 - (1 - Fraction(lost)) ** 2)
        found = loss.infinite_mass()
        assert found.overlaps(truth) and found.rel_accuracy_bits() >= truth.rel_accuracy_bits() - 4
        assert (loss.finite_mass() + found).overlaps(part.mass())


def test_what_has_divergences_alone_is_bounded_and_the_rest_has_its_laws() -> None:
    """log M(λ) ≤ ρλ(λ + 1) is that of a Gaussian of variance 2ρ, and Gaussians are one."""
    asked = as_composition(2 * pv.ZCDP("1/3") + 3 * pv.Gaussian(2) + pv.Laplace(2))
    laws = dict(with_gaussians(asked, "remove").factors)
    assert laws == {GaussianLaw(Fraction(4, 3) + Fraction(3, 4)): 1, LaplaceLaw(Fraction(1, 2)): 1}
    sampled = as_composition(
        pv.PoissonSubsampled(pv.ZCDP(1), "0.1") + pv.PoissonSubsampled(pv.Gaussian(1), "0.1")
    )
    kinds = {type(law) for law, _ in with_gaussians(sampled, "add").factors}
    assert kinds == {SampledZCDPBound, GaussianMixtureLaw}
    with pytest.raises(InvalidInput, match="rational"):
        with_gaussians(as_composition(pv.ZCDP(1) + pv.Gaussian("sqrt(2)")), "remove")
