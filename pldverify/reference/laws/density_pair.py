r"""Losses of a pair of densities that a user wrote, alone or Poisson-subsampled.

The symbolic layer has derived L = log(p/q) and cut the outcomes into pieces on which L is monotone, and
atoms. With :math:`w = 1 - \tau + \tau e^L` for a sampling probability τ, so that
:math:`(1-\tau) q + \tau p = wq`, and with τ = 1 for the pair itself, the loss and the density of its first
measure are

* log w with wq for ``remove``, −log w with q for ``add``.

Where p = 0 there is an atom at ±log(1 − τ), where q = 0 the loss is infinite with the mass τP(q = 0).

**Cut**: w is a mean of 1 and :math:`e^L`, so :math:`w^x \le 1 + e^{xL}` for every real x. Hence
:math:`q w^{\theta+1} \le q + p e^{\theta L}` and :math:`q w^{-\theta} \le q + p e^{-(1+\theta)L}`: one
bound of the pair itself, at θ or at −1 − θ, serves both.

**Total masses** that are not proved to be 1 are divided out: P/m_P against Q/m_Q.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

from pldverify.balls import acb, arb, ctx
from pldverify.balls.ball import BOUND_BITS, ball, dyadic, working
from pldverify.balls.compare import surely_less
from pldverify.balls.memory import remembered
from pldverify.errors import NoConvergence, NotSupported
from pldverify.mechanisms.density_pair import DensityPair
from pldverify.mechanisms.relations import Direction
from pldverify.reference.laws.hints.density_pair import densest, ends, heights, panels
from pldverify.reference.laws.law import Decay
from pldverify.reference.laws.poisson_sample import largest_sampled_loss, sampled_tails
from pldverify.reference.laws.smooth import SmoothLaw
from pldverify.reference.lemmas.detour import detour
from pldverify.reference.lemmas.layers import Layers
from pldverify.reference.lemmas.parallel_lines import ParallelLines
from pldverify.reference.lemmas.piece import Piece

if TYPE_CHECKING:
    from pldverify.symbolic.analytic_piece import AnalyticPiece
    from pldverify.symbolic.ball_pair import BallPair

_CELLS = 200
"""Cells of the tilted density, bounded from below for the decay; any number is right, few cost size."""


@dataclass(frozen=True)
class DensityPairLaw(SmoothLaw):
    """``pair`` in one ``direction``, Poisson-subsampled with ``q`` < 1, or q = 1.

    Raises NotSupported for what the symbolic layer could not prove.
    """

    pair: DensityPair
    direction: Direction
    q: Fraction = Fraction(1)

    def normal(self) -> Fraction | None:
        """v where the loss of the pair is proved to be normal with mean v/2 and variance v; else None.

        Then M(z) = M(−1 − z), and the loss of the reversed pair has the same law.
        """
        found: Fraction | None = balls_of(self.pair, "remove").normal()
        return found

    @property
    def infinite_mass(self) -> Fraction | arb:  # type: ignore[override]  # a class attribute there
        mass = balls_of(self.pair, self.direction).infinite_mass
        if mass.is_zero() or (self.direction == "add" and self.q < 1):
            return Fraction(0)
        return ball(self.q) * mass

    @property
    def largest_finite_loss(self) -> arb | None:
        top = balls_of(self.pair, self.direction).largest_finite_loss
        if self.q == 1:
            return top
        ends = self.direction == "remove" or balls_of(self.pair, "add").infinite_mass.is_zero()
        return largest_sampled_loss(top if ends else None, self.q, self.direction)

    def tails(self, s: Fraction) -> tuple[arb, arb]:
        if self.q == 1:
            return balls_of(self.pair, self.direction).tails(s)
        return sampled_tails(self._beyond, self.q, self.direction, s, 1 - ball(self.infinite_mass))

    def _beyond(self, threshold: arb) -> tuple[arb, arb]:
        """Both measures of the pair's own losses of at least ``threshold``: as the sample counts them."""
        plain = balls_of(self.pair, self.direction)
        rows = [plain.tails(dyadic(end)) for end in (threshold.lower(), threshold.upper())]
        first, second = (a.union(b) for a, b in zip(*rows, strict=True))
        return first if self.direction == "remove" else first + plain.infinite_mass, second

    def points(self) -> list[tuple[arb, arb]]:
        pair, q = balls_of(self.pair, "remove"), ball(self.q)
        rows = []
        for loss, p, other in pair.atoms():
            if loss is not None:
                mixed = (1 - q) * other + q * p
                rows.append((self.of(acb(loss)).real, mixed if self.direction == "remove" else other))
            elif p.is_zero() and self.q < 1:  # never drawn from P
                low = (-q).log1p()
                rows.append((low, (1 - q) * other) if self.direction == "remove" else (-low, other))
        return rows

    def of(self, loss: acb) -> acb:
        """±log w of L; not finite unless it is analytic there."""
        if self.q < 1:
            odds = ball(self.q) * loss.expm1()
            loss = odds.log1p() if (1 + odds).log(analytic=True).is_finite() else acb(arb.nan())
        return loss if self.direction == "remove" else -loss

    def curves(self) -> list["Curve"]:
        """One for each monotone piece. Raises NotSupported for integers."""
        return [Curve(self, piece) for piece in balls_of(self.pair, "remove").analytic()]

    def pieces(self, theta: Fraction) -> list[Piece]:
        found: list[Piece] = []
        for curve, (low, high) in zip(self.curves(), _ends(self, theta, ctx.prec), strict=True):
            parts = panels(curve, low, high)
            joints = [low, *(part.high for part in parts)]
            if joints[:-1] != [part.low for part in parts] or joints[-1] != high:
                raise NoConvergence("contour: panels that do not follow on one another")
            for part in parts:
                half = (part.high - part.low) / 2
                found.append(
                    Piece(part.low, part.high, curve.log_weight, curve.loss, curve.slope, half, part.rate)
                )
        return found

    def omitted(self, theta: Fraction, pieces: list[Piece]) -> arb:
        return self._beyond_cuts(theta, ctx.prec)

    def _beyond_cuts(self, theta: Fraction, prec: int) -> arb:
        """Bound of the transform beyond the cuts for that precision."""
        total = arb(0)
        for curve, cuts in zip(self.curves(), _ends(self, theta, prec), strict=True):
            for side, end in zip((-1, 1), cuts, strict=True):
                total += curve.beyond(theta, end, side)
        return total.upper()

    def densest(self, theta: Fraction) -> list[Piece]:
        raise NotSupported("a user's densities have cells of their own, see decay")

    def decay(self, theta: Fraction) -> Decay:
        with working(max(BOUND_BITS, ctx.prec)):
            mass = self.on_line(theta, Fraction(0), 0)[0].real
            curves = self.curves()
            found = densest(curves, theta)
            if found is None:
                return Decay()
            index, low, high = found
            edges, levels = curves[index].layers(theta, low, high)
            return Decay(
                Layers.under(edges, [level / mass for level in levels]), lines=self.lines(theta, mass)
            )

    def lines(self, theta: Fraction, mass: arb) -> Callable[[], ParallelLines]:
        return cache(lambda: self._detours(theta, mass))

    def _detours(self, theta: Fraction, mass: arb) -> ParallelLines:
        """Around all pieces at once; atoms and what is cut off count at full size."""
        with working(3 * BOUND_BITS):  # far out ℓ hardly moves, and yet Im ℓ ≥ 0 is to be seen
            tilt, curves = ball(theta), self.curves()
            pieces = [
                Piece(*cuts, each.log_weight, each.loss, each.slope, cuts[1] - cuts[0], Fraction(1))
                for each, cuts in zip(curves, _ends(self, theta, BOUND_BITS), strict=True)
            ]
            rest = self._beyond_cuts(theta, BOUND_BITS)
            for loss, atom in self.points():
                rest += atom * (tilt * loss).exp()
            lines = []
            for each in zip(*(heights(curve, theta) for curve in curves), strict=True):
                found = [
                    detour(piece, curve.derivative, tilt, height)
                    for piece, curve, height in zip(pieces, curves, each, strict=True)
                ]
                rows = [row for row in found if row is not None]
                if len(rows) == len(pieces):
                    weights = [rest, *(weight for row in rows for weight in row[0])]
                    angles = [arb(0), *(angle for row in rows for angle in row[1])]
                    lines.append(([weight / mass for weight in weights], angles))
            return ParallelLines(lines)


