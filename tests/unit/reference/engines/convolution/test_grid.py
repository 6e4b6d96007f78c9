"""The grid engine, coarse and fine, against closed forms."""

from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pytest
from flint import arb
from hypothesis import given, settings
from hypothesis import strategies as st

import pldverify as pv
from pldverify.balls import doubles
from pldverify.balls.ball import ball, dyadic, lower, upper, working
from pldverify.balls.doubles import Circle
from pldverify.balls.integers import MAX_LOG_SIZE
from pldverify.errors import NoConvergence, NotSupported, OracleDisagreement
from pldverify.mechanisms.as_composition import as_composition
from pldverify.mechanisms.relations import Direction
from pldverify.reference.choice import settle
from pldverify.reference.engines.convolution import grid as module
from pldverify.reference.engines.convolution.grid import Grid, on_grid
from pldverify.reference.laws.composed_loss import ComposedLoss, product
from pldverify.reference.laws.laplace import LaplaceLaw
from pldverify.reference.laws.law import Law
from pldverify.reference.search.grid import Choice, _halved, plan_grid
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


def chosen(pair: ComposedLoss, epsilon: Fraction, theta: float, depth: float, step: float) -> Grid:
    """A grid whose parameters are found for ``epsilon``, set up anew."""
    work = Choice(pair, epsilon, theta, depth, step).work
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
@given(st.floats(0.2, 6), st.floats(-4, 0), st.floats(0.5, 12))
def test_two_laplace_steps_on_any_grid(theta: float, log_tolerance: float, depth: float) -> None:
    engine = chosen(law(2 * pv.Laplace(2)), Fraction(1, 4), theta, depth, 10**log_tolerance)
    assert encloses(engine, Fraction(1, 4), two_laplaces())


@pytest.mark.sample(11)
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


def test_its_one_error_term_is_the_width() -> None:
    engine = chosen(law(pv.Gaussian(1)), Fraction(1, 10), 2.0, 4.0, 1e-4)
    (error,), value = engine.errors(Fraction(1, 10)).values(), engine.value(Fraction(1, 10))
    assert abs(float(error) / float(upper(value) - lower(value)) - 1) < 1e-6


@pytest.mark.parametrize("epsilon", ["0", "-1", "3", "20"])
def test_a_grid_answers_for_any_epsilon(epsilon: str) -> None:
    mp = context(40)
    engine = chosen(law(pv.Gaussian(1)), Fraction(1), 2.0, 3.0, 1e-3)
    assert encloses(engine, Fraction(epsilon), fraction(gaussian_delta(mp, mp.mpf(1))(real(mp, epsilon))))


@pytest.mark.parametrize(
    "composition",
    [
        pv.Laplace(1),
        pv.Gaussian(2),
        pv.PoissonSubsampled(pv.Gaussian(1), "0.1"),
        pv.RandomizedResponse("0.6"),
    ],
    ids=str,
)
@pytest.mark.parametrize("edges", [(-60, -20, -4, 0, 3, 8, 90), (2, 7, 9), (-100, 100)])
def test_cells_keep_both_masses(composition: Any, edges: tuple[int, ...]) -> None:
    """What lies below the first edge is moved up to it; a point of the upper bound has Q-masses of e^{−s}."""
    one, h = law(composition).factors[0][0], Fraction(1, 37)
    with working(module.PREC):
        row, (p, q) = module.single(one, edges, h), on_grid(one, h).at(edges[0])
        sums = [sum((m * (-ball(i * h) * g).exp() for g, m in row.upper.items()), arb(0)) for i in (0, 1)]
        wanted = [1 - row.overflow, q + (1 - p) * (-ball(h) * edges[0]).exp()]
        assert all(abs(found - known) < arb("1e-40") for found, known in zip(sums, wanted, strict=True))
        low = [sum(masses.values(), arb(0)) for masses in (row.low_p, row.low_q)]
        assert all(abs(found - known) < arb("1e-40") for found, known in zip(low, (p, q), strict=True))


def test_narrower_cells_bring_digits() -> None:
    widths, at = [], Fraction(9, 10)
    for step in (5e-2, 2e-2):
        low, high = chosen(law(3 * pv.Laplace(1)), at, 1.5, 2.0, step).bounds(at)
        widths.append(float(high - low))
    assert 0 < widths[1] < widths[0] / 4


