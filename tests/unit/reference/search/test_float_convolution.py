"""δ and ε by convolution in floats against proved enclosures, and what searches are told of few steps."""

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest

import pldverify as pv
from pldverify.mechanisms.as_composition import as_composition
from pldverify.reference.choice import settle
from pldverify.reference.laws.composed_loss import ComposedLoss, product
from pldverify.reference.laws.gaussian_mixture import GaussianMixtureLaw
from pldverify.reference.laws.sampled import up_to
from pldverify.reference.laws.shifted_gaussian import ShiftedGaussianLaw
from pldverify.reference.search.cumulant import cumulant
from pldverify.reference.search.float_convolution import float_densities, float_epsilon, float_size
from pldverify.reference.search.near_step import near_step
from pldverify.reference.search.size import size_of_delta
from pldverify.reference.search.table import wider
from pldverify.reference.search.tables import smooth

FEW = 40 * pv.PoissonSubsampled(pv.Gaussian("0.7"), "0.002")
TINY = 1500 * pv.PoissonSubsampled(pv.Gaussian("3"), "0.00002")
BULK = 2000 * pv.PoissonSubsampled(pv.Gaussian(1), "0.01")
TWO = 20 * pv.PoissonSubsampled(pv.Gaussian("0.7"), "0.002") + TINY
INTEGERS = 143 * pv.PoissonSubsampled(pv.DiscreteGaussian("0.92"), "0.000559")
MIXED = INTEGERS + FEW
SMALL = 100 * pv.PoissonSubsampled(pv.DiscreteGaussian("0.4"), "0.001")
WIDE = 60 * pv.PoissonSubsampled(pv.DiscreteGaussian(30, sensitivity=30), "0.001")
BATCHES = 1000 * pv.SampledWithoutReplacement(pv.Gaussian(1), "0.001")


def loss(steps: pv.Composition) -> ComposedLoss:
    """Its law: ``remove``, or the only one."""
    way = "remove" if "remove" in steps.directions() else steps.directions()[0]
    return product(as_composition(steps), way)


@pytest.mark.parametrize("delta", ["1e-5", "1e-8"])
@pytest.mark.parametrize("steps", [FEW, TINY, BULK, TWO, BATCHES, INTEGERS, MIXED, WIDE], ids=str)
def test_epsilon_in_floats(steps: pv.Composition, delta: str) -> None:
    law = loss(steps)
    truth = pv.epsilon(steps, delta=delta, digits=6)
    found = float_epsilon(law.factors, math.log(float(delta)), 1.0)
    assert found is not None and truth.lower > 0
    assert abs(found[0] / float(truth.lower) - 1) < (1e-3 if steps in (INTEGERS, MIXED) else 1e-5)
    size = float_size(law.factors, float(truth.lower))
    assert size is not None and abs(size - math.log(float(delta))) < 1e-4


@pytest.mark.parametrize(("steps", "epsilon"), [(FEW, "0.5"), (TINY, "0.001"), (TWO, "0.5")], ids=str)
def test_densities(steps: pv.Composition, epsilon: str) -> None:
    """δ'' − δ' = r, the density, which differences of proved δ tell; a little noise changes little."""
    at, h = Fraction(epsilon), Fraction(epsilon) / 1000
    before, here, after = (
        pv.delta(steps, epsilon=point, adjacency="remove", digits=20).lower for point in (at - h, at, at + h)
    )
    truth = (after - 2 * here + before) / h**2 - (after - before) / (2 * h)
    found = float_densities(loss(steps).factors, float(at))
    deviations = [eta for eta, _ in found]
    assert deviations == sorted(deviations, reverse=True) and deviations[-1] < 0.01 * at
    assert abs(found[-1][1] - math.log(truth)) < 0.01


def test_the_density_between_two_atoms() -> None:
    """There is none unless the noise reaches one."""
    few = 11 * pv.PoissonSubsampled(pv.DiscreteGaussian("0.513"), "0.000124")
    found = float_densities(loss(few).factors, 0.9315)
    assert found[0][1] > -15 > -40 > found[-1][1]


@pytest.mark.parametrize("steps", [INTEGERS, SMALL], ids=str)
def test_nodes_of_integers(steps: pv.Composition) -> None:
    """As many as asked for, one outcome more than nodes included: numpy can't pad by −1. If there is room for
    all outcomes, they have all the mass.
    """
    ((law, _),) = loss(steps).factors
    for count in range(8, 40):
        step = near_step(law, 1.0, count)
        assert len(step.logs) == len(step.losses) == count
    assert abs(float(np.exp(step.logs).sum()) + math.exp(step.log_p) - 1) < 1e-12


def test_no_answer_where_floats_are_no_good() -> None:
    law = loss(FEW)
    assert size_of_delta(law, Fraction(0)) is None
    headline = 10_000 * pv.PoissonSubsampled(pv.Gaussian(1), "0.01")
    assert size_of_delta(loss(headline), Fraction(5)) is None  # the saddle point does it


def test_the_end_of_a_grid_is_not_an_answer() -> None:
    """ε was searched for with an infinite slope: "cannot convert float infinity to integer"."""
    many = 10**9 * pv.PoissonSubsampled(pv.Gaussian(50), "1e-5")
    found = float_epsilon(loss(many).factors, math.log(1e-100), 1.0)
    assert found is None or math.isfinite(found[1])
    assert pv.epsilon(many, delta="1e-100", adjacency="remove", digits=3).digits >= 3


