"""Finitely many losses beside a closed form: against sums written out, and the other engines."""

from fractions import Fraction
from math import comb
from typing import Any

import pytest

import pldverify as pv
from pldverify.balls import arb
from pldverify.balls.ball import lower, upper, working
from pldverify.errors import NoConvergence, NotSupported
from pldverify.mechanisms.as_composition import as_composition
from pldverify.reference.choice import settle
from pldverify.reference.engines.closed.atoms import Sum
from pldverify.reference.engines.closed.atoms_and_one import AtomsAndOne, Parameters
from pldverify.reference.laws.composed_loss import ComposedLoss, product
from pldverify.reference.search.closed_forms import plan_atoms_and_one
from tests.oracle.closed_forms import (
    context,
    fraction,
    gaussian_delta,
    holds,
    laplace_delta,
    mixture_delta,
    normal_tail,
    randomized_response_atoms,
    real,
)


def law(composition: pv.Composition | pv.Gaussian) -> ComposedLoss:
    return product(as_composition(composition), "remove")


@pytest.mark.parametrize("epsilon", ["-3", "0", "1/7", "2", "9"])
@pytest.mark.parametrize("p", ["0.6", "0.9"])
def test_a_gaussian_and_responses(p: str, epsilon: str) -> None:
    mp = context(60)
    eps = real(mp, epsilon)
    rows = randomized_response_atoms(mp, Fraction(p), 7)  # (loss, mass)
    profile = gaussian_delta(mp, mp.mpf(1) / 4)
    delta = mp.fsum(mass * profile(eps - loss) for loss, mass in rows)
    tail = mp.fsum(mass * normal_tail(mp, (eps - loss - mp.mpf(1) / 8) * 2) for loss, mass in rows)
    steps = 7 * pv.RandomizedResponse(p) + pv.Gaussian(2)
    for ask, truth in ((pv.delta, delta), (pv.tail, tail)):
        found = ask(steps, epsilon=epsilon, engine="atoms and one", digits=40)
        assert found.digits >= 40
        assert holds(found, truth, 50)


@pytest.mark.parametrize("epsilon", ["0", "0.4", "2.9", "3.9"])
def test_a_laplace_loss_and_rational_ones(epsilon: str) -> None:
    mp = context(60)
    eps, profile = real(mp, epsilon), laplace_delta(mp, mp.mpf(1))
    up = mp.e / (1 + mp.e)
    masses = [comb(3, i) * up**i * (1 - up) ** (3 - i) for i in range(4)]
    truth = mp.fsum(mass * profile(eps - (2 * i - 3)) for i, mass in enumerate(masses))
    found = pv.delta(3 * pv.PureDP(1) + pv.Laplace(1), epsilon=epsilon)
    assert found.engine == "atoms and one" and found.digits >= 30
    assert holds(found, truth, 50)


@pytest.mark.parametrize("direction", ["add", "remove"])
def test_one_subsampled_step_and_responses(direction: Any) -> None:
    mp = context(50)
    profile = mixture_delta(mp, mp.mpf(1), mp.mpf(1) / 10, direction)
    rows = randomized_response_atoms(mp, Fraction("0.6"), 10)
    truth = mp.fsum(mass * profile(mp.mpf(3) / 2 - loss) for loss, mass in rows)
    steps = pv.PoissonSubsampled(pv.Gaussian(1), "0.1") + 10 * pv.RandomizedResponse("0.6")
    found = pv.delta(steps, epsilon="1.5", adjacency=direction)
    assert found.engine == "atoms and one" and found.digits >= 30
    assert holds(found, truth, 40)


@pytest.mark.parametrize(
    ("composition", "epsilon", "other", "digits"),
    [
        (100 * pv.Laplace(3) + 9 * pv.RandomizedResponse("0.7"), "10", "contour", 6),
        (5 * pv.Gaussian(1) + 9 * pv.ApproximateDP("0.3", "0.01"), "5", "contour", 30),
        (2 * pv.Laplace(12) + 2 * pv.RandomizedResponse("0.97", categories=3), "0.75", "grid", 2),
    ],
)
def test_engines_overlap(composition: pv.Composition, epsilon: str, other: str, digits: int) -> None:
    first = pv.delta(composition, epsilon=epsilon, engine="atoms and one", adjacency="remove")
    second = pv.delta(composition, epsilon=epsilon, engine=other, digits=digits, adjacency="remove")
    assert first.digits >= 30 and second.digits >= digits
    assert first.overlaps(second)


def test_tails_overlap() -> None:
    whole = law(5 * pv.Gaussian(1) + 9 * pv.ApproximateDP("0.3", "0.01"))
    values = [
        settle(whole, "tail", Fraction(5), 20, names=(name,)).enclosure
        for name in ("atoms and one", "contour")
    ]
    assert values[0].overlaps(values[1])


def test_an_atom_at_epsilon_belongs_to_the_tail() -> None:
    # 2 is reached by both upper atoms only: 1/2 · e/(1 + e)
    mp = context(60)
    steps = pv.Laplace(1) + pv.PureDP(1)
    assert holds(pv.tail(steps, epsilon=2, engine="atoms and one"), mp.e / (1 + mp.e) / 2, 50)
    assert pv.tail(steps, epsilon=2 + Fraction(1, 10**50)).upper == 0


def test_what_it_does_not_take() -> None:
    for composition in (3 * pv.Laplace(1), 3 * pv.PureDP(1), pv.Laplace(1) + pv.Gaussian(1) + pv.PureDP(1)):
        with pytest.raises(NotSupported):
            plan_atoms_and_one(law(composition), "delta", Fraction(1), digits=5)
    with pytest.raises(NoConvergence, match="cap"):
        plan_atoms_and_one(
            law(pv.Gaussian(1) + 10**5 * pv.RandomizedResponse("0.6")), "delta", Fraction(1), digits=5
        )


def test_planted_bugs_show() -> None:
    """A sum that is missing, and one end of a ball taken for the whole."""
    mp = context(60)
    profile = gaussian_delta(mp, mp.mpf(1))
    rows = randomized_response_atoms(mp, Fraction("0.6"), 3)
    truth = fraction(mp.fsum(mass * profile(1 - loss) for loss, mass in rows))

    def built() -> AtomsAndOne:
        whole = law(3 * pv.RandomizedResponse("0.6") + pv.Gaussian(1))
        parameters = plan_atoms_and_one(whole, "delta", Fraction(1), digits=30).build().parameters
        assert isinstance(parameters, Parameters)
        return AtomsAndOne(whole, "delta", parameters)

    honest, missing, shifted = built(), built(), built()
    missing._sums = missing._sums[1:]
    with working(300):
        shifted._sums = [
            Sum(loss.upper() + loss.rad() * 10**6, mass, None) for loss, mass, _ in shifted._sums
        ]
    for engine, right in ((honest, True), (missing, False), (shifted, False)):
        value = engine.value(Fraction(1))
        assert (lower(value) <= truth <= upper(value)) is right


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
