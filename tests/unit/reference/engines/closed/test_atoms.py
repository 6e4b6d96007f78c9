"""Finitely many sums, one by one: against enumeration, print, Kairouz-Oh-Viswanath and the other engines."""

from fractions import Fraction
from functools import reduce
from itertools import product as cartesian
from math import comb, prod
from operator import add
from typing import Any

import mpmath
import pytest
from flint import arb, arb_poly
from hypothesis import example, given, settings
from hypothesis import strategies as st

import pldverify as pv
from pldverify.accountants.kairouz_oh_viswanath import approximate
from pldverify.balls.ball import lower, upper, working
from pldverify.balls.clock import allowance
from pldverify.errors import NoConvergence, NotSupported
from pldverify.mechanisms.as_composition import as_composition
from pldverify.reference.choice import settle
from pldverify.reference.engines.closed.atoms import Atoms, Half, Parameters, _raised
from pldverify.reference.engines.evaluator import Quantity
from pldverify.reference.laws.composed_loss import ComposedLoss, product
from pldverify.reference.search.closed_forms import plan_atoms
from tests.oracle.closed_forms import context, fraction, holds, real

Rows = list[tuple[Fraction, Fraction]]


def law(composition: pv.Composition) -> ComposedLoss:
    return product(as_composition(composition), "remove")


def engine(composition: pv.Composition, quantity: Quantity = "delta", digits: int = 30) -> Atoms:
    parameters = plan_atoms(law(composition), quantity, Fraction(1), digits=digits).build().parameters
    assert isinstance(parameters, Parameters)
    return Atoms(law(composition), quantity, parameters)


def contains(value: arb, truth: Any, digits: int = 40) -> bool:
    """Whether the ball holds a number that is good to ``digits`` digits."""
    exact = truth if isinstance(truth, Fraction) else fraction(truth)
    slack = abs(exact) / 10**digits
    return bool(lower(value) - slack <= exact <= upper(value) + slack)


def response(p: str, categories: int = 2) -> Rows:
    """Rows (P, Q) of randomised response as probability vectors."""
    high = Fraction(p)
    low = (1 - high) / (categories - 1)
    return [(high, low), (low, high)] + [(low, low)] * (categories - 2)


THREE = [(Fraction(a), Fraction(b)) for a, b in (("0.5", "0.1"), ("0.3", "0.35"), ("0.2", "0.55"))]
PAIR = pv.FinitePair([a for a, _ in THREE], [b for _, b in THREE])
CELLS: list[tuple[pv.Composition, list[Rows]]] = [
    (
        2 * pv.RandomizedResponse("0.7") + 3 * pv.RandomizedResponse("0.8"),
        [response("0.7")] * 2 + [response("0.8")] * 3,
    ),
    (3 * PAIR + 2 * pv.RandomizedResponse("0.6"), [THREE] * 3 + [response("0.6")] * 2),
    (
        2 * pv.RandomizedResponse("0.6", categories=4) + PAIR + pv.RandomizedResponse("0.9"),
        [response("0.6", 4)] * 2 + [THREE, response("0.9")],
    ),
]


@pytest.mark.parametrize("epsilon", ["0", "1e-9", "0.7", "3", "-1"])
@pytest.mark.parametrize(("composition", "steps"), CELLS)
def test_all_outcomes_one_by_one(composition: pv.Composition, steps: list[Rows], epsilon: str) -> None:
    mp = context(60)
    growth = mp.exp(real(mp, epsilon))
    outcomes = [(prod(a for a, _ in rows), prod(b for _, b in rows)) for rows in cartesian(*steps)]
    delta = mp.fsum(max(mp.mpf(0), real(mp, a) - growth * real(mp, b)) for a, b in outcomes)
    found = engine(composition).value(Fraction(epsilon))
    assert contains(found, delta, 50)
    assert found.rel_accuracy_bits() > 99
    # a/b ≥ e^ε: exactly at ε = 0, where sums of losses are 0; elsewhere a/b is rational and e^ε is not
    tail = sum(a for a, b in outcomes if (a >= b if epsilon == "0" else real(mp, a) > growth * real(mp, b)))
    if epsilon == "0" and composition != CELLS[0][0]:
        return  # losses of general pairs are not compared exactly
    assert contains(engine(composition, "tail").value(Fraction(epsilon)), tail, 50)


