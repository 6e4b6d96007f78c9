"""Whether one of n candidates wins against m: by quadrature, and against what dominates."""

from fractions import Fraction
from typing import Any

import mpmath
import pytest

import pldverify as pv
from pldverify.mechanisms import winning_pair as room
from pldverify.mechanisms.attained import SHARES
from pldverify.mechanisms.winning_pair import winning_pair

F = Fraction


def number(x: Fraction) -> Any:
    return mpmath.mpf(x.numerator) / x.denominator


def below(x: Any) -> Any:
    return mpmath.exp(x) / 2 if x < 0 else 1 - mpmath.exp(-x) / 2


def wins(scores: list[Any], others: list[Any], b: Any) -> Any:
    """By the definition: each of the first is the largest of all, whose noise has the scale b."""
    everybody = scores + others

    def integrand(t: Any) -> Any:
        densities = (mpmath.exp(-abs(t - u) / b) / (2 * b) for u in scores)
        return sum(
            d * mpmath.fprod(below((t - u) / b) for j, u in enumerate(everybody) if j != i)
            for i, d in enumerate(densities)
        )

    return mpmath.quad(integrand, [-mpmath.inf, *sorted(set(everybody)), mpmath.inf])


@pytest.mark.parametrize("share", SHARES)
@pytest.mark.parametrize(
    ("asked", "moves"),
    [(pv.NoisyMax(3, 2), 1), (pv.NoisyMax(3, 2), 2), (pv.NoisyMax(1, 2, True), 1)],
    ids=str,
)
def test_the_pair_is_what_two_neighbours_have(asked: pv.NoisyMax, moves: int, share: F) -> None:
    """Scores that move as far as they may; a replaced record moves monotone ones, too, both ways by Δ."""
    pair = winning_pair(asked, moves, share)
    assert pair is not None
    n, m, lead = room._TRIED[SHARES.index(share)]
    c = asked.loss(moves)
    ahead = (lead + F(5, 6) * (share - F(1, 2)) * c) * asked.b
    up, down = (1, 0) if asked.monotone and moves == 1 else (moves, moves)
    assert (up + down) * asked.sensitivity == c * asked.b
    with mpmath.workdps(20):
        for x, move in ((pair.p[0], F(1, 2)), (pair.q[0], F(-1, 2))):
            first = number(move * up * asked.sensitivity)
            then = number(ahead - move * down * asked.sensitivity)
            exact = wins([first] * n, [then] * m, number(asked.b))
            assert abs(number(x) - exact) < mpmath.mpf(10) ** -16


def test_it_is_rounded_inward() -> None:
    """Of two against two that lead as far as they trail, P and Q are alike but for the names: p + q = 1."""
    pair = winning_pair(pv.NoisyMax(b=1), 1, F(1, 2))
    assert pair is not None and pair.p[0] + pair.q[0] < 1 < pair.p[0] + pair.q[0] + F(1, 2**300)


@pytest.mark.parametrize("b", ["1/3", "2", "40"])
def test_no_share_exceeds_the_dominating_pair(b: str) -> None:
    asked = pv.NoisyMax(b)
    for share in SHARES:
        pair = winning_pair(asked, 1, share)
        for part in (F(0), F(1, 2), F(9, 10)):
            epsilon = part * asked.loss(1)
            below, above = (pv.delta(x, epsilon=epsilon) for x in (pair, asked))  # type: ignore[arg-type]
            assert below.lower <= above.upper


def test_nothing_is_made_of_huge_exponents() -> None:
    assert winning_pair(pv.NoisyMax("1e-9"), 1, F(3, 4)) is None
