"""What jumps of a step and what doesn't, against integrals in mpmath; and with planted bugs."""

import math
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pytest
from flint import acb, arb
from scipy.special import log_ndtr

from pldverify.balls.ball import dyadic, working
from pldverify.reference.laws import soft_part
from pldverify.reference.laws.gaussian_mixture import GaussianMixtureLaw
from pldverify.reference.laws.hints import soft_part as hints
from pldverify.reference.laws.hints.gaussian_mixture import Trapezoid
from tests.oracle.closed_forms import context, fraction, real
from tests.teeth.planted import Plant, planted

BITS = 80
QUIET = ("1", "1e-5", "11", "0.1")
LOUD = ("0.2", "1e-3", "5", "0.2")
WIDE = ("0.5", "0.01", "4", "0.8")
HALF = ("0.5", "0.01", "2", "0.8")
"""σ, q, x_c, τ."""
CASES = [
    (QUIET, "11", "0.7", 8),
    (LOUD, "0.25", "0.02", 400),
    (WIDE, "3", "0.3", 10),
    (WIDE, "-1", "0.3", 10),
]
"""Part, tilt, step, and the node that is looked at."""


def part(parameters: tuple[str, ...], jumps: bool, module: Any = soft_part) -> Any:
    sigma, q, cut, width = (Fraction(text) for text in parameters)
    return module.SoftPart(GaussianMixtureLaw(sigma, q, "remove"), cut, width, jumps)


@cache
def moment(parameters: tuple[str, ...], jumps: bool, theta: str, u: str) -> Any:
    """M_±(θ + iu) by Gauss–Legendre panels of mpmath."""
    mp = context(25)
    sigma, q, cut, width = (real(mp, Fraction(text)) for text in parameters)
    c, z, sign = 1 / sigma, mp.mpc(real(mp, Fraction(theta)), real(mp, Fraction(u))), 1 if jumps else -1

    def integrand(x: Any) -> Any:
        loss = mp.log1p(q * mp.expm1(c * x - c * c / 2))
        weight = mp.erfc(-sign * (x - cut) / width / mp.sqrt(2)) / 2
        return mp.exp((z + 1) * loss - x * x / 2) * weight / mp.sqrt(2 * mp.pi)

    high = mp.ceil(max(cut, (z.real + 1) * c)) + 12
    edges = [mp.mpf(i) / 2 for i in range(-24, int(2 * high))]
    peak = max(abs(integrand(a)) for a in edges)  # mpmath looks at absolute errors
    return peak * mp.fsum(
        mp.quad(lambda x: integrand(x) / peak, [a, a + mp.mpf(1) / 2], maxdegree=5) for a in edges
    )


def contains(
    line: list[acb], parameters: tuple[str, ...], jumps: bool, theta: str, step: str, j: int
) -> bool:
    size = abs(arb(str(moment(parameters, jumps, theta, "0").real)))
    truth = moment(parameters, jumps, theta, str(j * Fraction(step)))
    slack = arb(0, size * arb("1e-20"))
    return bool((line[j] + acb(slack, slack)).contains(acb(arb(str(truth.real)), arb(str(truth.imag)))))


@pytest.mark.parametrize("jumps", [True, False])
@pytest.mark.parametrize("case", CASES)
def test_the_transform_is_the_integral(case: tuple[tuple[str, ...], str, str, int], jumps: bool) -> None:
    parameters, theta, step, last = case
    with working(BITS):
        line = part(parameters, jumps).on_line(Fraction(theta), Fraction(step), last)
        size = line[0].real
        for j in (0, last):
            assert line[j].real.rad() < size * arb("1e-18")
            assert contains(line, parameters, jumps, theta, step, j)


@pytest.mark.parametrize("parameters", [QUIET, LOUD, WIDE])
def test_both_parts_are_the_step(parameters: tuple[str, ...]) -> None:
    with working(BITS):
        far, near = part(parameters, True), part(parameters, False)
        assert far.rest() == near and near.rest() == far
        both = [part.on_line(Fraction(1), Fraction(1, 10), 5) for part in (far, near)]
        whole = far.law.on_line(Fraction(1), Fraction(1, 10), 5)
        for a, b, value in zip(*both, whole, strict=True):
            assert (a + b).overlaps(value) and (a + b).real.rad() < arb("1e-15")


def test_a_tilt_below_its_domain_is_refused() -> None:
    with working(BITS), pytest.raises(soft_part.NoConvergence, match="error bound"):
        part(WIDE, True).on_line(Fraction(-2), Fraction(0), 0)


