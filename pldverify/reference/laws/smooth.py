r"""Base of the laws with a density: their transform by Gauss–Legendre panels with a proved error.

:math:`M(z) = \sum_{\text{atoms}} m_i e^{z s_i} + \sum_{\text{pieces}} \int_a^b g(x) e^{z\ell(x)} dx`, with
g and ℓ analytic near [a, b] and ℓ monotone. The same nodes serve every z of a line.

**Error of a panel** [m − r, m + r] with N nodes. If the integrand is analytic and at most B in modulus
inside the ellipse with foci m ± r and semi-axes r(ρ ± 1/ρ)/2, its Chebyshev coefficients are at most
:math:`2B\rho^{-k}`; the rule is exact up to degree 2N − 1 and has positive weights of sum 2r, so each later
term errs by at most twice 2r: in all by at most :math:`8 r B \rho^{-2N}/(1 - 1/\rho)`. B is the modulus of a
ball evaluation over a rectangle around the ellipse; it counts only if |Im ℓ| < π there, since a logarithm
that meets its cut is enclosed by a ball around [−π, π]:
:math:`|g e^{(\theta+iv)\ell}| = \exp(\mathrm{Re}(\log g + \theta\ell) - v\,\mathrm{Im}\,\ell)`, v ≥ 0.

**Path**: off the real axis, where Im ℓ ≥ 0, the integrand falls with v instead of turning, and the nodes need
not resolve it. The same bound holds for a panel of any direction. From a corner on the panels double in
length, as :math:`e^{iv\ell}` hardly changes along the first one.

**Decay**: on a cell in x the tilted density of the loss, :math:`g e^{\theta\ell}/|\ell'| M(\theta)`, is at
least the lower end of its ball evaluation over the cell.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise, product
from math import ceil
from typing import NamedTuple

from pldverify.balls import acb, arb, ctx
from pldverify.balls.ball import ball, working
from pldverify.balls.clock import spend
from pldverify.balls.compare import surely_less
from pldverify.balls.line_sums import line_sums
from pldverify.balls.memory import remembered
from pldverify.errors import NoConvergence
from pldverify.reference.laws.law import Decay, Lines
from pldverify.reference.lemmas.layers import Layers
from pldverify.reference.lemmas.piece import Piece

RHO = 4
"""ρ of the ellipse that the error of a panel is bounded with."""
MAX_NODES = 200_000
"""Cap on nodes in x."""
MAX_WORK = 200_000_000
"""Cap on nodes in x times nodes on the line."""
_CELLS = 200
"""Cells of each of the densest pieces, for the decay; any number is right, few cost size."""
_BOXES = 16
"""Boxes along the ellipse of a panel; any number is right, few cost size of its error bound."""
_LAYERS = 4
"""Boxes across the ellipse of a panel off the real axis; likewise. On the axis, one."""
_SPARE = 16
"""Bits by which the error of a panel is below the last one; any number is right."""
_COMPLEX = 2
"""Price of a complex node, in real ones (observed: 1.5 to 3); it chooses the path, so any number is right."""


class Panels(NamedTuple):
    """``panels`` panels along the piece and ``turns`` up to its height, each twice as long as the one before
    but for the first two; ``order`` nodes each. ``turns`` = 0: on the real axis."""

    panels: int
    turns: int
    order: int


def panels(piece: Piece, theta: Fraction, reach: Fraction) -> Panels:
    """For e^{zℓ} from θ up to θ + i·``reach``: on the real axis more nodes where it turns fast; off it
    complex ones, in panels so narrow that the ellipses around them stay above the axis. A choice, whatever
    it is.
    """
    on = _along(piece, piece.width, reach + abs(theta))
    if not (piece.height and reach > 0):
        return on
    off = _along(piece, min(piece.width, abs(piece.height) / 2), abs(theta))
    turns = 1 + max(0, ceil(reach * piece.rate * abs(piece.height)) - 1).bit_length()
    off = off._replace(turns=turns)
    return on if nodes_in_x(piece, on) < _COMPLEX * nodes_in_x(piece, off) else off


def nodes_in_x(piece: Piece, found: Panels) -> int:
    """Nodes of all panels."""
    return (found.panels + sum(piece.corners) * found.turns) * found.order


def _along(piece: Piece, width: Fraction, frequency: Fraction) -> Panels:
    """Panels of a half-width, no turns, and an order for e^{zℓ} up to a size of z: the logarithms are to the
    base 2, with log₂ ρ = 2 and 1/log 2 < 13/9.
    """
    count = max(1, ceil((piece.high - piece.low) / (2 * width)))
    turn = piece.rate * (piece.high - piece.low) / (2 * count) * RHO / 2
    return Panels(count, 0, ceil((ctx.prec + _SPARE + (frequency * turn + 8) * 13 / 9) / 4) + 1)


class SmoothLaw(ABC):
    """What a law says of itself; :meth:`on_line` and :meth:`decay` follow."""

    infinite_mass = Fraction(0)

    @abstractmethod
    def pieces(self, theta: Fraction) -> list[Piece]:
        """Pieces wide enough for M(θ + iv) at the working precision."""

    @abstractmethod
    def omitted(self, theta: Fraction, pieces: list[Piece]) -> arb:
        """Upper bound of what M(θ) has outside the pieces and atoms."""

    @abstractmethod
    def points(self) -> list[tuple[arb, arb]]:
        """(loss, mass) of the atoms."""

    def densest(self, theta: Fraction) -> list[Piece]:
        """Pieces whose losses follow on one another upwards, to bound the decay with; all, unless a law says
        otherwise.
        """
        return self.pieces(theta)

    def lines(self, theta: Fraction, mass: arb) -> Callable[[], Lines] | None:
        """What ``Decay.lines`` asks for, given M(θ); None where it is not known."""
        return None

    def on_line(self, theta: Fraction, step: Fraction, count: int) -> list[acb]:
        tilt, reach = ball(theta), step * count
        coefficients: list[arb | acb] = []
        losses: list[arb | acb] = []
        errors: list[tuple[arb, arb]] = []  # a panel errs by first · e^{v · second}: together log-convex in v
        pieces = self.pieces(theta)
        chosen = [panels(piece, theta, reach) for piece in pieces]
        nodes = sum(map(nodes_in_x, pieces, chosen))
        if nodes > MAX_NODES or nodes * (count + 1) > MAX_WORK:
            raise NoConvergence(
                f"contour: the transform needs {nodes} nodes in x times {count + 1} on the line "
                f"(caps {MAX_NODES} and {MAX_WORK} in all)"
            )
        for piece, found in zip(pieces, chosen, strict=True):
            order = found.order
            for middle, radius in _path(piece, found):
                spend()
                errors.append(_error(piece, middle, radius, order, tilt))
                for node, weight in rule(order, ctx.prec):
                    x = middle + radius * node
                    loss, log = piece.loss(x), piece.log_weight(x)
                    if middle.imag.is_zero() and radius.imag.is_zero():
                        coefficients.append(radius.real * weight * (log.real + tilt * loss.real).exp())
                        losses.append(loss.real)
                    else:
                        coefficients.append(radius * weight * (log + tilt * loss).exp())
                        losses.append(loss)
        for point, mass in self.points():
            coefficients.append(mass * (tilt * point).exp())
            losses.append(point)
        values = line_sums(coefficients, losses, ball(step), count)
        rest = self.omitted(theta, pieces)
        ends = [
            sum((size * (rate * ball(step * j)).exp() for size, rate in errors), arb(0)).log()
            for j in (0, count)
        ]
        for j, value in enumerate(values):
            bound = (rest + (ends[0] + (ends[1] - ends[0]) * j / max(count, 1)).exp()).upper()
            if not bound.is_finite():
                raise NoConvergence("contour: no proved error bound of the transform at this precision")
            wobble = arb(0, bound)
            values[j] = value + acb(wobble, wobble) if j else acb(value.real + wobble)
        return values

    def decay(self, theta: Fraction) -> Decay:
        with working(max(64, ctx.prec)):
            mass = self.on_line(theta, Fraction(0), 0)[0].real
            tilt = ball(theta)
            edges: list[arb] = []
            heights: list[arb] = []
            for piece in self.densest(theta):
                cuts = [piece.low + (piece.high - piece.low) * Fraction(j, _CELLS) for j in range(_CELLS + 1)]
                ends = [piece.loss(acb(ball(x))).real for x in cuts]
                cells = []
                for a, b in pairwise(cuts):
                    x = ball(a).union(ball(b))
                    log = piece.log_weight(acb(x)).real + tilt * piece.loss(acb(x)).real
                    cells.append((log.exp() / piece.slope(x) / mass).lower())
                if surely_less(ends[-1], ends[0]):
                    ends.reverse()
                    cells.reverse()
                if edges and not edges[-1].overlaps(ends[0]):
                    raise NoConvergence("contour: pieces whose losses do not follow on one another")
                edges = edges[:-1] + ends
                heights += cells
            return Decay(Layers.under(edges, heights), lines=self.lines(theta, mass))


def _path(piece: Piece, found: Panels) -> list[tuple[acb, acb]]:
    """(middle, half of the vector) of panels that follow one another from end to end of the path."""
    if found.panels < 1 or found.order < 1 or (found.turns > 0 and not piece.height):
        raise NoConvergence("contour: the quadrature of the transform has no panels")
    height, turns = piece.height, found.turns
    cuts = [Fraction(0), *(height / 2**j for j in range(turns - 1, -1, -1))] if turns > 0 else []
    radius = (piece.high - piece.low) / (2 * found.panels)
    up, down = (
        [_upright(end, *part, side) for part in pairwise(cuts)] if corner else []
        for end, corner, side in zip((piece.low, piece.high), piece.corners, (1, -1), strict=True)
    )
    middles = (piece.low + (2 * j + 1) * radius for j in range(found.panels))
    line = ball(height if turns > 0 else Fraction(0))
    return [*up, *((acb(ball(middle), line), acb(ball(radius))) for middle in middles), *down]


def _upright(x: Fraction, low: Fraction, high: Fraction, side: int) -> tuple[acb, acb]:
    """A panel between two heights at ``x``, upwards or downwards."""
    return acb(ball(x), ball((low + high) / 2)), acb(0, ball(side * (high - low) / 2))


def _error(piece: Piece, middle: acb, radius: acb, order: int, tilt: arb) -> tuple[arb, arb]:
    """(size, rate): the panel errs by at most size · e^{v·rate}, v ≥ 0."""
    log, rate = arb.neg_inf(), arb.neg_inf()
    layers = 1 if middle.imag.is_zero() and radius.imag.is_zero() else _LAYERS
    wide, tall = (arb(RHO**2 + sign) / (2 * RHO) for sign in (1, -1))
    for j, i in product(range(_BOXES), range(layers)):
        across, up = (
            size * (arb(2 * part - count) / count).union(arb(2 * part + 2 - count) / count)
            for size, part, count in ((wide, j, _BOXES), (tall, i, layers))
        )
        box = middle + radius * acb(across, up)
        loss = piece.loss(box)
        log = log.max((piece.log_weight(box) + tilt * loss).real.upper())
        rate = rate.max((-loss.imag).upper())
        if not (
            log.is_finite() and surely_less(abs(loss.imag), arb.pi())
        ):  # a logarithm across its cut spans [−π, π]
            return arb.pos_inf(), arb(0)
    rho = arb(RHO)
    return (8 * abs(radius) * log.exp() * rho ** (-2 * order) / (1 - 1 / rho)).upper(), rate


@remembered(16)
def rule(order: int, prec: int) -> list[tuple[arb, arb]]:
    """Nodes and weights on [−1, 1]."""
    with working(prec + 10):
        rule: list[tuple[arb, arb]] = []
        for k in range(order):
            spend()
            rule.append(arb.legendre_p_root(order, k, weight=True))
        return rule
