"""The lattice of a pair of finitely many outcomes: exact where it is, a ball around the truth elsewhere."""

import math
from fractions import Fraction
from itertools import product as cartesian

import pytest

import pldverify as pv
from pldverify.balls.ball import ball, working
from pldverify.reference.laws.finite_pair import FinitePairLaw

TINY = Fraction(1, 10**200)
OFFSETS: dict[str, tuple[tuple[Fraction, ...], tuple[Fraction, ...], Fraction | None]] = {
    "opposite": ((Fraction(1, 3), Fraction(2, 3)), (Fraction(2, 3), Fraction(1, 3)), Fraction(-1, 2)),
    "opposite, beyond doubles": ((TINY, 1 - TINY), (1 - TINY, TINY), Fraction(-1, 2)),
    "a third": ((Fraction(5, 21), Fraction(16, 21)), (Fraction(20, 21), Fraction(1, 21)), Fraction(-1, 3)),
    "from 0 on": ((Fraction(1, 2), Fraction(1, 2)), (Fraction(1, 2), Fraction(1, 4)), Fraction(0)),
    "irrational": ((Fraction(1, 2), Fraction(1, 2)), (Fraction(1, 3), Fraction(2, 3)), None),
    "irrational, one-sided": ((TINY, 1 - TINY), (Fraction(1, 2), Fraction(1, 2)), None),
}


@pytest.mark.parametrize(("first", "second", "offset"), OFFSETS.values(), ids=OFFSETS)
def test_the_offset_is_exact_where_it_is_rational(
    first: tuple[Fraction, ...], second: tuple[Fraction, ...], offset: Fraction | None
) -> None:
    with working(200):
        lattice = FinitePairLaw(first, second).lattice()
        assert lattice is not None
        lowest = min(p / q for p, q in zip(first, second, strict=True))
        assert (ball(lattice.offset) * lattice.spacing).overlaps(ball(lowest).log())
    if offset is None:
        assert not isinstance(lattice.offset, Fraction)
    else:
        assert lattice.offset == offset


def brute(first: tuple[Fraction, ...], second: tuple[Fraction, ...], k: int) -> tuple[Fraction, Fraction]:
    """δ(0) and P(S ≥ 0) of k steps, from all outcomes."""
    delta = tail = Fraction(0)
    for outcome in cartesian(range(len(first)), repeat=k):
        p, q = (math.prod(masses[i] for i in outcome) for masses in (first, second))
        delta += max(p - q, Fraction(0))
        tail += p if p >= q else 0
    return delta, tail


@pytest.mark.parametrize("name", [name for name in OFFSETS if OFFSETS[name][2] != 0])
@pytest.mark.parametrize("k", [1, 2, 3, 6])
def test_what_stands_at_an_atom_is_counted(name: str, k: int) -> None:
    """Tails at 0 were refused where losses cancel, and of masses beyond doubles everything was."""
    first, second, _ = OFFSETS[name]
    pair = k * pv.FinitePair(first, second)
    delta, tail = brute(first, second, k)
    assert delta in pv.delta(pair, epsilon=0, adjacency="remove", digits=6)
    assert tail in pv.tail(pair, epsilon=0, adjacency="remove", digits=6)


@pytest.mark.parametrize("alpha", ["1/1000", "1/5", "1/2"])
def test_outcomes_of_one_ratio_are_one(alpha: str) -> None:
    """Both losses are log 14/11, and balls can't tell: the pair is (0, 1) against (3/14, 11/14), and T of two
    steps is (1 − α/x)_+ with x = (11/14)².
    """
    whole = 2 * pv.FinitePair(["0", "10/11", "1/11"], ["3/14", "10/14", "1/14"])
    true = 1 - Fraction(alpha) / Fraction(11, 14) ** 2
    found = pv.trade_off(whole, alpha=alpha, adjacency="remove")
    assert found.digits >= 6 and found.lower <= true <= found.upper