@dataclass(frozen=True)
class Curve:
    """Weight and loss along one monotone piece."""

    law: DensityPairLaw
    piece: "AnalyticPiece"

    def log_weight(self, x: acb) -> acb:
        law = self.law
        first, second = self._log_masses()
        if law.direction == "add":
            return self.piece.log_q(x) - second
        if law.q == 1:
            return self.piece.log_p(x) - first
        return self.piece.log_q(x) - second + self.loss(x)

    def loss(self, x: acb) -> acb:
        return self.law.of(self.piece.loss(x) + self._shift())

    def _shift(self) -> arb:
        """log(m_Q/m_P)."""
        first, second = self._log_masses()
        return second - first

    def _log_masses(self) -> tuple[arb, arb]:
        masses: tuple[arb, arb] = balls_of(self.law.pair, "remove").log_masses()
        return masses

    def slope(self, x: arb) -> arb:
        """|ℓ'|."""
        q = ball(self.law.q)
        slope: arb = abs(self.piece.slope(x))
        if self.law.q == 1:
            return slope
        odds = q * (self.piece.loss(acb(x)).real + self._shift()).exp()
        return slope * odds / (1 - q + odds)

    def rising(self) -> int:
        """The sign of ℓ'."""
        return self.piece.trend if self.law.direction == "remove" else -self.piece.trend

    def derivative(self, x: acb) -> acb:
        """ℓ' near the real line, wherever it is finite."""
        q, slope = ball(self.law.q), self.piece.derivative(x)
        if self.law.q < 1:
            odds = q * (self.piece.loss(x) + self._shift()).exp()
            slope *= odds / (1 - q + odds)
        return slope if self.law.direction == "remove" else -slope

    def layers(self, theta: Fraction, low: Fraction, high: Fraction) -> tuple[list[arb], list[arb]]:
        """Losses at the edges of cells, increasing, and lower bounds of the tilted density between them.

        On a cell around m of radius r it is at least its value at m times e^{−r sup |F'|}, F its logarithm.
        """
        if not (low < high and self.piece.contains(low) and self.piece.contains(high)):
            raise NoConvergence("contour: cells that are not on the piece")
        cuts = [low + (high - low) * Fraction(j, _CELLS) for j in range(_CELLS + 1)]
        edges = [self.loss(acb(ball(x))).real for x in cuts]
        levels, radius = [], ball(high - low) / (2 * _CELLS)
        for a, b in pairwise(cuts):
            at, tilt = acb(ball((a + b) / 2)), ball(theta)
            log = (self.log_weight(at) + tilt * self.loss(at)).real
            change = abs(self._rate(tilt, ball(a).union(ball(b)))).upper()
            levels.append((log - radius * change).exp() / self.slope(at.real))
        if not surely_less(edges[0], edges[-1]):
            edges.reverse()
            levels.reverse()
        return edges, levels

    def _rate(self, tilt: arb, x: arb) -> arb:
        """F' on ``x``, F = log g + θℓ − log |ℓ'|; with ℓ' = ± share · L', (log share)' = (1 − share) L'."""
        piece, q, forward = self.piece, ball(self.law.q), self.law.direction == "remove"
        slope: arb = piece.slope(x)
        turn: arb = piece.bend(x) / slope
        if self.law.q == 1:
            return (piece.p_rate(x) + tilt * slope if forward else piece.q_rate(x) - tilt * slope) - turn
        odds = q * (piece.loss(acb(x)).real + self._shift()).exp()
        share = odds / (1 - q + odds)
        power = tilt + 1 if forward else -tilt
        return piece.q_rate(x) + (power * share - (1 - share)) * slope - turn

    def beyond(self, theta: Fraction, end: Fraction, side: int) -> arb:
        """Bound of the transform at θ between ``end`` and the end of the piece."""
        law, power = self.law, theta if self.law.direction == "remove" else -1 - theta
        first, second = self._log_masses()
        of_p, of_q = self.piece.beyond(power, end, side)
        of_p *= (ball(power) * (second - first) - first).exp()
        return (of_p if law.q == 1 else of_p + of_q * (-second).exp()).upper()


@remembered(64)
def _ends(law: DensityPairLaw, theta: Fraction, prec: int) -> list[tuple[Fraction, Fraction]]:
    """Where the pieces are cut at θ; a choice, whatever it is."""
    with working(prec):
        return ends(law.curves(), theta)


@remembered(64)
def balls_of(pair: DensityPair, direction: Direction) -> "BallPair":
    """The pair in balls. Raises NotSupported for what the symbolic layer could not prove."""
    from pldverify.symbolic.ball_pair import ball_pair

    return ball_pair(pair, direction)
