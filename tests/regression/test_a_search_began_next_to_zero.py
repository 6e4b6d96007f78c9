"""A search for ε began at 1e-9, and its steps grew by a half only: 40 evaluations of δ, six times."""

from fractions import Fraction

import pytest
import sympy as sp

import pldverify as pv
from pldverify.balls import arb
from pldverify.reference.engines.closed.threshold import Threshold


def test_a_search_from_next_to_zero_is_short(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Fraction] = []
    honest = Threshold.value

    def counted(self: Threshold, epsilon: Fraction) -> arb:
        asked.append(epsilon)
        return honest(self, epsilon)

    monkeypatch.setattr(Threshold, "value", counted)
    t = sp.Symbol("t", real=True)
    mass = 2 / sp.gamma(sp.Rational(1, 4))
    pair = pv.derive_pair(mass * sp.exp(-((t - 1) ** 4)), mass * sp.exp(-(t**4)), t).mechanism()
    assert pv.epsilon(pair, delta="0.41", adjacency="remove").digits >= 12
    assert 0 < len(asked) < 40
