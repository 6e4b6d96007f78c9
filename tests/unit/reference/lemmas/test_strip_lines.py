"""Bounds from lines through a strip against |φ(u)|, integrated in mpmath."""

import math
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import Any

import pytest
from flint import arb

from pldverify.balls.ball import working
from pldverify.reference.laws import gaussian_stretches
from pldverify.reference.laws.gaussian_pair import Draws, GaussianPairLaw
from pldverify.reference.lemmas import strip_lines
from pldverify.reference.lemmas.strip_lines import Cell
from pldverify.reference.search.cumulant import cumulant
from tests.oracle.closed_forms import context, real
from tests.teeth.planted import Plant, planted

DIGITS = 20
KJH19 = [("0.5", "0.05"), ("1.5", "0.3"), ("0.25", "0.9")]
KJH20 = [("0.25", 2, 100), ("0.5", 3, 7)]
TILTS = ("-6", "-0.4", "2.5", "8")
TWO = [(Fraction(c), ((0, 1 - Fraction(q)), (1, Fraction(q)))) for c, q in KJH19]
LAWS = [GaussianPairLaw(c, drawn, drawn) for c, drawn in TWO]
LAWS += [GaussianPairLaw(Fraction(c), Draws(m, n), Draws(m, n)) for c, m, n in KJH20]


def terms(law: GaussianPairLaw) -> list[Fraction]:
    """a_j of f₊(x) = Σ a_j e^{jcx − (jc)²/2}."""
    if not isinstance(law.first, Draws):
        return [weight for _, weight in law.first]
    m, n = law.first.m, law.first.n
    return [Fraction(math.comb(m, j) * (n - 1) ** (m - j), n**m) for j in range(m + 1)]


def factor(mp: Any, law: GaussianPairLaw, x: Any) -> Any:
    """f₊(x), by powers of e^{cx}."""
    c, total = real(mp, law.shift), mp.mpf(0)
    growth = mp.exp(c * x)
    for j, a in reversed(list(enumerate(terms(law)))):
        total = total * growth + real(mp, a) * mp.exp(-c * c * j * j / 2)
    return total


@cache
def logarithms(law: GaussianPairLaw) -> list[tuple[Any, Any, Any]]:
    """x and log f₊(x), log f₊(−x) on a grid."""
    mp = context(DIGITS)
    nodes = [mp.mpf(j) / 10 for j in range(-250, 251)]
    ups = [mp.log(factor(mp, law, x)) for x in nodes]
    return list(zip(nodes, ups, reversed(ups), strict=True))


def sizes(mp: Any, law: GaussianPairLaw, theta: str, frequencies: list[float]) -> list[Any]:
    """|φ(u)| by the trapezoidal rule, whose error is that of its strip: below 1e-30 at this step."""
    tilt = real(mp, theta)
    rows = [
        (mp.exp(-x * x / 2 + (tilt + 1) * up - tilt * down), up - down) for x, up, down in logarithms(law)
    ]
    least = max(rows)[0] * mp.mpf(10) ** -35
    rows = [row for row in rows if row[0] > least]
    whole = mp.fsum(w for w, _ in rows)
    return [abs(mp.fsum(w * mp.expj(u * s) for w, s in rows)) / whole for u in frequencies]


def exceeded(law: GaussianPairLaw, theta: str) -> list[float]:
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


@pytest.mark.sample(3)
@pytest.mark.parametrize("theta", TILTS)
@pytest.mark.parametrize("law", LAWS, ids=str)
def test_no_frequency_exceeds_the_bound(law: GaussianPairLaw, theta: str) -> None:
    assert not exceeded(law, theta)


LOG_SIZE = "(piece.log_weight(box) + tilt * loss).real.exp()\n        yield"
PLANTS: list[Plant] = [
    (LOG_SIZE, LOG_SIZE.replace("box", "acb(box.real)").replace("loss)", "piece.loss(acb(box.real)))")),
    (".upper(), loss.imag.lower())", ".upper(), 1.3 * loss.imag.lower())"),
]


@pytest.mark.parametrize("plant", PLANTS, ids=str)
def test_planted_bugs_are_caught(plant: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = planted(strip_lines, plant)
    for name in ("Cell", "StripLines", "strip_line"):
        monkeypatch.setattr(gaussian_stretches, name, getattr(wrong, name))
    assert exceeded(LAWS[0], "2.5")


def test_an_angle_of_unknown_sign_is_left_out() -> None:
    with working(64):
        (piece,) = LAWS[0].pieces(Fraction(2))
        assert strip_lines.strip_line([piece], arb(2), arb(1)) is not None
        assert strip_lines.strip_line([piece], arb(2), arb(-1)) is None  # below the axis
        assert strip_lines.strip_line([replace(piece, low=piece.high)], arb(2), arb(1)) is None


def test_a_joint_falls_with_the_frequency() -> None:
    with working(64):
        for cell in (Cell(arb(2), arb("0.1"), (arb("0.3"), arb(4))), Cell(arb(1), arb(0), (arb(0), arb(1)))):
            values = [cell.bound(arb(2) ** j) for j in range(-3, 20)]
            assert all(not later > before for before, later in pairwise(values[1:]))
            assert cell.gap is not None
            for j, value in zip(range(-3, 20), values, strict=True):
                exact = cell.weight * min(2.0, float(cell.gap[0] + cell.gap[1] * 2**j))
                assert not value < exact * (-(arb(2) ** j) * cell.angle).exp() * (1 - arb(2) ** -50)
