"""The path of a detour leaves nothing out."""

from fractions import Fraction

import pytest

from pldverify.balls import acb, arb
from pldverify.balls.ball import ball, working
from pldverify.balls.compare import surely_less
from pldverify.reference.lemmas.detour import detour
from pldverify.reference.lemmas.piece import Piece


def length(height: Fraction) -> arb:
    """Of the path for g = 1, ℓ = ±x and θ = 0, where every weight is the length of its cell."""
    sign = 1 if height > 0 else -1
    piece = Piece(
        Fraction(-1),
        Fraction(2),
        lambda x: acb(0),
        lambda x: sign * x,
        lambda x: arb(1),
        Fraction(1),
        Fraction(1),
    )
    found = detour(piece, lambda x: acb(sign), arb(0), height)
    assert found is not None
    return sum(found[0], arb(0))


@pytest.mark.parametrize("height", ["1/2", "3", "-3"])
def test_it_goes_up_along_and_down(height: str) -> None:
    with working(64):
        whole = 3 + 2 * abs(ball(Fraction(height)))
        assert not surely_less(length(Fraction(height)), whole)
        assert surely_less(length(Fraction(height)), whole + arb("0.001"))
