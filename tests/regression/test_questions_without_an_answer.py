"""Random realistic questions that had no answer within 20 s, each for a reason of its own."""

from fractions import Fraction

import pytest
from dp_accounting.pld import privacy_loss_distribution as pld

import pldverify as pv
from pldverify.mechanisms.as_composition import as_composition
from pldverify.mechanisms.mechanism import Mechanism

ABSURD = "the saddle point of a far mode began the search at ε = 6489, 13245 or 38"
TOP = "a rule of 78,000 nodes was built for each look at the transform"
ELSEWHERE = "a grid knew δ where the search had guessed ε, not where ε is"
FEW = "five digits of δ, where six were asked for and five tell ε to six"
DENSITY = "smoothing took a saddle point's density for that of the loss, 10⁷ times as much as there is"
FAR = "a grid as long as the farthest loss had steps too wide for the losses near 0, which count"
LOST = "the slope of δ was lost in noise: ten digits of δ were asked for, where five tell ε to six"
SHORT = "a grid fell short of seven digits of δ, and no other engine was asked; a cut for them was too far"
REVEALED = "moments whose integrals were too dear were those of the revealed batch, others were not"
LINES = "nodes along a ray times nodes along the line: 20 s for each of two lines"
WINDOW = "the density of one loss was looked for where both add up to ε: what decided was in one wide cell"


def batches(sigma: str, q: str) -> Mechanism:
    return pv.SampledWithoutReplacement(pv.Gaussian(sigma), q)


@pytest.mark.parametrize(
    ("steps", "delta", "why"),
    [
        (206 * batches("0.466", "1e-6"), "3.08e-6", ABSURD),
        (1135 * batches("0.732", "0.000518"), "4.04e-8", ABSURD),
        (6767 * batches("0.448", "0.0000599"), "2.09e-8", ABSURD),
        (2 * pv.PoissonSubsampled(pv.Laplace("1.99"), "0.000283"), "6.05e-9", TOP),
        (2 * pv.PoissonSubsampled(pv.Laplace("3.7"), "0.00111"), "1.07e-8", TOP),
        (5 * pv.PoissonSubsampled(pv.Laplace("2.15"), "0.000209"), "3.24e-7", ELSEWHERE),
        (376 * pv.PoissonSubsampled(pv.DiscreteGaussian("1.23"), "0.000168"), "4.14e-10", FEW),
        (1339 * pv.PoissonSubsampled(pv.DiscreteGaussian(1), "0.000252"), "3.27e-8", FEW),
        (1411 * pv.PoissonSubsampled(pv.DiscreteGaussian("1.08"), "0.000855"), "3.82e-9", FEW),
        (3805 * pv.PoissonSubsampled(pv.DiscreteGaussian("0.999"), "0.000103"), "1.79e-10", DENSITY),
        (6862 * pv.PoissonSubsampled(pv.DiscreteGaussian("0.799"), "0.000191"), "4.31e-09", DENSITY),
        (8933 * pv.PoissonSubsampled(pv.DiscreteGaussian("0.769"), "0.000225"), "2.19e-09", DENSITY),
        (15 * batches("0.829", "1.33e-6"), "3.70e-6", FAR),
        (74 * batches("0.926", "3.22e-6"), "1.92e-5", FAR),
        (11 * batches("0.673", "7.61e-6"), "3.21e-5", SHORT),
        (257 * pv.BallsAndBins(pv.Gaussian("0.817"), 653150), "4.87e-8", REVEALED),
        (1 * pv.BallsAndBins(pv.Gaussian("0.379"), 332416), "9.15e-8", LINES),
        (pv.Laplace(1) + pv.PoissonSubsampled(pv.Laplace(1), "0.01"), "0.001", WINDOW),
        (pv.Laplace("4/3") + pv.PoissonSubsampled(pv.Laplace("145/63"), "1/706"), "0.001", WINDOW),
        (
            pv.PoissonSubsampled(pv.Gaussian("2.72"), "0.0116")
            + 3 * pv.PoissonSubsampled(pv.Laplace("0.518"), "0.000889"),
            "1.20e-9",
            LOST,
        ),
    ],
    ids=str,
)
def test_six_digits(steps: pv.Composition, delta: str, why: str) -> None:
    found = pv.epsilon(steps, delta=delta, digits=6)
    assert found.digits >= 6, why
    bracket = pv.bracket(steps, delta=delta, seconds=2)
    assert bracket.lower <= found.upper and found.lower <= bracket.upper


