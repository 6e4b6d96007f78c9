"""The mpmath route: first held against closed forms that it does not use, then the engines against it."""

import math
import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
import sympy as sp

import pldverify as pv
from pldverify.errors import InvalidInput, NoConvergence, NotSupported, OracleDisagreement
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.mechanisms.relations import Adjacency
from pldverify.numbers.agreement import agree, require_agreement
from pldverify.quadrature import allocation as quadrature_of_allocations
from pldverify.quadrature import pairs
from pldverify.quadrature.arithmetic import Clock
from pldverify.quadrature.pieces import Atom, Integers, Interval
from tests.oracle.closed_forms import (
    context,
    fraction,
    gaussian_delta,
    laplace_delta,
    mixture_delta,
    mixture_moment,
    real,
)
from tests.teeth.planted import Plant, planted

Question = tuple[Any, dict[str, str]]


def trusted(estimate: pv.Estimate, truth: object) -> bool:
    """Whether the estimate keeps its stated digits."""
    return estimate.digits > 0 and estimate.covers(fraction(truth))


# --- closed forms ---


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("sigma", "epsilon"), [("0.2", "3"), ("1", "0"), ("1", "-1.5"), ("1", "10"), ("5", "3"), ("100", "1")]
)
def test_one_gaussian(sigma: str, epsilon: str) -> None:
    mp = context(60)
    found = pv.quadrature.delta(pv.Gaussian(sigma), epsilon=epsilon, digits=15)
    assert found.digits == 15
    assert trusted(found, gaussian_delta(mp, 1 / real(mp, sigma) ** 2)(real(mp, epsilon)))


@pytest.mark.parametrize("direction", ["add", "remove"])
@pytest.mark.parametrize(("sigma", "q", "epsilon"), [("1", "0.1", "0.05"), ("0.3", "0.1", "-0.3")])
def test_one_poisson_step(sigma: str, q: str, epsilon: str, direction: Any) -> None:
    mp = context(200)
    pair = pv.PoissonSubsampled(pv.Gaussian(sigma), q)
    found = pv.quadrature.delta(pair, epsilon=epsilon, adjacency=direction)
    assert trusted(found, mixture_delta(mp, real(mp, sigma), real(mp, q), direction)(real(mp, epsilon)))


@pytest.mark.sample(1)
@pytest.mark.parametrize(("b", "epsilon"), [("0.3", "2"), ("1", "-0.3"), ("1", "1"), ("1", "2")])
def test_one_laplace(b: str, epsilon: str) -> None:
    mp = context(60)
    found = pv.quadrature.delta(pv.Laplace(b), epsilon=epsilon)
    assert trusted(found, laplace_delta(mp, 1 / real(mp, b))(real(mp, epsilon)))


def test_the_tail_of_one_laplace_counts_its_atom() -> None:
    """P(S ≥ s) = 1 − e^{(s−1)/2}/2 for −1 < s ≤ 1: the atom at 1 has probability 1/2."""
    mp = context(40)
    assert trusted(pv.quadrature.tail(pv.Laplace(1), epsilon="0.9"), 1 - mp.exp(mp.mpf("-0.05")) / 2)
    assert trusted(pv.quadrature.tail(pv.Laplace(1), epsilon=1), mp.mpf("0.5"))
    assert pv.quadrature.tail(pv.Laplace(1), epsilon="1.1").value == 0


@pytest.mark.parametrize("order", ["2", "5", "1.5"])
def test_rdp_of_a_gaussian(order: str) -> None:
    found = pv.quadrature.rdp(7 * pv.Gaussian(2), order=order)
    assert found.covers(7 * Fraction(order) / 8)


def test_rdp_of_order_one_is_the_mean_of_the_loss() -> None:
    assert pv.quadrature.rdp(pv.Gaussian(2), order=1).covers(Fraction(1, 8))


def test_rdp_of_order_infinity_is_the_largest_loss() -> None:
    assert pv.quadrature.rdp(3 * pv.Laplace(2), order="inf").covers(Fraction(3, 2))
    assert pv.quadrature.rdp(pv.Gaussian(2), order="inf").value == math.inf


@pytest.mark.slow
def test_a_kink_costs_digits_that_are_not_claimed() -> None:
    """At ε = 2 a sum of four losses ±1 is an atom, and δ is not smooth."""
    composition = 4 * pv.Laplace(1)
    found = pv.quadrature.delta(composition, epsilon=2, digits=5)
    assert found.digits >= 4
    require_agreement("δ(2)", pv.delta(composition, epsilon=2), found)


