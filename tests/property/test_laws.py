"""What holds of every dominating pair: masses sum to 1, the two directions are dual, tails are tails."""

from fractions import Fraction

import pytest
from flint import acb, arb
from hypothesis import example, given, settings
from hypothesis import strategies as st

import pldverify as pv
from pldverify.balls.ball import ball, working
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.mechanisms.relations import Direction, reverse
from pldverify.reference.laws.composed_loss import product
from pldverify.reference.laws.law import Law

SCALE = st.fractions(Fraction(1, 4), 4, max_denominator=20)
RATE = st.fractions(Fraction(1, 20), Fraction(19, 20), max_denominator=20)
MOVE = st.integers(1, 4)


@st.composite
def vectors(draw: st.DrawFn) -> Mechanism:
    size = draw(st.integers(2, 5))
    counts = [draw(st.lists(st.integers(0, 9), min_size=size, max_size=size)) for _ in range(2)]
    for row in counts:
        row[draw(st.integers(0, size - 1))] += 1
    p, q = ([Fraction(x, sum(row)) for x in row] for row in counts)
    return pv.FinitePair(p, q)


BASES = st.one_of(
    st.builds(pv.DiscreteGaussian, SCALE, MOVE),
    st.builds(pv.DiscreteLaplace, SCALE, MOVE),
    st.builds(pv.Binomial, st.integers(4, 40), RATE, MOVE),
    st.builds(pv.RandomizedResponse, RATE, st.integers(2, 6)),
    st.builds(pv.Laplace, SCALE),
    vectors(),
)
UNSAMPLED = st.one_of(
    BASES,
    st.builds(pv.PureDP, SCALE),
    st.builds(pv.ApproximateDP, SCALE, RATE),
    st.builds(pv.GDP, SCALE),
    st.builds(pv.Exponential, SCALE),
    st.builds(pv.NoisyMax, SCALE),
)
GAUSSIANS = st.builds(pv.Gaussian, st.fractions(1, 4, max_denominator=10))


@st.composite
def mixtures(draw: st.DrawFn) -> Mechanism:
    moves = draw(st.lists(st.integers(0, 6), min_size=2, max_size=5, unique=True))
    counts = [draw(st.integers(1, 9)) for _ in moves]
    chances = [Fraction(x, sum(counts)) for x in counts]
    return pv.MixtureOfGaussians(draw(st.fractions(1, 4, max_denominator=10)), moves, chances)


NOISE = st.builds(pv.Laplace, SCALE) | st.builds(pv.Gaussian, SCALE)
HISTOGRAMS = st.builds(pv.ThresholdedHistogram, NOISE, st.integers(2, 12))
ADD_OR_REMOVE = st.one_of(UNSAMPLED, mixtures(), HISTOGRAMS, st.builds(pv.PoissonSubsampled, BASES, RATE))
REPLACE_ONE = st.one_of(
    st.builds(pv.SampledWithoutReplacement, GAUSSIANS, RATE),
    st.builds(pv.SampledWithReplacement, GAUSSIANS, st.integers(1, 2), st.integers(2, 20)),
    st.builds(pv.KJH19Substitute, GAUSSIANS, RATE),
    st.builds(pv.KJH20WithReplacement, GAUSSIANS, st.integers(1, 3), st.integers(2, 20)),
)
ORDERED = st.one_of(
    st.tuples(ADD_OR_REMOVE, st.sampled_from(["remove", "add"])),
    st.tuples(REPLACE_ONE, st.sampled_from(["replace", "replace-back"])),
)


def laws(ordered: tuple[Mechanism, Direction]) -> tuple[Law, Law] | None:
    """The law and the one of the reversed pair; None where the loss is 0."""
    mechanism, direction = ordered
    whole = pv.Composition.of((mechanism, 1))
    factors = [product(whole, way).factors for way in (direction, reverse(direction))]
    return (factors[0][0][0], factors[1][0][0]) if factors[0] else None


def within(value: arb | acb, expected: arb | acb | int, size: arb | None = None) -> bool:
    """Overlap, with radii that mean something beside ``size``, where values are small by cancellation."""
    gap = value - expected
    parts = (gap.real, gap.imag) if isinstance(gap, acb) else (gap,)
    most = 1e-25 * (1 + abs(value if size is None else size))
    return all(part.contains(0) and part.rad() < most for part in parts)


@given(ORDERED)
@settings(max_examples=20)
def test_both_measures_are_normalised(ordered: tuple[Mechanism, Direction]) -> None:
    """M(0) = 1 − δ_∞ and M(−1) = Q(p > 0) = 1 − δ_∞ of the reverse."""
    pair = laws(ordered)
    if pair is None or 1 in (law.infinite_mass for law in pair):
        return
    law, other = pair
    with working(150):
        for theta, lost in ((0, law.infinite_mass), (-1, other.infinite_mass)):
            value = law.on_line(Fraction(theta), Fraction(1), 0)[0].real
            assert within(value, 1 - ball(lost))


