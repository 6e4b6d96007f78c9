"""One step up to a cut, against integrals in mpmath and numpy; and with planted bugs."""

import math
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pytest
from flint import acb, arb

from pldverify.balls.ball import working
from pldverify.errors import InvalidInput, NoConvergence
from pldverify.reference.laws import gaussian_stretches, smooth
from pldverify.reference.laws.gaussian_mixture import GaussianMixtureLaw
from pldverify.reference.laws.gaussian_pair import GaussianPairLaw
from pldverify.reference.laws.near import NearLaw
from pldverify.reference.laws.sampled import up_to
from pldverify.reference.laws.shifted_gaussian import ShiftedGaussianLaw
from pldverify.reference.lemmas import strip_lines
from tests.oracle.closed_forms import context, normal_tail, real
from tests.teeth.planted import Plant, planted

BITS = 90
F = Fraction
Case = tuple[str, str, str, str, str, str]
CASES: list[Case] = [
    ("remove", "0.2", "1e-5", "13.5", "471741", "50000"),
    ("remove", "2", "0.01", "4", "-0.4", "1"),
    ("remove", "2", "0.01", "4", "3", "0.5"),
    ("remove", "1", "1e-5", "8", "2500", "100"),
    ("remove", "2", "0.01", "4", "-2", "1"),
    ("replaced", "0.2", "1e-5", "9", "471741", "50000"),
    ("replaced", "2", "0.01", "4", "3", "0.5"),
    ("replaced", "2", "0.3", "2", "-0.4", "1"),
    ("replaced", "1", "1e-5", "7", "2500", "2000"),
    ("fixed", "0.4", "1e-5", "6", "100000", "50000"),
    ("fixed", "2", "0.01", "4", "3", "0.5"),
    ("fixed", "2", "0.3", "2", "-0.4", "1"),
    ("fixed", "1", "1e-5", "7", "2500", "2000"),
]
"""Kind, c, q, cut, tilt and step; some are tilted so much that their mass is next to the cut."""


def law_of(case: Case) -> NearLaw:
    kind, c, q, cut, _, _ = case
    if kind == "remove":
        return up_to(GaussianMixtureLaw(1 / F(c), F(q), "remove"), F(cut))
    drawn = ((0, 1 - F(q)), (1, F(q)))
    return up_to(
        GaussianPairLaw(F(c), drawn, drawn) if kind == "replaced" else ShiftedGaussianLaw(F(c), F(q)), F(cut)
    )


def moment(mp: Any, case: Case, z: Any) -> Any:
    """M_c(z) by Gauss–Legendre panels of mpmath."""
    kind, c, q, cut = case[0], *(real(mp, text) for text in case[1:4])

    def phi(x: Any, first: Any, second: Any) -> Any:
        up, down = (mp.log1p(q * mp.expm1(side * c * x - c * c / 2)) for side in (1, -1))
        return mp.exp(first * up + second * down - x * x / 2) / mp.sqrt(2 * mp.pi)

    def whole(f: Any, low: Any, high: Any) -> Any:
        return mp.quad(f, [low + (high - low) * j / 60 for j in range(61)], maxdegree=4)

    if kind != "fixed":
        return whole(lambda x: phi(x, z + 1, -z if kind == "replaced" else 0), real(mp, "-14"), cut)
    atom = (1 - q) * mp.erf(c / mp.sqrt(8))
    up = whole(lambda x: phi(x, z + 1, 0), c / 2, cut)
    return atom + up + whole(lambda x: phi(x, -z, 0), c / 2, real(mp, "14"))


@cache
def truth(case: Case, multiple: int) -> Any:
    mp = context(30)
    return moment(mp, case, mp.mpc(real(mp, case[4]), multiple * real(mp, case[5])))


def missed(case: Case) -> list[int]:
    """Nodes at which the transform does not agree with the integral to 18 digits."""
    found = []
    with working(BITS):
        line = law_of(case).on_line(F(case[4]), F(case[5]), 8)
        size = abs(arb(str(truth(case, 0).real)))
        for j in (0, 8):
            value = acb(arb(str(truth(case, j).real)), arb(str(truth(case, j).imag)))
            slack = arb(0, size * arb("1e-22"))
            assert line[j].real.rad() < size * arb("1e-18")
            if not (line[j] + acb(slack, slack)).contains(value):
                found.append(j)
    return found


