"""Convolutions in doubles against exact ones, in fractions."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pldverify.balls import arb, doubles
from pldverify.balls.ball import ball, dyadic, lower, upper, working
from pldverify.balls.clock import counted
from pldverify.balls.doubles import Circle, Row, convolved, crossing, placed
from pldverify.balls.integers import MAX_LOG_SIZE
from pldverify.errors import InvalidInput, NoConvergence

Exact = list[Fraction]


def times(a: Exact, b: Exact) -> Exact:
    n = len(a)
    found = [Fraction(0)] * n
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            found[(i + j) % n] += x * y
    return found


def power(rows: list[tuple[Exact, int]]) -> Exact:
    found = [Fraction(1), *[Fraction(0)] * (len(rows[0][0]) - 1)]
    for values, k in rows:
        for _ in range(k):
            found = times(found, values)
    return found


def exact(rows: list[Row]) -> Exact:
    """All sums."""
    return power([([Fraction(x) for x in row.values.tolist()], row.count) for row in rows])


def distance(found: Circle, truth: Exact) -> Fraction:
    """Squared."""
    return sum(
        ((Fraction(x) - y) ** 2 for x, y in zip(found.values.tolist(), truth, strict=True)), Fraction(0)
    )


def holds(rows: list[Row]) -> bool:
    found = convolved(rows)
    return distance(found, exact(rows)) <= Fraction(upper(found.error)) ** 2


@st.composite
def row_lists(draw: st.DrawFn) -> list[Row]:
    n = 2 ** draw(st.integers(1, 4))
    masses = st.lists(st.floats(0, 1) | st.sampled_from([0.0, 1e-300, 1e-12]), min_size=n, max_size=n)
    rows = []
    for _ in range(draw(st.integers(1, 3))):
        rows.append(Row(np.array(draw(masses)), draw(st.integers(1, 4))))
    return rows


@settings(max_examples=25, deadline=None)
@given(row_lists())
def test_the_error_is_bounded(rows: list[Row]) -> None:
    assert holds(rows)


@settings(max_examples=25, deadline=None)
@given(row_lists(), st.integers(0, 2**32 - 1), st.sampled_from([1e-9, 0.1, 1.0]))
def test_the_error_of_a_difference_is_bounded(rows: list[Row], seed: int, size: float) -> None:
    assert differ(rows, changes(rows, seed, size))


def changes(rows: list[Row], seed: int, size: float) -> list[Row]:
    rng = np.random.default_rng(seed)

    def moved(x: doubles.Floats) -> doubles.Floats:
        return np.asarray(x * rng.uniform(-size, size, len(x)) + (rng.random(len(x)) < 0.1) * 1e-3 * size)

    return [Row(moved(row.values), row.count) for row in rows]


def differ(rows: list[Row], more: list[Row]) -> bool:
    """Both vectors are what is meant but for their errors."""

    def total(row: Row, change: Row) -> Exact:
        both = zip(row.values.tolist(), change.values.tolist(), strict=True)
        return [Fraction(x) + Fraction(y) for x, y in both]

    changed = power([(total(row, change), row.count) for row, change in zip(rows, more, strict=True)])
    before = exact(rows)
    found, change = doubles.differences(rows, more)
    return all(
        distance(circle, truth) <= Fraction(upper(circle.error)) ** 2
        for circle, truth in (
            (found, before),
            (change, [x - y for x, y in zip(changed, before, strict=True)]),
        )
    )


def test_errors_of_differences_are_relative_to_them() -> None:
    values = np.full(64, 1 / 64)
    change = np.where(np.arange(64) % 2, 1e-9, -1e-9) / 64
    found, more = doubles.differences([Row(values, 30)], [Row(change, 30)])
    assert 0 < 1e5 * float(more.error) < float(found.error) < 1e-11


@pytest.mark.parametrize("log_size", [1, 2, 7, 8])
def test_it_is_the_transform(log_size: int) -> None:
    """numpy's own, which nothing here uses."""
    values = np.random.default_rng(log_size).random(2**log_size)
    found, other = doubles._transform(values.astype(complex)), np.fft.fft(values)
    assert np.linalg.norm(found - other) <= 1e-14 * np.linalg.norm(other)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.floats(-1, 1), min_size=64, max_size=64),
    st.integers(-200, 200),
    st.integers(0, 64),
    st.sampled_from(["0.001", "0.3", "2", "100"]),
    st.sampled_from([0.0, 1e-3]),
    st.sampled_from([("0", "0"), ("0.001", "1"), ("0.01", "0.9"), ("3", "1.25")]),
    st.integers(0, 63),
)
def test_weights(
    values: list[float],
    first: int,
    count: int,
    rate: str,
    error: float,
    less: tuple[str, str],
    place: int,
) -> None:
    """Whatever the vector that is meant is, within the error: here it is off at one place."""
    meant = [Fraction(x) for x in values]
    meant[place] += Fraction(error)
    with working(160):
        fall, part = map(arb, less)
        found = Circle(np.array(values), arb(error)).weigh(first, first + count, arb(rate), (part, fall))
        truth = arb(0)
        for i in range(count):
            weight = (-arb(rate) * i).exp() * (1 - part * (-fall * i).exp())
            truth += ball(meant[(first + i) % 64]) * weight
        assert lower(found) <= lower(truth) <= upper(truth) <= upper(found)
        assert float(found.rad()) <= 1e-11 + 200 * error


