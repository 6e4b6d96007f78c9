"""δ and tails as sums over parts of the measure: against sums and integrals written out."""

import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import pldverify as pv
from pldverify.balls import arb
from pldverify.balls.ball import lower, upper, working
from pldverify.errors import InvalidInput, NoConvergence, NotSupported
from pldverify.mechanisms.as_composition import as_composition
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.mechanisms.relations import Direction
from pldverify.reference.engines.closed import parts
from pldverify.reference.engines.closed.parts import Parameters, Parts, Row
from pldverify.reference.engines.evaluator import Work
from pldverify.reference.laws.composed_loss import ComposedLoss, product
from pldverify.reference.search.parts import plan_parts
from tests.oracle.closed_forms import (
    atoms_after,
    context,
    fraction,
    gaussian_delta,
    holds,
    laplace_after,
    laplace_delta,
    mixture_delta,
    normal_tail,
    randomized_response_atoms,
    real,
    two_mixtures_delta,
)

WITHOUT = pv.SampledWithoutReplacement(pv.Gaussian(2), q="0.1")


def law(mechanism: Mechanism | pv.Composition, direction: Direction = "remove") -> ComposedLoss:
    return product(as_composition(mechanism), direction)


def claims(mp: Any, k: int) -> list[tuple[Any, Any]]:
    """(loss, probability) of k claims of ε = 1."""
    up = mp.e / (1 + mp.e)
    return [(2 * i - k, math.comb(k, i) * up**i * (1 - up) ** (k - i)) for i in range(k + 1)]


@pytest.mark.parametrize("epsilon", ["-3", "0", "1/7", "2", "9"])
@pytest.mark.parametrize("p", ["0.6", "0.9"])
def test_a_gaussian_and_responses(p: str, epsilon: str) -> None:
    mp = context(60)
    rows = randomized_response_atoms(mp, Fraction(p), 7)
    profiles = gaussian_delta(mp, mp.mpf(1) / 4), lambda eps: normal_tail(mp, (eps - mp.mpf(1) / 8) * 2)
    steps = 7 * pv.RandomizedResponse(p) + pv.Gaussian(2)
    for ask, profile in zip((pv.delta, pv.tail), profiles, strict=True):
        found = ask(steps, epsilon=epsilon, engine="parts", digits=40)
        assert found.digits >= 40
        assert holds(found, atoms_after(mp, rows, profile)(real(mp, epsilon)), 50)


@pytest.mark.parametrize("epsilon", ["0", "0.4", "2.9", "3.9"])
def test_a_laplace_loss_and_rational_ones(epsilon: str) -> None:
    mp = context(60)
    truth = atoms_after(mp, claims(mp, 3), laplace_delta(mp, mp.mpf(1)))(real(mp, epsilon))
    found = pv.delta(3 * pv.PureDP(1) + pv.Laplace(1), epsilon=epsilon)
    assert found.engine == "parts" and found.digits >= 30
    assert holds(found, truth, 50)


@pytest.mark.parametrize("direction", ["add", "remove"])
def test_one_subsampled_step_and_responses(direction: Any) -> None:
    mp = context(50)
    profile = mixture_delta(mp, mp.mpf(1), mp.mpf(1) / 10, direction)
    truth = atoms_after(mp, randomized_response_atoms(mp, Fraction("0.6"), 10), profile)(mp.mpf(3) / 2)
    steps = pv.PoissonSubsampled(pv.Gaussian(1), "0.1") + 10 * pv.RandomizedResponse("0.6")
    found = pv.delta(steps, epsilon="1.5", adjacency=direction)
    assert found.engine == "parts" and found.digits >= 30
    assert holds(found, truth, 40)


def test_an_atom_at_epsilon_belongs_to_the_tail() -> None:
    """2 is reached by both upper atoms only: 1/2 · e/(1 + e)."""
    mp = context(60)
    steps = pv.Laplace(1) + pv.PureDP(1)
    found = pv.tail(steps, epsilon=2)
    assert found.engine == "parts" and found.digits >= 30
    assert holds(found, mp.e / (1 + mp.e) / 2, 50)
    assert pv.tail(steps, epsilon=2 + Fraction(1, 10**50)).upper == 0


