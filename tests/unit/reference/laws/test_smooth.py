"""The panels of a path, one after the other."""

from fractions import Fraction

import pytest

from pldverify.balls import acb, arb
from pldverify.balls.ball import working
from pldverify.balls.compare import surely_less
from pldverify.errors import NoConvergence
from pldverify.reference.laws.fixed_batch import LaplaceBatchLaw
from pldverify.reference.laws.smooth import Panels, SmoothLaw, _path
from pldverify.reference.lemmas.piece import Piece


@pytest.mark.parametrize("corners", [(True, False), (False, True), (True, True), (False, False)])
@pytest.mark.parametrize("turns", [0, 1, 2, 5])
def test_panels_follow_one_another_from_end_to_end(turns: int, corners: tuple[bool, bool]) -> None:
    """Up from the real axis at a corner, along the height, and down, whatever the order of the sum."""
    height = Fraction(3, 4)
    piece = Piece(
        Fraction(-1), Fraction(2), acb.log, acb.log, arb.log, Fraction(1), Fraction(1), height, corners
    )
    with working(80):
        path = _path(piece, Panels(3, turns, 9))
        ends = [(middle - half, middle + half) for middle, half in path]
        high = acb(0, height.numerator) / height.denominator if turns else acb(0)
        first, last = (
            x if corner else x + high for x, corner in zip((acb(-1), acb(2)), corners, strict=True)
        )
        place = first
        while ends:
            (following,) = (each for each in ends if each[0].overlaps(place))
            ends.remove(following)
            place = following[1]
        assert place.overlaps(last)
        assert all(abs(half).lower() > 0 for _, half in path)


@pytest.mark.parametrize(
    ("found", "height"), [(Panels(0, 0, 9), 1), (Panels(3, 0, 0), 1), (Panels(3, 2, 9), 0)]
)
def test_a_path_without_panels_is_refused(found: Panels, height: int) -> None:
    """No panels, no nodes, or turns to no height."""
    ends, logs, one = (Fraction(-1), Fraction(2)), (acb.log, acb.log, arb.log), Fraction(1)
    piece = Piece(*ends, *logs, one, one, Fraction(height), (True, True))
    with pytest.raises(NoConvergence, match="has no panels"):
        _path(piece, found)


def test_pieces_that_do_not_follow_on_one_another_bound_no_decay(monkeypatch: pytest.MonkeyPatch) -> None:
    """The planted error: the losses above 0 come first, and those below 0 after them."""
    law = LaplaceBatchLaw(Fraction(1), Fraction(1, 10))
    with working(80):
        assert surely_less(law.decay(Fraction(1)).log_sup(arb(20)), 0)
        monkeypatch.setattr(LaplaceBatchLaw, "densest", SmoothLaw.densest)
        with pytest.raises(NoConvergence, match="do not follow on one another"):
            law.decay(Fraction(1))
