"""How many Gauss–Legendre panels of how many nodes a piece takes."""

import math
from fractions import Fraction
from typing import NamedTuple

from pldverify.balls import ctx
from pldverify.errors import NoConvergence
from pldverify.reference.lemmas.piece import Piece

RHO = 4
"""ρ of the ellipse that the error of a panel is bounded with."""
_MAX_PANELS = 200_000


class Panels(NamedTuple):
    """``panels`` panels along the piece and ``turns`` up to its height, each twice as long as the one before
    but for the first two; ``order`` nodes each. ``turns`` = 0: on the real axis."""

    panels: int
    turns: int
    order: int


def panels(piece: Piece, theta: Fraction, reach: Fraction) -> Panels:
    """For e^{zℓ} from θ up to θ + i·``reach``; on the real axis more nodes where it turns fast."""
    goal = (ctx.prec + 16) * math.log(2)
    length = float(piece.high - piece.low)
    count = max(1, math.ceil(length / (2 * float(piece.width))))
    if count > _MAX_PANELS:
        raise NoConvergence(f"contour: the transform needs {count} panels (cap {_MAX_PANELS})")
    off = bool(piece.height) and reach > 0
    turn = float(piece.rate) * length / (2 * count) * RHO / 2
    frequency = (0.0 if off else float(reach)) + abs(float(theta))
    order = math.ceil((goal + frequency * turn + 8) / (2 * math.log(RHO))) + 1
    turns, first = (1, float(reach * piece.rate * abs(piece.height))) if off else (0, 0.0)
    while first > 1:
        turns, first = turns + 1, first / 2
    return Panels(count, turns, order)


def nodes(piece: Piece, theta: Fraction, reach: Fraction) -> int:
    """Nodes in x of all panels."""
    found = panels(piece, theta, reach)
    return (found.panels + found.turns) * found.order