def kairouz_oh_viswanath(mp: Any, step: Any, step_delta: Any, k: int, i: int) -> Any:
    """Theorem 3.3: δ at ε = (k − 2i)·step."""
    terms = (comb(k, m) * (mp.exp((k - m) * step) - mp.exp((k - 2 * i + m) * step)) for m in range(i))
    return 1 - (1 - step_delta) ** k * (1 - mp.fsum(terms) / (1 + mp.exp(step)) ** k)


@pytest.mark.parametrize(("k", "i"), [(2, 1), (10, 3), (10, 5), (101, 20), (1000, 400)])
@pytest.mark.parametrize(("step", "step_delta"), [("0.1", "1e-6"), ("1.5", "0")])
def test_homogeneous_pairs(k: int, i: int, step: str, step_delta: str) -> None:
    mp = context(80 + k)
    epsilon = (k - 2 * i) * Fraction(step)
    truth = kairouz_oh_viswanath(mp, real(mp, step), real(mp, step_delta), k, i)
    composition = k * pv.ApproximateDP(step, step_delta)
    found = pv.delta(composition, epsilon=epsilon, engine="atoms", adjacency="remove")
    assert found.digits >= 30
    assert holds(found, truth, 60)
    if truth > 1e-10:  # the accountant works in doubles
        in_house = approximate(float(Fraction(step)), float(Fraction(step_delta)), k, float(epsilon))
        assert in_house == pytest.approx(float(found), rel=1e-9, abs=0)


STEP = st.tuples(st.fractions(0, 2, max_denominator=50), st.fractions(0, Fraction(1, 2), max_denominator=99))


@settings(max_examples=40, deadline=None)
@given(st.lists(STEP, min_size=2, max_size=6), st.fractions(0, 1, max_denominator=20))
@example([(Fraction(1, 10), Fraction(1, 100)), (Fraction(1, 5), Fraction(0))], Fraction(1, 3))
@example(
    [(Fraction(1, 10), Fraction(0)), (Fraction(1, 5), Fraction(0)), (Fraction(3, 10), Fraction(0))],
    Fraction(0),
)
def test_heterogeneous_pairs_by_their_subsets(pairs: Rows, share: Fraction) -> None:
    """Murtagh and Vadhan 2016, Theorem 1.5: a sum over subsets of the steps; and the tail."""
    mp = context(60)
    top = sum((e for e, _ in pairs), Fraction(0))
    epsilon = share * top
    kept = prod(1 - d for _, d in pairs)
    scale = real(mp, kept) / mp.fprod(1 + mp.exp(real(mp, e)) for e, _ in pairs)
    delta = tail = real(mp, 1 - kept)
    for signs in cartesian((1, -1), repeat=len(pairs)):
        s = sum((e * sign for (e, _), sign in zip(pairs, signs, strict=True)), Fraction(0))
        weight = scale * mp.exp(real(mp, (top + s) / 2))
        if s >= epsilon:
            delta += weight * (1 - mp.exp(real(mp, epsilon - s)))
            tail += weight
    composition = reduce(add, (1 * pv.ApproximateDP(e, d) for e, d in pairs))
    for ask, truth in ((pv.delta, delta), (pv.tail, tail)):
        found = ask(composition, epsilon=epsilon, adjacency="remove")
        assert found.digits >= 30 and found.engine in ("atoms", "support", "threshold")
        assert holds(found, truth, 50)