@pytest.mark.parametrize("width", ["1e-6", "1e-15"])
@pytest.mark.parametrize("jumps", [True, False])
def test_a_cut_too_sharp_for_any_nodes_is_refused(width: str, jumps: bool) -> None:
    """Far from it the chance to jump has no digits: no node was found to count."""
    with working(BITS), pytest.raises(soft_part.NoConvergence, match="nodes in x"):
        part(("1", "1e-5", "8", width), jumps).on_line(Fraction(2), Fraction(1), 2)


def with_poor_hints(poor: Plant | None, *plants: Plant) -> Any:
    module = planted(soft_part, *plants)
    if poor is not None:
        module.Part = planted(hints, poor).Part
    return module


def slope(law: Any, p: float, x: float) -> float:
    """(log f)' in doubles."""
    return float(law.hints().log_density(p, x + 1e-5) - law.hints().log_density(p, x - 1e-5)) / 2e-5


def steeper(module: Any) -> bool:
    """Whether f falls outwards as fast as promised, from everywhere on where something is."""
    seen = 0
    with working(64):
        for jumps, side, start in (
            (jumps, side, i / 4) for jumps in (0, 1) for side in (1, -1) for i in range(-20, 60)
        ):
            law = part(("0.5", "0.01", "4", "0.8"), bool(jumps), module)
            g = law._falls(arb(2), arb(2), arb(start), side)
            if g > 0:
                seen += 1
                if any(-side * slope(law, 2, start + side * 0.3 * j) < float(g) - 1e-6 for j in range(12)):
                    return False
    assert seen > 100
    return True


def test_the_integrand_falls_as_promised() -> None:
    assert steeper(soft_part)
    for plant in (
        ("rate -= (-t * t / 2)", "rate += (-t * t / 2)"),
        ("rate += t.max(arb(0)) / tau", "rate += 2 * t.max(arb(0)) / tau"),
        ("rate = side * x - (p * c if side == 1 else 0)", "rate = side * x"),
    ):
        assert not steeper(planted(soft_part, plant))


@pytest.mark.parametrize("law", [part(WIDE, True), part(WIDE, True).law])
def test_a_line_goes_upwards(law: Any) -> None:
    with working(BITS), pytest.raises(soft_part.NoConvergence, match="upwards, got step=-2"):
        law.on_line(Fraction(1), Fraction(-2), 4)


COARSE = ("(size + ball(reach) * c * widest)", "(size - goal + 18)")
SHIFTED = ("shifted = arb.pi() * widest / size", "shifted = arb.pi() * widest / (size - goal + goal / 40)")
SHORT = ("goal + 10 + stretch * found[2] * found[2] / 2)", "arb(6))")
LEFT = ("0.5", "0.01", "-1", "0.8")
GROWTH = ("ratio = 2 * (stretch * (a + b) * (a + b)).exp()", "ratio = 2 * arb(1)")
ONE_END = [
    ("tails = ends[1] / self._falls(p, c, xs[-1], 1) +", "tails ="),
    (" + ends[0] / self._falls(p, c, xs[0], -1)", ""),
]


@pytest.mark.parametrize(
    ("case", "jumps", "poor", "plant"),
    [
        ((QUIET, "11", "0.7", 0), True, COARSE, GROWTH),
        ((QUIET, "11", "70", 1), True, COARSE, ("turn = c * (a - b).max(arb(0))", "turn = 0 * c")),
        ((QUIET, "11", "70", 2), True, SHIFTED, GROWTH),
        ((WIDE, "3", "3", 20), True, SHORT, ("tails *= (stretch * b * b).exp()", "tails *= 0")),
        ((LEFT, "-1", "0.3", 0), True, SHORT, ONE_END[0]),
        *(((WIDE, "-1", "0.3", 0), False, SHORT, plant) for plant in ONE_END),
    ],
)
def test_a_planted_error_is_caught(
    case: tuple[tuple[str, ...], str, str, int], jumps: bool, poor: Plant, plant: Plant
) -> None:
    """With nodes so poor that the term counts."""
    parameters, theta, step, j = case
    for plants, held in (((), True), ((plant,), False)):
        with working(BITS):
            law = part(parameters, jumps, with_poor_hints(poor, *plants))
            line = law.on_line(Fraction(theta), Fraction(step), max(j, 1))
            assert contains(line, parameters, jumps, theta, step, j) == held


