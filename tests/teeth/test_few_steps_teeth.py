"""Planted errors in the proofs that reach few steps, small q and large tilts, and the checks that find them.

A plant is a change of one line of source. Each check first passes for the honest line, with parameters so
poor that the term counts, and then fails.
"""

from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from flint import acb, arb

import pldverify as pv
from pldverify.balls.ball import ball, lower, upper, working
from pldverify.balls.memory import forget
from pldverify.errors import OracleDisagreement
from pldverify.mechanisms.as_composition import as_composition
from pldverify.mechanisms.relations import Direction
from pldverify.reference.engines.convolution import grid
from pldverify.reference.engines.evaluator import ENGINES
from pldverify.reference.fast import gaussian_mixture
from pldverify.reference.fast.hints import gaussian_mixture as mixture_hints
from pldverify.reference.laws import anchored
from pldverify.reference.laws.composed_loss import product
from pldverify.reference.laws.gaussian_mixture import GaussianMixtureLaw
from pldverify.reference.lemmas.mixture_loss import mixture_loss
from pldverify.reference.search import grid as search
from tests.oracle.closed_forms import context, fraction, two_mixtures_delta
from tests.teeth.planted import Plant, planted


@cache
def two_steps_truth(sigma: int, direction: Direction) -> Fraction:
    """δ(0.1) at q = 1/2."""
    mp = context(25)
    return fraction(two_mixtures_delta(mp, mp.mpf(sigma), mp.mpf(1) / 2, direction, mp.mpf(1) / 10))


def line_holds(hint: tuple[Plant, ...], sigma: Fraction, p: str, module: Any) -> bool:
    """M(θ + iv) with nodes so poor that every error counts, against the honest rule."""
    law, power, step = GaussianMixtureLaw(sigma, Fraction(1, 10), "remove"), Fraction(p), Fraction(12)
    with working(80):
        truth = gaussian_mixture.ByTrapezoid.of(law).on_line(power - 1, step, 2)
    module.trapezoid = planted(mixture_hints, *hint).trapezoid
    with working(80):
        line = module.ByTrapezoid.of(law).on_line(power - 1, step, 2)
    return all(value.contains(acb(honest.mid())) for value, honest in zip(line, truth, strict=True))


SHIFTED = ("found = other if surely_less(found[0], other[0]) else found", "found = other")
COARSE = (
    SHIFTED,
    ("_HALVINGS = 12", "_HALVINGS = 1"),
    ("2 * arb.pi() * a / (goal + growth)", "2 * arb.pi() * a / (goal / 4 + growth)"),
)
CUT = (
    SHIFTED,
    ("floor, left, right = -goal,", "floor, left, right = -goal / 30,"),
    ("nearest(low / ball(eta)) - 3", "nearest((here.p * here.c - 2) / ball(eta))"),
    ("nearest(high / ball(eta)) + 2", "nearest(2 / ball(eta))"),
)


@pytest.mark.parametrize(
    ("hint", "sigma", "p", "plant"),
    [
        (COARSE, "8", "3", ("_growth(c, p, a + b)", "_growth(c, p, 0 * a)")),
        (CUT, "1/2", "3", ("tails *= _growth(c, p, b)", "tails *= 0")),
        (CUT, "2", "-2", ("tails *= _growth(c, p, b)", "tails *= 0")),
    ],
)
def test_a_line_off_the_real_axis(hint: tuple[Plant, ...], sigma: str, p: str, plant: Plant) -> None:
    assert line_holds(hint, Fraction(sigma), p, planted(gaussian_mixture))
    assert not line_holds(hint, Fraction(sigma), p, planted(gaussian_mixture, plant))


@pytest.mark.parametrize(
    "plant", [("(c * b / 2).cos() ** ball(p)", "1"), ("(b * b / 2).exp() * ((c * b", "1 * ((c * b")]
)
def test_growth_off_the_real_axis(plant: Plant) -> None:
    def holds(module: Any) -> bool:
        c, q, p, b = arb(2), Fraction(1, 10), Fraction(-5), arb("0.9")
        bound = module._growth(c, p, b)
        for i in range(-400, 100):
            here, there = acb(arb(i) / 50), acb(arb(i) / 50, b)
            logs = [p.numerator * mixture_loss(c, ball(q), x) - x * x / 2 for x in (here, there)]
            if (logs[1] - logs[0]).real.exp() > bound:
                return False
        return True

    assert holds(gaussian_mixture)
    assert not holds(planted(gaussian_mixture, plant))


def grid_holds(direction: Direction, low: float) -> bool:
    """Two steps on a grid whose first edge is inside of the bulk: much of both measures lies below it."""
    truth = two_steps_truth(1, direction)
    pair = product(as_composition(2 * pv.PoissonSubsampled(pv.Gaussian(1), "0.5")), direction)
    forget()
    parameters = search.Choice(pair, Fraction(1, 10), 1.0, 2.0, 1e-2).work.parameters
    assert isinstance(parameters, grid.Parameters)
    first, *edges = [edge for edge in parameters.cells[0].edges if edge * parameters.step > low]
    cells = (replace(parameters.cells[0], edges=(first, *edges)),)
    try:
        value = grid.Grid(pair, "delta", replace(parameters, cells=cells)).value(Fraction(1, 10))
    except OracleDisagreement:  # bounds that exclude each other
        return False
    return bool(lower(value) <= truth <= upper(value))


def test_what_lies_below_the_first_edge_is_not_in_the_lower_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    """Were its P-mass moved up to the first edge, as in the upper bound, but not its Q-mass, it would be."""
    honest = "    top_p, top_q = ends[-1]\n"
    moved = "    add(low_p, first, finite - ends[0][0])\n" + honest
    plant = planted(grid, (honest, moved))
    assert grid_holds("remove", 0.5)
    monkeypatch.setattr(grid, "single", plant.single)
    assert not grid_holds("remove", 0.5)


def test_a_second_measure_without_its_factor(monkeypatch: pytest.MonkeyPatch) -> None:
    assert grid_holds("remove", -1.0) and grid_holds("add", -3.0)
    monkeypatch.setattr(anchored, "second_mass", lambda law: arb(1))
    assert not (grid_holds("remove", -1.0) and grid_holds("add", -3.0))


def test_an_offset_that_is_not_the_sum_of_the_anchors(monkeypatch: pytest.MonkeyPatch) -> None:
    centred = grid.centred

    def wrong(product: Any) -> Any:
        moved, offset = centred(product)
        return moved, offset * Fraction(99, 100)

    assert grid_holds("remove", -1.0)
    monkeypatch.setattr(grid, "centred", wrong)
    assert not grid_holds("remove", -1.0)


def test_every_plant_is_in_a_copy() -> None:
    assert grid_holds("remove", -1.0)
    assert ENGINES["grid"] is grid.Grid