@pytest.mark.parametrize(
    ("composition", "epsilon", "other", "digits"),
    [
        (100 * pv.Laplace(3) + 9 * pv.RandomizedResponse("0.7"), "10", "contour", 6),
        (5 * pv.Gaussian(1) + 9 * pv.ApproximateDP("0.3", "0.01"), "5", "contour", 30),
        (2 * pv.Laplace(12) + 2 * pv.RandomizedResponse("0.97", categories=3), "0.75", "grid", 2),
        (2 * pv.PoissonSubsampled(pv.Laplace(1), "0.2"), "0.3", "grid", 3),
        (pv.Gaussian(1) + pv.PoissonSubsampled(pv.Gaussian(1), "0.2"), "1", "contour", 6),
    ],
)
def test_engines_overlap(composition: pv.Composition, epsilon: str, other: str, digits: int) -> None:
    found = [
        pv.delta(composition, epsilon=epsilon, engine=engine, digits=digits, adjacency="remove")
        for engine in ("parts", other)
    ]
    assert min(enclosure.digits for enclosure in found) >= digits
    assert found[0].overlaps(found[1])


@pytest.mark.parametrize("direction", ["add", "remove"])
@pytest.mark.parametrize(
    ("sigma", "q", "epsilon"), [("1", "0.2", "0"), ("1", "0.01", "0.012"), ("2", "0.5", "0.8")]
)
def test_two_subsampled_steps_in_cells(sigma: str, q: str, epsilon: str, direction: Any) -> None:
    mp = context(30)
    truth = two_mixtures_delta(mp, real(mp, sigma), real(mp, q), direction, real(mp, epsilon))
    steps = 2 * pv.PoissonSubsampled(pv.Gaussian(sigma), q)
    found = pv.delta(steps, epsilon=epsilon, adjacency=direction, engine="parts", digits=5)
    assert found.digits >= 5
    assert holds(found, truth, 12)


def test_cells_next_to_the_largest_loss() -> None:
    """Where the contour has no answer, and grids have five digits."""
    mp = context(30)
    truth = two_mixtures_delta(mp, mp.mpf(1) / 5, mp.mpf(1) / 10**5, "add", mp.mpf(2) / 10**5)
    steps = 2 * pv.PoissonSubsampled(pv.Gaussian("0.2"), "1e-5")
    found = pv.delta(steps, epsilon="0.00002", adjacency="add", digits=6)
    assert found.engine == "parts" and found.digits >= 6
    assert holds(found, truth, 10)


def test_a_delta_of_1e_100_has_digits_in_cells() -> None:
    mp = context(30)
    truth = two_mixtures_delta(mp, mp.mpf(50), mp.mpf(1) / 1000, "add", mp.mpf(506) / 10**6)
    steps = 2 * pv.PoissonSubsampled(pv.Gaussian(50), "1e-3")
    found = pv.delta(steps, epsilon="0.000506", adjacency="add", digits=2)
    assert found.engine == "parts" and 1e-101 < truth < 1e-99
    assert holds(found, truth, 10)


@pytest.mark.parametrize("epsilon", ["-0.5", "0", "1", "4"])
def test_a_gaussian_and_a_laplace_loss_in_cells(epsilon: str) -> None:
    mp = context(30)
    truth = laplace_after(mp, mp.mpf(1), gaussian_delta(mp, mp.mpf(1)), [])(real(mp, epsilon))
    found = pv.delta(pv.Gaussian(1) + pv.Laplace(1), epsilon=epsilon, engine="parts", digits=6)
    assert found.digits >= 6
    assert holds(found, truth, 20)


@pytest.mark.parametrize("epsilon", ["-0.5", "1", "4"])
def test_a_tail_in_cells(epsilon: str) -> None:
    """It falls, and is not convex: what is proved of δ in a cell would be false of it."""
    mp = context(30)
    truth = laplace_after(mp, mp.mpf(1), lambda eps: normal_tail(mp, eps - mp.mpf(1) / 2), [])(
        real(mp, epsilon)
    )
    found = pv.tail(pv.Gaussian(1) + pv.Laplace(1), epsilon=epsilon, engine="parts", digits=3)
    assert found.digits >= 3
    assert holds(found, truth, 20)


def test_a_tail_of_two_subsampled_steps_in_cells() -> None:
    """The contour has no answer within its nodes; a slope of a grid had two digits."""
    steps = 2 * pv.PoissonSubsampled(pv.Gaussian(1), "0.01")
    found = pv.tail(steps, epsilon="0.02", adjacency="remove")
    slope = pv.tail(steps, epsilon="0.02", adjacency="remove", engine="grid slope", digits=3)
    assert found.engine == "parts" and found.digits >= 3
    assert found.overlaps(slope)