@pytest.mark.parametrize("jumps", [True, False])
@pytest.mark.parametrize(
    "rule",
    [
        Trapezoid(Fraction(2), -6, 6, Fraction(22, 7), Fraction(0)),
        Trapezoid(Fraction(1, 4), -10, 10, Fraction(1), Fraction(3)),
        Trapezoid(Fraction(1, 4), -12, 12, Fraction(1), Fraction(3)),
        Trapezoid(Fraction(1, 4), -6, 60, Fraction(22, 7), Fraction(0)),
        Trapezoid(Fraction(1, 4), -60, 6, Fraction(22, 7), Fraction(0)),
    ],
    ids=["coarse", "short", "less short", "short below", "short above"],
)
def test_a_half_whatever_the_nodes(rule: Trapezoid, jumps: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """M_±(−1) = E Φ(±X/τ) = 1/2 by symmetry, for nodes that miss it by more than a hundredth."""
    monkeypatch.setattr(hints.Part, "trapezoid", lambda *_: rule)
    with working(80):
        half = part(("2", "0.1", "0", "100"), jumps).on_line(Fraction(-1), Fraction(0), 0)[0].real
    assert half.contains(arb(1) / 2)
    assert 0.01 < abs(2 * half.mid() - 1) < 1


def log_size(parameters: tuple[str, ...], theta: float, u: float) -> float:
    """log |M_+(θ + iu)|/M_+(θ) in doubles."""
    sigma, q, cut, width = (float(Fraction(text)) for text in parameters)
    c = 1 / sigma
    x = np.arange(-10, max(cut, (theta + 1) * c) + 12, 0.002)
    loss = np.log1p(q * np.expm1(c * x - c * c / 2))
    log = (theta + 1) * loss - x * x / 2 + log_ndtr((x - cut) / width)
    size = np.exp(log - log.max())
    return math.log(abs((size * np.exp(1j * u * loss)).sum()) / size.sum())


def exceeded(parameters: tuple[str, ...], theta: str, us: tuple[float, ...], module: Any) -> bool:
    with working(64):
        law = part(parameters, True, module)
        lines = law.lines(Fraction(theta), law.on_line(Fraction(theta), Fraction(0), 0)[0].real)
        return any(
            arb(log_size(parameters, float(Fraction(theta)), u) - 1e-6) > lines.log_sup(arb(u)) for u in us
        )


DECAYS = [
    (QUIET, "11", (1, 20, 60, 100)),
    (LOUD, "0.25", (0.1, 1, 3)),
    (WIDE, "3", (0.1, 1, 3)),
    (HALF, "-1", (0.001, 2)),
]


@pytest.mark.parametrize(("parameters", "theta", "us"), DECAYS)
def test_no_frequency_exceeds_the_bound(
    parameters: tuple[str, ...], theta: str, us: tuple[float, ...]
) -> None:
    assert not exceeded(parameters, theta, us, soft_part)
    with working(64):
        law = part(parameters, True)
        mass = law.on_line(Fraction(theta), Fraction(0), 0)[0].real
        assert law.lines(Fraction(theta), mass).log_sup(arb(200)) < -1  # it bounds something


@pytest.mark.parametrize(
    ("poor", "plant"),
    [
        (None, ("stretch = 1 + 1 / ball(self.width) ** 2", "stretch = arb(1)")),
        (
            ("_FINE = 120", "_FINE = 33"),
            ("in edges] + [arb(1)]", "in edges[:1] + edges]"),
        ),
    ],
)
def test_a_planted_error_of_the_decay_is_caught(poor: Plant | None, plant: Plant) -> None:
    for plants, held in (((), True), ((plant,), False)):
        module = with_poor_hints(poor, *plants)
        assert held != any(exceeded(*case, module) for case in DECAYS)


def test_weights_of_cells_exceed_the_chance_to_jump(monkeypatch: pytest.MonkeyPatch) -> None:
    """At 16 bits, where what is rounded down would show."""
    asked: list[Any] = []
    monkeypatch.setattr(soft_part, "lines_over", lambda *arguments: asked.append(arguments))
    law, mp = part(WIDE, True), context(30)
    with working(16):
        law.lines(Fraction(3), arb(1))
        edges = law.hints().cells(Fraction(3))
    ((_, _, _, _, _, weights, _, _),) = asked
    assert len(weights) == len(edges) + 1 and weights[-1] == 1  # beyond the last edge
    for x, weight in zip(edges, weights, strict=False):
        chance = mp.ncdf((real(mp, x) - 4) / mp.mpf("0.8"))
        assert fraction(chance) <= dyadic(weight)