def test_a_size_far_below_the_bulk() -> None:
    """Some step of 10⁶ is beyond 1.5 ε there: log δ = −7.12 was taken for −102517; no engine had the time."""
    many = 10**6 * pv.PoissonSubsampled(pv.Gaussian(5), "1e-5")
    found = pv.delta(many, epsilon="2.041e-6", adjacency="remove", digits=12)
    size = float_size(loss(many).factors, 2.041e-6)
    assert found.digits >= 12 and size is not None and abs(size - math.log(found.lower)) < 2e-3


@pytest.mark.parametrize(
    ("sigma", "q", "k", "epsilon"), [("2.23", "0.000312", 176, "0.00049"), ("0.56", "0.000651", 2653, "0.08")]
)
def test_a_size_in_the_bulk(sigma: str, q: str, k: int, epsilon: str) -> None:
    """A quarter of all sums have a step beyond 1.5 ε, and others may make up for it: 0.36 nats too few."""
    steps = k * pv.PoissonSubsampled(pv.Gaussian(sigma), q)
    truth = pv.delta(steps, epsilon=epsilon, adjacency="remove", digits=3)
    size = float_size(loss(steps).factors, float(epsilon))
    assert size is not None and abs(size - math.log(truth.lower)) < 0.01


def test_the_size_of_a_schedule() -> None:
    """None was known of more than 20 laws: the contour aimed at too few digits, and lost to a grid."""
    parts = [(pv.PoissonSubsampled(pv.Gaussian(Fraction(67 + i, 100)), "1.15e-4"), 146) for i in range(24)]
    steps = pv.Composition.of(*parts)
    truth = pv.delta(steps, epsilon="0.1", adjacency="remove", digits=3)
    size = size_of_delta(loss(steps), Fraction(1, 10))
    assert size is not None and abs(size - math.log(truth.lower)) < 0.1


@pytest.mark.parametrize(
    ("sigma", "q", "k", "delta"), [("1.85", "3.85e-6", 15, "3.99e-6"), ("5.14", "1.86e-6", 118, "2.05e-6")]
)
def test_an_epsilon_of_zero(sigma: str, q: str, k: int, delta: str) -> None:
    """δ(0) is below δ; sizes near 0 were none, so that ε = 0.03 was asked for: no answer in time."""
    steps = k * pv.PoissonSubsampled(pv.Gaussian(sigma), q)
    assert float_epsilon(loss(steps).factors, math.log(float(delta)), 0.03) == (0.0, 0.0)
    assert pv.epsilon(steps, delta=delta, digits=6).upper == 0


@pytest.mark.parametrize(
    ("sigma", "q", "k", "delta", "start"),
    [
        ("0.466", "1e-6", 206, "3.08e-6", 6489.0),
        ("0.732", "0.000518", 1135, "4.04e-8", 13245.0),
    ],
)
def test_a_search_that_begins_far_away(sigma: str, q: str, k: int, delta: str, start: float) -> None:
    """At the saddle point of a far mode, beyond 300, where it ended."""
    steps, target = k * pv.SampledWithoutReplacement(pv.Gaussian(sigma), q), Fraction(delta)
    law = product(as_composition(steps), steps.directions()[0])
    found = float_epsilon(law.factors, math.log(target), start)
    assert found is not None
    ends = [Fraction(found[0]) * (1 + Fraction(sign, 100)) for sign in (-1, 1)]
    below, above = (settle(law, "delta", end, 3, names=("grid",), excludes=target).enclosure for end in ends)
    assert below.lower > target > above.upper


@pytest.mark.slow
def test_no_size_at_an_epsilon_beyond_all_floats(monkeypatch: pytest.MonkeyPatch) -> None:
    """Places on the grid left 64 bits, and numpy had no exponential of what was left: a TypeError."""
    many = 3617 * pv.KJH19Substitute(pv.Gaussian("0.121"), "6e-25")
    assert float_size(loss(many).factors, 3.387e-80) is None
    monkeypatch.setattr("pldverify.reference.quantities.directions.LOOK", 60.0)  # whatever the machine
    with pytest.raises(pv.errors.NoConvergence) as failure:
        pv.delta(many, epsilon="3.387e-80", digits=3)
    assert failure.value.bracket is not None and failure.value.bracket.upper < 1


@pytest.mark.parametrize("theta", [-1.0, 0.0, 3.0])
def test_cumulants_up_to_a_cut(theta: float) -> None:
    """Of the outcomes up to 5 standard deviations, by quadrature."""
    found = cumulant(
        up_to(GaussianMixtureLaw(Fraction(7, 10), Fraction(1, 500), "remove"), Fraction(5)), theta
    )
    with mpmath.workdps(40):
        sigma, q = mpmath.mpf("0.7"), mpmath.mpf("0.002")

        def moment(j: int) -> mpmath.mpf:
            def density(y: mpmath.mpf) -> mpmath.mpf:
                loss = mpmath.log1p(q * mpmath.expm1((2 * sigma * y - 1) / (2 * sigma**2)))
                return mpmath.npdf(y) * mpmath.exp((theta + 1) * loss) * loss**j

            return mpmath.quad(density, [-14, -8, -4, -2, 0, 1, 2, 3, 4, 5])

        mass, first, second = map(moment, range(3))
        truth = mpmath.log(mass), first / mass, second / mass - (first / mass) ** 2
    assert found == pytest.approx(tuple(map(float, truth)), rel=1e-9, abs=1e-13)


@pytest.mark.parametrize("theta", [-30.0, -1.5, -0.3, 0.0, 7.0, 100.0])
def test_cumulants_of_batches(theta: float) -> None:
    law = ShiftedGaussianLaw(Fraction(1, 2), Fraction(1, 100))
    assert cumulant(law, theta) == pytest.approx(
        smooth(law, wider(theta)).cumulant(theta), rel=1e-9, abs=1e-13
    )
