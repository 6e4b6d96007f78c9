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
not resolve it. The same bound holds for a panel of any direction. From the corner on the panels double in
length, as :math:`e^{iv\ell}` hardly changes along the first one.

**Decay**: on a cell in x the tilted density of the loss, :math:`g e^{\theta\ell}/|\ell'| M(\theta)`, is at
least the lower end of its ball evaluation over the cell.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise, product

from flint import acb, arb, ctx

from pldverify.balls.ball import ball, short, working
from pldverify.balls.clock import spend
from pldverify.balls.line_sums import line_sums
from pldverify.errors import NoConvergence
from pldverify.reference.laws.law import Decay
from pldverify.reference.lemmas.layers import Layers
from pldverify.reference.lemmas.parallel_lines import ParallelLines

MAX_NODES = 200_000
"""Cap on nodes in x."""
MAX_WORK = 200_000_000
"""Cap on nodes in x times nodes on the line."""
_RHO = 4
_CELLS = 200
_WIDEST = 1000.0
"""Tilt up to which nodes of a cumulant serve many tilts."""
_BOXES = 16
_LAYERS = 4
"""Boxes along an ellipse and, off the real axis, across it."""
_ORDER, _FEWEST = 8, 8
"""Nodes of a panel, and panels at least, of the rule in floats."""


@dataclass(frozen=True)
class Piece:
    """∫ g e^{zℓ} from ``low`` to ``high``.

    Attributes:
        log_weight: log g.
        loss: ℓ.
        slope: |ℓ'| on the real line.
        width: half-width of a panel on which log g and ℓ are tame.
        rate: bound of |ℓ'|, roughly (search only).
        height: b of a path from ``low`` to ``low`` + ib and along Im x = b, which Im ℓ ≥ 0 allows instead of
            the real axis: e^{ivℓ} does not turn there but fall. 0: there is none.
    """

    low: Fraction
    high: Fraction
    log_weight: Callable[[acb], acb]
    loss: Callable[[acb], acb]
    slope: Callable[[arb], arb]
    width: float
    rate: float
    height: float = 0.0


class SmoothLaw(ABC):
    """What a law says of itself; :meth:`line`, :meth:`decay` and :meth:`cumulant` follow."""

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

    @abstractmethod
    def densest(self, theta: Fraction) -> list[Piece]:
        """Pieces whose losses follow on one another upwards, to bound the decay with."""

    def lines(self, theta: Fraction, mass: arb) -> Callable[[], ParallelLines] | None:
        """What ``Decay.lines`` asks for, given M(θ); None where it is not known."""
        return None

    def serving(self, theta: float) -> float:
        """A tilt whose pieces serve the cumulant at ``theta`` too (search only)."""
        return _wider(theta)

    def nodes(self, theta: Fraction, reach: float) -> int:
        """Nodes in x that a line from θ up to θ + i·``reach`` takes at the working precision."""
        return sum(
            order for piece in self.pieces(theta) for _, _, order in _panels(piece, float(theta), reach)
        )

    def cumulant(self, theta: float) -> tuple[float, float, float]:
        rows = [(share + theta * loss, loss) for share, loss in _shares(self, self.serving(theta))]
        peak = max(log for log, _ in rows)
        weights = [math.exp(log - peak) for log, _ in rows]
        total = math.fsum(weights)
        mean = math.fsum(w * s for w, (_, s) in zip(weights, rows, strict=True)) / total
        squares = (w * (s - mean) ** 2 for w, (_, s) in zip(weights, rows, strict=True))
        return peak + math.log(total), mean, math.fsum(squares) / total

    def line(self, theta: Fraction, step: Fraction, count: int) -> list[acb]:
        tilt, reach = ball(theta), float(step) * count
        coefficients: list[arb | acb] = []
        losses: list[arb | acb] = []
        errors: list[tuple[arb, arb]] = []  # a panel errs by first · e^{v · second}: together log-convex in v
        pieces = self.pieces(theta)
        for piece in pieces:
            for middle, radius, order in _panels(piece, float(theta), reach):
                spend()
                if len(losses) + order > MAX_NODES:
                    raise NoConvergence(f"contour: a panel needs {order} nodes in x (cap {MAX_NODES} in all)")
                errors.append(_error(piece, middle, radius, order, tilt))
                for node, weight in _rule(order, ctx.prec):
                    x = middle + radius * node
                    loss, log = piece.loss(x), piece.log_weight(x)
                    if middle.imag.is_zero() and radius.imag.is_zero():
                        coefficients.append(radius.real * weight * (log.real + tilt * loss.real).exp())
                        losses.append(loss.real)
                    else:
                        coefficients.append(radius * weight * (log + tilt * loss).exp())
                        losses.append(loss)
                if len(losses) > MAX_NODES or len(losses) * (count + 1) > MAX_WORK:
                    raise NoConvergence(
                        f"contour: the transform needs more than {len(losses)} nodes in x times {count + 1} "
                        f"on the line (caps {MAX_NODES} and {MAX_WORK} in all)"
                    )
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
            mass = self.line(theta, Fraction(0), 0)[0].real
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
                if ends[-1] < ends[0]:
                    ends.reverse()
                    cells.reverse()
                edges = edges[:-1] + ends
                heights += cells
            return Decay(Layers.under(edges, heights), lines=self.lines(theta, mass))


