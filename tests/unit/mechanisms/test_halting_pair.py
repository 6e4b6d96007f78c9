"""Where AboveThreshold halts: integrals by quadrature, neighbours by the definition, rounding inward."""

import random
from fractions import Fraction
from typing import Any

import mpmath
import pytest

import pldverify as pv
from pldverify.balls import arb
from pldverify.mechanisms import halting_pair as room
from pldverify.mechanisms.attained import SHARES
from pldverify.mechanisms.halting_pair import halting_pair, integral, inward, neighbours
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


def survival(b: Any, queries: list[Any]) -> Any:
    """The probability that all queries stay below, split where the integrand has corners."""

    def integrand(z: Any) -> Any:
        return mpmath.exp(-abs(z) / b) / (2 * b) * mpmath.fprod(below(z - q) for q in queries)

    corners = sorted({mpmath.mpf(0), *queries})
    return mpmath.quad(integrand, [-mpmath.inf, *corners, mpmath.inf])


@pytest.mark.parametrize("b", [F(1, 3), F(1), F(7, 2)])
@pytest.mark.parametrize("factors", [((F(-1), 3),), ((F(2), 5), (F(-1, 2), 2)), ((F(0), 1), (F(1), 1))])
def test_an_integral_by_quadrature(b: F, factors: tuple[tuple[F, int], ...]) -> None:
    with mpmath.workdps(25):
        exact = survival(number(b), [number(v) for v, n in factors for _ in range(n)])
        low, high = (number(F(end)) for end in ends(integral(b, factors)))
        assert abs(exact - low) < mpmath.mpf(10) ** -20 and 0 <= high - low < mpmath.mpf(10) ** -60


@pytest.mark.sample(5)
@pytest.mark.parametrize("share", SHARES[::5])
@pytest.mark.parametrize(("asked", "moves"), ASKED, ids=str)
def test_the_pair_is_what_two_neighbours_have(asked: pv.AboveThreshold, moves: int, share: F) -> None:
    """By the definition, with noise and moves in units of their own; the rounding is within 10⁻²⁰."""
    (one, other), pair = neighbours(asked, moves, share), halting_pair(asked, moves, share)
    assert pair is not None
    gaps = [(b - a) * asked.query_b for (a, _), (b, _) in zip(one, other, strict=True)]
    most = moves * asked.sensitivity
    if (
        asked.monotone
    ):  # all in one direction at a time: a replaced record moves up what it has, down what it had
        assert gaps == ([asked.sensitivity, 0] if moves == 1 else [asked.sensitivity, -asked.sensitivity])
    else:
        assert gaps == [most, -most]
    with mpmath.workdps(25):
        masses = []
        for (v, n), (w, m) in (one, other):
            first, then = ([number(x * asked.query_b)] * k for x, k in ((v, n), (w, m)))
            unit = number(asked.query_b)
            rates = [[q / unit for q in queries] for queries in (first, first + then)]
            early, both = (survival(number(asked.b) / unit, queries) for queries in rates)
            masses.append([1 - early, early - both, both])
        rows = sorted(zip(*masses, strict=True), key=lambda row: row[0] / row[1], reverse=True)
        for (p, q), true in zip(zip(pair.p, pair.q, strict=True), rows, strict=True):
            assert abs(number(p) - true[0]) < mpmath.mpf(10) ** -20
            assert abs(number(q) - true[1]) < mpmath.mpf(10) ** -20


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
