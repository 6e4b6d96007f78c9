"""The grid engine, coarse and fine, against closed forms; and its fixed-point steps, one by one."""

from dataclasses import replace
from fractions import Fraction
from functools import cache

import pytest
from flint import arb, fmpz_poly
from hypothesis import given, settings
from hypothesis import strategies as st

import pldverify as pv
from pldverify.balls.ball import lower, upper
from pldverify.errors import NoConvergence, NotSupported, OracleDisagreement
from pldverify.mechanisms.as_composition import as_composition
from pldverify.mechanisms.relations import Direction
from pldverify.reference.choice import settle
from pldverify.reference.engines.convolution import grid as module
from pldverify.reference.engines.convolution.grid import (
    Grid,
    _merge_above,
    _merge_below,
    _product,
    _rounded,
)
from pldverify.reference.engines.convolution.masses import Masses
from pldverify.reference.laws.composed_loss import ComposedLoss, product
from pldverify.reference.search.grid import Choice, plan_grid
from tests.oracle.closed_forms import (
    context,
    fraction,
    gaussian_delta,
    laplace_after,
    laplace_delta,
    mixture_delta,
    randomized_response_delta,
    real,
)


def law(composition: pv.Composition | pv.Gaussian, direction: Direction = "remove") -> ComposedLoss:
    return product(as_composition(composition), direction)


def chosen(pair: ComposedLoss, epsilon: Fraction, theta: float, depth: float, tolerance: float) -> Grid:
    """A grid whose parameters are found for ``epsilon``, set up anew."""
    work = Choice(pair, epsilon, theta, depth, tolerance).work
    parameters = work.parameters
    assert isinstance(parameters, module.Parameters)
    return Grid(work.loss, work.quantity, parameters)


def encloses(engine: Grid, epsilon: Fraction, truth: Fraction) -> bool:
    value = engine.value(epsilon)
    return bool(lower(value) <= truth <= upper(value))


@settings(max_examples=15, deadline=None)
@given(
    st.sampled_from(["0.4", "1", "3"]),
    st.sampled_from(["0.05", "0.5"]),
    st.sampled_from(["add", "remove"]),
    st.floats(0.1, 12),
    st.floats(-3, 0),
    st.sampled_from(["0", "0.02", "0.3", "1.5"]),
)
def test_one_step_on_any_grid(
    sigma: str, q: str, direction: Direction, theta: float, log_tolerance: float, epsilon: str
) -> None:
    mp = context(40)
    truth = fraction(mixture_delta(mp, real(mp, sigma), real(mp, q), direction)(real(mp, epsilon)))
    pair = law(pv.PoissonSubsampled(pv.Gaussian(sigma), q), direction)  # type: ignore[arg-type]
    try:
        engine = chosen(pair, Fraction(epsilon), theta, 5.0, 10**log_tolerance)
    except NoConvergence:
        return
    assert encloses(engine, Fraction(epsilon), truth)


@cache
def two_laplaces() -> Fraction:
    mp = context(30)
    c, eps = mp.mpf(1) / 2, mp.mpf(1) / 4
    return fraction(laplace_after(mp, c, laplace_delta(mp, c), [eps - c, eps + c])(eps))


@settings(max_examples=10, deadline=None)
@given(st.floats(0.2, 6), st.floats(-5, 0), st.floats(0.5, 12))
def test_two_laplace_steps_on_any_grid(theta: float, log_tolerance: float, depth: float) -> None:
    engine = chosen(law(2 * pv.Laplace(2)), Fraction(1, 4), theta, depth, 10**log_tolerance)
    assert encloses(engine, Fraction(1, 4), two_laplaces())


@pytest.mark.parametrize("k", [1, 2, 3, 6, 7])
@pytest.mark.parametrize("epsilon", ["0", "0.5", "1.7"])
def test_counts_are_squared_and_multiplied(k: int, epsilon: str) -> None:
    mp = context(60)
    truth = randomized_response_delta(Fraction(3, 5), k, fraction(mp.exp(real(mp, epsilon))))
    engine = chosen(law(k * pv.RandomizedResponse("0.6")), Fraction(epsilon), 1.5, 4.0, 1e-3)
    assert encloses(engine, Fraction(epsilon), truth)


def test_different_laws_and_infinite_losses() -> None:
    # Gaussians with one (0, 1/10)-DP part: δ_∞ + (1 − δ_∞) δ
    mp = context(40)
    whole = 4 * pv.Gaussian(4) + pv.ApproximateDP(0, "0.1")
    engine = chosen(law(whole), Fraction(1, 2), 2.0, 4.0, 1e-4)
    part = fraction(gaussian_delta(mp, mp.mpf(1) / 4)(mp.mpf(1) / 2)) * Fraction(9, 10)
    assert encloses(engine, Fraction(1, 2), part)


@pytest.mark.parametrize("epsilon", ["0", "-1", "3", "20"])
def test_a_grid_answers_for_any_epsilon(epsilon: str) -> None:
    mp = context(40)
    engine = chosen(law(pv.Gaussian(1)), Fraction(1), 2.0, 3.0, 1e-3)
    assert encloses(engine, Fraction(epsilon), fraction(gaussian_delta(mp, mp.mpf(1))(real(mp, epsilon))))


def test_narrower_cells_bring_digits() -> None:
    widths = []
    for tolerance in (1e-2, 1e-6):
        low, high = chosen(law(3 * pv.Laplace(1)), Fraction(1), 1.5, 2.0, tolerance).bounds(Fraction(1))
        widths.append(float(high - low))
    assert 0 < widths[1] < widths[0] / 20


