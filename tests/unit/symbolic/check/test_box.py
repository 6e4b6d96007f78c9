"""Where signs are looked for in balls: inside of the region, whatever side of 0 it lies on."""

from fractions import Fraction

import pytest
import sympy as sp

from pldverify.symbolic.check.box import outcome_box, steps
from pldverify.symbolic.model.densities import Densities, N, Region, T
from pldverify.symbolic.model.domain import Domain


def region(lower: str, upper: str) -> Region:
    return Region(sp.sympify(lower), sp.sympify(upper), sp.S.One, sp.S.One)


@pytest.mark.parametrize("ends", [("-3", "-1"), ("3", "3001/1000"), ("-oo", "-2"), ("7", "oo"), ("-1", "0")])
def test_a_box_lies_inside_of_its_region(ends: tuple[str, str]) -> None:
    part = region(*ends)
    box = outcome_box(Densities("", T, (part,), Domain.of({})), part)
    assert box is not None
    low, high = box[T]
    assert part.lower < low < high < part.upper
    if part.upper - part.lower < 100:
        assert high - low > Fraction(99, 100) * Fraction(str(part.upper - part.lower))


def test_there_is_none_where_nothing_is_bounded_or_real() -> None:
    for part, symbol in ((region("9", "oo"), T), (region("0", "sqrt(2)"), T), (region("0", "4"), N)):
        assert outcome_box(Densities("", symbol, (part,), Domain.of({})), part) is None


@pytest.mark.parametrize(
    ("symbol", "ends", "last"),
    [(N, ("0", "4"), "3"), (N, ("0", "oo"), "oo"), (T, ("0", "4"), "4"), (T, ("0", "oo"), "oo")],
)
def test_a_step_from_an_integer_ends_in_the_region(
    symbol: sp.Symbol, ends: tuple[str, str], last: str
) -> None:
    part = region(*ends)
    found = steps(Densities("", symbol, (part,), Domain.of({})), part)
    assert (found.lower, found.upper) == (part.lower, sp.sympify(last))
