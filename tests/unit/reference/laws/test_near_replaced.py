"""One step up to a cut under replace-one, against integrals in mpmath and numpy; and with planted bugs."""

import math
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pytest
from flint import acb, arb

from pldverify.balls.ball import working
from pldverify.errors import NoConvergence
from pldverify.reference.laws import near_batch, near_substitute, smooth
from pldverify.reference.laws.near_batch import NearBatchLaw
from pldverify.reference.laws.near_substitute import NearSubstituteLaw
from pldverify.reference.laws.shifted_gaussian import ShiftedGaussianLaw
from pldverify.reference.laws.substitute_gaussian import SubstituteGaussianLaw
from tests.oracle.closed_forms import context, real

BITS = 90
Law = NearSubstituteLaw | NearBatchLaw
F = Fraction


def poisson(c: str, q: str, cut: str) -> NearSubstituteLaw:
    return NearSubstituteLaw(SubstituteGaussianLaw(F(c), F(q)), F(cut))


def fixed(c: str, q: str, cut: str) -> NearBatchLaw:
    return NearBatchLaw(ShiftedGaussianLaw(F(c), F(q)), F(cut))


CASES: list[tuple[Law, str, str]] = [
    (poisson("0.2", "1e-5", "9"), "471741", "50000"),
    (poisson("2", "0.01", "4"), "3", "0.5"),
    (poisson("2", "0.3", "2"), "-0.4", "1"),
    (poisson("1", "1e-5", "7"), "2500", "2000"),
    (fixed("0.4", "1e-5", "6"), "100000", "50000"),
    (fixed("2", "0.01", "4"), "3", "0.5"),
    (fixed("2", "0.3", "2"), "-0.4", "1"),
    (fixed("1", "1e-5", "7"), "2500", "2000"),
]
"""Law, tilt and step."""


def moment(mp: Any, law: Law, z: Any) -> Any:
    """M_c(z) by Gauss–Legendre panels of mpmath."""
    c, cut = real(mp, law.law.shift), real(mp, law.cut)
    q = real(mp, law.law.q if isinstance(law, NearSubstituteLaw) else law.law.draws)

    def log_w(x: Any, side: int) -> Any:
        return mp.log1p(q * mp.expm1(side * c * x - c * c / 2))

    def phi(x: Any, log: Any) -> Any:
        return mp.exp(log - x * x / 2) / mp.sqrt(2 * mp.pi)

    def whole(f: Any, low: Any, high: Any) -> Any:
        return mp.quad(f, [low + (high - low) * j / 60 for j in range(61)], maxdegree=4)

    if isinstance(law, NearSubstituteLaw):
        return whole(lambda x: phi(x, (z + 1) * log_w(x, 1) - z * log_w(x, -1)), real(mp, "-14"), cut)
    atom = (1 - q) * mp.erf(c / mp.sqrt(8))
    up = whole(lambda x: phi(x, (z + 1) * log_w(x, 1)), c / 2, cut)
    return atom + up + whole(lambda x: phi(x, -z * log_w(x, 1)), c / 2, real(mp, "14"))


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
        line = law.on_line(F(theta), F(step), 8)
        size = abs(arb(str(truth(case, 0).real)))
        for j in (0, 8):
            value = acb(arb(str(truth(case, j).real)), arb(str(truth(case, j).imag)))
            slack = arb(0, size * arb("1e-22"))
            assert line[j].real.rad() < size * arb("1e-18")
            if not (line[j] + acb(slack, slack)).contains(value):
                found.append(j)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("case", range(len(CASES)))
def test_the_transform_is_the_integral(case: int) -> None:
    assert not missed(case)


