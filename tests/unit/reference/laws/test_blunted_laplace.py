"""Blunted Laplace noise by quadrature of its density, and the lines that its shapes have to be above."""

import math
from fractions import Fraction
from functools import partial
from itertools import pairwise
from typing import Any

import mpmath
import numpy as np
import pytest

import pldverify as pv
from pldverify.balls import arb
from pldverify.balls.ball import working
from pldverify.balls.compare import surely_at_most, surely_less
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
        line, decay = law.on_line(F(1, 2), F(3), 8), law.decay(F(1, 2))
        assert abs(float(line[0].real) / float(moment) - 1) < 1e-12
        turned = mpmath.quad(lambda x: f(x - c) * mpmath.exp(mpmath.mpc(1, 6) * loss(x) / 2), cuts) / norm
        assert abs(complex(line[1].mid()) - complex(turned)) < 1e-12
        assert abs(float(law.on_line(F(0), F(1), 0)[0].real) - 1) < 1e-15
        for j in range(1, 9):
            assert surely_at_most(abs(line[j]), line[0].real * decay.log_sup(arb(3 * j)).exp())
        assert surely_less(decay.log_sup(arb(24)), 0)


@pytest.mark.parametrize("theta", [F(-3), F(-1, 2), F(0), F(1, 3), F(25)])
@pytest.mark.parametrize("noise", SHAPES, ids=str)
def test_both_directions_have_one_transform(noise: Noise, theta: F) -> None:
    """M(z) = M(−1 − z), and M(0) = 1."""
    with working(96):
        law = BluntedLaplaceLaw(F(5, 3), *noise)
        one, other = (law.on_line(x, F(7, 2), 3) for x in (theta, -1 - theta))
        for z, turned in zip(one, other, strict=True):
            assert z.overlaps(turned.conjugate())
            assert surely_less(abs(z - turned.conjugate()), one[0].real * 1e-20)
        assert theta != 0 or one[0].real.contains(1)


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


C = 4 / arb(1).exp()
LOG_2 = arb(2).log()
LINES = {F(0): F(3205, 10000), F(1, 4): F(2077, 10000), F(1, 2): F(1193, 10000), F(3, 4): F(552, 10000)}
"""V of the proof, by λ."""


def interval(low: float, high: float) -> arb:
    return arb(low).union(arb(high))


def centred(alpha: arb, beta: arb, lam: arb) -> arb:
    """v of the proof, where both begin at the same place."""
    total = alpha + beta
    share = alpha / total
    k = 2 * (1 - (1 + total) * (-total).exp()) / total
    return share * (1 - share) * (1 + (C - 1) * k) - lam * share


def before(alpha: arb, beta: arb, lam: arb) -> arb:
    """What is added to it for a small α; less a part where α may be next to 0."""
    top = 1 - lam - alpha * (C - 1)
    found = (-beta).exp() * ((-alpha).exp() * (top - alpha - 1) + (-top).exp())
    if not alpha > 0.01:
        return found
    rate = 1 + beta / alpha
    return found - ((-rate * alpha).exp() * (rate * (top - alpha) - 1) + (-rate * top).exp()) / rate**2


def behind(alpha: arb, beta: arb, lam: arb, cells: int = 128) -> arb:
    """What is added for a large α, by the largest value in each cell."""
    found = arb(0)
    for j in range(cells):
        y = interval(j / cells, (j + 1) / cells)
        falls = lam - 1 - (2 * (C - 1) - alpha) * y + alpha * (C - 1) * y**2
        most = ((-beta * y).exp() - (-beta).exp()) * alpha * (-alpha * y).exp() * falls
        found += most.max(arb(0)) / cells
    return found