@pytest.mark.parametrize(("sigma", "q", "order"), [("1", "0.01", 2), ("0.5", "0.3", 5)])
def test_moments_of_a_mixture(sigma: str, q: str, order: int) -> None:
    mp = context(80)
    pair = pv.PoissonSubsampled(pv.Gaussian(sigma), q)
    moment = mixture_moment(mp, real(mp, sigma), real(mp, q), order)
    found = pv.quadrature.rdp(pair, order=order, adjacency="remove")
    assert trusted(found, mp.log(moment) / (order - 1))


@pytest.mark.parametrize("epsilon", ["1", "-2"])
def test_a_composition_of_gaussians(epsilon: str) -> None:
    mp = context(60)
    found = pv.quadrature.delta(10 * pv.Gaussian(3), epsilon=epsilon)
    assert trusted(found, gaussian_delta(mp, mp.mpf(10) / 9)(real(mp, epsilon)))


def test_multisets_are_a_binomial_sum() -> None:
    p, k, e = Fraction(3, 4), 9, Fraction(9)  # p/(1 − p) = 3, e^ε = 9
    masses = [math.comb(k, j) * p**j * (1 - p) ** (k - j) for j in range(k + 1)]
    gains = [max(Fraction(0), 1 - e / Fraction(3) ** (2 * j - k)) for j in range(k + 1)]
    found = pv.quadrature.delta(k * pv.RandomizedResponse(p), epsilon=math.log(9))
    assert found.covers(sum((a * b for a, b in zip(masses, gains, strict=True)), Fraction(0)))


def test_infinite_answers() -> None:
    whole = pv.RandomizedResponse(1)
    assert pv.quadrature.epsilon(whole, delta="0.5").value == math.inf
    assert pv.quadrature.rdp(whole, order=2).value == math.inf
    assert pv.quadrature.delta(whole, epsilon=3).value == 1
    assert pv.quadrature.epsilon(pv.Gaussian(1), delta="0.9").value == 0


# --- the engines, one mechanism after the other ---


G, P = pv.Gaussian, pv.PoissonSubsampled
STEPS: list[Question] = [
    (G(2), {}),
    (pv.GDP("0.5"), {"adjacency": "replace-one"}),
    (pv.Laplace(1), {"adjacency": "replace-one"}),
    (pv.DiscreteGaussian(3), {}),
    (pv.DiscreteLaplace(2, 3), {}),
    (pv.Binomial(40, "0.4", 2), {}),
    (pv.RandomizedResponse("0.5", 5), {}),
    (pv.FinitePair(["0.5", "0.3", "0.2", "0"], ["0.3", "0.3", "0.3", "0.1"]), {}),
    (pv.ApproximateDP(1, "1e-3"), {}),
    (pv.GroupDP("0.7", "1e-3", 3), {}),
    (pv.PureDP("0.5"), {}),
    (P(G(1), "0.01"), {}),
    (P(G(1), "0.1"), {"adjacency": "replace-one"}),
    (P(pv.Laplace(1), "0.1"), {}),
    (P(pv.RandomizedResponse("0.8", 3), "0.3"), {}),
    (P(pv.DiscreteGaussian(3), "0.1"), {}),
    (P(pv.DiscreteLaplace(2), "0.2"), {}),
    (P(pv.Binomial(40, "0.5"), "0.2"), {}),
    (P(pv.FinitePair(["0.8", "0.2"], ["0.5", "0.5"]), "0.2"), {}),
    (P(pv.PureDP(1), "0.2"), {}),
    (P(pv.ApproximateDP(1, "1e-3"), "0.2"), {}),
    (pv.SampledWithoutReplacement(G(1), "0.1"), {}),
    (pv.SampledWithReplacement(G(4), 3, 50), {}),
    (pv.KJH19Substitute(G(1), "0.1"), {}),
    (pv.KJH20WithReplacement(G(2), 4, 20), {}),
    (pv.MixtureOfGaussians(1, [0, 1, 3], ["0.7", "0.2", "0.1"]), {}),
]


def named(question: tuple[Any, Any]) -> str:
    return str(question[0])


