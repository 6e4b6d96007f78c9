"""The bracket of L⁻¹(s): only proved signs cut it, and it stays inside its region."""

from collections.abc import Callable
from fractions import Fraction

import pytest
import sympy as sp
from flint import ctx
from hypothesis import given
from hypothesis import strategies as st

from pldverify.symbolic.lowering.threshold import Bracket, bracket, integer_bracket
from pldverify.symbolic.model.densities import Region

ZERO = sp.Integer(0)


def region(lower: object, upper: object) -> Region:
    return Region(sp.sympify(lower), sp.sympify(upper), ZERO, ZERO)


def reached(root: Fraction, trend: int, asked: list[Fraction]) -> Callable[[Fraction], bool | None]:
    """L(t) = trend·(t − root) against 0; undecided at the root itself."""

    def answer(point: Fraction) -> bool | None:
        asked.append(point)
        return None if point == root else trend * (point - root) > 0

    return answer


@pytest.mark.slow
@given(
    st.fractions(-100, 100, max_denominator=64),
    st.sampled_from([(-sp.oo, sp.oo), (-200, sp.oo), (-sp.oo, 300), (-101, 101)]),
    st.sampled_from([1, -1]),
)
def test_the_root_is_found_and_only_the_region_is_asked(
    root: Fraction, ends: tuple[object, object], trend: int
) -> None:
    where, asked = region(*ends), list[Fraction]()
    found = bracket(where, reached(root, trend, asked), trend)
    assert found.low is not None and found.high is not None
    assert found.low <= root <= found.high and found.high - found.low < Fraction(1, 2 ** (ctx.prec - 3))
    assert all(where.lower < sp.Rational(str(t)) < where.upper for t in asked)


@pytest.mark.parametrize("trend", [1, -1])
@pytest.mark.parametrize("ends", [(5, sp.oo), (-sp.oo, -5), (sp.sqrt(2), sp.oo), (0, 1)])
def test_without_a_decided_sign_the_region_comes_back(ends: tuple[object, object], trend: int) -> None:
    found = bracket(region(*ends), lambda _: None, trend)
    low, high = map(sp.sympify, ends)
    assert found.low is None if low.is_infinite else found.low <= low
    assert found.high is None if high.is_infinite else found.high >= high
    assert (found.low is None) == bool(low.is_infinite)


@pytest.mark.parametrize("trend", [1, -1])
def test_all_and_nothing_lie_at_an_end(trend: int) -> None:
    tiny = Fraction(1, 2**40)
    everything, nothing = (bracket(region(2, 3), lambda _, yes=yes: yes, trend) for yes in (True, False))
    first, last = (everything, nothing) if trend == 1 else (nothing, everything)
    assert first.low == 2 and first.high is not None and first.high - 2 < tiny
    assert last.high == 3 and last.low is not None and 3 - last.low < tiny


@pytest.mark.parametrize("trend", [1, -1])
@pytest.mark.parametrize("last", [0, 1, 2, 7, 100])
def test_integers_are_found_exactly_and_nothing_between_is_asked(last: int, trend: int) -> None:
    """L is monotone on the integers and anything between; the first or last integer with L ≥ s is τ."""
    for edge in range(last + 2):

        def reached(t: Fraction, edge: int = edge) -> bool:
            assert t.denominator == 1 and 0 <= t <= last
            return t >= edge if trend == 1 else t < edge

        tau = edge if trend == 1 else edge - 1
        assert integer_bracket(region(0, last), reached, trend) == Bracket(tau, tau)


def test_an_undecided_integer_leaves_both() -> None:
    undecided = lambda t: None if t == 4 else t > 4  # noqa: E731
    assert integer_bracket(region(0, 9), undecided, 1) == Bracket(Fraction(4), Fraction(5))
    assert integer_bracket(region(0, sp.oo), undecided, 1) == Bracket(Fraction(4), Fraction(5))
    assert integer_bracket(region(-sp.oo, sp.oo), lambda t: t > -1000, 1) == Bracket(-999, -999)
