"""Blunted Laplace noise by quadrature of its density, and the lines that its shapes have to be above."""

import math
from fractions import Fraction
from itertools import pairwise
from typing import Any

import mpmath
import pytest

import pldverify as pv
from pldverify.balls.ball import working
from pldverify.mechanisms.selection import Noise
from pldverify.reference.laws.blunted_laplace import BluntedLaplaceLaw
from pldverify.reference.laws.laplace import LaplaceLaw

F = Fraction
SHAPES = [
    Noise(F(1, 2)),
    pv.NoisyMax(1).noise(1),
    pv.AboveThreshold(2, 4).noise(1),
    pytest.param(pv.AboveThreshold(1, 9).noise(1), marks=pytest.mark.slow),
]


def number(x: Any) -> Any:
    x = F(x)
    return mpmath.mpf(x.numerator) / x.denominator


def density(noise: Noise) -> Any:
    """Without its norm, and the corners."""
    corners, slopes = [F(noise.flat)], []
    for slope, length in noise.bends:
        corners.append(corners[-1] + length)
        slopes.append(slope)
    slopes.append(F(1))

    def value(x: Any) -> Any:
        log = mpmath.mpf(0)
        for slope, a, b in zip(slopes, corners, [*corners[1:], None], strict=True):
            reach = abs(x) if b is None else min(abs(x), number(b))
            log -= number(slope) * max(reach - number(a), mpmath.mpf(0))
        return mpmath.exp(log)

    return value, corners


@pytest.mark.parametrize("shift", [F(1, 3), F(2), F(11)])
@pytest.mark.parametrize("noise", SHAPES, ids=str)
def test_tails_and_transform_by_quadrature(noise: Noise, shift: F) -> None:
    f, corners = density(noise)
    own = [number(s * x) for x in corners for s in (-1, 1)]
    with mpmath.workdps(20), working(80):
        c = number(shift)
        ends = sorted({*own, *(x + c for x in own)})
        cuts = [-mpmath.inf, *ends, mpmath.inf]
        norm = mpmath.quad(f, [-mpmath.inf, *sorted(set(own)), mpmath.inf])
        law = BluntedLaplaceLaw(shift, *noise)

        def loss(x: Any) -> Any:
            return mpmath.log(f(x - c) / f(x))

        for s in (-shift, -shift / 3, F(0), shift / 7, shift * F(9, 10), shift):
            low, high = ends[0] - 1, ends[-1] + 1
            for _ in range(80):  # the loss rises
                middle = (low + high) / 2
                low, high = (
                    (low, middle) if loss(middle) >= number(s) - mpmath.mpf(10) ** -17 else (middle, high)
                )
            parts = [high, *(x for x in ends if x > high), mpmath.inf] if s > -shift else cuts
            first = mpmath.quad(lambda x: f(x - c), parts) / norm
            second = mpmath.quad(f, parts) / norm
            p, q = law.tails(s)
            assert abs(float(p) - float(first)) < 1e-11 and abs(float(q) - float(second)) < 1e-11
        assert law.tails(shift + F(1, 10**9))[0] == 0
        moment = mpmath.quad(lambda x: f(x - c) * mpmath.exp(loss(x) / 2), cuts) / norm
        found = law.on_line(F(1, 2), F(1), 0)[0].real
        assert abs(float(found) / float(moment) - 1) < 1e-12
        whole = sum(float(mass) for _, mass in law.points())
        assert whole < 1 and abs(float(law.on_line(F(0), F(1), 0)[0].real) - 1) < 1e-15


@pytest.mark.parametrize("s", [F(-2), F(-1, 3), F(0), F(3, 2), F(2)])
def test_without_a_bend_it_is_laplace_noise(s: F) -> None:
    with working(80):
        for one, other in zip(
            BluntedLaplaceLaw(F(2), F(0), ()).tails(s), LaplaceLaw(F(2)).tails(s), strict=True
        ):
            assert one.overlaps(other)


def lines(noise: Noise) -> list[tuple[float, float]]:
    """(slope, height at 0) of f as a function of F, from flat to steep."""
    corners = [(0.0, 0.0)]
    for slope, length in noise.bends:
        corners.append((float(slope), corners[-1][1] - float(slope * length)))
    half = float(noise.flat) + math.exp(corners[-1][1])
    half += sum((math.exp(a) - math.exp(b)) / slope for (_, a), (slope, b) in pairwise(corners))
    height, found, beyond = 1 / (2 * half), [], math.exp(corners[-1][1])
    for (_, a), (slope, b) in reversed(list(pairwise(corners))):
        found.append((slope, height * (math.exp(b) - slope * beyond)))
        beyond += (math.exp(a) - math.exp(b)) / slope
    return [(0.0, height), *reversed(found)]


def test_noisy_max_is_above_its_lines() -> None:
    """By next to nothing: 1/3, and 2/15 at 0."""
    (_, flat), (slope, height) = lines(pv.NoisyMax(1).noise(1))
    assert 1 / 3 <= flat < 0.334 and slope == 0.5 and 2 / 15 <= height < 0.134


@pytest.mark.parametrize("ratio", [F(1, 100), F(1, 2), F(1), F(3, 2), F(2), F(5, 2), F(7), F(100)])
@pytest.mark.parametrize(("monotone", "moves"), [(False, 1), (True, 1), (True, 2)])
def test_above_threshold_is_above_its_lines(ratio: F, monotone: bool, moves: int) -> None:
    """(ky + V/2^k)/m, and never by more than a hundredth of V but for the last one beyond m = 5."""
    noise = pv.AboveThreshold(1, ratio, monotone=monotone).noise(moves)
    top, m = (0.5, 1 + ratio) if monotone and moves == 1 else (2 / 3, 2 + ratio)
    for k, (slope, height) in enumerate(lines(noise)):
        proved = top / 2**k / float(m)
        assert slope == pytest.approx(k / float(m), rel=1e-15, abs=0)
        assert proved * (1 - 1e-12) <= height <= proved + top / float(m) * (0.02 if m <= 5 else 0.1)


def test_it_is_ordered_in_the_noise_on_answers() -> None:
    """Beside a fixed move every line falls, where the lines' number changes, too."""
    for monotone in (False, True):
        before: list[float] | None = None
        for j in range(1, 400):
            query_b = F(j, 40)
            asked = pv.AboveThreshold(1, query_b, monotone=monotone)
            c, found = float(asked.loss(1)), lines(asked.noise(1))
            now = [
                c * min(y, *(slope * y + v for slope, v in found)) for y in (0.02, 0.05, 0.1, 0.2, 0.35, 0.5)
            ]
            assert before is None or all(x <= y * (1 + 1e-12) for x, y in zip(now, before, strict=True))
            before = now