@pytest.mark.sample(6)
@pytest.mark.parametrize("question", STEPS, ids=named)
def test_the_engines_agree_on_one_step(question: Question) -> None:
    mechanism, adjacency = question
    found = pv.quadrature.delta(mechanism, epsilon="0.05", **adjacency)
    assert found.digits == 10
    require_agreement("δ", pv.delta(mechanism, epsilon="0.05", digits=13, **adjacency), found)


@pytest.mark.sample(4)
@pytest.mark.parametrize("question", [q for q in STEPS if "with_replacement" not in str(q[0])], ids=named)
def test_the_engines_agree_on_rdp(question: Question) -> None:
    mechanism, adjacency = question
    found = pv.quadrature.rdp(mechanism, order="2.5", **adjacency)
    require_agreement("D_α", pv.rdp(mechanism, order="2.5", digits=13, **adjacency), found)


def test_no_mechanism_is_forgotten() -> None:
    without_a_value = {pv.ZCDP, pv.ShuffledBatches, pv.ShuffleModel, pv.TruncatedPoisson}
    without_a_value |= {pv.RenyiDP, pv.GaussianAboveThreshold, pv.RepeatAndSelect, pv.GNMax}
    apart = {pv.BallsAndBins, pv.DensityPair}
    apart |= {pv.AboveThreshold, pv.Exponential, pv.NoisyMax, pv.PermuteAndFlip, pv.ThresholdedHistogram}
    kinds = {type(mechanism) for mechanism, _ in STEPS} | apart | without_a_value
    assert kinds == set(Mechanism.expressions.values()) | {pv.DensityPair}


def allocation(seed: int) -> tuple[pv.BallsAndBins, str, Adjacency]:
    """A random one, ε near a standard deviation of the loss, and a direction."""
    pick = random.Random(seed)
    batches, sigma = round(2 ** pick.uniform(1, 9)), round(pick.uniform(0.5, 3), 2)
    spread = math.sqrt(math.log1p(math.expm1(sigma**-2) / batches))
    at = str(round(pick.uniform(0.3, 2) * spread, 4))
    return pv.BallsAndBins(G(str(sigma)), batches), at, pick.choice(["remove", "add"])


@pytest.mark.sample(1)
@pytest.mark.parametrize("seed", range(10))
def test_the_engines_agree_on_random_allocations(seed: int) -> None:
    step, at, way = allocation(seed)
    found = pv.quadrature.delta(step, epsilon=at, adjacency=way, digits=6)
    assert found.digits == 6
    require_agreement("δ", pv.delta(step, epsilon=at, adjacency=way, digits=9), found)


@pytest.mark.slow
@pytest.mark.parametrize("way", ["remove", "add"])
def test_epsilon_and_tail_of_an_allocation(way: Adjacency) -> None:
    step = pv.BallsAndBins(G(1), 30)
    inverse = pv.quadrature.epsilon(step, delta="1e-5", adjacency=way, digits=6)
    require_agreement("ε", pv.epsilon(step, delta="1e-5", adjacency=way), inverse)
    reached = pv.quadrature.tail(step, epsilon="0.4", adjacency=way, digits=6)
    require_agreement("tail", pv.tail(step, epsilon="0.4", adjacency=way), reached)


def test_an_allocation_has_no_more_than_that() -> None:
    for ask in (
        lambda: pv.quadrature.rdp(pv.BallsAndBins(G(1), 9), order=2),
        lambda: pv.quadrature.delta(2 * pv.BallsAndBins(G(1), 9), epsilon=1),
    ):
        with pytest.raises(NotSupported):
            ask()


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    "plant",
    [
        ("one**self._batches", "one ** (self._batches - 1)"),
        ("delta = 1 - k + put", "delta = k - 1 + put"),
        ("return put / k", "return put"),
        ("epsilon if self._forward else -epsilon", "epsilon"),
        ("c * y - c * c / 2", "c * y"),
        ("/ s**power", "/ s**2"),
    ],
)
def test_a_wrong_inversion_is_seen(plant: Plant) -> None:
    wrong = planted(quadrature_of_allocations, plant)
    step, ways = pv.BallsAndBins(G(1), 3), ("remove", "add")
    mp = context(30)

    def agrees(module: Any) -> bool:
        for way in ways:
            mine = module.AllocatedStep(mp, step, way, 0, Clock(20)).at(mp.mpf("0.5"))
            asked: dict[str, Any] = {"epsilon": "0.5", "adjacency": way}
            proved = pv.delta(step, digits=9, **asked), pv.tail(step, digits=9, **asked)
            if any(abs(float(x) / float(y.lower) - 1) > 1e-6 for x, y in zip(mine, proved, strict=True)):
                return False
        return True

    assert agrees(quadrature_of_allocations) and not agrees(wrong)