@pytest.mark.sample(1)
@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_transform_is_the_integral(case: Case) -> None:
    assert not missed(case)


@pytest.mark.parametrize("case", [CASES[2], CASES[6], CASES[10]], ids=str)
def test_a_path_that_does_not_come_back_is_caught(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = smooth._path
    monkeypatch.setattr(smooth, "_path", lambda piece, found: whole(piece, found)[: -max(1, found.turns)])
    assert missed(case)


@pytest.mark.parametrize("case", [CASES[2], CASES[6], CASES[10]], ids=str)
def test_what_is_omitted_counts(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    end = gaussian_stretches.Stretch._end
    monkeypatch.setattr(
        gaussian_stretches.Stretch,
        "_end",
        lambda law, *given: end(law, *given) if given[1] > 0 else max(F(-3), end(law, *given)),
    )
    with working(BITS):
        exact = arb(str(truth(case, 0).real))
        assert law_of(case).on_line(F(case[4]), F(0), 0)[0].real.contains(exact)
        gaussian_stretches._pieces.cache_clear()
        monkeypatch.setattr(gaussian_stretches, "beyond", lambda *_: arb(0))
        assert not law_of(case).on_line(F(case[4]), F(0), 0)[0].real.contains(exact)
    gaussian_stretches._pieces.cache_clear()


@pytest.mark.parametrize("case", CASES, ids=str)
def test_near_and_far_are_all(case: Case) -> None:
    mp, law = context(30), law_of(case)
    c, q, cut = (real(mp, text) for text in case[1:4])
    base = normal_tail(mp, cut)
    first, second = ((1 - q) * base + q * normal_tail(mp, cut - side * c) for side in (1, -1))
    with working(BITS):
        for mass, exact in zip(law.far(), (first, second if case[0] == "replaced" else base), strict=True):
            assert abs(mass / arb(str(exact)) - 1) < arb("1e-22")
        for theta, mass in ((0, law.far()[0]), (-1, law.far()[1])):
            assert (law.on_line(F(theta), F(0), 0)[0].real + mass).contains(1)
        up, down = (mp.log1p(q * mp.expm1(side * c * cut - c * c / 2)) for side in (1, -1))
        assert law.largest_finite_loss.overlaps(arb(str(up - (down if case[0] == "replaced" else 0))))


def log_size(case: Case, u: float) -> float:
    """log |φ(u)| in doubles, with atoms."""
    nodes, weights = np.polynomial.legendre.leggauss(40)
    kind, (c, q, cut, theta) = case[0], map(float, case[1:5])
    logs, losses = [], []

    def rise(x: Any, side: int) -> Any:
        return np.log1p(q * np.expm1(side * c * x - c * c / 2))

    for low, high, side in ((c / 2, cut, 1), (c / 2, 11.0, -1)) if kind == "fixed" else ((-11.0, cut, 0),):
        ends = np.linspace(low, high, 401)
        x = ((ends[:-1, None] + ends[1:, None] + (ends[1] - ends[0]) * nodes) / 2).ravel()
        loss = rise(x, 1) * side if side else rise(x, 1) - (rise(x, -1) if kind == "replaced" else 0.0)
        first = rise(x, 1) if side >= 0 else 0.0
        scale = np.log(np.tile(weights, 400) * (ends[1] - ends[0]) / 2 / math.sqrt(2 * math.pi))
        logs.append(first + theta * loss - x * x / 2 + scale)
        losses.append(loss)
    if kind == "fixed":
        logs.append(np.array([math.log((1 - q) * math.erf(c / math.sqrt(8)))]))
        losses.append(np.zeros(1))
    log, loss = np.concatenate(logs), np.concatenate(losses)
    size = np.exp(log - log.max())
    return math.log(abs((size * np.exp(1j * u * loss)).sum()) / size.sum())


FREQUENCIES = {
    CASES[0]: [1e5, 1e6],
    CASES[3]: [3e2, 3e3, 2e4],
    CASES[5]: [1e5, 1e6],
    CASES[8]: [3e4, 1e5, 1e6],
    CASES[9]: [1e5, 1e6],
    CASES[12]: [3e4, 3e5, 3e6],
}


def exceeded(case: Case, close: float = math.inf) -> list[float]:
    """Frequencies at which the characteristic function is above its bound from lines or the whole of it."""
    found = []
    with working(64):
        decay = law_of(case).decay(F(case[4]))
        assert decay.lines is not None
        lines = decay.lines()
        for u in FREQUENCIES[case]:
            size = log_size(case, u) - 1e-9
            if arb(size) > lines.log_sup(arb(u)) or arb(size) > decay.log_sup(arb(u)):
                found.append(u)
            assert lines.log_sup(arb(u)) < size + close
        assert lines.log_sup(arb(FREQUENCIES[case][-1])) < -0.5  # it bounds something
    return found


@pytest.mark.parametrize("case", FREQUENCIES, ids=str)
def test_no_frequency_exceeds_the_bound(case: Case) -> None:
    assert not exceeded(case)


PLANTS: list[tuple[Plant, Case]] = [
    (("cells += ways(pieces[-1], None, tilt, height)", "pass"), CASES[3]),
    (("cells += ways(left, right, tilt, height)", "pass"), CASES[12]),
    (("loss.imag for loss in losses).lower()", "4 * loss.imag for loss in losses).lower()"), CASES[3]),
    (("self.gap[0] * fall + self.gap[1] * steep", "self.gap[0] * fall"), CASES[12]),
]


@pytest.mark.parametrize(("plant", "case"), PLANTS, ids=str)
def test_planted_bugs_in_the_lines_are_caught(
    plant: Plant, case: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = planted(strip_lines, plant)
    for name in ("Cell", "StripLines", "strip_line"):
        monkeypatch.setattr(gaussian_stretches, name, getattr(wrong, name))
    assert exceeded(case)


def test_an_atom_left_out_of_the_bound_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    honest, case = NearLaw.points, CASES[12]
    with working(64):
        monkeypatch.setattr(NearLaw, "points", lambda law: [(s, m / 1000) for s, m in honest(law)])
        lines = law_of(case).lines(F(2500), arb(1))
        assert lines is not None and arb(log_size(case, 1e6)) > lines().log_sup(arb(10) ** 6)


def test_little_or_nothing_up_to_a_cut() -> None:
    mp = context(20)
    with working(64):
        for kind in ("remove", "replaced"):
            law = law_of((kind, "1", "0.1", "-30", "1", "1"))
            mass = law.on_line(F(0), F(0), 0)[0].real
            assert mass.overlaps(law.mass()) and not mass.overlaps(arb(0))
            share = real(mp, "0.1") if kind == "replaced" else 0
            exact = normal_tail(mp, mp.mpf(30)) * (1 - share) + share * normal_tail(mp, mp.mpf(29))
            assert abs(law.on_line(F(-1), F(0), 0)[0].real / arb(str(exact)) - 1) < 1e-12
        empty = law_of(("fixed", "1", "0.1", "0.1", "1", "1"))
        with pytest.raises(NoConvergence, match="no outcome lies between"):
            empty.on_line(F(1), F(0), 0)
        with pytest.raises(NoConvergence, match="no loss is above 0"):
            law_of(("fixed", "1", "0.1", "0.1", "1", "1")).far()
    with pytest.raises(InvalidInput, match="one component"):
        NearLaw(ShiftedGaussianLaw(F(1), (2, 10)), F(3)).far()


@pytest.mark.parametrize("kind", ["remove", "replaced", "fixed"])
def test_the_masses_are_those_of_the_transform(kind: str) -> None:
    law = law_of((kind, "1", "0.1", "3", "1", "1"))
    with working(64):
        whole, other = (law.on_line(F(theta), F(0), 0)[0].real for theta in (0, -1))
        assert whole.overlaps(law.mass()) and other.overlaps(1 - law.far()[1])
        assert not whole.overlaps(1 - law.far()[1])
