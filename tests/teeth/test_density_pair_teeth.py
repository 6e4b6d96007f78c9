"""Planted errors in the laws of users' pairs: each bound is first seen to hold, with poor parameters."""

from collections.abc import Iterator
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
from pldverify.reference.lemmas import detour
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


def bound(pair: DensityPair, u: int, part: str) -> float:
    """The proved bound of log |φ(u)| at θ = 1, from the layers or the detours alone."""
    forget()
    with working(64):
        found = DensityPairLaw(pair, "remove").decay(ONE)
        assert found.layers is not None and found.lines is not None
        if part == "layers":
            return float((1 - found.layers.deficit(arb(u))).log())
        return float(found.lines().log_sup(arb(u)))


def test_layers_lie_below_the_density(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(density_pair, "_CELLS", 40)
    assert all(bound(gaussian(), u, "layers") >= modulus(u) for u in (1, 2))
    honest = Curve.layers
    monkeypatch.setattr(
        Curve, "layers", lambda *given: (honest(*given)[0], [2 * level for level in honest(*given)[1]])
    )
    assert not all(bound(gaussian(), u, "layers") >= modulus(u) for u in (1, 2))


@pytest.mark.sample(2)
@pytest.mark.parametrize("u", [5, 20, 100])
def test_detours_bound_what_is_left(u: int, monkeypatch: pytest.MonkeyPatch) -> None:
    assert bound(gaussian(), min(u, 8), "detours") >= modulus(min(u, 8))
    assert bound(cut(), u, "detours") >= modulus_of_cut(u)
    monkeypatch.setattr(detour._Way, "upright", lambda *_: iter(()))
    assert bound(cut(), u, "detours") < modulus_of_cut(u)


def test_a_line_that_is_not_above_the_axis_is_refused() -> None:
    """On the other side of the axis e^{ivℓ} grows."""
    with working(64):
        law = DensityPairLaw(gaussian(), "remove")
        (curve,) = law.curves()
        piece = Piece(
            Fraction(-5), Fraction(6), curve.log_weight, curve.loss, curve.slope, Fraction(1), Fraction(1)
        )
        for height, usable in ((Fraction(1), True), (Fraction(-1), False)):
            found = detour.detour(piece, curve.derivative, arb(1), height)
            assert (found is not None) is usable


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
