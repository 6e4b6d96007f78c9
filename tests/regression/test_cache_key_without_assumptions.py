"""A continuous and an integer outcome with the same text shared one cached derivation.

On (0, 1) as a density, on {0, 1} as masses: the second pair asked for got the first one's δ. In the
other order the continuous pair was refused for what the integer pair fails.
"""

import math
from fractions import Fraction
from pathlib import Path

import pytest
import sympy as sp
from flint import arb

import pldverify as pv
from pldverify.errors import InvalidInput
from pldverify.symbolic import State
from pldverify.symbolic.ball_pair import ball_pair

R = sp.Rational
REAL, INTEGER = sp.Symbol("t", real=True), sp.Symbol("t", integer=True)


@pytest.fixture(autouse=True)
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLDVERIFY_CACHE_DIR", str(tmp_path))
    ball_pair.cache_clear()


def pair(t: sp.Symbol, p: sp.Expr, q: sp.Expr, support: tuple[int, int]) -> pv.DensityPair:
    return pv.derive_pair(p, q, t, {t: support}).mechanism()


def reviewed(t: sp.Symbol) -> tuple[sp.Expr, sp.Expr]:
    u = 1 - 2 * t
    difference, base = u / 4 + u**3 / 12, R(1, 2) + 3 * t - 3 * t**2
    return base + difference / 2, base - difference / 2


def delta(t: sp.Symbol, direction: str) -> pv.Enclosure:
    return pv.delta(pair(t, *reviewed(t), (0, 1)), epsilon="0.1", adjacency=direction)  # type: ignore[arg-type]


@pytest.mark.slow
@pytest.mark.parametrize("direction", ["remove", "add"])
def test_the_order_of_questions_changes_nothing(
    direction: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = delta(REAL, direction), delta(INTEGER, direction)
    monkeypatch.setenv("PLDVERIFY_CACHE_DIR", str(tmp_path / "other"))
    second = delta(INTEGER, direction), delta(REAL, direction)
    for one, other in zip(first, second[::-1], strict=True):
        assert (one.lower, one.upper) == (other.lower, other.upper)
    masses = (2 - math.exp(0.1)) / 3  # on {0, 1}: P = (2/3, 1/3), Q the reverse
    assert abs(float(first[1]) - masses) < 1e-14 and abs(float(first[0]) - 0.03885319401096775) < 1e-14


@pytest.mark.parametrize("symbols", [(REAL, INTEGER), (INTEGER, REAL)])
def test_masses_are_not_densities(symbols: tuple[sp.Symbol, sp.Symbol]) -> None:
    """Uniform against a slope: on (−1, 1) a trapezium, on {−1, 0, 1} three masses."""
    for t in symbols:
        level = R(1, 3) if t.is_integer else R(1, 2)
        found = pv.derive_pair(level * (1 + t / 4), level, t, {t: (-1, 1)})
        assert not found.failed and found.densities.is_integer is bool(t.is_integer)
        expected = R(1, 12) if t.is_integer else R(1, 16)
        value = ball_pair(found.mechanism()).delta(Fraction(0))
        assert value.overlaps(arb(int(expected.p)) / int(expected.q)) and value.rad() < 1e-12


def test_assumptions_of_a_parameter_are_in_the_key() -> None:
    t = REAL
    for kind in ({"positive": True}, {"positive": True, "integer": True}):
        a = sp.Symbol("a", **kind)
        found = pv.derive_pair(sp.exp(-t), a * sp.exp(-a * t), t, {t: (0, sp.oo), a: (1, sp.oo)})
        assert bool(found.parameters[0].is_integer) is ("integer" in kind)
        assert {o.state for o in found.obligations} == {State.PROVED}


def test_symbols_of_one_name_are_refused() -> None:
    a = sp.Symbol("t", positive=True)
    with pytest.raises(InvalidInput, match="different names"):
        pv.derive_pair(sp.exp(-REAL), a * sp.exp(-a * REAL), REAL, {REAL: (0, sp.oo), a: (1, sp.oo)})
