r"""Loss of the (ε, δ)-DP promise for m records: on the lattice :math:`\{-m, -m+2, \dots, m\}\,\epsilon`.

The masses are proved in :mod:`pldverify.mechanisms.group_dp`, in whose letters this is written.
"""

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from pldverify.balls import arb, ctx
from pldverify.balls.ball import ball, working
from pldverify.balls.compare import surely_above, surely_less
from pldverify.errors import NoConvergence
from pldverify.reference.laws.approximate_dp import ApproximateDPLaw
from pldverify.reference.laws.atomic import AtomicLaw
from pldverify.reference.laws.discrete_laplace import DiscreteLaplaceLaw
from pldverify.reference.laws.outcome import Outcome

_MORE = 400
"""Bits beyond the working precision, for signs: for δ = 0.1, x_2 = 0 at ε = ln 2, whose ends are 2^−300 of it
apart. Fewer would leave such questions undecided.
"""


def group_dp(epsilon: Fraction, delta: Fraction, m: int) -> AtomicLaw | None:
    """The law; None where the loss is 0. Raises NoConvergence."""
    if epsilon == 0 or delta == 1:
        lost = min(m * delta, Fraction(1))
        return ApproximateDPLaw(Fraction(0), lost) if lost else None
    if delta == 0:
        return DiscreteLaplaceLaw(1 / epsilon, m)
    law = GroupDPLaw(epsilon, delta, m)
    return ApproximateDPLaw(Fraction(0), Fraction(1)) if law.loses_all() else law


@dataclass(frozen=True)
class GroupDPLaw(AtomicLaw):
    """``epsilon`` > 0, 0 < ``delta`` < 1, ``m`` ≥ 1; unless all is lost."""

    epsilon: Fraction
    delta: Fraction
    m: int

    def loses_all(self) -> bool:
        """Whether 2n < m, or 2n = m and no mass is left. Raises NoConvergence where that is not known."""
        if self.m == 2:  # g(g(0)) = 1 − e^−ε(1 − 2δ); no precision tells an exact 0
            return 2 * self.delta >= 1
        twice, left = 2 * len(self._corners()), self._left
        if twice != self.m:
            return twice < self.m
        if not (surely_above(left, 0) or surely_less(left, 0)):
            raise NoConvergence(f"{ctx.prec} bits can't tell whether {self} loses all")
        return surely_less(left, 0)

    def _corners(self) -> list[arb]:
        """x_0 > … > x_{n−1} > 0. None of the x_j is 0: e^ε is no root of a polynomial with rational
        coefficients. Raises NoConvergence where the sign of one is not known.
        """
        with working(ctx.prec + _MORE):
            r, delta = ball(self.epsilon).exp(), ball(self.delta)
            found: list[arb] = []
            x = (1 - delta) / (1 + r)
            while len(found) < self.m and surely_above(x, 0):
                found.append(x)
                x = (x - delta) / r
            if len(found) < self.m and not surely_less(x, 0):
                raise NoConvergence(f"{ctx.prec} bits can't tell the sign of a corner of {self}")
            return found

    @property
    def infinite_mass(self) -> arb:
        """g∘…∘g(0): n times below x_0; above, g(x) = (x + r − 1 + δ)/r, where that is at most 1."""
        n = len(self._corners())
        with working(ctx.prec + _MORE):
            rate, delta, x = ball(self.epsilon), ball(self.delta), arb(0)
            r, more = rate.exp(), rate.expm1() + delta
            for j in range(self.m):
                x = r * x + delta if j < n else (x + more) / r
            return x

    @property
    def _left(self) -> arb:
        """1 − g∘…∘g(0), whose last steps take 1 − x to (1 − x − δ)/r: next to 0, nothing is lost."""
        n = len(self._corners())
        with working(ctx.prec + _MORE):
            delta, x, r = ball(self.delta), arb(0), ball(self.epsilon).exp()
            for _ in range(n):
                x = r * x + delta
            left = 1 - x
            for _ in range(self.m - n):
                left = (left - delta) / r
            return left

    def _outcomes(self) -> list[Outcome]:
        corners, lost = self._corners(), self.infinite_mass
        n, k = len(corners), self.m - len(corners)
        with working(ctx.prec + _MORE):
            ends = [arb(0), *reversed(corners[k:]), self._left]
            masses = [high - low for low, high in pairwise(ends)]
        losses = [(2 * j - self.m) * self.epsilon for j in range(n, k - 1, -1)]
        rows = [Outcome(*row) for row in zip(reversed(masses), masses, losses, strict=True)]
        return [*rows, Outcome(lost, arb(0)), Outcome(arb(0), lost)]