COMPOSITIONS: list[tuple[pv.Composition, dict[str, Any]]] = [
    (500 * P(G(2), "0.02"), {"epsilon": "1"}),
    (2 * pv.Laplace(1), {"epsilon": "1", "digits": 7}),
    (100 * pv.DiscreteGaussian(20), {"epsilon": "1.5"}),
    (20 * pv.RandomizedResponse("0.6") + 3 * pv.PureDP("0.3"), {"epsilon": "2"}),
    (2 * pv.ApproximateDP(1, "1e-3") + G(2), {"epsilon": "1.7"}),
    (1000 * pv.RandomizedResponse("0.51", 3), {"epsilon": "2"}),
    (5 * G(3) + 5 * pv.GDP("0.3"), {"epsilon": "2"}),
    (50 * pv.DiscreteLaplace(5), {"epsilon": "6"}),
]


@pytest.mark.slow
def test_a_near_lattice_comes_back_into_phase() -> None:
    """Losses of a binomial mechanism are nearly equidistant: its transform dies, and returns much later."""
    composition = 10 * pv.Binomial(1000, "0.5")
    proved = pv.delta(composition, epsilon=1, digits=6, adjacency="remove")
    try:
        require_agreement("δ", proved, pv.quadrature.delta(composition, epsilon=1, adjacency="remove"))
    except NoConvergence:
        return


@pytest.mark.parametrize("question", COMPOSITIONS, ids=named)
def test_the_engines_agree_on_compositions(question: tuple[pv.Composition, dict[str, Any]]) -> None:
    composition, asked = question
    found = pv.quadrature.delta(composition, **asked)
    assert found.digits >= 6
    require_agreement("δ", pv.delta(composition, epsilon=asked["epsilon"], digits=13), found)


@pytest.mark.parametrize(
    "composition", [30 * G(5), 12 * pv.RandomizedResponse("0.6"), pv.Laplace(2)], ids=str
)
def test_epsilon_and_tail(composition: Any) -> None:
    delta, at = "1e-3", "0.4"
    inverse, tail = pv.epsilon(composition, delta=delta), pv.tail(composition, epsilon=at)
    require_agreement("ε", inverse, pv.quadrature.epsilon(composition, delta=delta))
    require_agreement("tail", tail, pv.quadrature.tail(composition, epsilon=at))


@pytest.mark.slow
@pytest.mark.parametrize("direction", ["remove", "add"])
@pytest.mark.parametrize(
    ("composition", "epsilon"),
    [(10_000 * P(G(1), "0.01"), "6.90735948"), (10**8 * P(G(5), "0.0001"), "1")],
)
def test_the_engine_agrees_to_25_digits(composition: pv.Composition, epsilon: str, direction: Any) -> None:
    asked: dict[str, Any] = {"epsilon": epsilon, "adjacency": direction}
    estimate = pv.quadrature.delta(composition, digits=25, seconds=300, **asked)
    assert estimate.digits == 25
    require_agreement("δ", pv.delta(composition, digits=30, **asked), estimate)


# --- users' own pairs ---


T, N = sp.Symbol("t", real=True), sp.Symbol("n", integer=True)


def _normal(centre: int, sigma: object = 1) -> sp.Expr:
    return sp.exp(-((T - centre) ** 2) / (2 * sp.sympify(sigma) ** 2)) / sp.sqrt(2 * sp.pi) / sigma


@pytest.mark.slow
def test_a_users_gaussian_is_the_built_in_one() -> None:
    own = pv.derive_pair(_normal(1), _normal(0), T).mechanism()
    mp = context(60)
    truth = gaussian_delta(mp, mp.mpf(50))(mp.mpf(60))
    assert trusted(pv.quadrature.delta(50 * own, epsilon=60, adjacency="remove"), truth)


@pytest.mark.slow
def test_a_users_laplace_and_logistic() -> None:
    laplace = [sp.exp(-sp.Abs(T - m)) / 2 for m in (0, 1)]
    logistic = [sp.exp(m - T) / (1 + sp.exp(m - T)) ** 2 for m in (1, 0)]
    for pair in (laplace, logistic):
        own = pv.derive_pair(pair[0], pair[1], T).mechanism()
        found = pv.quadrature.delta(own, epsilon="0.3")
        assert found.digits == 10
        require_agreement("δ", pv.delta(own, epsilon="0.3", digits=12), found)


