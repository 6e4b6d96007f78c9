"""Tables of the laws: masses and losses at nodes that serve every tilt up to one."""

import math
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache, singledispatch
from typing import Protocol

from pldverify.balls import acb, arb
from pldverify.balls.ball import ball, short, working
from pldverify.balls.clock import spend
from pldverify.errors import NoConvergence, NotSupported
from pldverify.reference.laws.atomic import AtomicLaw
from pldverify.reference.laws.density_pair import DensityPairLaw, balls_of
from pldverify.reference.laws.hints.density_pair import ends, panels
from pldverify.reference.laws.poisson_discrete_gaussian import PoissonDiscreteGaussianLaw
from pldverify.reference.laws.poisson_gaussian_laplace import PoissonGaussianLaplaceLaw
from pldverify.reference.laws.smooth import SmoothLaw, rule
from pldverify.reference.search.mixture import log_w
from pldverify.reference.search.table import KEPT, REACH, Cumulant, Table

ORDER = 12
"""Nodes of a Gauss–Legendre panel."""
_FEWEST = 6
"""Panels of a piece at least."""
MOST_NODES = 20_000
"""Cap on the nodes of a table."""
_BITS = 40
"""Outcomes of a sampled discrete Gaussian count from 2^−_BITS of the tilted mass on."""
_POINTS = 12
"""Outcomes to the narrowest width of a peak, at least: sums of so many are integrals, to a double."""
_INTEGERS = 400
"""Integers of each piece of a user's pair; any number is right."""
_STEP = 1 / 8
"""Distance of nodes, in these deviations, at which sums are integrals to a double."""
Rows = Iterator[tuple[float, float]]
"""(log of a mass, loss)."""


class Curve(Protocol):
    """Weight and loss along a piece."""

    def log_weight(self, x: acb) -> acb: ...
    def loss(self, x: acb) -> acb: ...


@lru_cache(maxsize=KEPT)
def table_of(law: object, theta: float) -> Table:
    """The table of a law that serves tilts up to ``theta``. Raises NoConvergence."""
    return _table(law, theta)


@singledispatch
def _table(law: object, theta: float) -> Table:
    raise TypeError(f"no cumulant of {type(law).__name__}")


@_table.register
def _atoms(law: AtomicLaw, theta: float) -> Table:
    with working(53):
        return _of((float(atom.first.log().mid()), float(atom.loss.mid())) for atom in law.atoms())


@_table.register
def smooth(law: SmoothLaw, theta: float) -> Table:
    """Atoms, and nodes on each piece: 10⁹ steps magnify errors of K(θ). Raises NoConvergence."""

    def rows() -> Rows:
        yield from _points(law)
        for piece in law.pieces(short(theta)):
            low, high = float(piece.low), float(piece.high)
            count = max(_FEWEST, math.ceil((high - low) / min(0.25, float(piece.width)) / ORDER))
            if count * ORDER > MOST_NODES:
                raise NoConvergence(f"tilt {theta:.3g} needs {count * ORDER} nodes")
            radius = (high - low) / (2 * count)
            for j in range(count):
                yield from _panel(piece, arb(low + (2 * j + 1) * radius), arb(radius))

    try:
        with working(53):
            return _of(rows())
    except OverflowError as error:
        raise NoConvergence(f"tilt {theta:.3g} is too large for this law") from error


@_table.register
def _density_pair(law: DensityPairLaw, theta: float) -> Table:
    """Of what a user wrote: atoms, and nodes on each panel, or integers. Raises NotSupported where infinitely
    many of those are sampled.
    """

    def rows() -> Rows:
        yield from _points(law)
        if law.pair.is_integer:
            yield from _integers(law)
            return
        curves = law.curves()
        for curve, (low, high) in zip(curves, ends(curves, short(theta), proved=False), strict=True):
            for panel in panels(curve, low, high):
                radius = (panel.high - panel.low) / 2
                yield from _panel(curve, ball(panel.low + radius), ball(radius))

    with working(53):
        return _of(rows())