def stays_below(
    most: F, bound: Any, low: tuple[float, float], high: tuple[float, float], left: int = 100_000
) -> bool:
    """Whether a bound is below on a rectangle, in balls on ever smaller parts."""
    waiting = [(low, high)]
    while waiting and left:
        (a, b), (x, y) = waiting.pop()
        left -= 1
        if bound(interval(a, x), interval(b, y)) < arb(most.numerator) / most.denominator:
            continue
        if x - a > (y - b) / 2:
            waiting += [((a, b), ((a + x) / 2, y)), (((a + x) / 2, b), (x, y))]
        else:
            waiting += [((a, b), (x, (b + y) / 2)), ((a, (b + y) / 2), (x, y))]
    return not waiting


@pytest.mark.parametrize("lam", LINES, ids=str)
def test_what_the_proof_of_noisy_max_leaves_to_balls(lam: F) -> None:
    """The last step of its docstring, on two rectangles of α and β."""
    with working(53):
        exact, most = arb(lam.numerator) / lam.denominator, LINES[lam]
        first, last = float((1 - exact) / C) + 1e-9, float(2 - (1 + exact) / C) - 1e-9
        low, high = 0.6931, 1.3863 if lam == 0 else 2 + float(lam)
        kappa = 1 + (C - 1) * arb(LARGEST_K.numerator) / LARGEST_K.denominator
        assert (kappa - exact) ** 2 / (4 * kappa) < arb(most.numerator) / most.denominator
        small = partial(added, before, exact), (0.0, low), (first, high)
        large = partial(added, behind, exact), (last, low), (8.0, high)
        assert stays_below(most, *small) and stays_below(most, *large)
        for bound, (a, b), (x, y) in (small, large):
            rows = [(a + (x - a) * i / 60, b + (y - b) * j / 6) for i in range(1, 60) for j in range(7)]
            greatest, alpha, beta = max((float(bound(arb(r), arb(s)).lower()), r, s) for r, s in rows)
            assert greatest > 0.7 * most, "no line is far above what is left"
            near = (alpha - 0.01, beta - 0.01), (alpha + 0.01, beta + 0.01)
            assert not stays_below(F(greatest) * F(99, 100), bound, *near)


def added(more: Any, lam: arb, alpha: arb, beta: arb) -> arb:
    return centred(alpha, beta, lam) + more(alpha, beta, lam)


@pytest.mark.parametrize("lam", [0.0, 0.25, 0.5, 0.75])
def test_what_is_added_is_the_integral(lam: float) -> None:
    """By quadrature of the definition, with both envelopes, at the densities' own places."""
    c, t = 4 / math.e, np.linspace(-20, 6, 260_001)
    step, r = t[1] - t[0], 1 + 4 / math.e * np.expm1(abs(t))
    for alpha, beta in ((0.6 * (1 - lam) / c, 1.1), (1.3, 1.2), (3.0, 2.0)):
        v = np.where(t < 0, 1 / r, r)
        speed = np.where(t < 0, v + (c - 1) * v**2, v + c - 1)
        slope = np.gradient(speed * alpha * np.exp(-alpha * v), t) - lam * speed * alpha * np.exp(-alpha * v)
        worst = np.where((t < 0) == (slope > 0), np.exp(-beta * v), math.exp(-beta))
        more = before if alpha * c < 1 - lam else behind
        with working(53):
            assert alpha * c < 1 - lam or alpha * c > 2 * c - 1 - lam or alpha == 1.3
            found = float(added(more, arb(lam), arb(alpha), arb(beta)).mid())
        assert found == pytest.approx(float((worst * slope).sum() * step), abs=2e-3)


LARGEST_K = F(5969, 10000)
"""The largest K(σ)."""


def test_the_largest_k() -> None:
    with working(53):
        assert stays_below(
            LARGEST_K, lambda s, _: 2 * (1 - (1 + s) * (-s).exp()) / s, (1e-3, 0.0), (4.0, 0.0)
        )  # beyond, K < 2/σ


def test_noisy_max_is_above_its_lines() -> None:
    """Those of the proof, by next to nothing."""
    for (slope, height), (lam, most) in zip(lines(pv.NoisyMax(1).noise(1)), LINES.items(), strict=True):
        assert slope == float(lam) and most <= height < most + F(1, 500)


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
