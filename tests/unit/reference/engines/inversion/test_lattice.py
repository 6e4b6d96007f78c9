"""The lattice engine with parameters chosen by hand, against exact sums over the atoms."""

from fractions import Fraction

import pytest
from flint import acb, arb
from hypothesis import given, settings
from hypothesis import strategies as st

import pldverify as pv
from pldverify.balls.ball import ball, lower, upper, working
from pldverify.errors import NoConvergence, NotSupported, OracleDisagreement
from pldverify.mechanisms.as_composition import as_composition
from pldverify.reference.choice import settle
from pldverify.reference.engines.evaluator import Quantity, Work
from pldverify.reference.engines.inversion.lattice import (
    Boxes,
    LatticeSum,
    Parameters,
    _envelope,
    boxes,
    tilted,
)
from pldverify.reference.laws.composed_loss import ComposedLoss, product
from pldverify.reference.laws.discrete_gaussian import DiscreteGaussianLaw
from pldverify.reference.laws.finite_pair import FinitePairLaw
from pldverify.reference.laws.lattice import lattice_of
from pldverify.reference.lemmas.kernel import Side
from pldverify.reference.search.lattice import plan_lattice
from tests.oracle.closed_forms import context, fraction, randomized_response_delta, real

P, K = Fraction(7, 10), 9
RESPONSES = product(K * pv.RandomizedResponse(P), "remove")


def by_hand(
    tilt: tuple[Fraction, Fraction, Fraction],
    period: int,
    nodes: int,
    bits: int,
    loss: ComposedLoss = RESPONSES,
) -> LatticeSum:
    """δ with θ, λ below and λ above it, N, J and the precision."""
    side: Side = "upper" if tilt[0] > 0 else "lower"
    return LatticeSum(loss, "delta", Parameters(side, *tilt, period, nodes, bits))


def responses_truth(epsilon: Fraction) -> Fraction:
    mp = context(80)
    return randomized_response_delta(P, K, fraction(mp.exp(real(mp, epsilon))))


def encloses(engine: LatticeSum | Work, epsilon: Fraction, truth: Fraction) -> bool:
    value = engine.value(epsilon)
    slack = abs(truth) / 10**60
    return bool(lower(value) - slack <= truth <= upper(value) + slack)


tilts = st.one_of(
    st.fractions(Fraction(1, 10), 6, max_denominator=50).map(lambda t: (t, Fraction(0), t + 2)),
    st.fractions(Fraction(-9, 10), Fraction(-1, 10), max_denominator=50).map(
        lambda t: (t, Fraction(-1), Fraction(0))
    ),
)


@settings(max_examples=80, deadline=None)
@given(tilts, st.integers(1, 30), st.floats(0, 1), st.fractions(-8, 8, max_denominator=20))
def test_any_parameters(
    tilt: tuple[Fraction, Fraction, Fraction], half: int, share: float, epsilon: Fraction
) -> None:
    nodes = max(1, round(share * half))
    engine = by_hand(tilt, 2 * half + 1, nodes, 100)
    assert encloses(engine, epsilon, responses_truth(epsilon))


def test_a_whole_period_longer_than_the_support_has_no_error_but_its_aliases() -> None:
    engine = by_hand((Fraction(2), Fraction(0), Fraction(20)), 201, 100, 200)
    errors = engine.errors(Fraction(1))
    assert errors["cut"].is_zero() and errors["alias"] < arb("1e-30")
    value = engine.value(Fraction(1))
    assert (Fraction(upper(value)) - Fraction(lower(value))) / Fraction(lower(value)) < Fraction(1, 10**25)


def test_an_alias_is_seen_in_a_short_period() -> None:
    # three nodes for ten atoms: the sum without its alias bound is wrong
    engine = by_hand((Fraction(1, 2), Fraction(0), Fraction(3)), 3, 1, 100)
    epsilon, truth = Fraction(1), responses_truth(Fraction(1))
    assert encloses(engine, epsilon, truth)
    engine = by_hand((Fraction(1, 2), Fraction(0), Fraction(3)), 3, 1, 100)
    engine._errors = lambda epsilon: (arb(0), arb(0))  # type: ignore[method-assign]
    with pytest.raises(OracleDisagreement):
        engine.value(epsilon)


