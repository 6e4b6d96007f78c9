"""Odds that are known too poorly to say which outcomes have them; and outcomes that a window leaves out."""

from fractions import Fraction

import pytest

from pldverify.balls import arb
from pldverify.balls.ball import working
from pldverify.reference.laws.poisson_discrete_gaussian import PoissonDiscreteGaussianLaw


def test_outcomes_of_unknown_odds_have_any_probability() -> None:
    law = PoissonDiscreteGaussianLaw(Fraction(100), 1, Fraction(1, 10), "remove")
    with working(64):
        for measure in law._from_odds(arb(1, "0.5"), above=False):
            assert measure.contains(0) and measure.contains(1)


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