@pytest.mark.slow
@given(ORDERED, st.fractions(-3, 2, max_denominator=8), st.fractions(0, 3, max_denominator=8))
@example((pv.MixtureOfGaussians(1, (0, 5), ("1/2", "1/2")), "remove"), Fraction(2), Fraction(2))
@settings(max_examples=40)
def test_directions_are_dual(ordered: tuple[Mechanism, Direction], theta: Fraction, height: Fraction) -> None:
    """M_{Q‖P}(z) = M_{P‖Q}(−1 − z)."""
    pair = laws(ordered)
    if pair is None or 1 in (law.infinite_mass for law in pair):
        return
    law, other = pair
    with working(150):
        real, here = law.on_line(theta, height, 1)
        there = other.on_line(-1 - theta, height, 1)[1].conjugate()
        assert within(here, there, real.real)


@given(ORDERED, st.lists(st.fractions(-4, 4, max_denominator=50), min_size=3, max_size=6))
@settings(max_examples=80)
def test_tails(ordered: tuple[Mechanism, Direction], points: list[Fraction]) -> None:
    """They fall, and P ≥ e^s Q from s on; losses from s on have the odds that they claim, cell by cell."""
    pair = laws(ordered)
    if pair is None or 1 in (law.infinite_mass for law in pair):
        return
    law, _ = pair
    points.sort()
    with working(150):
        rows = [law.tails(s) for s in points]
        for (p, q), s in zip(rows, points, strict=True):
            assert not p < ball(s).exp() * q
        for i in range(len(points) - 1):
            (p, q), (p_next, q_next) = rows[i], rows[i + 1]
            cell_p, cell_q = p - p_next, q - q_next
            assert not cell_p < 0
            assert not cell_q < 0
            assert not cell_p < ball(points[i]).exp() * cell_q
            assert not cell_p > ball(points[i + 1]).exp() * cell_q


@given(ORDERED, st.fractions(-2, 2, max_denominator=50))
@settings(max_examples=40)
def test_tails_of_the_reverse_are_the_complement(ordered: tuple[Mechanism, Direction], s: Fraction) -> None:
    """P(S ≥ s) and the reverse's Q(S' ≥ −s) = P(S ≤ s) share at most the atom at s."""
    pair = laws(ordered)
    if pair is None or 1 in (law.infinite_mass for law in pair):
        return
    law, other = pair
    with working(150):
        above, below = law.tails(s)[0], other.tails(-s)[1]
        step = Fraction(1, 10**30)
        atom = law.tails(s)[0] - law.tails(s + step)[0]
        rest = above + below - (1 - ball(law.infinite_mass))
        assert not rest < 0
        assert not rest > atom + arb("1e-20")


@pytest.mark.parametrize(
    "mechanism",
    [
        pv.SampledWithoutReplacement(pv.Gaussian(2), "0.05"),
        pv.SampledWithReplacement(pv.Gaussian(4), 5, 100),
        pv.KJH19Substitute(pv.Gaussian(1), "0.05"),
        pv.KJH20WithReplacement(pv.Gaussian(2), 3, 50),
        pv.MixtureOfGaussians(1, [0, 1, 3], ["0.7", "0.2", "0.1"]),
        pv.PoissonSubsampled(pv.Laplace(1), "0.3"),
        pv.PoissonSubsampled(pv.DiscreteGaussian(2), "0.3"),
    ],
    ids=str,
)
def test_twice_the_precision_gives_the_same_transform(mechanism: Mechanism) -> None:
    whole = pv.Composition.of((mechanism, 1))
    law = product(whole, whole.directions()[0]).factors[0][0]
    with working(100):
        coarse = law.on_line(Fraction(5, 4), Fraction(1, 2), 6)
    with working(200):
        fine = law.on_line(Fraction(5, 4), Fraction(1, 2), 6)
        for a, b in zip(coarse, fine, strict=True):
            assert a.overlaps(b)
            assert b.real.rad() < a.real.rad() * 1e-10


@pytest.mark.parametrize(
    "mechanism",
    [
        pv.SampledWithoutReplacement(pv.Gaussian(2), "0.3"),
        pv.KJH19Substitute(pv.Gaussian(1), "0.3"),
        pv.KJH20WithReplacement(pv.Gaussian(2), 3, 5),
        pv.MixtureOfGaussians(2, [0, 1, 3], ["0.7", "0.2", "0.1"]),
        pv.PoissonSubsampled(pv.Laplace(1), "0.3"),
    ],
    ids=str,
)
@pytest.mark.parametrize("theta", [Fraction(-1, 2), Fraction(2)])
def test_the_proved_decay_holds_on_the_line(mechanism: Mechanism, theta: Fraction) -> None:
    """|M(θ + iu)|/M(θ) ≤ ρ(u), and ρ falls well below 1."""
    whole = pv.Composition.of((mechanism, 1))
    law = product(whole, whole.directions()[0]).factors[0][0]
    with working(100):
        line, decay = law.on_line(theta, Fraction(2), 8), law.decay(theta)
        for j in range(1, 9):
            ratio = (abs(line[j]) / line[0].real).log()
            assert not ratio > decay.log_sup(ball(2 * j))
        assert decay.log_sup(ball(16)) < -0.1