@pytest.mark.parametrize(
    ("sigma", "q", "steps", "delta"),
    [
        ("0.947", "0.0000107", 11, "1.06e-9"),
        ("0.614", "0.0000301", 11, "6.94e-6"),
        ("0.571", "0.000136", 23, "8.99e-5"),
    ],
)
def test_twelve_digits(sigma: str, q: str, steps: int, delta: str) -> None:
    """A tilt beyond the saddle point gave all weight to losses next to the cut: 10⁸ nodes, and 6 digits."""
    found = pv.epsilon(steps * pv.PoissonSubsampled(pv.Gaussian(sigma), q), delta=delta, digits=12)
    assert found.digits >= 12 and found.engine == "truncated"


@pytest.mark.slow
def test_a_moment_at_a_modest_tilt() -> None:
    """Any λ that bounds what far steps recover will do: at the best one a moment took 10⁵ nodes."""
    steps = 11 * batches("0.673", "7.61e-6")
    found = pv.delta(steps, epsilon="0.0006", digits=6)
    bracket = pv.bracket(steps, epsilon="0.0006", seconds=2)
    assert found.digits >= 6
    assert bracket.lower <= found.upper and found.lower <= bracket.upper


@pytest.mark.parametrize(
    ("steps", "delta"),
    [
        (as_composition(pv.DiscreteGaussian("0.603")), "3.24e-10"),
        (2 * pv.DiscreteGaussian("0.387"), "1.64e-7"),
        (as_composition(pv.DiscreteGaussian("0.1")), "1e-25"),
    ],
    ids=str,
)
def test_a_cliff_between_atoms(steps: pv.Composition, delta: str) -> None:
    """δ falls by a factor of 10⁴ within the last digits of ε; the last steps of the search fell off."""
    found = pv.epsilon(steps, delta=delta, digits=6)
    ends = [pv.delta(steps, epsilon=end, digits=6) for end in (found.lower, found.upper)]
    assert found.digits >= 6 and ends[0].lower > Fraction(delta) >= ends[1].upper


@pytest.mark.slow
def test_epsilon_zero_by_a_rough_bound() -> None:
    """δ(0) ≤ kq < δ; ε was looked for from 4.8 on, and δ(0) asked for, to three digits."""
    assert pv.epsilon(8 * batches("0.491", "2.3e-6"), delta="1.94e-5", digits=6).upper == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("first", "last", "count", "each", "q", "delta"),
    [("0.83", "2.05", 28, 2, "0.0358", "3.4e-5"), ("1.1", "2.5", 65, 2, "0.03", "7.84e-7")],
)
def test_a_schedule(first: str, last: str, count: int, each: int, q: str, delta: str) -> None:
    """Its laws shared decays that were none: the contour was refused, and grids took a minute."""
    low, high = Fraction(first), Fraction(last)
    sigmas = [low + (high - low) * i / (count - 1) for i in range(count)]
    steps = pv.Composition.of(*((pv.PoissonSubsampled(pv.Gaussian(sigma), q), each) for sigma in sigmas))
    found = pv.epsilon(steps, delta=delta, digits=6)
    assert found.digits >= 6 and "contour" in dict(found.provenance)["upper end"]
    theirs = None
    for sigma in sigmas:
        one = pld.from_gaussian_mechanism(
            float(sigma), value_discretization_interval=1e-3, sampling_prob=float(q)
        ).self_compose(each)
        theirs = one if theirs is None else theirs.compose(one)
    assert theirs is not None
    assert abs(theirs.get_epsilon_for_delta(float(delta)) / float(found.lower) - 1) < 0.01


@pytest.mark.parametrize(
    ("steps", "delta", "digits", "start"),
    [
        (pv.RandomizedResponse("3/4"), "1e-20", 25, "1.09861228866810969138"),  # next to log 3
        (pv.Gaussian(1), "1e-5", 310, "4.377178095681224"),
        (3 * pv.Laplace(1), "1e-5", 1000, "2.99992"),
    ],
)
def test_more_digits_than_floats_have(steps: pv.Composition, delta: str, digits: int, start: str) -> None:
    """A guess of 24 bits lay beyond the largest loss; and a float was divided by 10^digits."""
    found = pv.epsilon(steps, delta=delta, digits=digits)
    ends = [pv.delta(steps, epsilon=end, digits=digits) for end in (found.lower, found.upper)]
    assert found.digits >= digits and str(found).startswith(start)
    assert ends[0].lower > Fraction(delta) >= ends[1].upper


def test_a_transform_of_25_seconds_gives_way() -> None:
    """A contour of 12 digits was begun that takes longer than there is; the grid has 6 soon."""
    steps = 10 * pv.PoissonSubsampled(pv.Gaussian("0.5"), "1e-5")
    found = pv.delta(steps, epsilon="0.00004879", adjacency="add", digits=12)
    assert found.digits >= 6
