"""Pairs in balls are rounded so that they are dominated."""

import random
from fractions import Fraction

import pytest

from pldverify.balls import arb
from pldverify.mechanisms import inward as room
from pldverify.mechanisms.inward import inward

F = Fraction


def stick(p: list[F], q: list[F], alpha: F) -> F:
    return sum((max(F(0), a - alpha * b) for a, b in zip(p, q, strict=True)), F(0))


def test_a_pair_is_rounded_inward(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a coarse grid, where rounding is plain to see: no δ is greater than the true one."""
    monkeypatch.setattr(room, "_BITS", 6)
    draw, found = random.Random(1), 0
    for _ in range(80):
        p, q = ([F(x, 997) for x in _parts(draw)] for _ in range(2))
        for one, other in ((p, q), (q, p)):
            pair = inward(one, other)
            if pair is None:
                continue
            found += 1
            for alpha in (F(j, 8) for j in range(1, 40, 3)):
                assert stick(list(pair.p), list(pair.q), alpha) <= stick(one, other, alpha)
    assert found > 100


def _parts(draw: random.Random) -> list[int]:
    cuts = sorted(draw.randint(0, 997) for _ in range(2))
    return [cuts[0], cuts[1] - cuts[0], 997 - cuts[1]]


def test_sums_of_wide_balls_still_rise() -> None:
    """Two outcomes that may be 0 make a sum's lower end fall: no mass is negative, and what does not fall in
    p/q is one outcome.
    """
    wide = arb(0, 2**-60)
    pair = inward([1 + wide, wide, wide], [arb("0.9") + wide, arb("0.06") + wide, arb("0.04") + wide])
    assert (
        pair is not None
        and len(pair.p) == 2
        and 0 < pair.p[1] < F(1, 2**58)
        and abs(pair.q[1] - F(1, 10)) < F(1, 2**50)
    )
    assert all(mass >= 0 for mass in room._masses([1 + wide, wide, wide], 0))


def test_an_outcome_of_no_mass_hides_no_loss_that_rises() -> None:
    """q of the first is rounded up to 1, p down: what is left of p would be an infinite loss."""
    near, far = F(1, 2**70), arb(0, 2**-60)
    half = arb(2**-71, 2**-70)
    assert inward([1 - near, half, half], [1 + far, abs(far), abs(far)]) is None
    assert inward([F(1, 2), F(0), F(1, 2)], [F(1, 4), F(0), F(3, 4)]) is not None
