r"""The smoothing engine, with parameters chosen by hand and by its search, against sums over all outcomes.

The inequality that it rests on is checked by itself, in mpmath.
"""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product as choices
from math import factorial, prod
from typing import Any, Literal

import pytest
from flint import arb
from hypothesis import given, settings
from hypothesis import strategies as st

import pldverify as pv
from pldverify.balls.ball import lower, upper
from pldverify.errors import NoConvergence, NotSupported
from pldverify.mechanisms.as_composition import as_composition
from pldverify.mechanisms.relations import Direction
from pldverify.reference.choice import settle
from pldverify.reference.engines.inversion import smoothing as module
from pldverify.reference.engines.inversion.smoothing import Parameters, Smoothing
from pldverify.reference.laws import laplace
from pldverify.reference.laws.composed_loss import ComposedLoss, product
from pldverify.reference.laws.discrete_gaussian import DiscreteGaussianLaw
from pldverify.reference.search.smoothing import plan_smoothing
from tests.oracle.closed_forms import context, fraction, normal_tail, real

# losses log(5/2), log(5/6) and log(5/12), which lie on no lattice
FIRST = (Fraction(1, 2), Fraction(1, 3), Fraction(1, 6))
SECOND = (Fraction(1, 5), Fraction(2, 5), Fraction(2, 5))
PAIR = pv.FinitePair(FIRST, SECOND)
# a quarter of the first measure is lost, a fifth of the second
OPEN = pv.FinitePair(["0.25", "0.3", "0.45", "0"], ["0", "0.5", "0.3", "0.2"])


def law(composition: pv.Composition | Any, direction: Direction = "remove") -> ComposedLoss:
    return product(as_composition(composition), direction)


@cache
def enumerated(first: tuple[Fraction, ...], second: tuple[Fraction, ...], k: int, eps: Fraction) -> Fraction:
    """The finite part of δ(ε) after k steps: Σ (P − e^ε Q)_+ over the outcomes with Q > 0, to 40 digits."""
    mp = context(45)
    growth, total = fraction(mp.exp(real(mp, eps))), Fraction(0)
    for counts in choices(range(k + 1), repeat=len(first)):
        if sum(counts) == k:
            ways = factorial(k) // prod(factorial(n) for n in counts)
            p, q = (prod(m**n for m, n in zip(masses, counts, strict=True)) for masses in (first, second))
            total += ways * max(Fraction(0), p - growth * q) if q else 0
    return total


def by_hand(
    theta: Fraction = Fraction(1),
    below: Fraction = Fraction(0),
    above: Fraction = Fraction(3),
    side: Literal["upper", "lower"] = "upper",
    **rest: Any,
) -> Parameters:
    good: dict[str, Any] = {
        "variance": Fraction(1, 10**4),
        "step": Fraction(1, 8),
        "stride": 8,
        "strides": 600,
        "share": Fraction(1, 10),
        "bits": 80,
        "log_delta": Fraction(-40),
        "log_density": Fraction(-40),
    }
    return Parameters(side, theta, below, above, **{**good, **rest})


def encloses(engine: Smoothing, epsilon: Fraction, truth: Fraction) -> bool:
    value, slack = engine.value(epsilon), truth / 10**35
    return bool(lower(value) - slack <= truth <= upper(value) + slack)


def width(engine: Smoothing, epsilon: Fraction) -> Fraction:
    value = engine.value(epsilon)
    return Fraction(upper(value)) - Fraction(lower(value))


@given(st.fractions(-6, 6, max_denominator=50), st.fractions(Fraction(1, 100), 4, max_denominator=100))
def test_the_inequality_at_one_loss(x: Fraction, eta: Fraction) -> None:
    """E[(1 − e^{−x−Z})_+] − v e^{v/8} p_Z(−x) ≤ (1 − e^{−x})_+ ≤ E[(1 − e^{−x−Z})_+], by quadrature."""
    mp = context(30)
    place, scale = real(mp, x), real(mp, eta)
    v = scale**2
    smooth = normal_tail(mp, -place / scale - scale / 2) - mp.exp(-place) * normal_tail(
        mp, -place / scale + scale / 2
    )
    density = mp.npdf(-place, v / 2, scale)
    sharp = max(mp.mpf(0), 1 - mp.exp(-place))
    slack = mp.mpf(10) ** -25 * (1 + mp.exp(-place))
    assert smooth - v * mp.exp(v / 8) * density - slack <= sharp <= smooth + slack


