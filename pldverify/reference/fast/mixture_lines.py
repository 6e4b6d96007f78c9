r"""Lines that bound the decay of the Poisson-subsampled Gaussian (``lemmas/parallel_lines.py``).

Notation as in ``gaussian_mixture.py``. The integral :math:`\int \varphi w^{p+iv}` may be taken along Im x = b
instead, with the sign of b that of v and t = c|b| < π/2. There
:math:`|\varphi(x+ib)| = \varphi(x) e^{b^2/2}`, and :math:`|w|^2 = (1-q)^2 + 2(1-q)y\cos t + y^2` and
:math:`\arg w = \alpha(x) \in [0, t)` both grow with x. So for all v ≥ u

.. math:: \Bigl|\int \varphi w^{p+iv}\Bigr| \le e^{b^2/2} \sum_i \Phi(\text{cell}_i)
          \sup_{\text{cell}_i} |w|^p\, e^{-u\alpha(x_i)} ,

x_i the left end of cell i: a bound that falls faster than any power of u, for every single b, down to the
mass left of the first cell, whose angle counts as 0.

Proof: Cauchy's theorem; on the line |w| > 0, and the integrand vanishes at both ends of the strip.
Assumes: c > 0, 0 < q < 1, 0 < ``mass`` ≤ M(θ), u ≥ 0. Rounds: up; lines outside of 0 < cb < π/2, and all of
them unless the edges are proved to rise, are left out. Poor lines and cells cost size, never truth.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from pldverify.balls import arb
from pldverify.balls.ball import ball
from pldverify.balls.compare import surely_at_most, surely_less
from pldverify.balls.normal import normal_tail
from pldverify.reference.lemmas.parallel_lines import ParallelLines

_STRETCH = 14
"""Length in x of the cells beyond the bulk: e^{−98} of the mass is outside. Any value is right."""
_CELLS = 150
"""Cells of a line; any value is right: few cells cost size."""


def parallel_lines(
    c: arb, q: arb, p: arb, mass: arb, ends: tuple[Fraction, Fraction], heights: Sequence[Fraction]
) -> ParallelLines:
    """Lines for the law tilted to ∝ φ w^p, of total ``mass``, of which ``ends`` hold most in x."""
    low, high = ends
    first, last = ball(min(low, Fraction(0)) - _STRETCH), ball(max(high, Fraction(0)) + _STRETCH)
    edges = [first + (last - first) * i / _CELLS for i in range(_CELLS + 1)]
    return lines_over(c, q, p, mass, edges, heights)


def lines_over(
    c: arb, q: arb, p: arb, mass: arb, edges: Sequence[arb], heights: Sequence[Fraction]
) -> ParallelLines:
    """Lines at ``heights`` over cells with these ``edges``.

    A line is left out unless 0 < cb < π/2, and all of them unless the edges rise.
    """
    if not all(surely_less(a, b) for a, b in pairwise(edges)):
        return ParallelLines([])
    masses = [_normal(a, b) for a, b in pairwise([arb.neg_inf(), *edges])]
    ys = [q * (c * x - c * c / 2).exp() for x in edges]
    beyond = _last_cell(c, q, p, edges[-1])
    lines = []
    for height in map(ball, heights):
        if not (surely_less(0, height) and surely_less(c * height, arb.pi() / 2)):
            continue
        scale = (height * height / 2).exp() / mass
        weighed, angles = _line(c, q, p, height, masses, ys)
        lines.append(([scale * weight for weight in (*weighed, beyond)], angles))
    return ParallelLines(lines)


def _line(
    c: arb, q: arb, p: arb, height: arb, masses: list[arb], ys: list[arb]
) -> tuple[list[arb], list[arb]]:
    """Weights of all cells but the last, and the angles of all."""
    t = c * height
    cos, sin, rest = t.cos(), t.sin(), 1 - q
    angles = [(y * sin / (rest + y * cos)).atan() for y in ys]
    powers = [p / 2 * (rest * rest + 2 * rest * y * cos + y * y).log() for y in ys]
    below = powers[0].exp().max(rest**p)  # |w| lies between 1 − q and its value at the edge
    cells = [left.max(right).exp() for left, right in pairwise(powers)]
    return [size * power for size, power in zip(masses, [below, *cells], strict=True)], [arb(0), *angles]


def _normal(a: arb, b: arb) -> arb:
    """Φ(b) − Φ(a), accurate on both sides."""
    if surely_at_most(0, a):
        return normal_tail(a) - normal_tail(b)
    return normal_tail(-b) - (normal_tail(-a) if a.is_finite() else 0)


def _last_cell(c: arb, q: arb, p: arb, edge: arb) -> arb:
    """Bound of ∫ φ |w|^p beyond ``edge``: |w|^p ≤ 2^p((1−q)^p + y^p) for p ≥ 0, and ≤ y^p for p < 0, which
    falls."""
    base = normal_tail(edge)
    if surely_less(p, 0):
        return base * (p * (q.log() + c * edge - c * c / 2)).exp()
    tilted = (c * c * (p * p - p) / 2).exp() * q**p * normal_tail(edge - p * c)
    return 2**p * ((1 - q) ** p * base + tilted)