def test_what_is_weighed_by_little_loses_little() -> None:
    """From 0 on 1 − e^{−0.001 i} is small where e^{−i} is not."""
    with working(160):
        plain, small = (
            Circle(ONE, arb("1e-3")).weigh(0, 2, arb(1), less) for less in (None, (arb(1), arb("1e-3")))
        )
        assert float(small.rad()) < 1e-5 < 1e-3 < float(plain.rad())


def test_small_weights_are_no_differences_of_doubles() -> None:
    """1 − e^{−1e-15 i} was a difference of two sums, and nothing but their rounding errors was left."""
    with working(160):
        rate, fall = arb("0.01"), arb("1e-15")
        found = Circle(np.full(2048, 0.5), arb(0)).weigh(0, 2048, rate, (arb(1), fall))
        truth = sum(((-rate * i).exp() * -(-fall * i).expm1() for i in range(2048)), arb(0)) / 2
        assert lower(found) <= lower(truth) <= upper(truth) <= upper(found)
        assert float(found.rad() / found) < 1e-12


def test_rows_of_a_table_follow_each_other() -> None:
    """More points than one table has, and the error of each is that of its size."""
    values = np.zeros(4096)
    values[[0, 511, 512, 3000]] = (0.5, 0.25, 0.125, 1.0)
    with working(160):
        found = Circle(values, arb(0)).weigh(0, 4096, arb("0.01"))
        truth = sum((float(x) * (-arb("0.01") * i).exp() for i, x in enumerate(values.tolist()) if x), arb(0))
        assert lower(found) <= lower(truth) <= upper(truth) <= upper(found)
        assert float(found.rad()) < 1e-12


@given(st.lists(st.tuples(st.integers(-20, 20), st.fractions(0, 1, max_denominator=999)), max_size=12))
def test_masses_are_rounded_to_their_side(masses: list[tuple[int, Fraction]]) -> None:
    with working(160):
        rows = [(index, ball(mass)) for index, mass in masses]
        down, up = placed(rows, 3, "down"), placed(rows, 3, "up")
    truth = [sum((m for i, m in masses if i % 8 == place), Fraction(0)) for place in range(8)]
    for low, mass, high in zip(down.tolist(), truth, up.tolist(), strict=True):
        assert Fraction(low) <= mass <= Fraction(high) <= mass * (1 + Fraction(1, 2**50))
        assert Fraction(low) >= mass * (1 - Fraction(1, 2**50))


def test_differences_leave_nothing_below_zero() -> None:
    with working(160):
        beside = placed([(0, arb("0.3")), (1, arb("0.2")), (2, arb("0.1"))], 2, "up")
        masses = [(0, arb("0.1", "0.4")), (1, arb("0.5")), (3, arb("0.2", "0.3"))]
        more = placed(masses, 2, "down", beside)
    sums = [Fraction(x) + Fraction(y) for x, y in zip(beside.tolist(), more.tolist(), strict=True)]
    assert sums[0] == sums[2] == sums[3] == 0 and Fraction("0.4999999999") < sums[1] <= Fraction(1, 2)


def test_weights_at_any_precision() -> None:
    """What is weighed by e^{−rate i} is enclosed though few bits are asked for."""
    values, rate = np.zeros(512), 1 + 2.0**-7 + 2.0**-40
    for i in (300, 400, 511):
        values[:] = 0
        values[i] = 2.0**900
        with working(20):
            found = Circle(values, arb(0)).weigh(0, 512, arb(rate))
        with working(400):
            truth = arb(2) ** 900 * (-arb(rate) * i).exp()
            assert lower(found) <= lower(truth) <= upper(truth) <= upper(found)