LOGS = st.fractions(-30, 5, max_denominator=10)
ANY = {"variance": st.sampled_from([Fraction(1, 10**j) for j in range(6)]), "log_delta": LOGS}
TILTS = st.fractions(Fraction(1, 20), 5, max_denominator=50)
RIGHT = st.builds(
    lambda theta, beyond, **rest: by_hand(theta, above=theta + beyond, **rest),
    TILTS,
    TILTS,
    step=st.fractions(Fraction(1, 10), 2, max_denominator=50),
    stride=st.sampled_from([1, 2, 8, 32]),
    strides=st.integers(1, 40),
    share=st.sampled_from([Fraction(0), Fraction(1, 20), Fraction(2, 5)]),
    log_density=LOGS,
    **ANY,
)
LEFT = st.builds(
    by_hand,
    st.fractions(Fraction(-19, 20), Fraction(-1, 20), max_denominator=50),
    st.just(Fraction(-1)),
    st.just(Fraction(0)),
    st.just("lower"),
    step=st.fractions(Fraction(1, 20), 2, max_denominator=50),
    stride=st.sampled_from([1, 4, 16]),
    strides=st.integers(1, 60),
    **ANY,
)


@pytest.mark.parametrize(("side", "low", "high"), [(RIGHT, -4, 6), (LEFT, -9, 4)], ids=["right", "left"])
@settings(max_examples=40, deadline=None)
@given(st.data())
def test_any_parameters_on_either_side_of_the_pole(
    side: st.SearchStrategy[Parameters], low: int, high: int, data: st.DataObject
) -> None:
    parameters, k = data.draw(side), data.draw(st.integers(1, 7))
    epsilon = data.draw(st.fractions(low, high, max_denominator=12))
    engine = Smoothing(law(k * PAIR), "delta", parameters)
    assert encloses(engine, epsilon, enumerated(FIRST, SECOND, k, epsilon))


@pytest.mark.parametrize("epsilon", ["0.1", "1.3", "3", "4.5"])
@pytest.mark.parametrize(("direction", "masses"), [("remove", (FIRST, SECOND)), ("add", (SECOND, FIRST))])
def test_good_parameters(direction: Direction, masses: tuple[Any, Any], epsilon: str) -> None:
    engine = Smoothing(law(6 * PAIR, direction), "delta", by_hand())
    point = Fraction(epsilon)
    truth = enumerated(*masses, 6, point)
    assert encloses(engine, point, truth)
    assert width(engine, point) < Fraction(1, 500)


def test_at_an_atom_the_width_is_of_first_order() -> None:
    """One loss, ε within 1e-9 of the largest: its mass of 1/2 makes the width η/√(8π), and more."""
    mp = context(20)
    point = Fraction(round(fraction(mp.log(mp.mpf(5) / 2)) * 10**9), 10**9)
    for eta in (Fraction(1, 10), Fraction(1, 100)):
        engine = Smoothing(law(PAIR), "delta", by_hand(variance=eta**2, strides=2000))
        assert encloses(engine, point, enumerated(FIRST, SECOND, 1, point))
        assert eta / 6 < width(engine, point) < eta / 4


