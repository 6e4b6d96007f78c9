"""Convolutions in fixed point against exact ones, in fractions."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from flint import fmpz, fmpz_poly
from hypothesis import given, settings
from hypothesis import strategies as st

from pldverify.balls import arb, integers
from pldverify.balls.ball import ball, lower, upper, working
from pldverify.balls.integers import IntegerCircle, convolved_integers
from pldverify.errors import InvalidInput, NoConvergence
from tests.unit.balls.test_doubles import power

MASSES = st.lists(
    st.tuples(st.integers(-20, 20), st.fractions(0, 1, max_denominator=99)), min_size=1, max_size=6
)
Rows = list[tuple[list[tuple[int, Fraction]], int]]


def holds(rows: Rows, bits: int = 20) -> bool:
    exact = []
    for masses, k in rows:
        values = [Fraction(0)] * 8
        for index, mass in masses:
            values[index % 8] += mass
        exact.append((values, k))
    truth = power(exact)
    with working(160):
        balls = [([(i, ball(m)) for i, m in masses], k) for masses, k in rows]
        down, up = (convolved_integers(balls, 3, bits, side) for side in ("down", "up"))  # type: ignore[arg-type]
    unit = Fraction(1, 2**bits)
    return all(
        int(low) * unit <= value <= int(high) * unit
        for low, value, high in zip(down.integers, truth, up.integers, strict=True)
    )


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(MASSES, st.integers(1, 6)), min_size=1, max_size=3))
def test_each_side_is_on_its_side(rows: Rows) -> None:
    assert holds(rows)


def test_rounding_is_small() -> None:
    with working(160):
        masses = [(0, arb(1) / 3), (1, arb(2) / 3)]
        down, up = (convolved_integers([(masses, 6)], 3, 60, side) for side in ("down", "up"))  # type: ignore[arg-type]
    assert all(0 <= int(high - low) <= 64 for low, high in zip(down.integers, up.integers, strict=True))


@given(st.lists(st.integers(0, 2**20), min_size=8, max_size=8), st.integers(-20, 20), st.integers(0, 8))
def test_weights_and_floats(values: list[int], first: int, count: int) -> None:
    circle = IntegerCircle(tuple(map(fmpz, values)), 10)
    exact = [Fraction(values[i % 8], 1024) for i in range(first, first + count)]
    assert circle.floats(first, first + count) == [float(x) for x in exact]
    with working(160):
        found = circle.weigh(first, first + count, arb("0.3"))
        truth = sum((ball(x) * (-arb("0.3") * i).exp() for i, x in enumerate(exact)), arb(0))
        assert lower(found) <= upper(truth) and lower(truth) <= upper(found)
        assert float(found.rad()) < 1e-30
        less = circle.weigh(first, first + count, arb("0.3"), (arb("0.9"), arb(2)))
        truth -= sum((ball(x) * (-arb("2.3") * i).exp() for i, x in enumerate(exact)), arb(0)) * arb("0.9")
        assert lower(less) <= upper(truth) and lower(truth) <= upper(less)
    doubled = IntegerCircle(tuple(fmpz(2 * x) for x in values), 10)
    assert doubled.less(circle).integers == circle.integers


def test_memory_is_refused_before_it_is_taken() -> None:
    wide = fmpz_poly([2**3000] * 200_000)
    with pytest.raises(NoConvergence, match="bits"):
        integers._times(wide, wide, 2**18, 60, "up")


def test_masses_that_are_refused() -> None:
    with working(160):
        for mass in (arb("nan"), arb("inf"), arb("1e4000")):
            with pytest.raises(NoConvergence, match=r"mass"):
                convolved_integers([([(0, mass)], 1)], 3, 20, "up")


PLANTS: list[tuple[str, Callable[[Any], Any], int]] = [
    ("ones", lambda ones: lambda n: fmpz_poly([0]), 2**15),  # products of exact masses, not rounded up
    ("fixed", lambda fixed: lambda value, side: fixed(value, "down"), 21),
    ("fixed", lambda fixed: lambda value, side: fixed(value, "up"), 21),
]


@pytest.mark.parametrize(("name", "plant", "unit"), PLANTS)
def test_planted_errors_are_found(
    name: str, plant: Callable[[Any], Any], unit: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows: Rows = [([(0, Fraction(28, unit)), (1, Fraction(15, unit)), (5, Fraction(18, unit))], 6)]
    assert holds(rows)
    monkeypatch.setattr(integers, name, plant(getattr(integers, name)))
    assert not holds(rows)


@pytest.mark.parametrize("k", [0, -1])
def test_what_is_there_less_than_once_is_refused(k: int) -> None:
    """Halving 0 never came to 1."""
    with working(60), pytest.raises(InvalidInput, match="count must be >= 1"):
        convolved_integers([([(0, arb(1))], k)], 3, 20, "up")
