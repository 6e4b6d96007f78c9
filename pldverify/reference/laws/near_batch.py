r"""The part of a step with a batch of fixed size up to a cut in the outcome of the losses above 0.

Notation as in ``shifted_gaussian.py``, one component: the losses log w > 0 at c/2 < x < x_c, all losses
−log w < 0, and those of 0. What is left out has losses of at least log w(x_c), the P-mass of φw and the
Q-mass of φ.

**Path** of the losses above 0: up from c/2, along Im x = b, and back down to x_c.

**Beyond** X ≥ c/2 the losses below 0 have for θ ≥ 0 and cb < π/2 what ``beyond`` of ``strip_lines.py`` says,
and for −1 ≤ θ < 0 what ``cut_tail`` says, times ``growth``.

**Decay**: ``kinked_lines.py``, where the path of the upper losses also comes back down (``strip_lines.py``),
and the losses of 0 count as they are.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache

from pldverify.balls import acb, arb
from pldverify.balls.ball import ball
from pldverify.balls.compare import surely_at_most
from pldverify.balls.normal import normal_tail
from pldverify.errors import InvalidInput, NoConvergence
from pldverify.reference.laws.hints.near_substitute import height, low_end, tame
from pldverify.reference.laws.shifted_gaussian import LINES, ShiftedGaussianLaw, cut_tail
from pldverify.reference.laws.smooth import SmoothLaw
from pldverify.reference.lemmas.kinked_lines import KinkedLines, Line, kinked_line
from pldverify.reference.lemmas.mixture_loss import mixture_loss, mixture_slope
from pldverify.reference.lemmas.piece import Piece
from pldverify.reference.lemmas.strip_lines import back_down, beyond, growth


@dataclass(frozen=True)
class NearBatchLaw(SmoothLaw):
    """``law``, of one component, up to the outcome x = ``cut`` > c/2. Raises InvalidInput."""

    law: ShiftedGaussianLaw
    cut: Fraction

    def __post_init__(self) -> None:
        if not isinstance(self.law.draws, Fraction):
            raise InvalidInput(f"law must have one component, got draws={self.law.draws}")

    @property
    def largest_finite_loss(self) -> arb:
        return mixture_loss(ball(self.law.shift), self.law.drawn(), ball(self.cut))

    def far(self) -> tuple[arb, arb]:
        """Both measures of what is left out. Raises NoConvergence where the cut is among the losses of 0."""
        self._above_zero()
        q, x = self.law.drawn(), ball(self.cut)
        base = normal_tail(x)
        return (1 - q) * base + q * normal_tail(x - ball(self.law.shift)), base

    def _above_zero(self) -> None:
        if self.cut <= self.law.shift / 2:
            raise NoConvergence(f"near: no loss is above 0 up to the outcome {float(self.cut):.6g}")

    def mass(self) -> arb:
        """M(0)."""
        return 1 - self.far()[0]

    def points(self) -> list[tuple[arb, arb]]:
        return self.law.points()

    def pieces(self, theta: Fraction) -> list[Piece]:
        self._above_zero()
        b, (down, up) = max(Fraction(0), height(self.law.shift)), self._sides(theta)  # else Im ℓ < 0 beyond
        return [replace(down, height=-b), replace(up, height=b, corners=(True, True))]

    def densest(self, theta: Fraction) -> list[Piece]:
        return self._sides(theta)

    def _sides(self, theta: Fraction) -> list[Piece]:
        """The losses below 0 and those above."""
        c, q, start = ball(self.law.shift), self.law.drawn(), self.law.shift / 2
        half = (2 * arb.pi()).log() / 2

        def loss(x: acb) -> acb:
            return mixture_loss(c, q, x)

        def plain(x: acb) -> acb:
            return -half - x * x / 2

        def slope(x: arb) -> arb:
            return mixture_slope(c, q, x)

        end = start - low_end(self.law.shift, float(q), theta)
        hints = [tame(self.law.shift, float(q), x) for x in (end, self.cut)]
        return [
            Piece(start, end, plain, lambda x: -loss(x), slope, *hints[0]),
            Piece(start, self.cut, lambda x: plain(x) + loss(x), loss, slope, *hints[1]),
        ]

    def omitted(self, theta: Fraction, pieces: list[Piece]) -> arb:
        end = ball(pieces[0].high)
        return self._beyond(theta, end, arb(0)).max(self._beyond(theta, end, abs(ball(pieces[0].height))))

    def _beyond(self, theta: Fraction, end: arb, height: arb) -> arb:
        """What M(θ) has of losses below 0 beyond ``end`` on Im x = −``height``."""
        c, q, tilt = ball(self.law.shift), self.law.drawn(), ball(theta)
        if theta < -1 or not surely_at_most(c / 2, end):
            return arb.pos_inf()
        if theta >= 0:
            return beyond(c, q, tilt, end, height)
        return growth(tilt, height, c) * cut_tail(c, q, -theta, end)

    def lines(self, theta: Fraction, mass: arb) -> Callable[[], KinkedLines]:
        c, q, tilt = ball(self.law.shift), self.law.drawn(), ball(theta)
        down, up = self._sides(theta)
        ((_, atom),) = self.points()

        def line(part: Fraction) -> Line | None:
            b = ball(part) / c
            left = self._beyond(theta, ball(down.high), b)
            found = kinked_line([(c, arb(1), up, down)], q, tilt, mass, left, part)
            end = back_down(up, tilt, b) if found is not None else None
            if found is None or end is None:
                return None
            corners, weights, angles = found
            more = [weight / mass for weight in (atom, *end[0])]
            return corners, [*weights, *more], [*angles, arb(0), *end[1]]

        return cache(lambda: KinkedLines([found for found in map(line, LINES) if found is not None]))