def test_tails_are_refused() -> None:
    with pytest.raises(NotSupported):
        plan_grid(law(2 * pv.Laplace(1)), "tail", Fraction(1), digits=5)


@pytest.mark.slow
def test_deep_in_the_tail() -> None:
    """Tilted masses far below the windows must not come back as units: δ near 1e-30 has its digits."""
    pair, point = law(10 * pv.Binomial(n=1000, p="0.5")), Fraction("2.249")
    found = settle(pair, "delta", point, 3, names=("grid",)).enclosure
    assert found.digits >= 3
    assert found.overlaps(settle(pair, "delta", point, 3, names=("smoothing",)).enclosure)


BAD: list[dict[str, Any]] = [
    {"log_size": -1},
    {"log_size": MAX_LOG_SIZE + 1},
    {"bits": -1},
    {"bits": 20_001},
    {"first": 10**30},
    {"step": Fraction(0)},
    {"step": Fraction(1, 10**400)},
    {"theta": Fraction(0)},
    {"below": Fraction(10**6)},
    {"above": Fraction(0)},
    {"top": Fraction(0)},
    {"cells": ()},
]


@pytest.mark.parametrize("change", BAD)
def test_parameters_that_are_refused(change: dict[str, Any]) -> None:
    pair = law(2 * pv.Laplace(2))
    parameters = chosen(pair, Fraction(1, 4), 1.5, 2.0, 1e-2).parameters
    with pytest.raises(NoConvergence):
        Grid(pair, "delta", replace(parameters, **change))


@pytest.mark.parametrize(
    "epsilon", [10**400, -(10**400), 10**30, Fraction(1, 10**400)], ids=["huge", "low", "large", "tiny"]
)
@pytest.mark.parametrize("bits", [0, 64])
def test_an_absurd_epsilon_has_an_answer(epsilon: int, bits: int) -> None:
    pair = law(2 * pv.Laplace(2))
    parameters = chosen(pair, Fraction(1, 4), 1.5, 2.0, 1e-2).parameters
    value = Grid(pair, "delta", replace(parameters, bits=bits)).value(Fraction(epsilon))
    assert -0.1 < lower(value) <= upper(value) < 1.1
    assert epsilon > 1 or upper(value) > Fraction(1, 5)


@pytest.mark.parametrize("bits", [40, 100])
def test_integers_do_what_doubles_do(bits: int) -> None:
    pair = law(2 * pv.Laplace(2))
    parameters = chosen(pair, Fraction(1, 4), 1.5, 2.0, 1e-3).parameters
    engine = Grid(pair, "delta", replace(parameters, bits=bits))
    low, high = engine.bounds(Fraction(1, 4))
    assert encloses(engine, Fraction(1, 4), two_laplaces()) and float(high - low) < 1e-5


def test_an_edge_that_meets_an_atom() -> None:
    """Its tails are known up to the neighbouring atoms, so a mass may be a ball around 0. Two negative ones
    made a positive product: 0.2499 was the lower bound of what is 0.0948.
    """
    mp, sigma, q, epsilon = context(30), "0.5", "0.5", Fraction("2.867562661")
    weights = {x: mp.exp(-mp.mpf(x * x) * 2) for x in range(-9, 10)}
    total = mp.fsum(weights.values())
    odds = {x: (1 + mp.exp(mp.mpf(4 * x - 2))) / 2 for x in weights}
    truth = mp.fsum(
        weights[x] * weights[y] / total**2 * max(odds[x] * odds[y] - mp.exp(real(mp, epsilon)), 0)
        for x in weights
        for y in weights
    )
    loss = law(2 * pv.PoissonSubsampled(pv.DiscreteGaussian(sigma), q))
    anchor = module.centred(loss)[0].factors[0][0].anchor
    with working(400):  # the loss of outcome 3
        atom = dyadic(((1 + ball(10).exp()) / 2).log().mid())
    step = Fraction(round((atom - anchor) / 1000 * 2**260), 2**260)
    cells = module.Cells((209, 215, 602, 1000, 1398, 1998), Fraction(0))
    tilts = Fraction(-20), Fraction(20), Fraction(20)
    for bits in (0, 200):
        parameters = module.Parameters(Fraction(1), step, (cells,), 419 - 2**13, 13, *tilts, bits)
        assert encloses(Grid(loss, "delta", parameters), epsilon, fraction(truth))


