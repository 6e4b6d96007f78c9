"""Logarithms in doubles placed each mass of a finite pair on its lattice; only the set of places was proved.

Ratios that are powers of 1 + 1/n, n near 1e14, came to the right places in the wrong order: δ of two steps
was said to be 1.4047e-14, and is 1.0634e-14. Now exact powers of the root decide.
"""

from fractions import Fraction

import pytest

import pldverify as pv
from benchmarks.finite_pairs import CONFUSED, Truth
from pldverify.balls.ball import ball, working
from pldverify.reference.laws.finite_pair import FinitePairLaw

N, B, C = 58014253015006, Fraction(1, 10), Fraction(1, 1000)
ROOT = 1 + Fraction(1, N)
A = (B * (ROOT**4 - 1) + C * (ROOT**5 - 1)) / (1 - 1 / ROOT)
FIRST = [A / ROOT, 1 - A - B - C, B * ROOT**4, C * ROOT**5]
SECOND = [A, 1 - A - B - C, B, C]


@pytest.mark.parametrize("engine", [None, "lattice"])
@pytest.mark.parametrize("order", [(0, 1, 2, 3), (3, 2, 1, 0), (2, 0, 3, 1)])
@pytest.mark.parametrize("direction", ["remove", "add"])
@pytest.mark.parametrize("steps", [1, 2, 3])
def test_delta_of_the_smallest_input(
    steps: int, direction: str, order: tuple[int, ...], engine: str | None
) -> None:
    p, q = [FIRST[i] for i in order], [SECOND[i] for i in order]
    epsilon = Fraction(1, 10**14)
    found = pv.delta(
        steps * pv.FinitePair(p, q), epsilon=epsilon, adjacency=direction, engine=engine, digits=6
    )
    least, most = Truth(list(zip(p, q, strict=True)), steps, direction).delta(epsilon)
    assert found.lower <= most and least <= found.upper


def test_two_steps() -> None:
    pair = 2 * pv.FinitePair(FIRST, SECOND)
    found = pv.delta(pair, epsilon="1e-14", adjacency="remove")
    assert Fraction("1.0633e-14") < found.lower <= found.upper < Fraction("1.0634e-14")


@pytest.mark.parametrize(("n", "i", "j"), CONFUSED)
def test_each_mass_stands_at_its_loss(n: int, i: int, j: int) -> None:
    root = 1 + Fraction(1, n)
    ratios = [root**index for index in (-1, 0, i - 1, j - 1)]
    second = [Fraction(1, 4)] * 4
    first = [q * ratio for q, ratio in zip(second, ratios, strict=True)]
    with working(200):
        lattice = FinitePairLaw(tuple(first), tuple(second)).lattice()
        assert lattice is not None and lattice.offset == -1
        masses = dict(enumerate(lattice.masses))
        for p, place in zip(first, (0, 1, i, j), strict=True):
            assert masses.pop(place).overlaps(ball(p))
        assert all(mass.is_zero() for mass in masses.values())