def test_a_tail_taken_for_convex_shows() -> None:
    mp = context(30)
    profile = laplace_after(mp, mp.mpf(1), lambda eps: normal_tail(mp, eps - mp.mpf(1) / 2), [])
    whole, coarse = law(pv.Gaussian(1) + pv.Laplace(1)), (Fraction(-3),)
    rest = replace(cells_of_two().rest, quantity="tail")
    engine = Parts(whole, "tail", replace(cells_of_two(), rest=rest, cuts=coarse, pieces=1))

    def wrong() -> list[int]:
        values = {eps: (engine.value(Fraction(eps)), fraction(profile(mp.mpf(eps)))) for eps in range(-4, 5)}
        return [eps for eps, (value, truth) in values.items() if not lower(value) <= truth <= upper(value)]

    assert wrong() == []
    engine.quantity = "delta"
    assert wrong()


def two_batches(c: float, q: float, epsilon: float) -> float:
    """δ of two steps by E[δ₁(ε − S)], in doubles."""

    def tail(x: float) -> float:
        return math.erfc(x / math.sqrt(2)) / 2

    def one(e: float) -> float:
        if e < 0:  # by symmetry of the pair
            return 1 - math.exp(e) + math.exp(e) * one(-e)
        x = (math.log((math.exp(e) - 1) / q + 1) + c * c / 2) / c
        return (1 - q) * tail(x) + q * tail(x - c) - math.exp(e) * tail(x)

    total = (1 - q) * math.erf(c / 2 / math.sqrt(2)) * one(epsilon)
    kink = (math.log((math.exp(epsilon) - 1) / q + 1) + c * c / 2) / c
    nodes, weights = np.polynomial.legendre.leggauss(40)
    for low, high in ((c / 2, kink), (kink, kink + 3), (kink + 3, kink + 9)):
        for node, weight in zip(nodes, weights * (high - low) / 2, strict=True):
            x = (low + high) / 2 + (high - low) / 2 * node
            w = 1 - q + q * math.exp(c * x - c * c / 2)
            density = math.exp(-x * x / 2) / math.sqrt(2 * math.pi) * weight
            total += density * (w * one(epsilon - math.log(w)) + one(epsilon + math.log(w)))
    return total


@pytest.mark.parametrize("epsilon", ["0.11", "0.7", "2"])
def test_two_batches_of_a_fixed_size_in_cells(epsilon: str) -> None:
    found = pv.delta(2 * WITHOUT, epsilon=epsilon, adjacency="replace-one", engine="parts", digits=5)
    assert found.digits >= 5
    assert float(found) == pytest.approx(two_batches(1.0, 0.1, float(epsilon)), rel=1e-5, abs=0)


def built(quantity: Any = "delta") -> Parameters:
    whole = law(3 * pv.RandomizedResponse("0.6") + pv.Gaussian(1))
    parameters = plan_parts(whole, quantity, Fraction(1), digits=30).build().parameters
    assert isinstance(parameters, Parameters)
    return parameters


def test_planted_bugs_in_sums_show() -> None:
    """A sum that is missing, and one end of a ball taken for the whole."""
    mp = context(60)
    rows = randomized_response_atoms(mp, Fraction("0.6"), 3)
    truth = fraction(atoms_after(mp, rows, gaussian_delta(mp, mp.mpf(1)))(mp.mpf(1)))
    whole = law(3 * pv.RandomizedResponse("0.6") + pv.Gaussian(1))
    honest, missing, shifted = (Parts(whole, "delta", built()) for _ in range(3))
    missing.rows = missing.rows[1:]
    far = Fraction(1, 10**25)
    with working(300):
        shifted.rows = [
            Row(row.low + far, row.high + far, row.first) for row in shifted.rows if row.low and row.high
        ]
    for engine, right in ((honest, True), (missing, False), (shifted, False)):
        value = engine.value(Fraction(1))
        assert (lower(value) <= truth <= upper(value)) is right


def test_planted_bugs_in_cells_show(monkeypatch: pytest.MonkeyPatch) -> None:
    """Jensen's inequality taken for both ends, the chord taken for both, and Q-masses of other cells."""
    mp = context(30)
    truth = fraction(laplace_after(mp, mp.mpf(1), gaussian_delta(mp, mp.mpf(1)), [])(mp.mpf(1)))
    whole = law(pv.Gaussian(1) + pv.Laplace(1))
    parameters, convex = cells_of_two(), parts._convex

    def right() -> bool:
        value = Parts(whole, "delta", parameters).value(Fraction(1))
        return bool(lower(value) <= truth <= upper(value))

    assert right()
    for end in (arb.lower, arb.upper):
        monkeypatch.setattr(parts, "_convex", lambda *a, end=end: end(convex(*a)))
        assert not right()
    monkeypatch.setattr(parts, "_convex", lambda row, q, *a: convex(row, q * arb("0.9"), *a))
    assert not right()


