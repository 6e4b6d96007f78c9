"""One step up to a cut, against integrals in mpmath; and with planted bugs."""

import math
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pytest
from flint import acb, arb

from pldverify.balls.ball import working
from pldverify.errors import NoConvergence
from pldverify.reference.laws import near as near_base
from pldverify.reference.laws.gaussian_mixture import GaussianMixtureLaw
from pldverify.reference.laws.near_mixture import NearMixtureLaw
from tests.oracle.closed_forms import context, normal_tail, real

BITS = 90


def near(sigma: str, q: str, cut: str) -> NearMixtureLaw:
    return NearMixtureLaw(GaussianMixtureLaw(Fraction(sigma), Fraction(q), "remove"), Fraction(cut))


QUIET, LOUD, ENDED = near("5", "1e-5", "13.5"), near("0.5", "0.01", "4"), near("1", "1e-5", "8")
CASES = [(QUIET, "471741", "50000"), (LOUD, "-0.4", "1"), (LOUD, "3", "0.5"), (ENDED, "2500", "100")]
DECAYS = [(QUIET, "471741", [100_000, 1_000_000]), (ENDED, "2500", [300, 3_000, 20_000])]
"""Law, tilt, and steps or frequencies: the last one is tilted so much that its mass is next to the cut."""


def moment(mp: Any, law: NearMixtureLaw, z: Any, low: int = -14) -> Any:
    """M_c(z) by Gauss–Legendre panels of mpmath."""
    c, q, cut = 1 / real(mp, law.law.noise_multiplier), real(mp, law.law.q), real(mp, law.cut)

    def integrand(x: Any) -> Any:
        loss = mp.log1p(q * mp.expm1(c * x - c * c / 2))
        return mp.exp((z + 1) * loss - x * x / 2) / mp.sqrt(2 * mp.pi)

    edges = [low + (cut - low) * j / 30 for j in range(31)]
    return mp.quad(integrand, edges, maxdegree=4)


@cache
def truth(case: int, multiple: int) -> Any:
    law, theta, step = CASES[case]
    mp = context(30)
    return moment(mp, law, mp.mpc(real(mp, theta), multiple * real(mp, step)))


def missed(case: int) -> list[int]:
    """Nodes at which the transform does not agree with the integral to 18 digits."""
    law, theta, step = CASES[case]
    found = []
    with working(BITS):
        line = law.on_line(Fraction(theta), Fraction(step), 8)
        size = abs(arb(str(truth(case, 0).real)))
        for j in (0, 8):
            value = acb(arb(str(truth(case, j).real)), arb(str(truth(case, j).imag)))
            slack = arb(0, size * arb("1e-22"))
            assert line[j].real.rad() < size * arb("1e-18")
            if not (line[j] + acb(slack, slack)).contains(value):
                found.append(j)
    return found


@pytest.mark.parametrize("case", range(len(CASES)))
def test_the_transform_is_the_integral(case: int) -> None:
    assert not missed(case)


def test_a_cut_beyond_everything_is_refused() -> None:
    with working(BITS), pytest.raises(NoConvergence, match="nothing counts"):
        near("1", "0.1", "-30").on_line(Fraction(1), Fraction(0), 0)


def test_what_is_omitted_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = NearMixtureLaw.pieces

    def starts_late(law: NearMixtureLaw, theta: Fraction) -> list[Any]:
        return [law.piece(piece.low, piece.high) for piece in whole(law, theta) if piece.low > -4]

    mp = context(20)
    with working(BITS):
        exact = arb(str(moment(mp, LOUD, real(mp, "3"))))
        monkeypatch.setattr(NearMixtureLaw, "pieces", starts_late)
        assert LOUD.on_line(Fraction(3), Fraction(0), 0)[0].real.contains(exact)
        monkeypatch.setattr(NearMixtureLaw, "omitted", lambda *_: arb(0))
        assert not LOUD.on_line(Fraction(3), Fraction(0), 0)[0].real.contains(exact)


@pytest.mark.parametrize("law", [QUIET, LOUD, ENDED], ids=["quiet", "loud", "ended"])
def test_near_and_far_are_all(law: NearMixtureLaw) -> None:
    mp = context(30)
    c, q, cut = 1 / real(mp, law.law.noise_multiplier), real(mp, law.law.q), real(mp, law.cut)
    second = normal_tail(mp, cut)
    first = (1 - q) * second + q * normal_tail(mp, cut - c)
    with working(BITS):
        for mass, exact in zip(law.far(), (first, second), strict=True):
            assert abs(mass / arb(str(exact)) - 1) < arb("1e-22")
        for theta, mass in ((0, law.far()[0]), (-1, law.far()[1])):
            assert (law.on_line(Fraction(theta), Fraction(0), 0)[0].real + mass).contains(1)
        assert law.largest_finite_loss.overlaps(arb(str(mp.log1p(q * mp.expm1(c * cut - c * c / 2)))))


def log_size(law: NearMixtureLaw, theta: float, u: float) -> float:
    """log |φ(u)| in doubles."""
    nodes, weights = np.polynomial.legendre.leggauss(40)
    ends = np.linspace(-10, float(law.cut), 161)
    x = (ends[:-1, None] + ends[1:, None] + (ends[1] - ends[0]) * nodes) / 2
    c, q = 1 / float(law.law.noise_multiplier), float(law.law.q)
    loss = np.log1p(q * np.expm1(c * x - c * c / 2))
    log = (theta + 1) * loss - x * x / 2
    size = np.exp(log - log.max()) * weights
    return math.log(abs((size * np.exp(1j * u * loss)).sum()) / size.sum())


def exceeded(case: int) -> list[int]:
    """Frequencies at which the characteristic function is above its bound from lines or the whole of it."""
    law, theta, frequencies = DECAYS[case]
    found = []
    with working(64):
        decay = law.decay(Fraction(theta))
        assert decay.lines is not None
        lines = decay.lines()
        for u in frequencies:
            size = log_size(law, float(theta), u) - 1e-9
            if arb(size) > lines.log_sup(arb(u)) or arb(size) > decay.log_sup(arb(u)):
                found.append(u)
        assert lines.log_sup(arb(frequencies[-1])) < -1  # it bounds something
    return found


@pytest.mark.parametrize("case", range(len(DECAYS)))
def test_no_frequency_exceeds_the_bound(case: int) -> None:
    assert not exceeded(case)


def never_comes_back(*_: Any) -> Any:
    return [arb(0)], [arb(0)]


def turns_too_far(*arguments: Any) -> Any:
    weights, angles = WAY_DOWN(*arguments)
    return weights, [4 * angle for angle in angles]


WAY_DOWN: Callable[..., Any] = near_base.back_down


@pytest.mark.parametrize("bug", [never_comes_back, turns_too_far])
def test_planted_bugs_in_the_way_down_are_caught(bug: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(near_base, "back_down", bug)
    assert exceeded(1)


def test_tilts_below_the_strip_prove_nothing() -> None:
    with working(64):
        assert not LOUD.omitted(Fraction(-2), LOUD.pieces(Fraction(-2))).is_finite()