ONE = np.array([0.5, 0.5])
REFUSED: list[tuple[list[Row], str]] = [
    ([Row(np.array([0.5, -0.1]), 1)], "from 0 to"),
    ([Row(np.array([float("nan"), 0.0]), 1)], "from 0 to"),
    ([Row(np.array([float("inf"), 0.0]), 1)], "from 0 to"),
    ([Row(ONE, 1), Row(np.ones(4), 1)], "one length"),
    ([Row(np.ones(3), 1)], "points"),
    ([Row(np.ones(1), 1)], "points"),
    ([Row(ONE, 2**41)], "factors"),
    ([Row(4 * ONE, 2000)], "range of doubles"),
    ([Row(1e200 * ONE, 4)], "from 0 to"),
]


@pytest.mark.parametrize(("rows", "match"), REFUSED)
def test_what_is_refused(rows: list[Row], match: str) -> None:
    with pytest.raises(NoConvergence, match=match):
        convolved(rows)


@pytest.mark.parametrize("rate", ["0", "-1", "601"])
def test_tilts_that_are_refused(rate: str) -> None:
    with working(160), pytest.raises(NoConvergence, match="tilt"):
        Circle(ONE, arb(0)).weigh(0, 2, arb(rate))


def test_a_tilt_must_be_known() -> None:
    with working(160), pytest.raises(NoConvergence, match="tilt"):
        Circle(ONE, arb(0)).weigh(0, 2, arb("1 +/- 1e-20"))


def test_masses_that_are_refused() -> None:
    with working(160):
        for mass in (arb("nan"), arb("inf"), arb("1e400")):
            with pytest.raises(NoConvergence, match="mass"):
                placed([(0, mass)], 3, "up")
        with pytest.raises(NoConvergence, match="circle"):
            placed([(0, arb(1))], MAX_LOG_SIZE + 1, "up")


ROWS = [Row(np.linspace(0.1, 0.9, 16), 3), Row(np.linspace(0, 1, 16), 2)]


def test_errors_fall_where_sums_are_spread() -> None:
    """Each factor's error is multiplied by what the others make of its frequency: 1 for an atom."""
    n, k = 2**10, 4000
    atom, spread = np.zeros(n), np.zeros(n)
    atom[0], spread[:8] = 1.0, 0.125
    found = [float(convolved([Row(values, k)]).error) for values in (atom, spread)]
    assert 0 < 8 * found[1] < found[0] < 1e-9


def off(factor: float) -> Any:
    """A transform whose errors are as large as is proved, times ``factor``, all outward."""
    transform = doubles._transform

    def worse(x: doubles.Complexes) -> doubles.Complexes:
        found = transform(x)
        if abs(x.imag).any():  # the way back
            return found
        eta = 12 * 2.0**-53 * len(x).bit_length()
        return np.asarray(found * (1 + factor * eta * abs(x.real).sum() / np.maximum(abs(found), 1e-300)))

    return worse


