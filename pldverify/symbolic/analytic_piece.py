r"""A monotone piece of a pair, ready for integrals of :math:`p\,e^{zL}`: log p, log q and L near the reals.

L is log p − log q on the real line, and so is every analytic function that is. Every function is given a
ball of outcomes and returns a ball that encloses it there, and that is not finite unless the function is
analytic on all of the argument.

**Beyond a cut** c of the piece, towards an end e: L is monotone, so with w = P(between c and e)

.. math:: \int p\,e^{\theta L} \le w \max(e^{\theta L(c)}, e^{\theta L(e)}),

which settles every end where θL does not grow without bound. Where it does, the end is infinite, and
:math:`D_\theta = (\log p)' + \theta L'` is affine in θ: if :math:`\pm D_0 \le -r` and :math:`\pm D_m \le -r`
beyond T, proved by algebra for one m, then :math:`\int p\,e^{\theta L} \le p\,e^{\theta L}(c)/r` for every θ
between 0 and m and every c beyond T.
"""

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

import sympy as sp

from pldverify.balls import acb, arb, ctx
from pldverify.balls.ball import ball
from pldverify.balls.compare import surely_at_most, surely_less
from pldverify.errors import NotSupported
from pldverify.symbolic.check.measure import Measure, decline
from pldverify.symbolic.lowering.logarithm import logarithm
from pldverify.symbolic.lowering.to_arb import to_acb, to_arb
from pldverify.symbolic.model.densities import Region
from pldverify.symbolic.model.formulas import Piece

_SPARE = 40
"""Bits added to the precision, as masses are differences; any value is right: a poor one costs width."""


class _Logarithms(NamedTuple):
    """log p, log q and L as they are best on one side, with (log p)', (log q)', L' and L''."""

    functions: tuple[sp.Expr, sp.Expr, sp.Expr]
    derivatives: tuple[sp.Expr, sp.Expr, sp.Expr, sp.Expr]

    @staticmethod
    def of(region: Region, at: sp.Expr, t: sp.Symbol, side: int) -> "_Logarithms":
        p, q = (logarithm(density, at, t, side) for density in (region.p, region.q))
        loss = sp.expand(p - q, log=False, power_exp=False, power_base=False)
        slope = sp.diff(loss, t)
        return _Logarithms((p, q, loss), (sp.diff(p, t), sp.diff(q, t), slope, sp.diff(slope, t)))


