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
"""Cap on the panels of a transform."""
_COMPLEX = 2.0
"""Price of a complex node, in real ones (observed: 1.5 to 3)."""


class Panels(NamedTuple):
    """``panels`` panels along the piece and ``turns`` up to its height, each twice as long as the one before
    but for the first two; ``order`` nodes each. ``turns`` = 0: on the real axis."""

    panels: int
    turns: int
    order: int


def panels(piece: Piece, theta: Fraction, reach: Fraction) -> Panels:
    """For e^{zℓ} from θ up to θ + i·``reach``: on the real axis more nodes where it turns fast; off it
    complex ones, in panels so narrow that the ellipses around them stay above the axis.
    """
    on = Panels(*_along(piece, float(piece.width), float(reach + abs(theta))))
    if not (piece.height and reach > 0):
        return on
    count, _, order = _along(piece, min(float(piece.width), float(abs(piece.height)) / 2), abs(float(theta)))
    turns = 1 + math.ceil(math.log2(max(1.0, float(reach * piece.rate * abs(piece.height)))))
    dear = _COMPLEX * (count + sum(piece.corners) * turns) * order
    return on if on.panels * on.order < dear else Panels(count, turns, order)


def _along(piece: Piece, width: float, frequency: float) -> tuple[int, int, int]:
    """Panels of a half-width, no turns, and an order for e^{zℓ} up to a size of z. Raises NoConvergence."""
    length = float(piece.high - piece.low)
    count = max(1, math.ceil(length / (2 * width)))
    if count > _MAX_PANELS:
        raise NoConvergence(f"contour: the transform needs {count} panels (cap {_MAX_PANELS})")
    goal, turn = (ctx.prec + 16) * math.log(2), float(piece.rate) * length / (2 * count) * RHO / 2
    return count, 0, math.ceil((goal + frequency * turn + 8) / (2 * math.log(RHO))) + 1


def nodes(piece: Piece, theta: Fraction, reach: Fraction) -> int:
    """Nodes in x of all panels."""
    found = panels(piece, theta, reach)
    return (found.panels + sum(piece.corners) * found.turns) * found.order