@pytest.mark.parametrize(
    ("composition", "epsilon", "other", "digits"),
    [
        (200 * pv.RandomizedResponse("0.55"), "3", "lattice", 30),
        (10 * pv.DiscreteLaplace(3, sensitivity=4), "2", "lattice", 30),
        (30 * pv.RandomizedResponse("0.5", categories=5), "7", "lattice", 30),
        (7 * pv.PoissonSubsampled(pv.RandomizedResponse("0.8"), "0.3"), "1", "lattice", 30),
        (20 * PAIR, "9", "grid", 6),
        (9 * pv.RandomizedResponse("0.6") + 9 * pv.DiscreteLaplace(5, sensitivity=3), "2", "grid", 3),
    ],
)
def test_engines_overlap(composition: pv.Composition, epsilon: str, other: str, digits: int) -> None:
    first = pv.delta(composition, epsilon=epsilon, engine="atoms", adjacency="remove")
    second = pv.delta(composition, epsilon=epsilon, engine=other, digits=digits, adjacency="remove")
    assert first.digits >= 30 and second.digits >= digits
    assert first.overlaps(second)


def test_tails_overlap() -> None:
    whole = law(200 * pv.RandomizedResponse("0.55"))
    first, second = (
        settle(whole, "tail", Fraction(3), 30, names=(name,)).enclosure for name in ("atoms", "lattice")
    )
    assert first.overlaps(second)


@pytest.mark.parametrize("shift", ["0", "1e-40", "-1e-40"])
def test_an_atom_at_epsilon_belongs_to_the_tail(shift: str) -> None:
    # 0.1 + 0.2 − 0.3 and the like: sums of rational losses agree exactly
    steps = pv.PureDP("0.1") + pv.PureDP("0.2") + pv.PureDP("0.3")
    mp = context(60)
    weights = [(real(mp, e), mp.exp(real(mp, e))) for e in ("0.1", "0.2", "0.3")]
    total = mp.mpf(0)
    for signs in cartesian((1, -1), repeat=3):
        exact = sum(s * Fraction(e) for s, e in zip(signs, ("0.1", "0.2", "0.3"), strict=True))
        if exact >= Fraction(shift):
            total += mp.fprod((w if s > 0 else 1) / (1 + w) for s, (_, w) in zip(signs, weights, strict=True))
    assert contains(engine(steps, "tail").value(Fraction(shift)), total, 50)


def test_an_atom_that_may_be_at_epsilon_is_not_decided() -> None:
    # log 2 − log 2 = 0 for a pair whose losses are balls: log 2 and log 3 lie on no lattice
    pair = pv.FinitePair(["0.4", "0.2", "0.3", "0.1"], ["0.2", "0.4", "0.1", "0.3"])
    with pytest.raises(NoConvergence, match="atom"):
        plan_atoms(law(2 * pair), "tail", Fraction(0), digits=5).build()
    open_ = engine(2 * pair, "tail", 5).value(Fraction(0))
    above = sum(  # P(S > 0) and P(S ≥ 0), of two outcomes
        a * b
        for a, p in zip(pair.p, pair.q, strict=True)
        for b, q in zip(pair.p, pair.q, strict=True)
        if a * b > p * q
    )
    at = sum(
        a * b
        for a, p in zip(pair.p, pair.q, strict=True)
        for b, q in zip(pair.p, pair.q, strict=True)
        if a * b == p * q
    )
    assert at > 0 and contains(open_, above) and contains(open_, above + at)
    assert engine(2 * pair, digits=5).value(Fraction(0)).rel_accuracy_bits() > 16


def test_next_to_the_largest_loss() -> None:
    # only the highest sum is above: p^20 (1 − e^{−h})
    gap = Fraction(1, 10**60)
    found = pv.delta(20 * pv.PureDP(1), epsilon=20 - gap, engine="atoms")
    mp = context(120)
    truth = (mp.e / (1 + mp.e)) ** 20 * -mp.expm1(-real(mp, gap))
    assert found.digits >= 30
    assert holds(found, truth, 100)


@pytest.mark.parametrize("digits", [1, 30, 300])
def test_as_many_digits_as_asked(digits: int) -> None:
    steps = 30 * pv.RandomizedResponse("0.6") + 30 * pv.RandomizedResponse("0.7") + 5 * PAIR
    found = pv.delta(steps, epsilon="10", digits=digits, engine="atoms")
    assert found.digits >= digits


