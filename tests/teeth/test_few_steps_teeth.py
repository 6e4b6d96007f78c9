"""Planted errors in the proofs that reach few steps, small q and large tilts, and the checks that find them.

A plant is a change of one line of source. Each check first passes for the honest line, with parameters so
poor that the term counts, and then fails.
"""

import math
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
from pldverify.reference.fast import concave_trapezoid, gaussian_mixture, mixture_lines
from pldverify.reference.fast.gaussian_mixture import ByTrapezoid
from pldverify.reference.fast.hints import gaussian_mixture as mixture_hints
from pldverify.reference.fast.hints.gaussian_mixture import reach
from pldverify.reference.fast.hints.log_concave import peak_near
from pldverify.reference.laws import anchored
from pldverify.reference.laws.composed_loss import product
from pldverify.reference.lemmas.mixture_loss import mixture_loss
from pldverify.reference.lemmas.parallel_lines import heights
from pldverify.reference.search import grid as search
from tests.oracle.closed_forms import context, fraction, mixture_integral, real, two_mixtures_delta
from tests.teeth.planted import Plant, planted


@cache
def two_steps_truth(sigma: int, direction: Direction) -> Fraction:
    """δ(0.1) at q = 1/2."""
    mp = context(25)
    return fraction(two_mixtures_delta(mp, mp.mpf(sigma), mp.mpf(1) / 2, direction, mp.mpf(1) / 10))


# σ, q, p, v, η, strip, first and last node: rules that err by much of what they say
Rule = tuple[str, str, str, str, str, str, int, int]
GAUSSIAN: Rule = ("7.3", "0.0031", "-0.433", "0.02", "489/256", "423/128", -7, 7)
TURNED: Rule = ("3.2", "0.076", "-183", "230", "417/512", "545/256", -15, 9)
MOVED: Rule = ("9.3", "0.38", "-914", "15", "437/256", "229/16", -13, -2)
WIDE: Rule = ("9.3", "0.013", "-151", "3.9", "133/128", "871/64", -12, 12)
FAR: Rule = ("3.2", "0.24", "-815", "1300", "85/128", "1817/1024", -22, -1)
SUNK: Rule = ("6.2", "0.29", "-795", "270", "431/256", "879/128", -11, -1)
CUT: Rule = ("2", "0.3", "-1", "0", "1/4", "2", -40, 5)
CUT_BELOW: Rule = ("2", "0.3", "-1", "0", "1/4", "2", -5, 40)


@cache
def rule_error(rule: Rule) -> Fraction:
    sigma, q, p, v, eta, _, first, last = rule
    mp = context(150)
    h = real(mp, eta)
    parameters = real(mp, sigma), real(mp, q), mp.mpc(real(mp, p), real(mp, v))
    poor = mixture_integral(mp, *parameters, h * first, h * last + h / 2, h)
    return fraction(abs(poor - mixture_integral(mp, *parameters, mp.mpf(-45), mp.mpf(30), h / 16)))


def rule_holds(module: Any, rule: Rule) -> bool:
    sigma, q, p, v, eta, strip, first, last = rule
    c, a, power = 1 / float(Fraction(sigma)), float(Fraction(strip)), float(Fraction(p))
    tau, shift = float(v) * math.tan(c * a), -math.log(math.cos(c * a)) / c
    shift = -shift if rule is MOVED else shift  # any point is right; this one is where the plant is tight
    peaks = tuple(peak_near(c, float(q), min(0.0, power + part), shift) for part in (0.0, tau))
    with working(100):
        errors = module.ConcaveRule(Fraction(eta), first, last, Fraction(strip), peaks).errors(
            1 / ball(Fraction(sigma)), ball(Fraction(q)), Fraction(p), ball(Fraction(v)), 1
        )
    return bool(rule_error(rule) <= upper(errors[1]))


@pytest.mark.sample(7)
@pytest.mark.parametrize(
    ("rule", "plant"),
    [
        (GAUSSIAN, ("2 / (2 * arb.pi() * a / h).expm1()", "1 / (2 * arb.pi() * a / h).expm1()")),
        (TURNED, ("tau = step * count * t.tan()", "tau = step * count * t.tan() / 2")),
        (TURNED, ("ends[0] + rise * j", "ends[0] + rise * j / 2")),
        (FAR, ("ends[0] + rise * j", "ends[1] - rise * j")),
        (SUNK, ("part * (1 - q).log()", "0")),
        (MOVED, ("shift = -t.cos().log() / c", "shift = t.cos().log() / c")),
        (WIDE, ("a * a / 2 - part", "-part")),
        (CUT, ("tails += value.exp() / slope if", "tails += value.exp() / slope / 10 if")),
        (CUT, ("((self.first, 1), (self.last, -1))", "((self.first, 1),)")),
        (CUT_BELOW, ("((self.first, 1), (self.last, -1))", "((self.last, -1),)")),
    ],
)
def test_concave_rule(rule: Rule, plant: Plant) -> None:
    assert rule_holds(concave_trapezoid, rule)
    assert not rule_holds(planted(concave_trapezoid, plant), rule)


def test_a_peak_without_its_slope() -> None:
    def holds(module: Any) -> bool:
        with working(60):
            c, q, p = arb(1), arb("0.3"), arb(-4)
            peak = module.log_peak(c, q, p, arb(1), arb(0))
            values = (
                p * (1 - q + q * (c * x - c * c / 2).exp()).log() - (x + 1) * (x + 1) / 2
                for x in (arb(i) / 50 for i in range(-300, 100))
            )
            return not any(value > peak for value in values)

    assert holds(concave_trapezoid)
    assert not holds(planted(concave_trapezoid, ("return value + slope * slope / 2", "return value")))


