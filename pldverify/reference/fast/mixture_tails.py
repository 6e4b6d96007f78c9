r"""What a trapezoidal sum of :math:`\varphi w^p` leaves out, w of ``mixture_loss.py``.

log w is convex, with slopes between 0 and c. So for p ≥ 0 p log w is at most its chord on a cell, at most its
value at b to the left of b, and at most the line of slope pc through its value at a to the right of a. For
p < 0 p log w is concave: at most any tangent, everywhere. Under a line ℓ of slope s the function
:math:`\varphi e^\ell` is a multiple of a normal density around s, so it has one peak, and h times its sum
over nodes h apart in a cell is at most (length + h) times its largest value there; beyond an edge, it is at
most its integral and h times its largest value.
"""

from collections.abc import Sequence
from itertools import pairwise

from pldverify.balls import arb
from pldverify.balls.compare import surely_at_most, surely_less
from pldverify.balls.normal import normal_tail
from pldverify.reference.lemmas.mixture_loss import mixture_loss, mixture_slope


def mixture_tail(c: arb, q: arb, p: arb, edges: Sequence[arb], side: int, h: arb) -> arb:
    r"""Upper bound of :math:`h \sum \varphi w^p` over nodes h apart beyond the first of ``edges``.

    ``side`` = ±1 says which way; the edges lead that way, and between them lie the cells, of which p < 0 may
    have none. +∞ where this is not so.
    """
    logs = [p * mixture_loss(c, q, x) for x in edges]
    total = arb(0)
    for (a, low), (b, high) in pairwise(zip(edges, logs, strict=True)):
        length = side * (b - a)
        if not (surely_less(0, length) and surely_at_most(0, p)):
            return arb.pos_inf()
        slope = (high - low) / (b - a)
        at = slope.max(a.min(b)).min(a.max(b))
        total += (length + h) * (low + slope * (at - a) - at * at / 2).exp()
    edge, log = edges[-1], logs[-1]
    slope = p * c if side > 0 else arb(0)
    if not surely_at_most(0, p):
        slope = p * mixture_slope(c, q, edge)
    away = side * (edge - slope)
    size = (log - slope * edge + slope * slope / 2).exp()
    nearest = away.max(arb(0))
    total += h * size * (-nearest * nearest / 2).exp()
    return (total / (2 * arb.pi()).sqrt() + size * normal_tail(away)).upper()
