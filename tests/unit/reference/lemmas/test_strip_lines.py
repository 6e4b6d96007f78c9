"""Bounds from lines through a strip against |φ(u)|, integrated in mpmath."""

import math
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from flint import arb

from pldverify.balls.ball import working
from pldverify.reference.laws.printed_with_replacement import PrintedWithReplacementLaw
from pldverify.reference.laws.smooth import SmoothLaw
from pldverify.reference.laws.substitute_gaussian import SubstituteGaussianLaw
from pldverify.reference.lemmas import strip_lines
from pldverify.reference.lemmas.piece import Piece
from pldverify.reference.lemmas.strip_lines import along
from pldverify.reference.search.cumulant import cumulant
from tests.oracle.closed_forms import context, real

DIGITS = 20
KJH19 = [("0.5", "0.05"), ("1.5", "0.3"), ("0.25", "0.9")]
KJH20 = [("0.25", 2, 100), ("0.5", 3, 7)]
TILTS = ("-6", "-0.4", "2.5", "8")
LAWS = [SubstituteGaussianLaw(Fraction(c), Fraction(q)) for c, q in KJH19]
LAWS += [PrintedWithReplacementLaw(Fraction(c), m, n) for c, m, n in KJH20]


def terms(law: SmoothLaw) -> list[Fraction]:
    """a_j of f₊(x) = Σ a_j e^{jcx − (jc)²/2}."""
    if isinstance(law, SubstituteGaussianLaw):
        return [1 - law.q, law.q]
    m, n = law.m, law.n
    return [Fraction(math.comb(m, j) * (n - 1) ** (m - j), n**m) for j in range(m + 1)]


def factor(mp: Any, law: SmoothLaw, x: Any) -> Any:
    """f₊(x), by powers of e^{cx}."""
    c, total = real(mp, law.shift), mp.mpf(0)
    growth = mp.exp(c * x)
    for j, a in reversed(list(enumerate(terms(law)))):
        total = total * growth + real(mp, a) * mp.exp(-c * c * j * j / 2)
    return total


@cache
def logarithms(law: SmoothLaw) -> list[tuple[Any, Any, Any]]:
    """x and log f₊(x), log f₊(−x) on a grid."""
    mp = context(DIGITS)
    nodes = [mp.mpf(j) / 10 for j in range(-250, 251)]
    ups = [mp.log(factor(mp, law, x)) for x in nodes]
    return list(zip(nodes, ups, reversed(ups), strict=True))


def sizes(mp: Any, law: SmoothLaw, theta: str, frequencies: list[float]) -> list[Any]:
    """|φ(u)| by the trapezoidal rule, whose error is that of its strip: below 1e-30 at this step."""
    tilt = real(mp, theta)
    rows = [
        (mp.exp(-x * x / 2 + (tilt + 1) * up - tilt * down), up - down) for x, up, down in logarithms(law)
    ]
    least = max(rows)[0] * mp.mpf(10) ** -35
    rows = [row for row in rows if row[0] > least]
    whole = mp.fsum(w for w, _ in rows)
    return [abs(mp.fsum(w * mp.expj(u * s) for w, s in rows)) / whole for u in frequencies]


def exceeded(law: SmoothLaw, theta: str) -> list[float]:
    """Frequencies, in deviations, at which |φ| is above the bound from lines or the whole of it."""
    mp = context(DIGITS)
    deviation = math.sqrt(cumulant(law, float(theta))[2])
    parts = (0.5, 2.0, 6.0)
    truths = sizes(mp, law, theta, [part / deviation for part in parts])
    found = []
    with working(64):
        decay = law.decay(Fraction(theta))
        assert decay.lines is not None
        lines = decay.lines()
        assert lines.log_sup(arb(6 / deviation)) < -1  # it bounds something
        for part, size in zip(parts, truths, strict=True):
            u, truth = arb(part / deviation), arb(mp.nstr(mp.log(size), 18))
            if truth > lines.log_sup(u) or truth > decay.log_sup(u):
                found.append(part)
    return found


@pytest.mark.sample(7)
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
    mp = context(DIGITS)
    turn, largest = real(mp, getattr(law, "m", 1) * law.shift), mp.mpf(0)
    for part in ("0.3", "0.95"):
        height = mp.pi * real(mp, part) / turn
        rows = []
        for j in range(-40, 41):
            ends = (mp.mpf(j) / 2 + 1j * height, mp.mpf(j) / 2)
            rows.append([(mp.exp(-z * z / 2), factor(mp, law, z), factor(mp, law, -z)) for z in ends])
        for theta in ("-3", "-0.5", "4"):
            with working(64):
                bound = strip_lines.growth(arb(theta), arb(mp.nstr(height, 20)), arb(mp.nstr(turn)))
            tilt = real(mp, theta)
            for row in rows:
                above, below = (abs(w * up ** (tilt + 1) * down**-tilt) for w, up, down in row)
                largest = max(largest, above / below / mp.exp(height**2 / 2))
                assert above <= mp.mpf(float(bound)) * below * (1 + mp.mpf(10) ** -12)
    assert largest > 1.1  # without the cosine the bound would be wrong