def test_what_it_does_not_take() -> None:
    step = pv.PoissonSubsampled(pv.Gaussian(1), "0.1")
    for composition in (3 * pv.Laplace(1), 3 * pv.PureDP(1), pv.Laplace(1) + pv.Gaussian(1) + pv.PureDP(1)):
        with pytest.raises(NotSupported):
            plan_parts(law(composition), "delta", Fraction(1), digits=5)
    with pytest.raises(NotSupported, match="parts"):
        plan_parts(law(3 * step), "delta", Fraction(1), digits=5)
    with pytest.raises(NoConvergence, match="cap"):
        plan_parts(law(pv.Gaussian(1) + 10**5 * pv.RandomizedResponse("0.6")), "delta", Fraction(1), digits=5)


def test_forged_parameters_are_refused() -> None:
    whole, honest = law(3 * pv.RandomizedResponse("0.6") + pv.Gaussian(1)), built()
    ((response, _),) = honest.split
    for forged in (
        replace(honest, split=((response, 2),)),
        replace(honest, split=()),
        replace(honest, rest=built("tail").rest),
        replace(honest, rest=replace(honest.rest, loss=law(pv.Gaussian(2)))),
        replace(honest, cuts=(Fraction(0),)),  # cells of three losses
    ):
        with pytest.raises(NoConvergence, match="parts"):
            Parts(whole, "delta", forged)
    with pytest.raises(InvalidInput, match="engine"):
        Parts(whole, "delta", replace(honest, rest=Work("none", honest.rest.loss, "delta", None)))
    with pytest.raises(NotSupported):  # a Gaussian loss has no sums
        Parts(law(pv.Gaussian(1) + pv.Laplace(1)), "delta", replace(cells_of_two(), cuts=()))


def cells_of_two() -> Parameters:
    parameters = (
        plan_parts(law(pv.Gaussian(1) + pv.Laplace(1)), "delta", Fraction(1), digits=2).build().parameters
    )
    assert isinstance(parameters, Parameters)
    return parameters


def test_cuts_must_rise_and_cells_have_pieces() -> None:
    whole, honest = law(pv.Gaussian(1) + pv.Laplace(1)), cells_of_two()
    for forged in (
        replace(honest, cuts=honest.cuts[::-1]),
        replace(honest, cuts=(honest.cuts[0], *honest.cuts)),
        replace(honest, pieces=0),
        replace(honest, pieces=-1),
    ):
        with pytest.raises(NoConvergence, match="parts"):
            Parts(whole, "delta", forged)


def test_poor_cells_cost_width_only() -> None:
    whole, honest = law(pv.Gaussian(1) + pv.Laplace(1)), cells_of_two()
    mp = context(30)
    truth = fraction(laplace_after(mp, mp.mpf(1), gaussian_delta(mp, mp.mpf(1)), [])(mp.mpf(1)))
    for cuts in ((Fraction(50),), (Fraction(-50),), (Fraction(-1), Fraction(1)), honest.cuts[::2]):
        value = Parts(whole, "delta", replace(honest, cuts=cuts)).value(Fraction(1))
        assert lower(value) <= truth <= upper(value)


@pytest.mark.parametrize(("steps", "b", "epsilon"), [(2, 1, 1), (5, 5, Fraction(1, 2)), (100, 5, 10)])
def test_where_the_other_losses_are_asked_at_their_largest(steps: int, b: int, epsilon: Fraction) -> None:
    """With ε of the coin half of the largest Laplace loss, δ(ε) is that of the Laplace losses at 0, where the
    coin does not lie, and nothing else.
    """
    laplace, coin = steps * pv.Laplace(b), pv.PureDP(epsilon)
    found = pv.delta(laplace + coin, epsilon=epsilon, digits=15)
    with working(200):
        honest = 1 / (1 + (-arb(Fraction(epsilon).numerator) / Fraction(epsilon).denominator).exp())
    rest = pv.delta(laplace, epsilon=0, digits=15)
    assert found.lower <= Fraction(upper(honest)) * rest.upper
    assert found.upper >= Fraction(lower(honest)) * rest.lower