class AnalyticPiece:
    """``piece`` of a pair of real outcomes without parameters."""

    def __init__(self, piece: Piece, outcome: sp.Symbol) -> None:
        region = piece.region
        self.piece, self.outcome, self.trend = piece, outcome, piece.trend
        at = region.inside
        sides = [_Logarithms.of(region, at, outcome, side) for side in (-1, 1)]
        self._sides = sides
        left, right = (_function(each.functions[2], outcome) for each in sides)
        middle = _crossing(left, right, to_arb(at, [])())
        self.log_p, self.log_q, self.loss = (
            _either(middle, *(_function(each.functions[j], outcome) for each in sides)) for j in range(3)
        )
        self.derivative = _either(middle, *(_function(each.derivatives[2], outcome) for each in sides))
        self.p_rate, self.q_rate, self.slope, self.bend = (
            _either_real(middle, *(to_arb(each.derivatives[j], [outcome]) for each in sides))
            for j in range(4)
        )
        self.masses = [
            Measure(region, density, outcome, integral)
            for density, integral in ((region.p, piece.p_integral), (region.q, piece.q_integral))
        ]

    def end(self, side: int) -> arb | None:
        """The lower (−1) or upper (1) end; None where it is infinite."""
        end = self.piece.region.lower if side == -1 else self.piece.region.upper
        return None if end.is_infinite else to_arb(end, [])()

    def contains(self, x: Fraction) -> bool:
        """Whether an outcome is proved to lie on the closed piece."""
        low, high = self.end(-1), self.end(1)
        inside = low is None or surely_at_most(low, ball(x))
        return inside and (high is None or surely_at_most(ball(x), high))

    def loss_at_end(self, side: int) -> arb:
        """The limit of L towards an end, ±∞ allowed."""
        low, high = self.piece.range
        return to_arb(high if side == self.trend else low, [])()

    def beyond(self, theta: Fraction, cut: Fraction, side: int) -> tuple[arb, arb]:
        """Upper bounds of ∫ p e^{θL} and of ∫ q between ``cut``, inside of the piece, and the end.

        Raises NotSupported where no decay is proved.
        """
        with ctx.workprec(ctx.prec + _SPARE):  # masses are differences
            return self._beyond(theta, cut, side)

    def _beyond(self, theta: Fraction, cut: Fraction, side: int) -> tuple[arb, arb]:
        if not self.contains(cut):
            return arb.pos_inf(), arb.pos_inf()
        at, tilt, end = ball(cut), ball(theta), self.loss_at_end(side)
        ends = (at, None) if side == 1 else (None, at)
        mass_q = self.masses[1].mass(*ends)
        here = self.loss(acb(at)).real
        bounded = theta == 0 or end.is_finite() or surely_less(end * (1 if theta > 0 else -1), 0)
        if not bounded:
            rate = self._rate(_anchor(theta), side, cut)
            size = (self.log_p(acb(at)).real + tilt * here).exp() / ball(rate)
        else:
            size = self.masses[0].mass(*ends) * _largest(tilt, here, end)
        return abs(size).upper(), abs(mass_q).upper()

    def _rate(self, anchor: int, side: int, cut: Fraction) -> Fraction:
        """r by which D_0 and D_m decline beyond ``cut``, m = ``anchor``."""
        p_rate, _, slope, _ = self._sides[side > 0].derivatives
        rates = tuple(-side * (p_rate + m * slope) for m in (0, anchor))
        start, rate = decline(rates, self.piece.region, self.outcome, side)
        if side * cut < start:
            raise NotSupported(f"no proved decay of {self.piece.region.p} from {cut} on")
        return rate


def _crossing(left: Callable[[acb], acb], right: Callable[[acb], acb], at: arb) -> arb:
    """About where the two ways to write L are equally good on a small box; a choice."""

    def prefers_left(x: arb) -> bool:
        box = acb(x + arb(0, 0.1), arb(0, 0.1))
        a, b = (float(abs(each(box)).rad()) for each in (left, right))
        return a < b or not math.isfinite(b)

    steps = [arb(0), *(arb(2) ** j for j in range(-3, 8))]
    points = [at - step for step in reversed(steps)] + [at + step for step in steps[1:]]
    low, high = at, at
    for a, b in pairwise(points):
        if prefers_left(a) and not prefers_left(b):
            low, high = a, b
    for _ in range(8):
        middle = ((low + high) / 2).mid()
        low, high = (middle, high) if prefers_left(middle) else (low, middle)
    return ((low + high) / 2).mid()


def _either(middle: arb, left: Callable[[acb], acb], right: Callable[[acb], acb]) -> Callable[[acb], acb]:
    """The one for arguments left of the middle, or the other; the two are the same function."""
    return lambda x: left(x) if surely_less(x.real.mid(), middle) else right(x)


def _either_real(middle: arb, left: Callable[..., arb], right: Callable[..., arb]) -> Callable[[arb], arb]:
    """The same of real functions."""
    return lambda x: left(x) if surely_less(x.mid(), middle) else right(x)


def _function(expression: sp.Expr, t: sp.Symbol) -> Callable[[acb], acb]:
    function = to_acb(expression, t)
    return lambda x: function(x, True)


def _anchor(theta: Fraction) -> int:
    """m: a power of 2 of which ``theta`` ≠ 0 lies between 0 and m."""
    return int(2 ** (math.ceil(abs(theta)) - 1).bit_length() * (1 if theta > 0 else -1))


def _largest(tilt: arb, here: arb, end: arb) -> arb:
    """The larger one of e^{θL} at the cut and at the end."""
    there = (tilt * end).exp() if end.is_finite() else arb(0)
    return (tilt * here).exp().max(there)