def lines_hold(module: Any, sigma: str, q: str, p: str, us: tuple[float, ...]) -> bool:
    mp = context(20)
    law = ByTrapezoid(Fraction(sigma), Fraction(q), "remove")
    scale = 1 / float(sigma)
    ends, levels = reach(scale, float(q), float(p)), heights(1 / Fraction(sigma), Fraction(3, 2), 5)
    with working(80):
        mass = law.on_line(Fraction(p) - 1, Fraction(0), 0)[0].real
        c, qq = 1 / ball(Fraction(sigma)), ball(Fraction(q))
        found = module.parallel_lines(c, qq, ball(Fraction(p)), mass, ends, levels)
    integral = [
        mixture_integral(
            mp, real(mp, sigma), real(mp, q), mp.mpc(real(mp, p), u), mp.mpf(-20), mp.mpf(30), mp.mpf(1) / 30
        )
        for u in (0, *us)
    ]
    truths = [arb(mp.nstr(mp.log(abs(value / integral[0])), 15)) for value in integral[1:]]
    with working(80):
        return not any(truth > found.log_sup(arb(u)) for truth, u in zip(truths, us, strict=True))


LOW_END = ("min(low, Fraction(0)) - _STRETCH", "Fraction(0)")
HIGH_END = ("max(high, Fraction(0)) + _STRETCH", "Fraction(0)")
NARROW, BROAD = ("1", "0.5", "2", (1, 3, 6)), ("2", "0.5", "1", (0.5, 3, 6))


@pytest.mark.parametrize(
    ("law", "poor", "plant"),
    [
        (NARROW, (), ("[arb(0), *angles]", "[t] * 152")),
        (NARROW, (), ("angles = [(y * sin /", "angles = [2 * (y * sin /")),
        (NARROW, (), ("(height * height / 2).exp() / mass", "1 / mass")),
        (
            ("0.5", "0.2", "0", (10,)),
            (("_CELLS = 150", "_CELLS = 25"),),
            ("[arb(0), *angles]", "[*angles, t]"),
        ),
        (
            ("1", "0.5", "9", (1, 3)),
            (("_CELLS = 150", "_CELLS = 8"),),
            ("left.max(right)", "left.min(right)"),
        ),
        (BROAD, (LOW_END,), ("[below, *cells]", "[0 * below, *cells]")),
        (("2", "0.5", "-3", (0.5, 3, 6)), (LOW_END,), (".max(rest**p)", ".min(rest**p)")),
        (NARROW, (HIGH_END,), ("beyond = _last_cell(c, q, p, edges[-1])", "beyond = arb(0)")),
        (NARROW, (HIGH_END,), ("2**p * ((1 - q) ** p * base + tilted)", "base")),
    ],
)
def test_mixture_lines(law: tuple[Any, ...], poor: tuple[Plant, ...], plant: Plant) -> None:
    assert lines_hold(planted(mixture_lines, *poor), *law)
    assert not lines_hold(planted(mixture_lines, *poor, plant), *law)


def line_holds(hint: tuple[Plant, ...], sigma: Fraction, p: str, module: Any) -> bool:
    """M(θ + iv) with nodes so poor that every error counts, against the honest rule."""
    q, power, step = Fraction(1, 10), Fraction(p), Fraction(12)
    with working(80):
        truth = gaussian_mixture._moments(sigma, q, power, step, 2)
    module.trapezoid = planted(mixture_hints, *hint).trapezoid
    with working(80):
        line = module._moments(sigma, q, power, step, 2)
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
        (COARSE, "8", "3", ("_growth(c, q, p, a + b)", "_growth(c, q, p, 0 * a)")),
        (CUT, "1/2", "3", ("tails *= _growth(c, q, p, b)", "tails *= 0")),
        (CUT, "2", "-2", ("tails *= _growth(c, q, p, b)", "tails *= 0")),
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
        bound = module._growth(c, q, p, b)
        for i in range(-400, 100):
            here, there = acb(arb(i) / 50), acb(arb(i) / 50, b)
            logs = [p.numerator * mixture_loss(c, ball(q), x) - x * x / 2 for x in (here, there)]
            if (logs[1] - logs[0]).real.exp() > bound:
                return False
        return True

    assert holds(gaussian_mixture)
    assert not holds(planted(gaussian_mixture, plant))


def test_a_supremum_without_its_shift() -> None:
    def holds(module: Any) -> bool:
        with working(60):
            c, q, p = arb(1), arb("0.3"), arb(-5)
            bound = module._supremum(c, q, p, ball(peak_near(1.0, 0.3, -4.0, -1.0)))
            return not any(
                (-(x + c) * (x + c) / 2).exp() * (1 - q + q * (c * x - c * c / 2).exp()) ** (p + 1)
                > bound * (2 * arb.pi()).sqrt()
                for x in (arb(i) / 50 for i in range(-400, 100))
            )

    assert holds(gaussian_mixture)
    assert not holds(planted(gaussian_mixture, ("log_peak(c, q, r, c, near)", "log_peak(c, q, r, -c, near)")))


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
    assert grid_holds("remove", -1.0) and rule_holds(concave_trapezoid, GAUSSIAN)
    assert ENGINES["grid"] is grid.Grid
