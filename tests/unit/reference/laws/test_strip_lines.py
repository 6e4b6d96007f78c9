"""Bounds from lines through a strip against |φ(u)|, integrated in mpmath."""

import itertools
import math
from fractions import Fraction
from typing import Any

import pytest
from flint import arb

from pldverify.reference.balls import working
from pldverify.reference.laws import strip_lines
from pldverify.reference.laws.printed_with_replacement import PrintedWithReplacementLaw
from pldverify.reference.laws.smooth import Piece, SmoothLaw
from pldverify.reference.laws.strip_lines import along
from pldverify.reference.laws.substitute_gaussian import SubstituteGaussianLaw
from tests.oracle.closed_forms import context, real

KJH19 = [("0.5", "0.05"), ("1.5", "0.3"), ("0.25", "0.9")]
KJH20 = [("0.25", 2, 100), ("0.5", 3, 7)]
TILTS = ("-6", "-0.4", "2.5", "8")
LAWS = [SubstituteGaussianLaw(Fraction(c), Fraction(q)) for c, q in KJH19]
LAWS += [PrintedWithReplacementLaw(Fraction(c), m, n) for c, m, n in KJH20]


def factor(mp: Any, law: SmoothLaw, x: Any) -> Any:
    """f₊(x)."""
    c = real(mp, str(law.shift))
    if isinstance(law, SubstituteGaussianLaw):
        q = real(mp, str(law.q))
        return 1 - q + q * mp.exp(c * x - c * c / 2)
    m, n = law.m, law.n
    return mp.fsum(
        mp.binomial(m, j) * mp.mpf(n - 1) ** (m - j) / mp.mpf(n) ** m * mp.exp(c * j * x - c * c * j * j / 2)
        for j in range(m + 1)
    )


def size(mp: Any, law: SmoothLaw, theta: str, u: float) -> Any:
    """|φ(u)| by the trapezoidal rule, whose error is that of its strip: below 1e-30 at this step."""
    tilt, step, rows = real(mp, theta), mp.mpf(1) / 10, []
    for j in range(-250, 350):
        x = j * step
        up, down = mp.log(factor(mp, law, x)), mp.log(factor(mp, law, -x))
        rows.append((mp.exp(-x * x / 2 + (tilt + 1) * up - tilt * down), up - down))
    return abs(mp.fsum(w * mp.expj(u * s) for w, s in rows)) / mp.fsum(w for w, _ in rows)


def exceeded(law: SmoothLaw, theta: str) -> list[float]:
    """Frequencies, in deviations, at which |φ| is above the bound from lines or the whole of it."""
    mp = context(20)
    deviation = math.sqrt(law.cumulant(float(theta))[2])
    found = []
    with working(64):
        decay = law.decay(Fraction(theta))
        assert decay.lines is not None
        lines = decay.lines()
        assert lines.log_sup(arb(6 / deviation)) < -1  # it bounds something
        for part in (0.5, 2.0, 6.0):
            u = part / deviation
            truth = arb(mp.nstr(mp.log(size(mp, law, theta, u)), 18))
            if truth > lines.log_sup(arb(u)) or truth > decay.log_sup(arb(u)):
                found.append(part)
    return found


@pytest.mark.parametrize("theta", TILTS)
@pytest.mark.parametrize("law", LAWS, ids=str)
def test_no_frequency_exceeds_the_bound(law: SmoothLaw, theta: str) -> None:
    assert not exceeded(law, theta)


def forgets_the_growth(piece: Piece, tilt: arb, height: arb) -> Any:
    found = along(piece, tilt, height)
    assert found is not None
    real_line = along(piece, tilt, arb(0))
    return (real_line[0], found[1]) if real_line else None


def turns_too_far(piece: Piece, tilt: arb, height: arb) -> Any:
    found = along(piece, tilt, height)
    assert found is not None
    return found[0], [1.3 * angle for angle in found[1]]


@pytest.mark.parametrize("bug", [forgets_the_growth, turns_too_far])
def test_planted_bugs_are_caught(bug: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strip_lines, "along", bug)
    assert exceeded(LAWS[0], "2.5")


@pytest.mark.parametrize("law", LAWS, ids=str)
def test_growth_bounds_the_modulus(law: SmoothLaw) -> None:
    mp = context(20)
    m = getattr(law, "m", 1)
    turn, largest = m * law.shift, mp.mpf(0)
    for part, theta in itertools.product(("0.3", "0.95"), ("-3", "-0.5", "4")):
        height, tilt = mp.pi * real(mp, part) / real(mp, str(turn)), real(mp, theta)
        with working(64):
            bound = strip_lines.growth(
                arb(theta), arb(mp.nstr(height, 20)), arb(mp.nstr(real(mp, str(turn))))
            )
        for j in range(-60, 61):
            x = mp.mpf(j) / 3
            above, below = (
                abs(mp.exp(-z * z / 2) * factor(mp, law, z) ** (tilt + 1) * factor(mp, law, -z) ** -tilt)
                for z in (x + 1j * height, x)
            )
            largest = max(largest, above / below / mp.exp(height**2 / 2))
            assert above <= mp.mpf(float(bound)) * below * (1 + mp.mpf(10) ** -12)
    assert largest > 1.1  # without the cosine the bound would be wrong
