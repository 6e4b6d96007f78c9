"""One loss in closed form; values are in tests/oracle/test_single_step.py."""

from fractions import Fraction

import pytest
from flint import arb

import pldverify as pv
from pldverify.balls.ball import dyadic, lower, upper
from pldverify.errors import NotSupported
from pldverify.mechanisms.as_composition import as_composition
from pldverify.reference.engines.closed.threshold import Parameters, Threshold
from pldverify.reference.engines.evaluator import evaluator
from pldverify.reference.laws.composed_loss import product
from pldverify.reference.laws.finite_pair import FinitePairLaw
from pldverify.reference.laws.laplace import LaplaceLaw
from pldverify.reference.search.closed_forms import plan_threshold


def test_atoms_at_the_threshold_belong_to_it() -> None:
    law = LaplaceLaw(Fraction(2))
    assert law.tails(Fraction(2))[0].contains(arb(1) / 2)  # P(S ≥ 2) = P(S = 2) = 1/2
    assert law.tails(Fraction(2) + Fraction(1, 10**50))[0].is_zero()
    assert [float(t) for t in law.tails(Fraction(-2))] == [1, 1]


def test_a_threshold_that_can_not_be_told_from_an_atom_is_unknown() -> None:
    law = FinitePairLaw((Fraction(3, 4), Fraction(1, 4)), (Fraction(1, 4), Fraction(3, 4)))
    close = dyadic(law.largest_finite_loss.mid())  # type: ignore[union-attr]
    first, _ = law.tails(close)
    assert lower(first) <= 0 and upper(first) >= Fraction(3, 4)


def test_more_than_one_loss_is_not_its_business() -> None:
    with pytest.raises(NotSupported):
        plan_threshold(product(2 * pv.Laplace(1), "remove"), "delta", Fraction(1), digits=5)
    with pytest.raises(NotSupported):
        Threshold(product(2 * pv.Laplace(1), "remove"), "delta", Parameters(100))
    gaussians = product(as_composition(5 * pv.Gaussian(1)), "remove")  # one loss after merging
    built = plan_threshold(gaussians, "delta", Fraction(1), digits=5).build()
    assert isinstance(evaluator(built), Threshold)
