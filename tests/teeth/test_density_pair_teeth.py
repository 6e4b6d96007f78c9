"""Planted errors in the laws of users' pairs: each bound is first seen to hold, with poor parameters."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache

import mpmath
import pytest
import sympy as sp

import pldverify as pv
from pldverify.balls import arb
from pldverify.balls.ball import lower, upper, working
from pldverify.balls.memory import forget
from pldverify.errors import NoConvergence
from pldverify.mechanisms.density_pair import DensityPair
from pldverify.reference.laws import density_pair
from pldverify.reference.laws.density_pair import Curve, DensityPairLaw
from pldverify.reference.lemmas.piece import Piece

T = sp.Symbol("t", real=True)
ONE = Fraction(1)


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    forget()
    yield
    forget()


@cache
def gaussian() -> DensityPair:
    first, second = (sp.exp(-((T - m) ** 2) / 2) / sp.sqrt(2 * sp.pi) for m in (1, 0))
    return pv.derive_pair(first, second, T).mechanism()


@cache
def cut() -> DensityPair:
    return pv.derive_pair(sp.exp(-T) / (1 - sp.exp(-1)), sp.exp(T) / (sp.E - 1), T, {T: (0, 1)}).mechanism()


def moment_holds() -> bool:
    """M(1) = e for the Gaussian."""
    forget()
    with working(60):
        value = DensityPairLaw(gaussian(), "remove").on_line(ONE, Fraction(0), 0)[0].real
    return bool(lower(value) <= Fraction(mpmath.nstr(mpmath.exp(1), 15)) <= upper(value))


def test_what_lies_beyond_a_cut_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(density_pair, "ends", lambda curves, theta: [(Fraction(-3), Fraction(4))])
    assert moment_holds()
    monkeypatch.setattr(Curve, "beyond", lambda *_: arb(0))
    assert not moment_holds()


def test_panels_that_leave_a_gap_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = density_pair.panels
    monkeypatch.setattr(density_pair, "panels", lambda *given: whole(*given)[1:])
    with pytest.raises(NoConvergence, match="do not follow"):
        moment_holds()


def modulus(u: int) -> float:
    """log |φ(u)| of the Gaussian pair at any θ."""
    return -u * u / 2


def modulus_of_cut(u: int) -> float:
    """The same at θ = 1 for the pair on (0, 1): L = 1 − 2t + const, tilted density ∝ e^{−3t}."""
    z = mpmath.mpc(-3, -2 * u)
    return float(mpmath.log(abs((mpmath.exp(z) - 1) / z) / ((1 - mpmath.exp(-3)) / 3)))


def bound(pair: DensityPair, u: int) -> float:
    """The proved bound of log |φ(u)| at θ = 1."""
    forget()
    with working(64):
        return float(DensityPairLaw(pair, "remove").decay(ONE).log_sup(arb(u)))


def layers_hold() -> bool:
    gaussian_holds = all(bound(gaussian(), u) >= modulus(u) for u in (1, 2))
    return gaussian_holds and all(bound(cut(), u) >= modulus_of_cut(u) for u in (1, 2))


def test_layers_lie_below_the_density(monkeypatch: pytest.MonkeyPatch) -> None:
    assert layers_hold()
    honest = DensityPairLaw.densest

    def twice(law: DensityPairLaw, theta: Fraction) -> list[Piece]:
        (piece,) = honest(law, theta)
        return [replace(piece, log_weight=lambda x: piece.log_weight(x) + arb(2).log())]

    monkeypatch.setattr(DensityPairLaw, "densest", twice)
    assert not layers_hold()


def test_layers_keep_most_of_the_mass() -> None:
    """Where |φ| is e^{−2}, half of what it lacks of 1 is proved."""
    assert bound(gaussian(), 2) < -0.5


@pytest.mark.slow
def test_a_mixture_with_the_wrong_share_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    def answer() -> pv.Enclosure:
        forget()
        sampled = pv.PoissonSubsampled(gaussian(), "0.1")
        return pv.delta(100 * sampled, epsilon="0.5", adjacency="add", digits=8)

    truth = pv.delta(
        100 * pv.PoissonSubsampled(pv.Gaussian(1), "0.1"), epsilon="0.5", adjacency="add", digits=12
    )
    assert answer().overlaps(truth)
    honest = DensityPairLaw.of
    monkeypatch.setattr(DensityPairLaw, "of", lambda self, loss: honest(self, loss) * 1001 / 1000)
    assert not answer().overlaps(truth)