@pytest.mark.parametrize("case", [1, 5])
def test_a_path_that_does_not_come_back_is_caught(case: int, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = smooth._path
    monkeypatch.setattr(smooth, "_path", lambda piece, found: whole(piece, found)[: -max(1, found.turns)])
    assert missed(case)


@pytest.mark.parametrize(("case", "module"), [(1, near_substitute), (5, near_batch)])
def test_what_is_omitted_counts(case: int, module: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    law, theta, _ = CASES[case]
    monkeypatch.setattr(module, "low_end", lambda *_: F(-3))
    with working(BITS):
        exact = arb(str(truth(case, 0).real))
        assert law.on_line(F(theta), F(0), 0)[0].real.contains(exact)
        monkeypatch.setattr(module, "beyond", lambda *_: arb(0))
        assert not law.on_line(F(theta), F(0), 0)[0].real.contains(exact)


@pytest.mark.parametrize("case", range(len(CASES)))
def test_near_and_far_are_all(case: int) -> None:
    law, _, _ = CASES[case]
    with working(BITS):
        for theta, mass in zip((0, -1), law.far(), strict=True):
            assert (law.on_line(F(theta), F(0), 0)[0].real + mass).contains(1)
            assert mass > 0


def log_size(law: Law, theta: float, u: float) -> float:
    """log |φ(u)| in doubles, with atoms."""
    nodes, weights = np.polynomial.legendre.leggauss(40)
    c, cut = float(law.law.shift), float(law.cut)
    batch = isinstance(law, NearBatchLaw)
    q = float(law.law.draws if isinstance(law, NearBatchLaw) else law.law.q)  # type: ignore[arg-type]
    logs, losses = [], []

    def rise(x: Any, side: int) -> Any:
        return np.log1p(q * np.expm1(side * c * x - c * c / 2))

    for low, high, side in ((c / 2, cut, 1), (c / 2, 11.0, -1)) if batch else ((-11.0, cut, 0),):
        ends = np.linspace(low, high, 401)
        x = ((ends[:-1, None] + ends[1:, None] + (ends[1] - ends[0]) * nodes) / 2).ravel()
        loss = rise(x, 1) * side if batch else rise(x, 1) - rise(x, -1)
        first = rise(x, 1) if side >= 0 else 0.0
        scale = np.log(np.tile(weights, 400) * (ends[1] - ends[0]) / 2 / math.sqrt(2 * math.pi))
        logs.append(first + theta * loss - x * x / 2 + scale)
        losses.append(loss)
    if batch:
        logs.append(np.array([math.log((1 - q) * math.erf(c / math.sqrt(8)))]))
        losses.append(np.zeros(1))
    log, loss = np.concatenate(logs), np.concatenate(losses)
    size = np.exp(log - log.max())
    return math.log(abs((size * np.exp(1j * u * loss)).sum()) / size.sum())


FREQUENCIES = {0: [1e5, 1e6], 3: [3e4, 1e5, 1e6], 4: [1e5, 1e6], 7: [3e4, 3e5]}


def exceeded(case: int) -> list[float]:
    """Frequencies at which the characteristic function is above its bound from lines or the whole of it."""
    law, theta, _ = CASES[case]
    found = []
    with working(64):
        decay = law.decay(F(theta))
        assert decay.lines is not None
        lines = decay.lines()
        for u in FREQUENCIES[case]:
            size = log_size(law, float(theta), u) - 1e-9
            if arb(size) > lines.log_sup(arb(u)) or arb(size) > decay.log_sup(arb(u)):
                found.append(u)
        assert lines.log_sup(arb(FREQUENCIES[case][-1])) < -0.5  # it bounds something
    return found


@pytest.mark.parametrize("case", FREQUENCIES)
def test_no_frequency_exceeds_the_bound(case: int) -> None:
    assert not exceeded(case)


def test_an_atom_left_out_of_the_bound_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = NearBatchLaw.points
    law = CASES[7][0]
    with working(64):
        decay = law.decay(F(2500))
        assert decay.lines is not None
        monkeypatch.setattr(NearBatchLaw, "points", lambda law: [(s, m / 1000) for s, m in honest(law)])
        assert arb(log_size(law, 2500.0, 1e8)) > decay.lines().log_sup(arb(10) ** 8)


def test_tilts_below_the_strip_and_empty_laws_prove_nothing() -> None:
    with working(64):
        for law, _, _ in CASES:
            assert not law.omitted(F(-2), law.pieces(F(-2))).is_finite()
        for empty in (poisson("1", "0.1", "-30"), fixed("1", "0.1", "0.1")):
            with pytest.raises(NoConvergence, match="near"):
                empty.on_line(F(1), F(0), 0)
