r"""Base of the laws of Gaussian mixtures: :math:`P = \sum_i a_i N(ic)` against :math:`Q = \sum_j b_j N(-jc)`.

In units of the noise, with levels ≥ 0: P = φ f₊ and Q = φ f₋, f₊ and f₋ of ``lemmas/gaussian_sum.py`` with
the sides 1 and −1. log f₊ rises and log f₋ falls, so the loss :math:`\ell = \log f_+ - \log f_-` increases
with the outcome x. A law is a sum of *stretches*

.. math:: M(z) = \sum \text{share} \int_{\text{low}}^{\text{high}} \varphi f_+^{z+1} f_-^{-z} dx ,

each between two outcomes or open at an end, and of atoms.

**Path**: a stretch may be taken along Im x = b > 0, where Im ℓ ≥ 0, with a way up or down where it ends.
**Omitted**: at an open end, what ``beyond`` says, the larger one of both lines, as either is taken.
**Decay**: lines through the strip as in ``strip_lines.py``; what lies beyond them at open ends is a cell of
angle 0, and so are atoms.
"""

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache

from pldverify.balls import acb, arb, ctx
from pldverify.balls.ball import ball, biggest, dyadic, rounded
from pldverify.balls.compare import surely_less
from pldverify.balls.memory import remembered
from pldverify.errors import NoConvergence
from pldverify.reference.laws.smooth import SmoothLaw
from pldverify.reference.lemmas.gaussian_sum import GaussianSum, beyond
from pldverify.reference.lemmas.parallel_lines import heights
from pldverify.reference.lemmas.piece import Piece
from pldverify.reference.lemmas.strip_lines import Cell, StripLines, strip_line

_WIDTH = Fraction(7, 10)
"""Half-width of a panel on the axis, as an angle by which f₊ or f₋ turns."""
_PATHS = Fraction(6, 5), Fraction(3, 4)
"""b of a path, likewise, where one of both turns and where both do: all angles on the ellipses around its
panels are below π together."""
_HIGHEST = Fraction(5, 2)
"""b of a path at most: the integrand grows by e^{b²/2} there."""
_SPARE = 20
"""Bits by which what is omitted is below the last one."""
_ANGLE = Fraction(2)
"""Angle, in radians and below π, by which f turns on the highest line that bounds the decay."""
_LINES = 5
"""Number of these lines, each half as high as the one before; few cost size of the bound."""
_SAMPLES = 100
"""Intervals between the points at which the bulk of a tilted density is looked for."""
_DENSE = 14
"""Nats below the peak of the tilted density down to which the bulk reaches."""
_HALVINGS = 10
"""Of the intervals in which ends are looked for."""


@dataclass(frozen=True)
class Stretch:
    """``shift``: c; ``turns``: how many units ic the arguments of f₊ and f₋ turn by near what counts."""

    shift: Fraction
    up: GaussianSum
    down: GaussianSum
    turns: tuple[Fraction, Fraction]
    share: arb
    low: Fraction | None = None
    high: Fraction | None = None

    def _factors(self, theta: Fraction) -> list[tuple[GaussianSum, arb]]:
        return [(self.up, ball(theta + 1)), (self.down, ball(-theta))]

    def _slope(self, x: arb) -> arb:
        return self.up.slope(x) - self.down.slope(x)

    def piece(self, theta: Fraction) -> Piece:
        """All that counts. Raises NoConvergence where nothing does."""
        turn = self.shift * max(self.turns)
        wide, height = min(_WIDTH, _WIDTH / turn), min(_HIGHEST, _PATHS[min(self.turns) > 0] / turn)
        height = max(Fraction(0), height)  # below the axis Im ℓ < 0
        low = self._end(theta, -1, ball(height)) if self.low is None else self.low
        high = self._end(theta, 1, ball(height)) if self.high is None else self.high
        if not low < high:
            raise NoConvergence(f"mixture: no outcome lies between {float(low):.6g} and {float(high):.6g}")
        rate = self._slope(ball(high + wide)).max(self._slope(ball(low - wide)))
        constant = self.share.log() - (2 * arb.pi()).log() / 2
        return Piece(
            low,
            high,
            lambda x: self.up.log(x) - x * x / 2 + constant,
            lambda x: self.up.log(x) - self.down.log(x),
            self._slope,
            wide,
            _short(rate),
            height,
            (self.low is not None, self.high is not None),
        )

    def _end(self, theta: Fraction, way: int, height: arb) -> Fraction:
        """Where nothing counts beyond, on Im x = ``height`` at the working precision.

        On the axis the integrand falls at least like e^{−(y − Y)²/2} from an outcome way·y, y = Y, on where
        the slope s of ``beyond`` is at most Y; s falls with Y. How well that is known costs width only.
        """
        start = self.high if way < 0 else self.low
        factors, nats = self._factors(theta), (ctx.prec + _SPARE) * arb(2).log()

        def size_and_slope(y: arb, b: arb) -> tuple[arb, arb]:
            rows = [f.edge(power, way * y, way, b) for f, power in factors]
            return (b * b - y * y) / 2 + rows[0][0] + rows[1][0], rows[0][1] + rows[1][1]

        _, slope = size_and_slope(arb(0), arb(0))
        near = _least(lambda y: size_and_slope(y, arb(0))[1] - y, slope.min(arb(0)), slope.max(arb(0)))
        near = near if start is None else near.max(way * ball(start))
        floor = size_and_slope(near, arb(0))[0] - nats
        return way * _short(
            _least(lambda y: size_and_slope(y, height)[0] - floor, near, near + (2 * nats).sqrt())
        )

    def omitted(self, theta: Fraction, piece: Piece, height: arb) -> arb:
        """Upper bound of what the piece leaves out at open ends on Im x = ``height`` ≥ 0."""
        ends, factors = ((piece.low, -1, self.low), (piece.high, 1, self.high)), self._factors(theta)
        bounds = (beyond(factors, ball(x), way, height) for x, way, end in ends if end is None)
        return self.share * sum(bounds, arb(0))

    def bulk(self, theta: Fraction) -> Piece:
        """The piece from the first to the last point, of some, where the tilted density is near its peak."""
        piece, tilt = self.piece(theta), ball(theta)
        step = (piece.high - piece.low) / _SAMPLES
        points = [piece.low + step * j for j in range(_SAMPLES + 1)]
        logs = [(piece.log_weight(x) + tilt * piece.loss(x)).real.mid() for x in map(acb, map(ball, points))]
        floor = biggest(logs) - _DENSE
        inside = [x for x, log in zip(points, logs, strict=True) if surely_less(floor, log)] or points
        return replace(piece, low=max(piece.low, inside[0] - step), high=min(piece.high, inside[-1] + step))


