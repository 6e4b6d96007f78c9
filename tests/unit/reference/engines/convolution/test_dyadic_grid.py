"""The dyadic-grid engine, coarse and fine, against closed forms and other engines; and with planted bugs."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import pairwise

import pytest
from flint import arb
from hypothesis import given, settings
from hypothesis import strategies as st

import pldverify as pv
from pldverify.balls.ball import lower, short, upper
from pldverify.errors import NoConvergence, NotSupported
from pldverify.mechanisms.as_composition import as_composition
from pldverify.mechanisms.relations import Direction
from pldverify.numbers.enclosure import Enclosure
from pldverify.reference.engines.convolution import dyadic_grid as module
from pldverify.reference.engines.convolution import hints
from pldverify.reference.engines.convolution.dyadic_grid import DyadicGrid, Shape
from pldverify.reference.laws.composed_loss import ComposedLoss, product
from pldverify.reference.search import dyadic_grid as search_module
from pldverify.reference.search.dyadic_grid import plan_dyadic_grid, searched
from tests.oracle.closed_forms import context, fraction, mixture_delta, real


def step(sigma: str, q: str) -> pv.PoissonSubsampled:
    return pv.PoissonSubsampled(pv.Gaussian(sigma), q)


def law(composition: pv.Composition | pv.PoissonSubsampled, direction: Direction) -> ComposedLoss:
    return product(as_composition(composition), direction)


def coarse(pair: ComposedLoss, epsilon: Fraction, points: int, levels: int, bits: int = 80) -> DyadicGrid:
    """An engine built around ``epsilon``, as coarse as asked."""
    search = searched(pair, epsilon)
    search.levels = levels
    width = short(1.05 * abs(search.target) / 2 ** (levels - 1) / points, 8)
    return DyadicGrid(
        pair, "delta", Shape(points, width, levels, short(search.theta), bits, search.strides(points))
    )


def encloses(engine: DyadicGrid, epsilon: Fraction, truth: Fraction) -> bool:
    value = engine.value(epsilon)
    return bool(lower(value) <= truth <= upper(value))


@settings(max_examples=30, deadline=None)
@given(
    st.sampled_from(["0.3", "1", "4"]),
    st.sampled_from(["1e-4", "0.05", "0.5"]),
    st.sampled_from(["add", "remove"]),
    st.sampled_from([8, 32, 144]),
    st.integers(1, 6),
    st.floats(0.02, 0.97),
)
def test_one_step_on_any_levels(
    sigma: str, q: str, direction: Direction, points: int, levels: int, part: float
) -> None:
    mp = context(40)
    top = -mp.log(1 - real(mp, q)) if direction == "add" else 3 * real(mp, q)
    epsilon = Fraction(part) * fraction(top)
    delta = mixture_delta(mp, real(mp, sigma), real(mp, q), direction)
    engine = coarse(law(step(sigma, q), direction), epsilon, points, levels)
    for factor in (Fraction(9, 10), 1, Fraction(101, 100), Fraction(3, 2)):  # also where it was not built for
        assert encloses(engine, epsilon * factor, fraction(delta(real(mp, epsilon * factor))))


CASES = (
    (2, "0.5", "1e-3", "remove", "0.003", "two steps"),
    (2, "0.5", "1e-3", "add", "0.0015", "two steps"),
    (5, "1", "0.3", "remove", "2", "contour"),
    (7, "1", "0.3", "add", "0.9", "contour"),
    (12, "1", "0.1", "remove", "1.5", "contour"),
    (9, "0.8", "0.2", "add", "0.8", "contour"),
)


@cache
def known(k: int, sigma: str, q: str, direction: Direction, epsilon: str, engine: str) -> Enclosure:
    return pv.delta(k * step(sigma, q), epsilon=epsilon, adjacency=direction, digits=14, engine=engine)


def holds(points: int, bits: int, levels: int = 4) -> bool:
    """Whether coarse levels enclose what other engines enclose, in every case."""
    for case in CASES:
        k, sigma, q, direction, epsilon, _ = case
        engine = coarse(law(k * step(sigma, q), direction), Fraction(epsilon), points, levels, bits)
        low, high = engine.bounds(Fraction(epsilon))
        truth = known(*case)
        if not (lower(low) <= truth.lower and truth.upper <= upper(high)):
            return False
    return True


@pytest.mark.parametrize(("points", "levels"), [(8, 1), (24, 2), (24, 6), (160, 3)])
def test_other_engines_are_enclosed(points: int, levels: int) -> None:
    assert holds(points, 80, levels)


def test_coarse_levels_are_sharp_enough_to_be_wrong() -> None:
    for k, sigma, q, direction, epsilon, _ in CASES:
        low, high = coarse(law(k * step(sigma, q), direction), Fraction(epsilon), 96, 4).bounds(
            Fraction(epsilon)
        )
        assert high - low < high / 10


@pytest.mark.parametrize("case", [*CASES[:3], *(pytest.param(c, marks=pytest.mark.slow) for c in CASES[3:])])
def test_six_digits(case: tuple[int, str, str, Direction, str, str]) -> None:
    k, sigma, q, direction, epsilon, _ = case
    found = pv.delta(k * step(sigma, q), epsilon=epsilon, adjacency=direction, digits=6, engine="dyadic grid")
    truth = known(*case)
    assert found.lower <= truth.lower and truth.upper <= found.upper
    assert found.digits >= 6 and found.engine == "dyadic grid"


def test_different_laws() -> None:
    steps = 3 * step("1", "0.3") + 4 * step("1.5", "0.2")
    for direction, epsilon in (("remove", "2"), ("add", "0.7")):
        found, other = (
            pv.delta(steps, epsilon=epsilon, adjacency=direction, digits=d, engine=name)  # type: ignore[arg-type]
            for d, name in ((6, "dyadic grid"), (5, "contour"))
        )
        assert found.lower <= other.upper and other.lower <= found.upper


def test_what_no_other_engine_reaches() -> None:
    """Ten steps at q = 1e-5: outliers, of probability 1e-4 in all, are nearly all of δ at small ε."""
    found = pv.delta(10 * step("0.2", "1e-5"), epsilon="9.7e-5", adjacency="remove", digits=6)
    assert found.engine == "dyadic grid" and found.digits >= 6
    assert Fraction("9e-5") < found.lower < found.upper < Fraction("1e-4")


def plant_shares(patch: pytest.MonkeyPatch) -> None:
    """The upper bound as if all of a cell were at its smaller distance."""

    def changed(grid: module.Grid) -> list[arb]:
        return [*(abs(a[0] - b[0]) for a, b in pairwise(grid.tails)), arb(0)]

    patch.setattr(module.Grid, "connect_dots", changed)


def plant_down(patch: pytest.MonkeyPatch) -> None:
    """Odd points all to the smaller distance."""
    original = module.Kind.__init__

    def changed(kind: module.Kind, *arguments: object) -> None:
        original(kind, *arguments)  # type: ignore[arg-type]
        kind._moves = [type(move)([move[0] + move[1]]) for move in kind._moves]

    patch.setattr(module.Kind, "__init__", changed)


def plant_beyond(patch: pytest.MonkeyPatch) -> None:
    """What gets beyond the last level only with a second step is forgotten."""
    patch.setattr(module.Kind, "total", lambda kind, levels: arb(0))


def plant_rounding(patch: pytest.MonkeyPatch) -> None:
    """All masses rounded down."""
    patch.setattr(module.Kind, "_divided", lambda kind, values, bits: values // 2**bits)


def plant_second(patch: pytest.MonkeyPatch) -> None:
    """Half of the Q-mass beyond is forgotten."""
    original = module.Bound.join

    def changed(bound: module.Bound, a: module.Part, b: module.Part) -> module.Part:
        found = original(bound, a, b)
        return replace(found, beyond=(found.beyond[0], found.beyond[1] / 2))

    patch.setattr(module.Bound, "join", changed)


@pytest.mark.parametrize(
    ("plant", "bits"),
    [(plant_shares, 80), (plant_down, 80), (plant_beyond, 80), (plant_rounding, 18), (plant_second, 80)],
)
def test_plants_are_found(
    monkeypatch: pytest.MonkeyPatch, plant: Callable[[pytest.MonkeyPatch], None], bits: int
) -> None:
    monkeypatch.setattr(hints, "_NEGLIGIBLE", 1)  # few bits have none to spare
    assert holds(192, bits, 5)
    plant(monkeypatch)
    assert not holds(192, bits, 5)


def test_not_supported() -> None:
    for steps in (
        3 * pv.Laplace(1),
        2 * pv.PoissonSubsampled(pv.DiscreteGaussian(5), "0.1"),
        2 * step("1", "0.1") + pv.Gaussian(3),
    ):
        with pytest.raises(NotSupported, match="dyadic grid"):
            plan_dyadic_grid(law(steps, "remove"), "delta", Fraction(1), digits=6)
    with pytest.raises(NotSupported, match="tail"):
        plan_dyadic_grid(law(2 * step("1", "0.1"), "remove"), "tail", Fraction(1), digits=6)


def test_caps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_module, "MAX_POINTS", 1000)
    with pytest.raises(NoConvergence, match="cap 1000"):
        plan_dyadic_grid(law(9 * step("1", "0.1"), "remove"), "delta", Fraction(1), digits=6).build()
    monkeypatch.setattr(search_module, "MAX_LAWS", 1)
    with pytest.raises(NoConvergence, match="cap 1"):
        plan_dyadic_grid(law(step("1", "0.1") + step("2", "0.1"), "remove"), "delta", Fraction(1), digits=6)


def test_no_mass_in_floats() -> None:
    assert searched(law(2 * step("5", "1e-400"), "remove"), Fraction(1, 10**9)).theta > 0


@pytest.mark.parametrize(("points", "stride"), [(12, 4), (18, 2), (9, 1)])
def test_cells_must_fill_the_levels(points: int, stride: int) -> None:
    pair = law(2 * step("1", "0.1"), "add")
    with pytest.raises(NoConvergence, match="do not fill"):
        DyadicGrid(pair, "delta", Shape(points, Fraction(1, 200), 3, Fraction(30), 80, ((stride,) * 3,)))