def test_nodes_are_skipped_and_what_they_add_is_bounded() -> None:
    """200 losses: the same value from all nodes and from a few of them."""
    few = Smoothing(law(200 * PAIR), "delta", by_hand(step=Fraction(1, 32), stride=8, strides=2400))
    every = Smoothing(law(200 * PAIR), "delta", by_hand(step=Fraction(1, 32), stride=1, strides=19_200))
    summed = sum(run.count for run, _ in few._runs)
    assert summed < 10_000 < 19_200 == sum(run.count for run, _ in every._runs)
    assert few.value(Fraction(40)).overlaps(every.value(Fraction(40)))
    # skipping more than is wise costs width, and is seen in it
    rash = Smoothing(
        law(200 * PAIR),
        "delta",
        by_hand(
            step=Fraction(1, 32), stride=8, strides=2400, log_delta=Fraction(-8), log_density=Fraction(-8)
        ),
    )
    assert rash.value(Fraction(40)).contains(few.value(Fraction(40)).mid())
    assert rash.value(Fraction(40)).rad() > few.value(Fraction(40)).rad()


@pytest.mark.parametrize("bits", [16, 80])
@pytest.mark.parametrize("epsilon", ["-1", "0.4", "2"])
def test_the_price_of_the_noise_is_not_rounded_down(epsilon: str, bits: int) -> None:
    """v e^{v/8} r(ε) with as much noise as loss, where r is a sum of three normal densities."""
    mp, point = context(30), Fraction(epsilon)
    losses = [mp.log(real(mp, p / q)) for p, q in zip(FIRST, SECOND, strict=True)]
    density = mp.fsum(
        real(mp, p) * mp.npdf(real(mp, point) - s, mp.mpf(1) / 2, 1)
        for p, s in zip(FIRST, losses, strict=True)
    )
    price = fraction(mp.exp(mp.mpf(1) / 8) * density)
    engine = Smoothing(law(PAIR), "delta", by_hand(variance=Fraction(1), strides=20, bits=bits))
    assert price <= upper(engine.errors(point)["smoothing"]) < price * Fraction(11, 10)


CELLS = [
    (6 * PAIR, "remove", "3", "atoms"),
    (12 * PAIR, "add", "0", "atoms"),
    (5 * OPEN, "remove", "0.8", "atoms"),
    (5 * OPEN, "add", "0.1", "atoms"),
    (1000 * pv.DiscreteGaussian(50), "remove", "3", "lattice"),
    (10**6 * pv.DiscreteGaussian(300), "add", "15", "lattice"),
    (300 * pv.RandomizedResponse("0.6"), "remove", "40", "lattice"),
    (10**5 * pv.ApproximateDP("0.01", "1e-9"), "remove", "12", "lattice"),
    (2000 * pv.DiscreteLaplace(20), "add", "2.5", "lattice"),
    (1000 * pv.RandomizedResponse("0.6"), "remove", "10", "lattice"),  # 1 − δ is some 1e-20
    (300 * pv.Laplace(40), "remove", "0.9", "residues"),
    (9 * pv.Laplace(2) + 12 * pv.Laplace("3.1"), "remove", "2", "residues"),
    (900 * pv.Laplace(500), "remove", "0.1", "residues"),
    (5 * pv.DiscreteGaussian("1.3", sensitivity=2), "remove", "7", "lattice"),
    (3 * pv.DiscreteGaussian("0.6"), "remove", "5", "lattice"),  # σ² < 1/2: atoms
]


@pytest.mark.sample(3)
@pytest.mark.parametrize(("composition", "direction", "epsilon", "other"), CELLS)
def test_where_another_engine_knows(
    composition: pv.Composition, direction: Direction, epsilon: str, other: str
) -> None:
    point, pair = Fraction(epsilon), law(composition, direction)
    found = settle(pair, "delta", point, 6, names=("smoothing",)).enclosure
    assert found.digits >= 6
    truth = settle(pair, "delta", point, 20, names=(other,)).enclosure
    assert found.lower <= truth.lower and truth.upper <= found.upper


@pytest.mark.parametrize("direction", ["remove", "add"])
def test_poisson_sampling_of_a_discrete_gaussian(direction: Direction) -> None:
    """Infinitely many losses, off any lattice: the grid, which shares nothing with it, agrees."""
    composition = 4 * pv.PoissonSubsampled(pv.DiscreteGaussian(3), "0.05")
    pair, point = law(composition, direction), Fraction(1, 10)
    found, grid = (settle(pair, "delta", point, 3, names=(name,)).enclosure for name in ("smoothing", "grid"))
    assert found.digits >= 3 and grid.digits >= 3
    assert found.overlaps(grid)


