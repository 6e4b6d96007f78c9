"""Laws of discrete mechanisms against sums over outcomes in mpmath, and against numbers in print."""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from mpmath import mp, mpc, mpf

import pldverify as pv
from pldverify.balls.ball import ball, working
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.mechanisms.relations import Direction
from pldverify.reference.laws.composed_loss import product
from pldverify.reference.laws.law import Law
from pldverify.reference.search.cumulant import cumulant

Masses = dict[int, Any]


def law_of(mechanism: Mechanism, direction: Direction) -> Law:
    ((law, count),) = product(pv.Composition.of((mechanism, 1)), direction).factors
    assert count == 1
    return law


def exact(value: Fraction) -> Any:
    return mpf(value.numerator) / value.denominator


def two_sided(weight: Callable[[int], Any], shift: int, reach: int = 400) -> tuple[Masses, Masses]:
    total = mp.fsum(weight(x) for x in range(-reach, reach + 1))
    return (
        {x: weight(x - shift) / total for x in range(-reach, reach + 1)},
        {x: weight(x) / total for x in range(-reach, reach + 1)},
    )


def discrete_gaussian(sigma: str, shift: int) -> tuple[Masses, Masses]:
    return two_sided(lambda x: mp.exp(-(mpf(x) ** 2) / (2 * mpf(sigma) ** 2)), shift)


def discrete_laplace(b: str, shift: int) -> tuple[Masses, Masses]:
    return two_sided(lambda x: mp.exp(-abs(mpf(x)) / mpf(b)), shift)


def binomial(n: int, p: str, shift: int) -> tuple[Masses, Masses]:
    chance = mpf(p)
    masses = {x: mp.binomial(n, x) * chance**x * (1 - chance) ** (n - x) for x in range(n + 1)}
    return {x + shift: w for x, w in masses.items()}, masses


def vectors(p: list[str], q: list[str]) -> tuple[Masses, Masses]:
    first, second = ([exact(Fraction(x)) for x in vector] for vector in (p, q))
    return dict(enumerate(first)), dict(enumerate(second))


def pure(epsilon: str, delta: str = "0") -> tuple[Masses, Masses]:
    odds, lost = mp.exp(mpf(epsilon)), mpf(delta)
    p = [lost, (1 - lost) * odds / (1 + odds), (1 - lost) / (1 + odds), mpf(0)]
    return dict(enumerate(p)), dict(enumerate(reversed(p)))


def categories(p: str, k: int) -> tuple[Masses, Masses]:
    high, low = exact(Fraction(p)), (1 - exact(Fraction(p))) / (k - 1)
    return (
        {i: high if i == 0 else low for i in range(k)},
        {i: high if i == 1 else low for i in range(k)},
    )


def sampled(pair: tuple[Masses, Masses], q: str) -> tuple[Masses, Masses]:
    first, second = pair
    rate = exact(Fraction(q))
    outcomes = {*first, *second}
    return {x: rate * first.get(x, 0) + (1 - rate) * second.get(x, 0) for x in outcomes}, second


CASES: list[tuple[Mechanism, Callable[[], tuple[Masses, Masses]]]] = [
    (pv.DiscreteGaussian("1.5", sensitivity=2), lambda: discrete_gaussian("1.5", 2)),
    (pv.DiscreteGaussian("0.25"), lambda: discrete_gaussian("0.25", 1)),
    (pv.DiscreteLaplace("2.5", sensitivity=4), lambda: discrete_laplace("2.5", 4)),
    (pv.DiscreteLaplace("0.2"), lambda: discrete_laplace("0.2", 1)),
    (pv.Binomial(30, "0.25", sensitivity=2), lambda: binomial(30, "0.25", 2)),
    (pv.RandomizedResponse("2/3", categories=5), lambda: categories("2/3", 5)),
    (pv.RandomizedResponse("0.1", categories=3), lambda: categories("0.1", 3)),
    (pv.RandomizedResponse("0", categories=3), lambda: categories("0", 3)),
    (pv.PureDP("0.75"), lambda: pure("0.75")),
    (pv.ApproximateDP("0.75", "0.125"), lambda: pure("0.75", "0.125")),
    (pv.FinitePair(["1/2", "1/3", "1/6", 0], ["1/4", "1/3", 0, "5/12"]), lambda: vectors(
        ["1/2", "1/3", "1/6", "0"], ["1/4", "1/3", "0", "5/12"]
    )),
    (pv.PoissonSubsampled(pv.FinitePair(["1/2", "1/3", "1/6", 0], ["1/4", "1/3", 0, "5/12"]), "1/8"),
     lambda: sampled(vectors(["1/2", "1/3", "1/6", "0"], ["1/4", "1/3", "0", "5/12"]), "1/8")),
    (pv.PoissonSubsampled(pv.RandomizedResponse("0.75"), "0.25"),
     lambda: sampled(categories("0.75", 2), "0.25")),
    (pv.PoissonSubsampled(pv.DiscreteLaplace("2.5", 3), "0.25"),
     lambda: sampled(discrete_laplace("2.5", 3), "0.25")),
    (pv.PoissonSubsampled(pv.DiscreteGaussian("1.5", 2), "0.25"),
     lambda: sampled(discrete_gaussian("1.5", 2), "0.25")),
    (pv.PoissonSubsampled(pv.Binomial(30, "0.25", 2), "0.25"),
     lambda: sampled(binomial(30, "0.25", 2), "0.25")),
]  # fmt: skip


