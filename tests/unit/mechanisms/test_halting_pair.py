"""Whether AboveThreshold halts at a query that falls: by quadrature, by the definition, rounded inward."""

import random
from fractions import Fraction
from typing import Any

import mpmath
import pytest

import pldverify as pv
from pldverify.balls import arb
from pldverify.mechanisms import halting_pair as room
from pldverify.mechanisms.attained import SHARES
from pldverify.mechanisms.halting_pair import Block, halting, halting_pair, inward, neighbours
from pldverify.numbers.functions import ends

F = Fraction
ASKED = [
    (pv.AboveThreshold(2, 4), 1),
    (pv.AboveThreshold(2, 4, monotone=True), 1),
    (pv.AboveThreshold(2, 4, monotone=True), 2),
    pytest.param(pv.AboveThreshold(1, 20, 3), 1, marks=pytest.mark.slow),
    (pv.AboveThreshold(9, 2, "5/2"), 2),
]


def number(x: Fraction) -> Any:
    return mpmath.mpf(x.numerator) / x.denominator


def below(x: Any) -> Any:
    return mpmath.exp(x) / 2 if x < 0 else 1 - mpmath.exp(-x) / 2


def by_quadrature(b: Any, blocks: list[Any], scale: Any) -> Any:
    """The probability of an end at a query that falls, query after query, split where there are corners."""
    queries = [(number(v * scale), falls) for v, n, falls in blocks for _ in range(n)]

    def integrand(z: Any) -> Any:
        here, found = mpmath.mpf(1), mpmath.mpf(0)
        for q, falls in queries:
            stays = below((z - q) / number(scale))
            found += here * (1 - stays) if falls else 0
            here *= stays
        return mpmath.exp(-abs(z) / b) / (2 * b) * found

    corners = sorted({mpmath.mpf(0), *(q for q, _ in queries)})
    return mpmath.quad(integrand, [-mpmath.inf, *corners, mpmath.inf])


@pytest.mark.parametrize("b", [F(1, 3), F(1), F(7, 2)])
@pytest.mark.parametrize(
    "blocks",
    [
        [Block(F(-1), 3, True)],
        [Block(F(2), 5, False), Block(F(-1, 2), 2, True)],
        [Block(F(0), 1, True), Block(F(1), 1, False), Block(F(0), 2, True)],
    ],
)
def test_an_end_by_quadrature(b: F, blocks: list[Block]) -> None:
    with mpmath.workdps(25):
        exact = by_quadrature(number(b), blocks, F(1))
        low, high = (number(F(end)) for end in ends(halting(b, blocks)))
        assert abs(exact - low) < mpmath.mpf(10) ** -20 and 0 <= high - low < mpmath.mpf(10) ** -60


@pytest.mark.sample(3)
@pytest.mark.parametrize("share", SHARES[::5])
@pytest.mark.parametrize(("asked", "moves"), ASKED, ids=str)
def test_the_pair_is_what_two_neighbours_have(asked: pv.AboveThreshold, moves: int, share: F) -> None:
    """By the definition, with noise and moves in units of their own; the rounding is within 10⁻¹²."""
    (one, other), pair = neighbours(asked, moves, share), halting_pair(asked, moves, share)
    assert pair is not None
    most = moves * asked.sensitivity
    for (v, n, falls), (w, m, _) in zip(one, other, strict=True):
        moved = (w - v) * asked.query_b
        assert n == m and (not asked.monotone or moves == 2 or moved in (0, most))
        if asked.monotone:  # all in one direction at a time: a replaced record moves up what it has
            assert moved == ((1 - moves) * asked.sensitivity if falls else asked.sensitivity)
        else:
            assert moved == (-most if falls else most)
    with mpmath.workdps(15):
        true = [by_quadrature(number(asked.b), blocks, asked.query_b) for blocks in (one, other)]
        for x, exact in zip((pair.p[0], pair.q[0]), true, strict=True):
            assert abs(number(x) - exact) < mpmath.mpf(10) ** -12


@pytest.mark.parametrize("moved", [1, 2])
@pytest.mark.parametrize("share", SHARES[1::4])
def test_no_share_exceeds_the_dominating_pair(share: F, moved: int) -> None:
    asked, relation = pv.AboveThreshold(2, 4), ("add-or-remove", "replace-one")[moved - 1]
    pair = halting_pair(asked, moved, share)
    for epsilon in ("0", "0.3", "0.9", "0.99"):
        most = pv.delta(asked, epsilon=epsilon, adjacency=relation)  # type: ignore[arg-type]  # a word
        assert pv.delta(pair, epsilon=epsilon).lower <= most.upper  # type: ignore[arg-type]  # it is one


def test_the_rarest_outcome_has_nearly_all_of_the_loss() -> None:
    pair = halting_pair(pv.AboveThreshold(2, 4), 1, SHARES[-1])
    assert pair is not None and 0.999 < mpmath.log(number(pair.p[0] / pair.q[0])) < 1


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


def test_nothing_is_made_of_huge_exponents() -> None:
    assert halting_pair(pv.AboveThreshold("1e-9", 1), 1, F(3, 4)) is None


def test_sums_of_wide_balls_still_rise() -> None:
    """Two outcomes that may be 0 make a sum's lower end fall: no mass is negative, and no pair is found."""
    wide = arb(0, 2**-60)
    assert inward([1 + wide, wide, wide], [arb("0.9") + wide, arb("0.06") + wide, arb("0.04") + wide]) is None
    assert all(mass >= 0 for mass in room._masses([1 + wide, wide, wide], 0))


def test_an_outcome_of_no_mass_hides_no_loss_that_rises() -> None:
    """q of the first is rounded up to 1, p down: what is left of p would be an infinite loss."""
    near, far = F(1, 2**70), arb(0, 2**-60)
    half = arb(2**-71, 2**-70)
    assert inward([1 - near, half, half], [1 + far, abs(far), abs(far)]) is None
    assert inward([F(1, 2), F(0), F(1, 2)], [F(1, 4), F(0), F(3, 4)]) is not None