def test_a_users_masses() -> None:
    geometric = [sp.Rational(r) ** N * (1 - sp.Rational(r)) for r in ("1/2", "1/3")]
    own = pv.derive_pair(geometric[0], geometric[1], N, {N: (0, sp.oo)}).mechanism()
    found = pv.quadrature.delta(own, epsilon="0.5")
    # log(p/q) = n log(3/2) + log(3/4) > 1/2 from n = 2 on: Σ_{n ≥ 2} is r²
    assert float(found) == pytest.approx(1 / 4 - math.exp(0.5) / 9, rel=1e-10, abs=0)


def test_mass_that_is_not_found_is_told() -> None:
    """Regions that a derivation would refuse: half of the mass of Q is missing."""
    text = sp.srepr(_normal(0))
    half = pv.DensityPair("t", (("Integer(0)", "oo", text, text),))
    with pytest.raises(NoConvergence, match="mass"):
        pv.quadrature.delta(half, epsilon=1)


def test_nothing_in_a_density_is_evaluated() -> None:
    bad = pv.DensityPair("t", (("-oo", "oo", "__import__('os').getcwd()", "exp(Symbol('t'))"),))
    with pytest.raises(NotSupported):
        pv.quadrature.delta(bad, epsilon=1)


# --- teeth ---


def _shifted(piece: Any) -> Any:
    """The piece with a first density that is 1e-6 too large."""
    if isinstance(piece, Atom):
        return Atom(piece.p * (1 + piece.p.context.mpf("1e-6")), piece.q)
    logs = piece.logs

    def planted(t: Any) -> Any:
        first, second = logs(t)
        return first + first.context.mpf("1e-6"), second

    kind: Callable[..., Any] = Integers if isinstance(piece, Integers) else Interval
    return kind(**{**vars(piece), "logs": planted})


@pytest.mark.sample(7)
@pytest.mark.parametrize("question", STEPS, ids=named)
def test_a_planted_density_is_seen(question: Question, monkeypatch: pytest.MonkeyPatch) -> None:
    mechanism, adjacency = question
    honest = pairs.pair
    enclosure = pv.delta(mechanism, epsilon="0.05", digits=13, **adjacency)
    wrong = lambda *given: tuple(_shifted(piece) for piece in honest(*given))  # noqa: E731
    monkeypatch.setattr("pldverify.quadrature.quantities.pair", wrong)
    with pytest.raises(OracleDisagreement) as caught:
        require_agreement("δ(0.05)", enclosure, pv.quadrature.delta(mechanism, epsilon="0.05", **adjacency))
    assert caught.value.routes[0] in str(caught.value) and caught.value.routes[1] in str(caught.value)
    assert caught.value.values[0] is enclosure


@pytest.mark.slow
def test_poor_panels_cost_digits_and_are_never_trusted_beyond_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Too few nodes for how fast the transform's integrand turns."""
    monkeypatch.setattr("pldverify.quadrature.law._PHASE", 1e9)
    monkeypatch.setattr("pldverify.quadrature.samples._BEND", 50.0)
    try:
        found = pv.quadrature.delta(3 * pv.Laplace(1), epsilon="0.3")
    except NoConvergence:
        return
    assert agree(pv.delta(3 * pv.Laplace(1), epsilon="0.3", digits=13), found)


# --- what is refused ---


def test_what_it_has_no_density_for_is_refused() -> None:
    with pytest.raises(NotSupported):
        pv.quadrature.delta(pv.ZCDP(1), epsilon=1)
    with pytest.raises(InvalidInput):
        pv.quadrature.delta(pv.SampledWithoutReplacement(G(1), "0.1"), epsilon=1, adjacency="add")
    with pytest.raises(InvalidInput):
        pv.quadrature.rdp(G(1), order=0)


def test_time_is_bounded() -> None:
    with pytest.raises(NoConvergence, match="takes more than"):
        pv.quadrature.delta(3 * P(G(1), "0.001"), epsilon=1, seconds=0)


def test_an_estimate_is_no_enclosure() -> None:
    found = pv.quadrature.delta(pv.Gaussian(1), epsilon=1)
    assert not isinstance(found, pv.Enclosure)
    assert isinstance(found.value, Fraction)
    assert "mpmath" in found.method