class GaussianStretches(SmoothLaw):
    """A law of stretches, and of the atoms that :meth:`points` tells."""

    @property
    @abstractmethod
    def largest_finite_loss(self) -> arb | None:
        """As of a law."""

    @abstractmethod
    def stretches(self, theta: Fraction) -> list[Stretch]:
        """Those that count at θ; those of the first shift come first, their losses following upwards."""

    def left_out(self, theta: Fraction) -> arb:
        """Upper bound of what M(θ + iv) has outside of the stretches and atoms."""
        return arb(0)

    def points(self) -> list[tuple[arb, arb]]:
        return []

    def pieces(self, theta: Fraction) -> list[Piece]:
        return _pieces(self, theta, ctx.prec)

    def omitted(self, theta: Fraction, pieces: list[Piece]) -> arb:
        total = self.left_out(theta)
        for stretch, piece in zip(self.stretches(theta), pieces, strict=True):
            total += biggest(stretch.omitted(theta, piece, ball(b)) for b in (Fraction(0), piece.height))
        return total.upper()

    def densest(self, theta: Fraction) -> list[Piece]:
        first, *others = self.stretches(theta)
        alike = 1 + sum(stretch.shift == first.shift for stretch in others)
        return self.pieces(theta)[:alike] if alike > 1 else [first.bulk(theta)]

    def lines(self, theta: Fraction, mass: arb) -> Callable[[], StripLines] | None:
        stretches, tilt = self.stretches(theta), ball(theta)
        first = stretches[0]
        if any(stretch.shift != first.shift for stretch in stretches):
            return None
        turn = first.shift * max(first.up.span, first.down.span)
        atoms = sum((weight * (tilt * loss).exp() for loss, weight in self.points()), arb(0))
        pieces = self.pieces(theta)

        def build() -> StripLines:
            lines = []
            for height in map(ball, heights(turn, _ANGLE, _LINES)):
                rows = zip(stretches, pieces, strict=True)
                still = sum((stretch.omitted(theta, piece, height) for stretch, piece in rows), atoms)
                found = strip_line(pieces, tilt, height)
                lines += [] if found is None else [[Cell(still, arb(0)), *found]]
            return StripLines(lines, mass)

        return cache(build)


@remembered(16)
def _pieces(law: GaussianStretches, theta: Fraction, prec: int) -> list[Piece]:
    """``prec`` is the working precision."""
    return [stretch.piece(theta) for stretch in law.stretches(theta)]


def _least(falling: Callable[[arb], arb], low: arb, high: arb) -> arb:
    """About the least point between two from which on a function is < 0."""
    for _ in range(_HALVINGS):
        middle = ((low + high) / 2).mid()
        low, high = (low, middle) if surely_less(falling(middle), 0) else (middle, high)
    return high


def _short(x: arb) -> Fraction:
    """A dyadic of few bits near a ball."""
    return rounded(dyadic(x.mid()))