def close(value: Any, expected: Any) -> bool:
    return bool(abs(value - expected) <= abs(expected) * mpf("1e-20"))


def near(value: float, expected: float) -> bool:
    return abs(value - expected) <= 1e-6 * abs(expected)


def digits(value: Any) -> Any:
    return mpf(value.mid().str(40, radius=False))


@pytest.mark.sample(6)
@pytest.mark.parametrize("direction", ["remove", "add"])
@pytest.mark.parametrize(("mechanism", "masses"), CASES, ids=[str(m) for m, _ in CASES])
def test_transform_infinite_mass_and_tails(
    mechanism: Mechanism, masses: Callable[[], tuple[Masses, Masses]], direction: Direction
) -> None:
    with mp.workdps(40), working(170):
        first, second = masses() if direction == "remove" else masses()[::-1]
        law = law_of(mechanism, direction)
        finite = [(p, second[x], mp.log(p / second[x])) for x, p in first.items() if p and second.get(x)]
        lost = mp.fsum(p for x, p in first.items() if not second.get(x))
        assert abs(exact(law.infinite_mass) - lost) <= mpf("1e-35")
        for theta in ("2.25", "0", "-0.5", "-1.75"):
            for value, height in zip(law.on_line(Fraction(theta), Fraction(7, 8), 2), range(3), strict=True):
                z = mpc(mpf(theta), height * mpf("0.875"))
                expected = mp.fsum(p * mp.exp(z * s) for p, _, s in finite)
                scale = abs(mp.fsum(p * mp.exp(mpf(theta) * s) for p, _, s in finite))
                got = mpc(digits(value.real), digits(value.imag))
                assert abs(got - expected) <= scale * mpf("1e-20")
        for point in ("-0.61", "-0.01", "0.03", "0.4999", "1.1"):
            at = mpf(point)
            p, q = law.tails(Fraction(point))
            assert close(digits(p), mp.fsum(a for a, _, s in finite if s >= at))
            above = mp.fsum(b for _, b, s in finite if s >= at)
            assert close(digits(q), above)


@pytest.mark.parametrize(("mechanism", "masses"), CASES, ids=[str(m) for m, _ in CASES])
def test_cumulant_is_the_logarithm_of_the_transform(
    mechanism: Mechanism, masses: Callable[[], tuple[Masses, Masses]]
) -> None:
    """The search's floats: value, slope and curvature to some six digits."""
    first, second = masses()
    for theta in (-0.75, 0.4, 3.0):
        value, slope, curvature = cumulant(law_of(mechanism, "remove"), theta)
        finite = [(float(p), float(mp.log(p / second[x]))) for x, p in first.items() if p and second.get(x)]
        finite = [(p, s) for p, s in finite if p > 0]
        weights = [p * math.exp(theta * s) for p, s in finite]
        total = math.fsum(weights)
        mean = math.fsum(w * s for w, (_, s) in zip(weights, finite, strict=True)) / total
        variance = math.fsum(w * (s - mean) ** 2 for w, (_, s) in zip(weights, finite, strict=True)) / total
        assert near(value, math.log(total))
        assert near(slope, mean)
        assert near(curvature, variance)


def test_an_atom_counts_at_its_own_loss_exactly() -> None:
    """P(S ≥ s) at s = the loss: rational losses are compared exactly, however low the precision."""
    with working(53):
        p, q = law_of(pv.PureDP("0.1"), "remove").tails(Fraction(1, 10))
        assert p > q > 0
        assert law_of(pv.PureDP("0.1"), "remove").tails(Fraction(1, 10) + Fraction(1, 10**40)) == (0, 0)
        p, _ = law_of(pv.DiscreteLaplace(3, 2), "remove").tails(Fraction(2, 3))
        assert p > 0
        p, _ = law_of(pv.RandomizedResponse("0.5", 4), "remove").tails(Fraction(0))
        assert p.contains(ball(Fraction(5, 6)))


