"""What one engine says, and the mass at +∞ that belongs to it."""

import math
from fractions import Fraction

import pytest

import pldverify as pv
from pldverify.mechanisms.as_composition import as_composition
from pldverify.reference.choice import settle
from pldverify.reference.engines.derived.evaluated import Evaluated
from pldverify.reference.engines.evaluator import Quantity
from pldverify.reference.laws.composed_loss import product


@pytest.mark.parametrize(("quantity", "part"), [("delta", 1 - math.exp(-0.5)), ("tail", 1.0)])
def test_the_mass_at_infinity_counts(quantity: Quantity, part: float) -> None:
    """Two (1, 1/10)-claims: all is lost with chance 0.19, else the loss is 2 with chance (e/(1 + e))²."""
    loss, epsilon = product(as_composition(2 * pv.ApproximateDP(1, "0.1")), "remove"), Fraction(3, 2)
    work = settle(loss, quantity, epsilon, 12).work
    assert work is not None
    low, high = Evaluated(work, epsilon, 90).prove()
    truth = 0.19 + 0.81 * part / (1 + math.exp(-1)) ** 2
    assert low <= high and abs(low - Fraction(truth)) < 1e-12 and abs(high - Fraction(truth)) < 1e-12
