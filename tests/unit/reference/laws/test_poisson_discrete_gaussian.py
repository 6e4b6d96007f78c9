"""Odds that are known too poorly to say which outcomes have them."""

from fractions import Fraction

from pldverify.balls import arb
from pldverify.balls.ball import working
from pldverify.reference.laws.poisson_discrete_gaussian import PoissonDiscreteGaussianLaw


def test_outcomes_of_unknown_odds_have_any_probability() -> None:
    law = PoissonDiscreteGaussianLaw(Fraction(100), 1, Fraction(1, 10), "remove")
    with working(64):
        for measure in law._from_odds(arb(1, "0.5"), above=False):
            assert measure.contains(0) and measure.contains(1)