def _wider(theta: float) -> float:
    """A tilt whose nodes serve ``theta`` too, one for many: a power of 2 beyond it."""
    if -1 < theta < 0 or abs(theta) > _WIDEST:
        return theta
    return math.copysign(2.0 ** max(0, math.ceil(math.log2(max(1.0, abs(theta))))), theta)


@lru_cache(maxsize=100)
def _shares(law: SmoothLaw, theta: float) -> list[tuple[float, float]]:
    """(log of a share of M(0), loss) of the atoms and at nodes that serve ``theta``."""
    try:
        with working(53):
            rows = [(float(m.log().mid()), float(s.mid())) for s, m in law.points()]
            for piece in law.pieces(short(theta)):
                rows += _floats(piece, theta)
    except OverflowError as error:
        raise NoConvergence(f"tilt {theta:.3g} is too large for this law") from error
    return rows


def _floats(piece: Piece, theta: float) -> list[tuple[float, float]]:
    """The same of one piece, at Gauss–Legendre nodes: 10⁹ steps magnify errors of K(θ)."""
    low, high = float(piece.low), float(piece.high)
    count = max(_FEWEST, math.ceil((high - low) / min(0.25, piece.width) / _ORDER))
    if count * _ORDER > 20_000:
        raise NoConvergence(f"tilt {theta:.3g} needs {count * _ORDER} nodes")
    radius = (high - low) / (2 * count)
    rows = []
    for j in range(count):
        for node, weight in _rule(_ORDER, 53):
            x = acb(low + (2 * j + 1 + float(node)) * radius)
            share = math.log(radius * float(weight)) + float(piece.log_weight(x).real.mid())
            rows.append((share, float(piece.loss(x).real.mid())))
    return rows


def _panels(piece: Piece, theta: float, reach: float) -> list[tuple[acb, acb, int]]:
    """(middle, half of the vector, nodes) of panels; on the real axis more nodes where e^{zℓ} turns fast."""
    goal = (ctx.prec + 16) * math.log(2)
    length = piece.high - piece.low
    count = max(1, math.ceil(float(length) / (2 * piece.width)))
    if count > MAX_NODES:
        raise NoConvergence(f"contour: the transform needs {count} panels (cap {MAX_NODES})")
    radius = length / (2 * count)
    moved = piece.height if reach > 0 else 0.0
    turn = piece.rate * float(radius) * _RHO / 2
    order = math.ceil((goal + ((0 if moved else reach) + abs(theta)) * turn + 8) / (2 * math.log(_RHO))) + 1
    panels = []
    if moved:
        ends = [Fraction(0), short(moved)]
        while reach * piece.rate * abs(ends[1]) > 1:
            ends.insert(1, ends[1] / 2)
        for low, high in pairwise(ends):
            middle = acb(ball(piece.low), ball((low + high) / 2))
            panels.append((middle, acb(0, ball((high - low) / 2)), order))
    for j in range(count):
        middle = acb(ball(piece.low + (2 * j + 1) * radius), ball(short(moved)))
        panels.append((middle, acb(ball(radius)), order))
    return panels


def _error(piece: Piece, middle: acb, radius: acb, order: int, tilt: arb) -> tuple[arb, arb]:
    """(size, rate): the panel errs by at most size · e^{v·rate}, v ≥ 0."""
    log, rate = arb.neg_inf(), arb.neg_inf()
    layers = 1 if middle.imag.is_zero() and radius.imag.is_zero() else _LAYERS
    wide, tall = (arb(_RHO**2 + sign) / (2 * _RHO) for sign in (1, -1))
    for j, i in product(range(_BOXES), range(layers)):
        across, up = (
            size * (arb(2 * part - count) / count).union(arb(2 * part + 2 - count) / count)
            for size, part, count in ((wide, j, _BOXES), (tall, i, layers))
        )
        box = middle + radius * acb(across, up)
        loss = piece.loss(box)
        log = log.max((piece.log_weight(box) + tilt * loss).real.upper())
        rate = rate.max((-loss.imag).upper())
        if not (log.is_finite() and abs(loss.imag) < arb.pi()):  # a logarithm across its cut spans [−π, π]
            return arb.pos_inf(), arb(0)
    rho = arb(_RHO)
    return (8 * abs(radius) * log.exp() * rho ** (-2 * order) / (1 - 1 / rho)).upper(), rate


@lru_cache(maxsize=16)
def _rule(order: int, prec: int) -> list[tuple[arb, arb]]:
    """Nodes and weights on [−1, 1]."""
    with working(prec + 10):
        rule: list[tuple[arb, arb]] = []
        for k in range(order):
            spend()
            rule.append(arb.legendre_p_root(order, k, weight=True))
        return rule