def _integers(law: DensityPairLaw) -> Rows:
    """Some integers of each piece: from its finite end on, else around 0."""
    from pldverify.symbolic.lowering.to_arb import to_arb

    if law.q < 1:
        raise NotSupported("a Poisson sample of infinitely many integers has no law")
    formulas = balls_of(law.pair, law.direction).derivation
    for piece in formulas.pieces:
        low, high = piece.region.lower, piece.region.upper
        first = int(low if low.is_finite else high - _INTEGERS if high.is_finite else -_INTEGERS // 2)
        last = int(min(first + _INTEGERS, high))
        p, loss = (to_arb(each, [formulas.outcome]) for each in (piece.region.p, piece.loss))
        yield from ((float(p(n).log().mid()), float(loss(n).mid())) for n in range(first, last + 1))


def _of(rows: Rows) -> Table:
    found = list(rows)
    return Table([log for log, _ in found], [loss for _, loss in found])


def _points(law: SmoothLaw) -> Rows:
    yield from ((float(m.log().mid()), float(s.mid())) for s, m in law.points())


def _panel(curve: Curve, middle: arb, radius: arb) -> Rows:
    """Gauss–Legendre nodes."""
    spend()
    for node, weight in rule(ORDER, 53):
        x = acb(middle + radius * node)
        log = math.log(float(radius * weight)) + float(curve.log_weight(x).real.mid())
        yield log, float(curve.loss(x).real.mid())


def sampled_integers(law: PoissonDiscreteGaussianLaw, p: float) -> Cumulant:
    """log E[w^p] and its derivatives of a sampled discrete Gaussian, at outcomes for this power."""
    s, v, q = law.sensitivity, float(law.variance), float(law.q)
    stride = max(1, int(math.sqrt(v / (1 + (1 + max(0.0, -p)) * s * s / v)) / _POINTS))
    c, unit = s / math.sqrt(v), math.sqrt(v)
    found = _counting(law, p, stride)
    odds = Table([-x * x / (2 * v) for x in found], [log_w(c, q, x / unit) for x in found])
    value, mean, variance = odds.cumulant(p)
    low, high = _window(law, 0.0)
    base = math.fsum(math.exp(-x * x / (2 * v)) for x in range(low, high + 1, stride))
    return value - math.log(base), mean, variance


def _counting(law: PoissonDiscreteGaussianLaw, p: float, stride: int) -> list[int]:
    """Outcomes that count, or every so many of them: for large p a valley is left out."""
    low, high = _window(law, p)
    reach = math.ceil(math.sqrt(float(law.variance) * 84) + 2)
    turn = float(law.variance) / law.sensitivity * math.log(1 / law.q - 1) + law.sensitivity / 2
    first, last = math.ceil(max(0.0, turn)) + 2 * reach, high - 2 * reach
    if first >= last:
        return list(range(low, high + 1, stride))
    return [*range(low, first, stride), *range(last, high + 1, stride)]


def _window(law: PoissonDiscreteGaussianLaw, p: float) -> tuple[int, int]:
    with working(_BITS):
        return law.window(Fraction(p))


@_table.register
def _gaussian_laplace(law: PoissonGaussianLaplaceLaw, theta: float) -> Table:
    """Gaussian and Laplace noise on one Poisson sample: even nodes of the loss x without sampling, whose
    density is smooth.
    """
    v, c, q = float(law.variance), float(law.loss), float(law.q)
    remove = law.direction == "remove"
    s, p = math.sqrt(v), theta + 1 if remove else -theta
    low = -c - v / 2 - REACH * s + min(0.0, p) * v
    high = c + v / 2 + REACH * s + max(0.0, p) * v
    count = math.ceil((high - low) / (_STEP * s))
    if count > MOST_NODES:
        raise NoConvergence(f"tilt {theta:.3g} needs {count} nodes")
    width = (high - low) / count
    x = [low + j * width for j in range(count + 1)]
    losses = [math.log1p(q * math.expm1(y)) if y < 1 else y + math.log(q + (1 - q) * math.exp(-y)) for y in x]
    logs = [math.log(width) + _log_density(y, v, c) for y in x]
    if remove:
        return Table([log + loss for log, loss in zip(logs, losses, strict=True)], losses)
    return Table(logs, [-loss for loss in losses])


def _log_density(x: float, v: float, c: float) -> float:
    """Of the loss without sampling, under Q."""
    s = math.sqrt(v)
    below, above = (-((x - y + v / 2) ** 2) / (2 * v) for y in (-c, c))
    atoms = [below - math.log(2), above - c - math.log(2)]
    scale = math.log(s * math.sqrt(2 * math.pi))
    near, far = (abs(x) - c) / s, (abs(x) + c) / s  # the interval that the density covers, from the side
    covered = (math.erfc(near / math.sqrt(2)) - math.erfc(far / math.sqrt(2))) / 2
    logs = [atom - scale for atom in atoms]
    if covered > 0:
        logs.append(math.log(covered) - c / 2 - v / 8 - x / 2 - math.log(4))
    peak = max(logs)
    return peak + math.log(math.fsum(math.exp(log - peak) for log in logs))
