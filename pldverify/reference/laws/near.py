r"""Base of the steps up to a cut: what is common to their pieces and to the bound of their decay.

A law of this kind has a loss ℓ that increases with its outcome x, up to the cut x_c, and a density g.

**Decay**: lines through the strip as in ``strip_lines.py``: along Im x = b, and back down to x_c. What lies
left of the cells is what ``left_out`` says.
"""

from abc import abstractmethod
from collections.abc import Callable
from fractions import Fraction
from functools import cache

from pldverify.balls import arb
from pldverify.balls.ball import ball
from pldverify.balls.compare import surely_less
from pldverify.errors import NoConvergence
from pldverify.reference.laws.hints.lines import heights
from pldverify.reference.laws.smooth import SmoothLaw
from pldverify.reference.lemmas.parallel_lines import ParallelLines
from pldverify.reference.lemmas.piece import Piece
from pldverify.reference.lemmas.strip_lines import along, back_down

_ANGLE, _LINES = 3.0, 6
"""Angle cb of the highest line that bounds the decay, and lines, each half as high."""


class Near(SmoothLaw):
    """A step up to the outcome ``cut``."""

    cut: Fraction

    @property
    @abstractmethod
    def largest_finite_loss(self) -> arb:
        """ℓ(x_c)."""

    @abstractmethod
    def far(self) -> tuple[arb, arb]:
        """Both measures of what is left out, whose losses are at least ℓ(x_c)."""

    @abstractmethod
    def scale(self) -> arb:
        """c: the strip is |Im x| < π/c."""

    @abstractmethod
    def low(self, theta: Fraction) -> Fraction:
        """Where the first piece begins."""

    @abstractmethod
    def piece(self, low: Fraction, high: Fraction) -> Piece:
        """The part between two outcomes."""

    def mass(self) -> arb:
        """M(0)."""
        return 1 - self.far()[0]

    def points(self) -> list[tuple[arb, arb]]:
        return []

    @abstractmethod
    def left_out(self, theta: Fraction, low: arb, height: arb) -> arb:
        """Upper bound of ∫ |g e^{θℓ}| on Im x = ``height`` ≥ 0 left of ``low``."""

    def whole(self, theta: Fraction) -> Piece:
        """All up to the cut, as one piece."""
        low = self.low(theta)
        if self.cut <= low:
            raise NoConvergence(f"near: nothing counts up to the outcome {float(self.cut):.6g}")
        return self.piece(low, self.cut)

    def lines(self, theta: Fraction, mass: arb) -> Callable[[], ParallelLines]:
        whole, c, tilt = self.whole(theta), self.scale(), ball(theta)
        levels = heights(float(c), _ANGLE, _LINES)

        def build() -> ParallelLines:
            lines = []
            for height in map(ball, levels):
                cells, end = along(whole, tilt, height), back_down(whole, tilt, height)
                if cells is not None and end is not None and surely_less(c * height, arb.pi()):
                    beyond = self.left_out(theta, ball(whole.low), height)
                    weights = [weight / mass for weight in (beyond, *cells[0], *end[0])]
                    lines.append((weights, [arb(0), *cells[1], *end[1]]))
            return ParallelLines(lines)

        return cache(build)
