"""Markov's inequality rules a direction out before anything else looks at it."""

from fractions import Fraction

import pytest

import pldverify as pv
from pldverify.mechanisms.as_composition import as_composition
from pldverify.reference.engines.derived.directions import Directions
from pldverify.reference.engines.derived.rough import Markov
from pldverify.reference.engines.evaluator import Quantity
from pldverify.reference.laws.composed_loss import product
from pldverify.reference.quantities.rough import at_most

TRAINING = 10_000 * pv.PoissonSubsampled(pv.Gaussian(1), "0.01")
ASK = {"delta": pv.delta, "tail": pv.tail}


@pytest.mark.parametrize("quantity", ["delta", "tail"])
@pytest.mark.parametrize("direction", ["remove", "add"])
@pytest.mark.parametrize("epsilon", ["2", "6.9", "20"])
def test_it_lies_above_the_truth_and_within_two_orders(
    quantity: Quantity, direction: str, epsilon: str
) -> None:
    loss, eps = product(as_composition(TRAINING), direction), Fraction(epsilon)  # type: ignore[arg-type]
    truth = ASK[quantity](TRAINING, epsilon=eps, adjacency=direction, digits=10)
    found = at_most(loss, quantity, eps, 100 * Fraction(truth.upper))
    assert found is not None and found.question == (quantity, eps) and found.about == loss
    assert truth.upper < found.prove()[1] <= 100 * truth.upper
    for most in (truth.upper, truth.upper / 2, Fraction(0)):
        assert at_most(loss, quantity, eps, Fraction(most)) is None
    bound, little = Fraction(found.prove()[1]), Fraction(1, 10**6)
    assert at_most(loss, quantity, eps, bound * (1 - little)) is None
    assert at_most(loss, quantity, eps, bound * (1 + little)) == found


@pytest.mark.parametrize("quantity", ["delta", "tail"])
def test_the_smaller_direction_is_ruled_out_by_it(quantity: Quantity) -> None:
    found = ASK[quantity](TRAINING, epsilon="6.9", digits=20)
    assert found.witness is not None and isinstance(found.witness.statement, Directions)
    leading, other = found.witness.statement.parts
    assert isinstance(other, Markov) and other.about == product(as_composition(TRAINING), "add")
    assert leading.prove() == (found.lower, found.upper)
    assert pv.prove_again(found) == found


@pytest.mark.parametrize("quantity", ["delta", "tail"])
def test_an_infinite_loss_counts(quantity: Quantity) -> None:
    steps = 100 * pv.PoissonSubsampled(pv.Gaussian(2), "0.01") + pv.ApproximateDP("0.1", "0.001")
    loss = product(as_composition(steps), "remove")
    assert at_most(loss, quantity, Fraction(8), Fraction(999, 10**6)) is None
    assert at_most(loss, quantity, Fraction(8), Fraction(1001, 10**6)) is not None


def test_where_it_does_not_tell_the_direction_is_looked_at() -> None:
    near = pv.PoissonSubsampled(pv.Gaussian(20), "0.5")  # both directions are nearly alike
    found = pv.delta(1000 * near, epsilon=3, digits=20)
    assert found.witness is not None and isinstance(found.witness.statement, Directions)
    assert not any(isinstance(part, Markov) for part in found.witness.statement.parts)
    ways = [pv.delta(1000 * near, epsilon=3, adjacency=way, digits=20) for way in ("remove", "add")]
    assert found.overlaps(max(ways, key=lambda way: way.lower))


def test_an_engine_that_is_insisted_on_looks_at_both() -> None:
    found = pv.delta(TRAINING, epsilon="6.9", digits=5, engine="contour")
    assert found.witness is not None and isinstance(found.witness.statement, Directions)
    assert [part.engine for part in found.witness.statement.parts] == ["contour", "contour"]