class TestTeeth:
    """Errors planted in each side of the grid: the comparison with the truth must find them."""

    @staticmethod
    def engine() -> Grid:
        """Its atoms are off the grid, so that P and Q of a cell differ from those of its index."""
        aligned = chosen(law(2 * pv.Laplace(2)), Fraction(1, 4), 1.5, 2.0, 1e-3)
        step = aligned.parameters.step * Fraction(1001, 1000)
        return Grid(aligned.loss, "delta", replace(aligned.parameters, step=step))

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
        single = module.single

        def shifted(law: Law, edges: tuple[int, ...], h: Fraction) -> module.Single:
            one = single(law, edges, h)
            return replace(one, upper={g - 20: mass for g, mass in one.upper.items()})

        monkeypatch.setattr(module, "single", shifted)
        assert not self.holds(self.engine())

    @pytest.mark.parametrize("whole", [True, False])
    def test_masses_rounded_to_the_other_side(self, whole: bool, monkeypatch: pytest.MonkeyPatch) -> None:
        """In units that are so wide that every rounding counts: masses, or P's beside Q's."""
        placed: Any = doubles.placed
        other = {"up": "down", "down": "up"}

        def coarse(masses: Any, log_size: int, rounding: str, beside: Any = None, wrong: bool = False) -> Any:
            found, chosen = placed(masses, log_size, rounding, beside), (beside is None) == whole
            side = other[rounding] if wrong and chosen else rounding
            return (np.floor if side == "down" else np.ceil)(found * 2.0**20) / 2.0**20 if chosen else found

        monkeypatch.setattr(doubles, "placed", coarse)
        assert self.holds(self.engine())
        monkeypatch.setattr(doubles, "placed", lambda *arguments: coarse(*arguments, wrong=True))
        assert not self.holds(self.engine())

    @pytest.mark.parametrize("name", ["low_q", "low_more"])
    def test_a_lower_bound_that_doubles_a_part(self, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
        engine, whole = self.engine(), Grid._sum
        assert self.holds(engine)

        def other(self: Grid, circle: Circle, start: int, part: arb | None = None) -> arb:
            return whole(self, circle, start, part) * (2 if circle is getattr(self, name) else 1)

        monkeypatch.setattr(Grid, "_sum", other)
        assert not self.holds(engine)

    def short(self, **changes: object) -> Grid:
        """A window of 2^9 indices, of some 0.5 in all."""
        parameters = replace(self.engine().parameters, log_size=9, **changes)  # type: ignore[arg-type]
        return Grid(law(2 * pv.Laplace(2)), "delta", parameters)

    def test_overflow_forgotten(self) -> None:
        """A window that ends below ε: all that is left of δ is above it."""
        engine = self.short(first=-300)
        assert self.holds(engine)
        engine.overflow = arb(0)
        assert not self.holds(engine)

    def test_what_comes_back_forgotten(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """A window that is too short: masses from below and above are counted as if they were in A."""
        engine = self.short(first=200, theta=Fraction(4), below=Fraction(0), above=Fraction(8))
        assert self.holds(engine)
        monkeypatch.setattr(Grid, "_come_back", lambda self, start: arb(0))
        assert not self.holds(engine)

    def test_errors_of_doubles_forgotten(self) -> None:
        """A vector that is meant is off by 1e-3 of all: with the error it is still enclosed."""
        for name in ("upper", "low_more", "low_q"):
            engine = self.engine()
            circle = getattr(engine, name)
            off = circle.values + (-1e-3 if name == "upper" else 1e-3) * engine.upper.values
            size = arb(float(np.linalg.norm(off - circle.values))) * 2
            setattr(engine, name, Circle(off, size))
            assert self.holds(engine)
            setattr(engine, name, Circle(off, arb(0)))
            assert not self.holds(engine)


def test_few_outcomes_get_a_cell_each() -> None:
    """Cells stayed wide where a rough grid was followed by one with a finer step: no digit at all."""
    steps = 1093 * pv.PoissonSubsampled(pv.DiscreteGaussian("1.4"), "0.00254")
    found = pv.delta(steps, epsilon="0.34432662", adjacency="remove", digits=3, engine="grid")
    assert found.digits >= 3 and found.overlaps(
        pv.delta(steps, epsilon="0.34432662", adjacency="remove", digits=3, engine="smoothing")
    )


def test_tails_are_shared_by_steps_that_were_halved() -> None:
    """Each at its own place, and computed once."""
    asked: list[Fraction] = []

    class Noted(LaplaceLaw):
        def tails(self, s: Fraction) -> tuple[arb, arb]:
            asked.append(s)
            return super().tails(s)

    law, step = Noted(Fraction(1)), Fraction(3, 64)
    for times in range(4):
        grid = on_grid(law, step / 2**times)
        for i in range(-30, 31):
            place = i * step / 2**times
            assert grid.at(i) == grid.at(i) and all(
                a.overlaps(b) for a, b in zip(grid.at(i), LaplaceLaw(Fraction(1)).tails(place), strict=True)
            )
    assert len(asked) == len(set(asked)) == 61 + 3 * 30


@pytest.mark.parametrize(
    ("step", "least", "found"),
    [(0.3, 0.01, 0.25), (0.26, 0.01, 0.25), (0.23, 0.01, 0.125), (0.2, 0.01, 0.125), (0.2, 0.15, 0.2)],
)
def test_steps_are_halved(step: float, least: float, found: float) -> None:
    """Never coarser than asked, and as they are where half of it would be too fine."""
    assert _halved(Fraction(1), step, least) == found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("k", "sigma", "q", "epsilon", "digits"),
    [(408, "1.25", "0.000301", "0.0215961", 6), (16, "0.573", "0.00362", "5.06564", 5)],
)
def test_half_a_step_may_be_too_fine(k: int, sigma: str, q: str, epsilon: str, digits: int) -> None:
    """It took more than 2^21 points, and a grid that had all digits, or could have, was thrown away."""
    steps = k * pv.PoissonSubsampled(pv.DiscreteGaussian(sigma), q)
    found = pv.delta(steps, epsilon=epsilon, adjacency="remove", digits=digits, engine="grid")
    assert found.digits >= digits
    assert found.overlaps(pv.delta(steps, epsilon=epsilon, adjacency="remove", digits=2, engine="smoothing"))


def test_a_grid_of_too_many_points_leaves_the_one_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """Integers may be too long for a circle on which doubles have room."""
    asked, compute = [], Choice.grid

    def grid(choice: Choice) -> Grid:
        asked.append(choice)
        if len(asked) > 1:
            raise NoConvergence("too many bits")
        return compute(choice)

    monkeypatch.setattr(Choice, "grid", grid)
    run = 11 * pv.SampledWithoutReplacement(pv.Gaussian("0.673"), "7.61e-6")
    plan = plan_grid(law(run), "delta", Fraction("0.000594"), digits=6)
    assert plan.build() == asked[0].work and len(asked) == 2


RARE = (
    (100 * pv.PoissonSubsampled(pv.DiscreteGaussian("0.5"), "1e-12") + 3 * pv.Laplace(10), "3"),
    (3 * pv.NoisyMax(5) + 2 * pv.PoissonSubsampled(pv.Gaussian("0.3"), "1e-10"), "2"),
    (3 * pv.NoisyMax(5) + 10 * pv.PoissonSubsampled(pv.Gaussian("0.5"), "1e-6"), "2"),
)
"""Losses that a sample seldom has, beside others that are below ε."""


@pytest.mark.parametrize(
    ("composition", "epsilon"), [RARE[0], *(pytest.param(*row, marks=pytest.mark.slow) for row in RARE[1:])]
)
def test_rare_losses_keep_their_digits_beside_common_ones(composition: Any, epsilon: str) -> None:
    """Doubles see nothing of them: integers are summed. A larger ε has less, a smaller one more."""
    found = pv.delta(composition, epsilon=epsilon, digits=6)
    assert found.digits >= 6
    low, high = (
        pv.delta(composition, epsilon=other, digits=3)
        for other in (Fraction(epsilon) + Fraction(1, 8), Fraction(epsilon) - Fraction(1, 8))
    )
    assert low.upper < found.lower <= found.upper < high.lower