def test_rational_sums_that_agree_are_one() -> None:
    # 0.1 … 0.6, ten times each: 11^6 sums, on a lattice of 421
    steps = reduce(add, (10 * pv.PureDP(Fraction(i, 10)) for i in range(1, 7)))
    built = engine(steps)
    assert max(len(built._outer.sums), len(built._inner.sums)) <= 421
    grid = pv.delta(steps, epsilon=3, engine="grid", digits=3)
    assert pv.delta(steps, epsilon=3).overlaps(grid)


def test_what_it_does_not_take() -> None:
    with pytest.raises(NotSupported, match="finitely"):
        plan_atoms(law(2 * pv.DiscreteGaussian(1) + pv.PureDP(1)), "delta", Fraction(1), digits=5)
    with pytest.raises(NoConvergence, match="sums"):
        plan_atoms(law(10**6 * pv.RandomizedResponse("0.6")), "delta", Fraction(1), digits=5)
    with pytest.raises(NoConvergence, match="sums"):
        plan_atoms(law(10**12 * PAIR), "delta", Fraction(1), digits=5)


def test_planted_bugs_show(monkeypatch: pytest.MonkeyPatch) -> None:
    """The Q-masses off by one place, and an undecided atom taken as decided."""
    composition, steps = CELLS[1]
    mp = context(60)
    growth = mp.exp(real(mp, "0.7"))
    outcomes = [(prod(a for a, _ in rows), prod(b for _, b in rows)) for rows in cartesian(*steps)]
    delta = mp.fsum(max(mp.mpf(0), real(mp, a) - growth * real(mp, b)) for a, b in outcomes)
    built = engine(composition)
    assert contains(built.value(Fraction("0.7")), delta, 50)
    built._inner.second = [*built._inner.second[1:], arb(0)]
    assert not contains(built._value(Fraction("0.7")), delta, 20)

    half = Half(list(law(2 * pv.RandomizedResponse("0.7")).factors))
    coarse = half.beyond(arb(0, 0.5), None, "tail")  # t ∈ [−1/2, 1/2]: P(S ≥ t) is 0.49 or 0.91
    assert contains(coarse, Fraction("0.49")) and contains(coarse, Fraction("0.91"))
    half.radius = arb(-1)
    assert not contains(half.beyond(arb(0, 0.5), None, "tail"), Fraction("0.49"))


@pytest.mark.parametrize("k", [3, 10**9, 10**12])
def test_one_finite_loss_costs_the_same_at_any_number_of_steps(k: int) -> None:
    whole = k * pv.FinitePair([1 - Fraction(1, k), Fraction(1, k)], [1, 0])
    with allowance(1):
        back = pv.delta(whole, epsilon="0.5", adjacency="add", digits=20, engine="atoms")
    assert len(Half(product(whole, "add").factors).sums) == 1
    with mpmath.workdps(40):
        kept = mpmath.exp(k * mpmath.log1p(-mpmath.mpf(1) / k))
        true = 1 - mpmath.exp(mpmath.mpf("0.5")) * kept
        assert abs(mpmath.mpf(back.lower.numerator) / back.lower.denominator - true) < mpmath.mpf(10) ** -18
    assert back.digits >= 20


def test_a_power_looks_at_the_clock() -> None:
    """One call of FLINT took 5 s for 45,090 steps of masses of very different sizes."""
    few = arb_poly([arb(1) / 3, arb(2) / 3])
    with working(60):
        assert all(a.overlaps(b) for a, b in zip(_raised(few, 13), few**13, strict=True))
        with allowance(0), pytest.raises(NoConvergence):
            _raised(few, 45_090)


def test_losses_without_end_are_refused_by_the_engine() -> None:
    """The search refused them; the engine took the masses that a lattice lists, and dropped the others."""
    whole = law(2 * pv.DiscreteGaussian(1))
    with pytest.raises(NotSupported, match="finitely"):
        Atoms(whole, "delta", Parameters(whole.factors, (), 60))
