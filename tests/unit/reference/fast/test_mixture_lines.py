"""Bounds from parallel lines against |φ(u)|, summed in mpmath."""

import math
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from flint import arb

from pldverify.balls.ball import ball, lower, working
from pldverify.reference.fast.gaussian_mixture import ByTrapezoid
from pldverify.reference.fast.hints.gaussian_mixture import reach
from pldverify.reference.fast.mixture_lines import _last_cell, lines_over, parallel_lines
from pldverify.reference.lemmas.parallel_lines import ParallelLines, heights
from pldverify.reference.search.cumulant import cumulant
from tests.oracle.closed_forms import context, mixture_integral, real

LAWS = [
    ("1", "0.01", "2.5"),
    ("0.4", "0.3", "1"),
    ("5", "0.5", "12"),
    ("1", "0.2", "-3"),
    ("0.5", "0.01", "-20"),
    ("20", "0.9", "-7"),
    ("2", "0.1", "0"),
]


def lines(sigma: str, q: str, p: str) -> ParallelLines:
    c, qq = 1 / ball(Fraction(sigma)), ball(Fraction(q))
    mass = ByTrapezoid(Fraction(sigma), Fraction(q), "remove").on_line(Fraction(p) - 1, Fraction(0), 0)
    ends = reach(float(c), float(q), float(p))
    return parallel_lines(
        c, qq, ball(Fraction(p)), mass[0].real, ends, heights(1 / Fraction(sigma), Fraction("3/2"), 5)
    )


def size(mp: Any, sigma: str, q: str, p: str, u: float) -> Any:
    """|φ(u)|; the nodes resolve its phase, whose slope is at most 1/σ."""
    high = mp.mpf(15) + max(real(mp, p), 0) / real(mp, sigma)
    step = min(mp.mpf(1) / 4, 3 * real(mp, sigma) / (u + 1))

    def moment(power: Any) -> Any:
        return mixture_integral(mp, real(mp, sigma), real(mp, q), power, mp.mpf(-25), high, step)

    return abs(moment(mp.mpc(real(mp, p), u)) / moment(real(mp, p)))


@pytest.mark.parametrize(("sigma", "q", "p"), LAWS)
def test_no_frequency_exceeds_the_bound(sigma: str, q: str, p: str) -> None:
    mp = context(20)
    law = ByTrapezoid(Fraction(sigma), Fraction(q), "remove")
    deviation = math.sqrt(cumulant(law, float(p) - 1)[2])
    with working(64):
        found, whole = lines(sigma, q, p), law.decay(Fraction(p) - 1)
        for part in (0.5, 2, 8):
            u = part / deviation
            truth = arb(mp.nstr(mp.log(size(mp, sigma, q, p, u)), 20))
            assert not truth > found.log_sup(arb(u))
            assert not truth > whole.log_sup(arb(u))


def test_the_bound_falls_faster_than_any_power() -> None:
    with working(64):
        found = lines("1", "0.01", "2.5")
        logs = [float(found.log_sup(arb(2) ** i)) for i in range(6, 40)]
    falls = [before - after for before, after in pairwise(logs)]
    assert logs == sorted(logs, reverse=True) and falls == sorted(falls)
    assert falls[-1] > 15 * math.log(2)  # faster than u^{−15} there


def test_a_frequency_is_taken_at_its_lower_end() -> None:
    with working(64):
        found = lines("1", "0.2", "-3")
        assert found.log_sup(arb(20, 5)) == found.log_sup(arb(20, 5).lower())
        assert lower(found.log_sup(arb(20, 5))) > lower(found.log_sup(arb(20)))


def test_lines_of_a_large_tilt_tell_what_beyond_the_cells_does_not_count() -> None:
    """The bound there was 10^(13 digits) once. The truth in balls from the trapezoidal rule."""
    p = Fraction(-5 * 10**10)
    law = ByTrapezoid(Fraction(1, 2), Fraction(1, 10**5), "remove")
    with working(64):
        found = lines("0.5", "1e-5", str(p))
        for u in (-2 * p, -10 * p):
            mass, value = law.on_line(p - 1, u, 1)
            truth = abs(value / mass).log()
            assert truth < found.log_sup(ball(u)) < truth / 2


@pytest.mark.parametrize(
    ("sigma", "q", "p", "edge"),
    [
        ("1", "0.5", "-3", "1"),
        ("0.5", "0.01", "-0.5", "0.3"),
        ("0.5", "0.9", "-3", "1"),  # all of w, at c = 2: c for c² is below
        ("20", "0.01", "0.5", "2"),  # 1 − q is nearly all of w
        ("0.5", "0.3", "2", "2"),  # y is
    ],
)
def test_beyond_the_cells(sigma: str, q: str, p: str, edge: str) -> None:
    """∫ φ|w|^p on the line whose angle is 1.5, the widest."""
    mp = context(20)
    c, turn = 1 / real(mp, sigma), mp.expj(mp.mpf("1.5"))

    def integrand(x: Any) -> Any:
        y = real(mp, q) * mp.exp(c * x - c * c / 2)
        return mp.npdf(x) * abs(1 - real(mp, q) + y * turn) ** real(mp, p)

    truth = mp.quad(integrand, [real(mp, edge), 3, 6, 15])
    with working(64):
        found = _last_cell(
            1 / ball(Fraction(sigma)), ball(Fraction(q)), ball(Fraction(p)), ball(Fraction(edge))
        )
    assert float(truth) < float(found) < math.inf


def test_a_line_without_decay_bounds_nothing() -> None:
    assert ParallelLines([([arb(3)], [arb(0)])]).log_sup(arb(100)) == 0
    with working(64):
        assert not ParallelLines([([arb.nan()], [arb(0)])]).log_sup(arb(1)).is_finite()


def test_a_power_of_unknown_sign_is_bounded_for_both() -> None:
    c, q, edges = arb(1), arb("0.1"), [arb(3), arb(4)]
    found = {
        p: lines_over(c, q, arb(*p), arb(1), edges, [Fraction(1)]).lines[0][0][0]
        for p in (("0", "0.5"), ("0.5", "0"), ("-0.5", "0"))
    }
    undecided, positive, negative = found.values()
    assert undecided.upper() >= positive.lower() and undecided.upper() >= negative.lower()
    assert positive > negative  # the sign decides which end of the cell is the worse
