"""The drawing of both errors holds the closed form everywhere; a claim has the corners of (ε, δ)-DP."""

from fractions import Fraction
from types import ModuleType
from typing import Any

import mpmath
import pytest

import pldverify as pv
from pldverify.certificate import figure, rates
from pldverify.certificate.html_page import html
from tests.teeth.planted import planted
from tests.unit.certificate.drawn import between_steps


def made(composition: Any = "gaussian(1)", epsilon: Any = 4, delta: Any = "1e-5", **more: Any) -> Any:
    return pv.certify(composition, epsilon=epsilon, delta=delta, **more)


def gaussian(alpha: Fraction) -> Fraction:
    """Φ(Φ⁻¹(1 − α) − 1): Dong, Roth, Su 2022, (6)."""
    with mpmath.workdps(30):
        x = mpmath.mpf(alpha.numerator) / alpha.denominator
        quantile = mpmath.sqrt(2) * mpmath.erfinv(1 - 2 * x)
        return Fraction(mpmath.nstr(mpmath.ncdf(quantile - 1), 20))


def outside(drawing: ModuleType) -> list[Fraction]:
    """Shares at which the true one of a Gaussian is not where the drawing says that it is."""
    axes = rates.Frame()
    path = drawing.curve(rates.points(pv.Query(pv.Gaussian(1), delta=0)), axes).boxes
    asked = (Fraction(i, 77) for i in range(1, 77))
    return [x for x in asked if not between_steps(path, axes.across(x), axes.up(gaussian(x)))]


def test_the_true_errors_are_inside_of_the_drawing_everywhere() -> None:
    assert outside(figure) == []


def test_a_drawing_of_half_of_it_would_be_seen() -> None:
    assert outside(planted(figure, ("highs = [axes.up(value.upper)", "highs = [axes.up(value.upper / 2)")))


def test_the_corners_are_those_of_the_two_lines() -> None:
    """Of (ln 3, 1/5): (0, .8), (.2, .2) and (.8, 0), but for the rounding of e^ε."""
    first, middle, last = rates.claimed(made("laplace(1)", "ln(3)", "0.2"))
    assert (first, last) == ((0, Fraction(4, 5)), (Fraction(4, 5), 0))
    assert middle[0] == middle[1] and abs(middle[0] - Fraction(1, 5)) < Fraction(1, 10**12)
    assert rates.claimed(made("gaussian(1)", "1e400"))[1] == (0, 0)


@pytest.mark.parametrize(
    ("composition", "more"),
    [
        ("gaussian(1)", {"adjacency": "remove"}),  # one direction
        ("gaussian(sqrt(2))", {}),  # no rational number
        (pv.ShuffledBatches(pv.Gaussian(1), batches=10), {}),  # nothing but brackets
    ],
)
def test_where_it_is_not_to_be_had_nothing_is_drawn(composition: Any, more: Any) -> None:
    assert rates.rates(made(composition, **more)) is None


def test_the_page_shows_it_beside_the_profile_and_says_no_more_than_is_proved() -> None:
    page = html(made())
    assert "Both errors of an attack" in page and page.index("h-profile") < page.index("h-rates")
    assert "No attack gets below the boxes" in page and "the claim is false" in page
    assert "the claim is false" not in html(made(relation=">="))
    guaranteed = html(made(pv.ZCDP("0.1")))  # its pair dominates, and may not be attained
    assert "the claim is false" not in guaranteed
