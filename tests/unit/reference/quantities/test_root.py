"""The root of a falling function: what is proved, and searches that end next to it, though misled."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pldverify as pv
from pldverify.balls.ball import working
from pldverify.errors import NoConvergence
from pldverify.numbers.enclosure import Enclosure
from pldverify.reference.choice import settle
from pldverify.reference.engines.conclude import conclude
from pldverify.reference.laws.composed_loss import ComposedLoss, product
from pldverify.reference.quantities.root import (
    Search,
    Sides,
    gap,
    log_of,
    proved_around,
    scale,
    secant,
)
from tests.unit.reference.told import Told

LOSS = ComposedLoss(())


def told(low: Fraction | float, high: Fraction | float, at: Fraction | str, name: str = "told") -> Told:
    return Told(Fraction(low), Fraction(high), name, at=Fraction(at))


# --- what is proved ---


def test_values_prove_only_their_side() -> None:
    found = Sides(LOSS, Fraction(2))
    assert found.learn(told(1, 3, "1")) is None
    assert (found.least, found.most, found.above, found.below) == (0, inf, None, None)
    x, y = told(3, 4, "1"), told(1, 2, "1.1")
    assert (found.learn(x), found.learn(y)) == (False, True)
    assert (found.least, found.most, found.above, found.below) == (1, Fraction(11, 10), x, y)
    assert found.settled(1) and not found.settled(2)
    assert (found.learn(told(3, 3, "0.9")), found.learn(told(1, 1, "1.2"))) == (False, True)
    assert (found.above, found.below) == (x, y), "nothing new"


def test_a_value_that_is_the_target_is_not_above_it() -> None:
    found = Sides(LOSS, Fraction(2))
    assert found.learn(told(2, 2, "1")) is True and found.most == 1
    assert found.learn(told(2, 3, "0.5")) is None and found.least == 0


@given(st.lists(st.tuples(st.integers(0, 40), st.integers(0, 3), st.integers(0, 3)), max_size=12))
def test_the_root_never_leaves_what_is_proved(looks: list[tuple[int, int, int]]) -> None:
    """f(x) = 20 − x, target 7, root 13; enclosures of any width."""
    found = Sides(LOSS, Fraction(7))
    for x, below, above in looks:
        found.learn(told(20 - x - below, 20 - x + above, Fraction(x)))
        assert found.least <= 13 <= found.most
        assert found.inverse.prove() == (found.least, found.most)


def test_log_of_any_rational() -> None:
    assert abs(log_of(Fraction(1, 10**4000)) + 9210.340371976183) < 1e-8
    assert log_of(Fraction(0)) == -1e9


def test_next_to_one_the_rest_is_compared() -> None:
    target = 1 - Fraction(1, 10**30)
    assert abs(gap(1 - Fraction(1, 10**31), target) - math.log(10)) < 1e-9
    assert abs(gap(Fraction(1, 50), Fraction(1, 100)) - math.log(2)) < 1e-9


# --- a secant on values of few digits ---


@dataclass
class Curve:
    """δ(ε) = e^{shape(ε)}, told to so many digits."""

    shape: Callable[[float], float]
    digits: int

    def at(self, x: Fraction) -> Enclosure:
        value = Fraction(math.exp(self.shape(float(x))))
        off = value / 10**self.digits
        return conclude(told(max(Fraction(0), value - off), min(Fraction(1), value + off), x))


STEEP = Curve(lambda x: -(x**2) / 2, 3)
FLAT = Curve(lambda x: -math.log1p(x) / 50, 4)
CLIFF = Curve(lambda x: -0.001 * x - 80 / (1 + math.exp(min(700.0, -(x - 3) * 2000))), 3)


@pytest.mark.parametrize(
    ("curve", "root"), [(STEEP, 1.0), (STEEP, 12.0), (FLAT, 2.0), (FLAT, 300.0), (CLIFF, 3.0), (CLIFF, 2.9)]
)
@pytest.mark.parametrize("start", ["0.001", "1", "40"])
@pytest.mark.parametrize("rate", [None, 1e-300, 1e-6, 1.0])
def test_a_search_comes_to_rest_next_to_the_root(
    curve: Curve, root: float, start: str, rate: float | None
) -> None:
    target = Fraction(math.exp(curve.shape(root)))
    found = Search(LOSS, target, point=Fraction(start), rate=rate)
    for _ in range(100):
        if not found.move(curve.at(found.point), 2):
            break
    else:
        pytest.fail(f"it goes on at {float(found.point)}")
    assert abs(float(found.point) - root) <= 0.02 * root


def test_a_search_stays_below_the_largest_loss() -> None:
    """δ = (10 − ε)³/1000: Newton in ε alone leaves the support at once, and halving takes 25 steps."""
    top, target = Fraction(10), Fraction(1, 10**24)
    found = Search(LOSS, target, high=top, top=top, point=Fraction(1), rate=0.001)
    for _ in range(15):
        assert 0 < found.point < top
        value = ((top - found.point) / 10) ** 3
        if not found.move(conclude(told(value * 999 / 1000, value * 1001 / 1000, found.point)), 2):
            break
    assert abs(float(top - found.point) - 1e-7) < 1e-9
    assert scale(found.point, top) == top - found.point and scale(found.point, None) == found.point


# --- a secant to all digits, and the proof ---


@pytest.mark.parametrize("start", ["3.9", "4", "4.5", "5"])
def test_a_secant_has_all_digits_of_its_evaluator(start: str) -> None:
    """σ = 1, ε = 4: δ there is the target, to 40 digits."""
    loss = product(1 * pv.Gaussian(1), "remove")
    bits, work = 200, settle(loss, "delta", Fraction(4), 50).work
    assert work is not None
    with working(bits):
        room = work.value(Fraction(4)).mid()
        found = Search(loss, Fraction(1, 2), point=Fraction(start))
        assert abs(secant(work, room, found, Fraction(1, 10**45)) - 4) < Fraction(1, 10**40)


def test_both_sides_are_proved_or_nothing_is_kept() -> None:
    loss = product(1 * pv.Gaussian(1), "remove")
    work = settle(loss, "delta", Fraction(1), 30).work
    assert work is not None
    target = Fraction(1, 10)
    root = pv.epsilon(pv.Gaussian(1), delta=target, digits=25)
    middle = Fraction(root.midpoint)
    sides = Sides(loss, target)
    assert proved_around(work, sides, middle, [Fraction(1, 10**200), Fraction(1, 10**9)], 130)
    assert sides.least == middle - Fraction(1, 10**9) and sides.most == middle + Fraction(1, 10**9)
    assert sides.inverse.prove() == (sides.least, sides.most)
    for off in (middle / 2, 2 * middle):
        wrong = Sides(loss, target)
        assert not proved_around(work, wrong, off, [Fraction(1, 10**k) for k in range(2, 9)], 130)
        assert (wrong.above, wrong.below) == (None, None)


@pytest.mark.parametrize("side", [-1, 1])
def test_an_end_that_is_not_told_from_the_target_proves_nothing(side: int) -> None:
    """One end is the root, to 60 digits, of which the evaluator has some 30."""
    loss = product(1 * pv.Gaussian(1), "remove")
    work = settle(loss, "delta", Fraction(1), 10).work
    assert work is not None
    root = Fraction(pv.epsilon(pv.Gaussian(1), delta="0.1", digits=60).midpoint)
    width = Fraction(1, 10**9)
    sides = Sides(loss, Fraction(1, 10))
    assert not proved_around(work, sides, root + side * width, [width], 130)
    assert (sides.above, sides.below) == (None, None)


def test_a_poor_search_costs_width_and_never_truth(monkeypatch: pytest.MonkeyPatch) -> None:
    """The planted error: every secant ends a tenth away from the root."""
    truth = pv.epsilon(pv.Gaussian(1), delta="0.01", digits=20)
    true = secant

    def poor(*given: object, **more: object) -> Fraction:
        return true(*given, **more) * Fraction(11, 10)  # type: ignore[arg-type]

    monkeypatch.setattr("pldverify.reference.quantities.epsilon.secant", poor)
    try:
        found = pv.epsilon(pv.Gaussian(1), delta="0.01", digits=10)
    except NoConvergence as failure:
        assert failure.bracket is not None
        found = failure.bracket
    assert found.overlaps(truth) and found.lower <= truth.upper and truth.lower <= found.upper