class TestTeeth:
    SPREAD = (Row(np.array([0.3, 0.4, 0.2, 0.1]), 4),)

    @pytest.mark.parametrize("rows", [ROWS, list(SPREAD)])
    def test_transforms_as_bad_as_may_be(self, rows: list[Row], monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(doubles, "_transform", off(0.99))
        assert holds(rows)
        monkeypatch.setattr(doubles, "_transform", off(4))
        assert not holds(rows)

    @pytest.mark.parametrize("line", ["change * changed", "value * other.change"])
    def test_half_a_difference(self, line: str, monkeypatch: pytest.MonkeyPatch) -> None:
        more = changes(ROWS, 1, 0.1)
        assert differ(ROWS, more)

        def half(x: doubles.Pair, y: doubles.Pair) -> doubles.Pair:
            change = x.change * (y.value + y.change) if line == "change * changed" else x.value * y.change
            return doubles.Pair(x.value * y.value, change)

        monkeypatch.setattr(doubles.Pair, "__mul__", half)
        assert not differ(ROWS, more)

    def test_a_difference_of_transforms_as_bad_as_may_be(self, monkeypatch: pytest.MonkeyPatch) -> None:
        more = changes(ROWS, 2, 0.1)
        monkeypatch.setattr(doubles, "_transform", off(0.99))
        assert differ(ROWS, more)
        monkeypatch.setattr(doubles, "_transform", off(4))
        assert not differ(ROWS, more)

    @pytest.mark.parametrize("lost", ["left", "right"])
    def test_an_error_of_one_factor_only(self, lost: str, monkeypatch: pytest.MonkeyPatch) -> None:
        times = doubles.Known.__mul__

        def fewer(x: doubles.Known, y: doubles.Known) -> doubles.Known:
            one, other = (x, y) if lost == "left" else (y, x)
            kept = doubles.Known(one.values, np.zeros_like(one.error), one.bound)
            return times(kept, other)

        monkeypatch.setattr(doubles, "_transform", off(0.99))
        assert holds(ROWS)
        monkeypatch.setattr(doubles.Known, "__mul__", fewer)
        assert not holds(ROWS)

    def test_roots_in_single_precision(self, monkeypatch: pytest.MonkeyPatch) -> None:
        roots = doubles._roots
        assert holds(ROWS)
        monkeypatch.setattr(doubles, "_roots", lambda n: roots(n).astype(np.complex64).astype(np.complex128))
        assert not holds(ROWS)

    def test_an_error_without_its_terms(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Of each input's error a million times the true one is allowed at most: sums of 10^4 random ones."""
        rng = np.random.default_rng(1)
        values = rng.random(2**12) / 2**11
        found = convolved([Row(values, 2)])
        plain = np.fft.irfft(np.fft.rfft(values) ** 2, len(values))
        off = np.linalg.norm(found.values - plain)
        assert 0 < off < float(found.error) < 1e6 * off

    def test_rounding_the_wrong_way(self, monkeypatch: pytest.MonkeyPatch) -> None:
        with working(160):
            third = arb(1) / 3
            assert dyadic(third.upper()) <= Fraction(float(placed([(0, third)], 1, "up")[0]))
            double: Any = doubles._double
            monkeypatch.setattr(doubles, "_double", lambda mass, rounding: double(mass, "down"))
            assert not dyadic(third.lower()) <= Fraction(float(placed([(0, third)], 1, "up")[0]))


def test_short_circles_count_little_work() -> None:
    """A part of a spectrum was counted as a whole one, however short it was."""
    work = []
    for log_size in (6, 12):
        values = np.zeros(2**log_size)
        values[:8] = 0.125
        before = counted()
        convolved([Row(values, 457)] * 100)
        work.append(counted() - before)
    assert work[0] < work[1] / 16


@pytest.mark.parametrize("tilt", [0.0, 3.0, -8.0])
@pytest.mark.parametrize("low", [-20, 0, 7])
def test_the_crossing_is_where_the_sum_is_largest(low: int, tilt: float) -> None:
    """A hint; near ε where p = e^{at − step·j} q changes its sign, if it does so once."""
    step, at, rng = 0.1, 0.3, np.random.default_rng(low + 50)
    for _ in range(5):
        p, q = rng.random(30), rng.random(30)
        terms = [(p[j] - np.exp(at - step * (low + j)) * q[j]) * np.exp(-tilt * step * j) for j in range(30)]
        sums = [sum(terms[i:]) for i in range(31)]
        assert crossing(p, q, low, *map(Fraction, (step, tilt, at))) == low + sums.index(max(sums))


@pytest.mark.parametrize("value", [np.inf, np.nan, 1e308])
def test_a_spectrum_beyond_doubles_is_no_circle(value: float) -> None:
    found = doubles.Sum(np.full(8, value, dtype=np.complex128))
    with pytest.raises(NoConvergence, match="beyond the range of doubles"), np.errstate(all="ignore"):
        found.circle(arb(0), 1)


@pytest.mark.parametrize("k", [0, -1])
def test_what_is_there_less_than_once_is_refused(k: int) -> None:
    """Halving 0 never came to 1."""
    with pytest.raises(InvalidInput, match="count must be >= 1"):
        convolved([Row(ONE, k)])


def test_errors_of_many_steps_grow_as_they_add_up() -> None:
    """By 1/(1 − 12 · 2^−53 steps), which is 9/8 for 2^53/108 steps."""
    few, many = (doubles.Sum(np.zeros(8, dtype=np.complex128), arb(1), arb(0)) for _ in range(2))
    once, often = few.circle(arb(0), 1).error, many.circle(arb(0), 2**53 // 108).error
    assert 1.1249 < float(often.mid()) / float(once.mid()) < 1.1251