def test_tails_are_refused() -> None:
    with pytest.raises(NotSupported):
        plan_grid(law(2 * pv.Laplace(1)), "tail", Fraction(1), digits=5)


masses = st.lists(st.integers(0, 2**70), min_size=1, max_size=8)


@given(masses, masses)
def test_convolution_rounds_to_its_side(a: list[int], b: list[int]) -> None:
    unit = 2**module._BITS
    exact = [0] * (len(a) + len(b) - 1)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            exact[i + j] += x * y
    product = _product(Masses(2, fmpz_poly(a)), Masses(-5, fmpz_poly(b)))
    assert [int(product[i - 3]) for i in range(len(exact))] == exact
    down, up = _rounded(product, "down"), _rounded(product, "up")
    assert down.first == up.first == -3
    for i, value in enumerate(exact):
        below, above = int(down[i - 3]), int(up[i - 3])
        assert below * unit <= value <= above * unit
        assert above - below <= 1


def plain(values: Masses, tilt: float, index: int) -> float:
    """Untilted mass at ``index``."""
    return float(int(values[index])) * float((arb(-tilt) * index).exp().mid())


@given(masses, st.integers(-4, 4), st.floats(0.01, 0.5))
def test_moving_mass_keeps_its_untilted_amount(a: list[int], first: int, tilt: float) -> None:
    whole = Masses(-4, fmpz_poly([v + 2**40 for v in a]))
    last = first + 1
    total = sum(plain(whole, tilt, g) for g in range(-4, 8))
    merged = _merge_below(whole, first, arb(tilt), "up")
    assert abs(sum(plain(merged, tilt, g) for g in range(-4, 8)) / total - 1) < 1e-9
    assert merged.first >= min(first, -4)
    capped = _merge_above(whole, last, arb(tilt), "down")
    if last >= -4:
        assert abs(sum(plain(capped, tilt, g) for g in range(-4, last + 1)) / total - 1) < 1e-6
        assert int(capped[last + 1]) == 0


def test_deep_in_the_tail() -> None:
    """Tilted masses far below the windows must not come back as units: δ near 1e-30 has its digits."""
    pair, point = law(10 * pv.Binomial(n=1000, p="0.5")), Fraction("2.249")
    found = settle(pair, "delta", point, 3, names=("grid",)).enclosure
    assert found.digits >= 3
    assert found.overlaps(settle(pair, "delta", point, 3, names=("smoothing",)).enclosure)


def test_memory_is_refused_before_it_is_taken() -> None:
    wide = Masses(0, fmpz_poly([2**3000] * 200_000))
    with pytest.raises(NoConvergence, match="bits"):
        _product(wide, wide)


class TestTeeth:
    """Errors planted in each side of the grid: the comparison with the truth must find them."""

    @staticmethod
    def engine() -> Grid:
        return chosen(law(2 * pv.Laplace(2)), Fraction(1, 4), 1.5, 2.0, 1e-4)

    @staticmethod
    def holds(engine: Grid) -> bool:
        """Whether the truth is enclosed; bounds that exclude each other are caught by the engine itself."""
        try:
            return encloses(engine, Fraction(1, 4), two_laplaces())
        except OracleDisagreement:
            return False

    def test_one_bound_for_both(self, monkeypatch: pytest.MonkeyPatch) -> None:
        engine, bounds = self.engine(), Grid.bounds
        assert self.holds(engine)
        for side in (0, 1):
            monkeypatch.setattr(Grid, "bounds", lambda self, e, i=side: (bounds(self, e)[i],) * 2)
            assert not self.holds(engine)

    def test_upper_masses_moved_down(self, monkeypatch: pytest.MonkeyPatch) -> None:
        assert self.holds(self.engine())
        store, calls = module._store, []

        def shifted(masses: dict[int, arb], first: int, last: int, *rest: object) -> Masses:
            calls.append(1)
            down = (last - first) // 50 if len(calls) == 1 else 0  # the upper masses come first
            return store({max(first, i - down): m for i, m in masses.items()}, first, last, *rest)  # type: ignore[arg-type]

        monkeypatch.setattr(module, "_store", shifted)
        assert not self.holds(self.engine())

    def test_upper_masses_rounded_down(self, monkeypatch: pytest.MonkeyPatch) -> None:
        # with six bits every rounding counts
        monkeypatch.setattr(module, "_BITS", 6)
        assert self.holds(self.engine())
        rounded, fixed = module._rounded, module.fixed
        monkeypatch.setattr(module, "_rounded", lambda masses, side: rounded(masses, "down"))
        monkeypatch.setattr(module, "fixed", lambda value, side: fixed(value, "down"))
        assert not self.holds(self.engine())

    def test_a_lower_bound_that_halves_the_second_measure(self, monkeypatch: pytest.MonkeyPatch) -> None:
        engine, weigh = self.engine(), Masses.weigh
        assert self.holds(engine)
        heavy = engine._tilts()[1]

        def halved(self: Masses, exponent: arb) -> arb:
            return weigh(self, exponent) / (2 if exponent < -0.9 * heavy else 1)

        monkeypatch.setattr(Masses, "weigh", halved)
        assert not self.holds(engine)

    def test_overflow_forgotten(self, monkeypatch: pytest.MonkeyPatch) -> None:
        # a window that ends below ε: all that is left of δ has gone to +∞
        monkeypatch.setattr(Choice, "_window", lambda self, part: (-1.0, 0.2))
        engine = self.engine()
        assert self.holds(engine)
        engine.sums = replace(engine.sums, overflow=arb(0))
        assert not self.holds(engine)