def test_discrete_gaussians_on_different_lattices() -> None:
    """Closed transforms, against sums over their atoms, against the grid."""
    pair = law(3 * pv.DiscreteGaussian("1.7") + 4 * pv.DiscreteGaussian("2.3", sensitivity=2))
    closed, grid = (
        settle(pair, "delta", Fraction(4), 3, names=(n,)).enclosure for n in ("smoothing", "grid")
    )
    assert closed.digits >= 3 and grid.digits >= 3
    assert closed.overlaps(grid)


def test_closed_transforms_are_sums_over_atoms(monkeypatch: pytest.MonkeyPatch) -> None:
    pair, point = law(3 * pv.DiscreteGaussian("1.7") + 2 * pv.DiscreteGaussian("2.3")), Fraction(3)
    p = by_hand(
        step=Fraction(1, 4), strides=400, stride=16, log_delta=Fraction(-20), log_density=Fraction(-20)
    )
    closed = Smoothing(pair, "delta", p)
    monkeypatch.setattr(DiscreteGaussianLaw, "outline", lambda self, theta: None)
    summed = Smoothing(pair, "delta", p)
    assert closed.value(point).overlaps(summed.value(point))
    assert closed.value(point).rad() < arb("1e-3") * closed.value(point)


def test_more_digits_where_they_are_cheap() -> None:
    few = pv.delta(1000 * pv.Binomial(n=100, p="0.25"), epsilon=60, adjacency="remove", digits=6)
    many = pv.delta(1000 * pv.Binomial(n=100, p="0.25"), epsilon=60, adjacency="remove", digits=10)
    assert few.engine == many.engine == "smoothing"
    assert 6 <= few.digits < many.digits == 10
    assert few.lower <= many.lower and many.upper <= few.upper


def test_what_it_refuses() -> None:
    pair = law(20 * PAIR)
    with pytest.raises(NotSupported, match="no tail"):
        plan_smoothing(pair, "tail", Fraction(1), digits=3)
    with pytest.raises(NotSupported, match="not all losses"):
        plan_smoothing(law(20 * PAIR + pv.Gaussian(3)), "delta", Fraction(1), digits=3)
    with pytest.raises(NoConvergence, match="nodes to be summed"):
        Smoothing(law(PAIR), "delta", replace(by_hand(), stride=1, strides=10**6))
    with pytest.raises(NoConvergence, match="power of 2, got 14"):
        Smoothing(law(PAIR), "delta", by_hand(stride=14))


@pytest.mark.parametrize(
    "change", [{"step": 0}, {"variance": 0}, {"stride": 0}, {"strides": 0}, {"share": 1}, {"share": -1}]
)
def test_parameters_that_mean_nothing_are_refused(change: dict[str, int]) -> None:
    exact = {name: Fraction(n) if name in ("step", "variance", "share") else n for name, n in change.items()}
    with pytest.raises(NoConvergence, match="unusable"):
        Smoothing(law(PAIR), "delta", by_hand(**exact))


def test_the_clock_is_asked_before_each_law(monkeypatch: pytest.MonkeyPatch) -> None:
    """All outlines of thousands of nodes were looked at before anybody did."""
    events: list[str] = []

    def noted(name: str, real_one: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            events.append(name)
            return real_one(*arguments)

        return call

    loss = law(pv.Composition.of(*((pv.Laplace(100 + 7 * i), 20) for i in range(8))))
    work = plan_smoothing(loss, "delta", Fraction(1, 2), digits=5).build()
    monkeypatch.setattr(module, "spend", noted("clock", module.spend))
    monkeypatch.setattr(laplace.Outline, "most", noted("law", laplace.Outline.most))
    Smoothing(work.loss, work.quantity, work.parameters)
    laws = [i for i, name in enumerate(events) if name == "law"]
    assert laws and all(events[i - 1] == "clock" for i in laws)
