"""Odds that are known too poorly to say which outcomes have them; and outcomes that a window leaves out."""

from fractions import Fraction

import pytest

from pldverify.balls import arb
from pldverify.balls.ball import ball, working
from pldverify.reference.laws.discrete_gaussian import DiscreteGaussianLaw
from pldverify.reference.laws.poisson_discrete_gaussian import PoissonDiscreteGaussianLaw


def test_outcomes_of_unknown_odds_have_any_probability() -> None:
    law = DiscreteGaussianLaw(Fraction(100), 1)
    with working(64):
        for measure in law.beyond(arb(0, "0.5")):
            assert measure.contains(0) and measure.contains(1)


def test_an_outcome_that_cannot_be_told_is_on_both_sides() -> None:
    """Losses of outcomes are 1/4 apart: a ball of four fifths of that may lie behind each of three."""
    law = DiscreteGaussianLaw(Fraction(4), 1)
    with working(64):
        for middle in (Fraction(3, 4), Fraction(29, 40), Fraction(17, 20)):
            found = law.beyond(arb(ball(middle).mid(), "0.2"))
            for point in (middle - Fraction(19, 100), middle, middle + Fraction(19, 100)):
                for ours, exact in zip(found, law.tails(point), strict=True):
                    assert ours.contains(exact)


@pytest.mark.parametrize("window", [(-3, 4), (-1, 3), (-30, 35), (-12, 20)])
@pytest.mark.parametrize("direction", ["remove", "add"])
def test_all_outcomes_between_two_count(
    window: tuple[int, int], direction: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two outcomes were taken for all, and what lies between them for nothing."""
    law = PoissonDiscreteGaussianLaw(Fraction(4), 1, Fraction(1, 5), direction)  # type: ignore[arg-type]
    with working(64):
        honest = law.on_line(Fraction(1), Fraction(1, 2), 3)
        monkeypatch.setattr(PoissonDiscreteGaussianLaw, "window", lambda *_: window)
        for a, b in zip(honest, law.on_line(Fraction(1), Fraction(1, 2), 3), strict=True):
            assert a.overlaps(b)