def test_more_nodes_than_memory_holds_are_refused() -> None:
    with pytest.raises(NoConvergence, match="nodes"):
        by_hand((Fraction(1, 2), Fraction(0), Fraction(3)), 10**12 + 1, 10**12 // 2, 100)


def test_a_cut_is_seen_in_a_short_sum() -> None:
    many = product(60 * pv.DiscreteLaplace("2", sensitivity=6), "remove")
    tilt = Fraction(1, 4), Fraction(0), Fraction(1)
    short, again, whole = (by_hand(tilt, 401, nodes, 150, many) for nodes in (3, 3, 200))
    epsilon = Fraction(130)
    truth = whole.value(epsilon)
    assert short.value(epsilon).overlaps(truth)
    again._errors = lambda epsilon: (arb(0), whole._errors(epsilon)[1])  # type: ignore[method-assign]
    assert not again.value(epsilon).overlaps(truth)


@pytest.mark.parametrize("theta", ["-9/10", "-1/2", "-1/10", "1/2", "3"])
def test_a_cut_is_as_large_as_the_kernel(theta: str) -> None:
    """Without any decay: |1/(1 − e^{−w}) − e^{ε − s}/(1 − e^{−w − d})| is largest on the real axis."""
    mp, tilt, epsilon = context(30), Fraction(theta), Fraction(1)
    below, above = (Fraction(-1), Fraction(0)) if tilt < 0 else (Fraction(0), tilt + 2)
    engine = by_hand((tilt, below, above), 41, 5, 100)
    engine._log_decay = arb(0)
    d = mp.log(real(mp, P / (1 - P)))  # losses ±d: after nine steps they are odd multiples
    start = mp.ceil((real(mp, epsilon) / d + 9) / 2)
    gap = mp.exp(real(mp, epsilon) - d * (2 * start - 9))
    w = 2 * d * real(mp, tilt)
    kernel = abs(1 / (1 - mp.exp(-w)) - gap / (1 - mp.exp(-w - 2 * d)))
    with working(100):
        size = (-arb(str(w)) * int(start)).exp() * engine._size
    assert Fraction(upper(engine.errors(epsilon)["cut"])) >= Fraction(lower(size)) * fraction(
        kernel
    ) * Fraction(10**20 - 1, 10**20)


@pytest.mark.parametrize("epsilon", ["0", "2", "-2", "1.9999999999", "2.0000000001", "40"])
@pytest.mark.parametrize("quantity", ["delta", "tail"])
def test_an_atom_at_epsilon(quantity: Quantity, epsilon: str) -> None:
    # one step has the losses −2, 0, 2 with masses (1 − r)²/…; the sum of two by enumeration
    mp = context(60)
    law = product(2 * pv.DiscreteLaplace("0.5"), "remove")
    r = mp.exp(-2)
    first = {2: 1 / (1 + r), -2: r / (1 + r)}  # x ≤ 0 and x ≥ 1 around 0 against 1
    total = mp.mpf(0)
    eps = real(mp, epsilon)
    for a, p in first.items():
        for b, q in first.items():
            if quantity == "tail":
                total += p * q * (1 if a + b >= eps else 0)
            else:
                total += p * q * max(mp.mpf(0), 1 - mp.exp(eps - a - b))
    engine = plan_lattice(law, quantity, Fraction(epsilon), digits=20).build()
    assert encloses(engine, Fraction(epsilon), fraction(total)) or total == 0


def test_different_lattices_are_refused() -> None:
    mixed = product(2 * pv.RandomizedResponse("0.7") + 3 * pv.RandomizedResponse("0.8"), "remove")
    with pytest.raises(NotSupported):
        plan_lattice(mixed, "delta", Fraction(1), digits=10)
    with pytest.raises(NotSupported):
        plan_lattice(product(2 * pv.Laplace(1), "remove"), "delta", Fraction(1), digits=10)


@pytest.mark.parametrize(
    "pair",
    [
        pv.FinitePair(["0.6", "0.3", "0.1"], ["0.1", "0.3", "0.6"]),  # ratios 6, 1, 1/6
        pv.FinitePair(["0.64", "0.16", "0.2", "0"], ["0.08", "0.32", "0.2", "0.4"]),  # 8, 1/2, 1
        pv.FinitePair(["0.6", "0.3", "0.1"], ["0.2", "0.2", "0.6"]),  # 3, 3/2, 1/6: no root in common
    ],
)
def test_finite_pairs_whose_ratios_are_powers_of_one_number(pair: pv.FinitePair) -> None:
    sums = [(Fraction(1), Fraction(1))]  # by enumeration
    for _ in range(5):
        sums = [(a * p, b * q) for a, b in sums for p, q in zip(pair.p, pair.q, strict=True)]
    mp = context(60)
    growth = fraction(mp.exp(mp.mpf(7) / 10))
    exact = sum((max(a - growth * b, Fraction(0)) for a, b in sums), Fraction(0))
    if pair.p[0] / pair.q[0] == 3:
        with pytest.raises(NotSupported, match="one lattice"):
            plan_lattice(product(as_composition(5 * pair), "remove"), "delta", Fraction(1), digits=10)
        return
    value = pv.delta(5 * pair, epsilon="0.7", adjacency="remove", engine="lattice")
    assert value.digits >= 30 and value.lower <= exact * (1 + Fraction(1, 10**50))
    assert value.upper >= exact * (1 - Fraction(1, 10**50))


def test_exponents_of_a_root_next_to_one_are_exact() -> None:
    root = 1 + Fraction(1, 7 * 10**14)  # floats see its logarithm to one digit
    ratios = [Fraction(1), root, root**60]
    third = Fraction(1, 3)
    scale = 3 / sum(ratios)
    pair = FinitePairLaw(tuple(scale * ratio * third for ratio in ratios), (third,) * 3)
    found = lattice_of(pair)
    assert found is None or [j for j, mass in enumerate(found.masses) if mass > 0] == [0, 1, 60]


def test_epsilon_next_to_an_irrational_atom() -> None:
    # k log(p/(1 − p)) to 40 digits: at 60 bits ε can't be told from the atom
    engine = by_hand((Fraction(1), Fraction(0), Fraction(3)), 41, 20, 60)
    with working(200):
        atom = Fraction(lower(K * ball(P / (1 - P)).log()))
    with pytest.raises(NoConvergence, match="atom"):
        engine.value(atom)


@given(st.integers(2, 40), st.floats(0.001, 3.14), st.floats(0, 1))
def test_envelope_is_above_the_dirichlet_kernel(width: int, x: float, share: float) -> None:
    y = arb(x) + arb(share) * (arb.pi() - arb(x))
    kernel = abs((width * y / 2).sin() / (width * (y / 2).sin()))
    assert _envelope(width, arb(x)).upper() >= kernel.lower()


@pytest.mark.parametrize("theta", ["-0.5", "0.3", "2"])
@pytest.mark.parametrize(
    "mechanism",
    [pv.DiscreteLaplace("2", sensitivity=6), pv.RandomizedResponse("0.7"), pv.Binomial(12, "0.4")],
)
def test_boxes_bound_the_transform(mechanism: pv.DiscreteLaplace, theta: str) -> None:
    ((law, _),) = product(as_composition(mechanism), "remove").factors
    try:
        masses = tilted(law, Fraction(theta))
    except NotSupported:
        return
    bound: Boxes = boxes(masses)
    total = sum(masses.masses, arb(0))
    values = [x / 20 for x in range(1, 63)]
    sizes = [
        abs(sum((m * acb(0, arb(x) * i).exp() for i, m in enumerate(masses.masses)), acb(0))) / total
        for x in values
    ]
    for i, x in enumerate(values):
        assert not max(sizes[i:], key=lambda s: float(s.mid())) > bound.log_sup(arb(x)).exp().upper()


def test_a_product_of_one_lattice_is_its_own() -> None:
    whole: ComposedLoss = product(
        2 * pv.DiscreteLaplace(1) + 3 * pv.DiscreteLaplace(1, sensitivity=3), "remove"
    )
    engine = plan_lattice(whole, "delta", Fraction(3), digits=15).build()
    assert engine.engine == "lattice"
    grid = pv.delta(
        2 * pv.DiscreteLaplace(1) + 3 * pv.DiscreteLaplace(1, sensitivity=3), epsilon=3, digits=15
    )
    value = engine.value(Fraction(3))
    assert lower(value) <= grid.upper and grid.lower <= upper(value)


@pytest.mark.parametrize("quantity", ["delta", "tail"])
@pytest.mark.parametrize(("sigma", "sensitivity", "k"), [("1.5", 1, 6), ("20", 7, 40), ("0.8", 1, 300)])
def test_closed_sums_give_what_the_masses_give(
    sigma: str, sensitivity: int, k: int, quantity: Quantity, monkeypatch: pytest.MonkeyPatch
) -> None:
    loss = product(k * pv.DiscreteGaussian(sigma, sensitivity), "remove")
    point = Fraction(round(k * sensitivity**2 / float(sigma) ** 2) + 1)
    closed = plan_lattice(loss, quantity, point, digits=20).build().value(point)
    monkeypatch.setattr(DiscreteGaussianLaw, "circle", lambda self, theta: None)
    summed = LatticeSum(loss, quantity, plan_lattice(loss, quantity, point, digits=20).build().parameters)
    assert closed.overlaps(summed.value(point))
    assert closed.rel_accuracy_bits() > 60


@pytest.mark.parametrize("sigma", [10**3, 10**4])
def test_one_loss_of_large_noise_is_its_tails(sigma: int) -> None:
    loss = product(as_composition(pv.DiscreteGaussian(sigma, sigma // 3)), "remove")
    for quantity in ("delta", "tail"):
        found = [
            settle(loss, quantity, Fraction(1, 2), 15, names=(name,)).enclosure  # type: ignore[arg-type]
            for name in ("lattice", "threshold")
        ]
        assert found[0].overlaps(found[1])


def test_outcomes_need_not_be_counted() -> None:
    """σ = 10⁶: the answer is near that of the Gaussian mechanism, and is not it."""
    near = pv.delta(40 * pv.DiscreteGaussian(10**6, 10**5), epsilon=2, digits=20)
    gaussian = pv.delta(40 * pv.Gaussian(10**6, 10**5), epsilon=2, digits=20)
    assert near.engine == "lattice" and near.digits >= 20
    assert not near.overlaps(gaussian)
    assert abs(near.lower / gaussian.lower - 1) < Fraction(1, 10**9)