@pytest.mark.parametrize("direction", ["remove", "add"])
def test_an_atom_at_a_loss_of_0_counts_there(direction: Direction) -> None:
    """Neighbours of an even distance share an outcome of equal odds, whose loss sampling leaves at 0."""
    with mp.workdps(40), working(170):
        mixed, base = sampled(discrete_gaussian("1.5", 2), "0.25")
        first, second = (mixed, base) if direction == "remove" else (base, mixed)
        reached = [x for x in first if (x >= 1 if direction == "remove" else x <= 1)]
        mechanism = pv.PoissonSubsampled(pv.DiscreteGaussian("1.5", 2), "0.25")
        p, q = law_of(mechanism, direction).tails(Fraction(0))
        assert close(digits(p), mp.fsum(first[x] for x in reached))
        assert close(digits(q), mp.fsum(second[x] for x in reached))


def test_the_highest_loss_is_enclosed() -> None:
    with working(60):
        for mechanism in (pv.Binomial(9, "0.5"), pv.FinitePair(["0.9", "0.1"], ["0.1", "0.9"])):
            assert law_of(mechanism, "remove").largest_finite_loss.contains(ball(9).log())  # type: ignore[union-attr]


def test_mechanisms_that_lose_nothing_have_no_law() -> None:
    for mechanism in (
        pv.PureDP(0),
        pv.ApproximateDP(0, 0),
        pv.RandomizedResponse("0.25", categories=4),
        pv.FinitePair(["0.5", "0.5"], ["0.5", "0.5"]),
        pv.PoissonSubsampled(pv.RandomizedResponse("0.5"), "0.1"),
    ):
        assert not product(pv.Composition.of((mechanism, 1)), "remove").factors


def test_a_lattice_has_the_masses_of_the_law() -> None:
    with working(170):
        for mechanism in (pv.DiscreteGaussian("1.5", 2), pv.DiscreteLaplace("2.5", 4), pv.PureDP("0.75")):
            law = law_of(mechanism, "remove")
            lattice = law.lattice()  # type: ignore[attr-defined]
            total = sum(lattice.masses)
            assert abs(total - 1) < 1e-40
            losses = [
                lattice.spacing * (lattice.offset + lattice.first + i) for i in range(len(lattice.masses))
            ]
            mean = sum(ball(s) * mass for s, mass in zip(losses, lattice.masses, strict=True))
            assert near(float(mean.mid()), cumulant(law, 0.0)[1])


@pytest.mark.parametrize(
    ("mechanism", "epsilon", "adjacency", "printed"),
    [
        # google/differential-privacy, privacy_loss_mechanism_test.py, test of discrete Laplace δ(ε), 7 places
        (pv.DiscreteLaplace(2, sensitivity=4), "0.5", "add", "0.54202002"),
        (pv.DiscreteLaplace(2, sensitivity=4), "1", "remove", "0.39346934"),
        (pv.PoissonSubsampled(pv.DiscreteLaplace(2, sensitivity=4), "0.7"), "0.5", "add", "0.22936283487477"),
        (pv.PoissonSubsampled(pv.DiscreteLaplace(2, sensitivity=4), "0.6"), "0.6", "add", "0.07668344250639"),
        (pv.PoissonSubsampled(pv.DiscreteLaplace(2, sensitivity=4), "0.3"), "0.5", "remove", "0.10681684602"),
        (pv.PoissonSubsampled(pv.DiscreteLaplace(1), "0.2"), "-0.25", "remove", "0.2211992169285951"),
    ],
    ids=str,
)  # fmt: skip
def test_printed_values(mechanism: Mechanism, epsilon: str, adjacency: str, printed: str) -> None:
    value = pv.delta(mechanism, epsilon=epsilon, adjacency=adjacency)  # type: ignore[arg-type]
    assert abs(float(value) - float(printed)) < 1e-7


@pytest.mark.parametrize(
    ("noise", "buckets", "order", "printed"),
    [
        # google/differential-privacy, rdp_privacy_accountant_test.py, randomised response under REPLACE_ONE
        ("0.3", 10, 50, 3.1854244842182466),
        ("0.05", 20, "1.5", 5.850317703374384),
        ("0.05", 20, 5, 5.930633082131939),
        ("0.01", 3, "2.5", 5.692634596034571),
        ("0.01", 3, 100, 5.697025920968522),
    ],
)
def test_printed_renyi_divergences(noise: str, buckets: int, order: object, printed: float) -> None:
    """Their noise parameter is the chance of a uniform answer, which may be the true one."""
    p = 1 - Fraction(noise) * Fraction(buckets - 1, buckets)
    value = pv.rdp(pv.RandomizedResponse(p, buckets), order=order, adjacency="replace-one", digits=12)
    assert abs(float(value) - printed) < 1e-4 * printed
