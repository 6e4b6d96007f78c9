"""Search for the noise, the step and the cut of a smoothed contour, in floats.

Any value of the constants below is right: poor ones cost time or digits.
"""

import cmath
import math
from fractions import Fraction

from pldverify.balls.ball import BOUND_BITS, short, working
from pldverify.balls.clock import spend
from pldverify.balls.compare import surely_less
from pldverify.errors import NoConvergence, NotSupported
from pldverify.reference.engines.evaluator import Quantity, Work
from pldverify.reference.engines.inversion.smoothing import MAX_NODES, Parameters
from pldverify.reference.laws.composed_loss import ComposedLoss
from pldverify.reference.laws.gaussian import GaussianLaw
from pldverify.reference.laws.law import Outline, outline_of, with_atoms
from pldverify.reference.laws.tilted_atoms import TiltedAtoms
from pldverify.reference.search.cumulant import cumulant
from pldverify.reference.search.plan import MAX_SECONDS, Plan
from pldverify.reference.search.size import densities, size_of_delta
from pldverify.reference.search.tilt import tilt

DIGITS = 6.31
"""Decimal digits promised, at most: a relative radius of 10^−6.31, so a relative width of 9.8e-7."""
_MISLED = 3.0
"""Price penalty, a factor, of smoothing where the saddle point is unreliable and grids take less than
predicted."""
_CHEAP = 5.0
"""Predicted seconds up to which more digits than promised are given."""
MOST = 12
"""Cap on digits: more are never cheap."""
_PARTS = (1.0, 0.7, 0.5, 0.35, 0.2, 0.1, 0.0)
"""Tilts tried for the saddle point of the density, as parts of the tilt of δ."""
_SAMPLE = 64
"""Points in a sample of the line that tells which part of the nodes has to be summed."""
_BOUND = 150
"""Atoms whose sum takes as long as the bound of a transform in closed form on an interval."""
_VALUE = 300
"""Atoms whose sum takes as long as the value of a transform in closed form at a node."""


def plan_smoothing(product: ComposedLoss, quantity: Quantity, epsilon: Fraction, *, digits: int) -> Plan:
    """Plan for min(digits, 6) digits of δ(ε), or for up to ``digits`` where that is cheap.

    Raises NotSupported for tails and unless all losses are discrete, NoConvergence.
    """
    if quantity != "delta":
        raise NotSupported(f"smoothing: it encloses δ, and no {quantity}: that error would be of first order")
    for law, _ in product.factors:
        if outline_of(law, Fraction(0)) is None:
            with_atoms(law)
    times = 1.0 if size_of_delta(product, epsilon) is None else _MISLED
    for goal in [*map(float, range(min(digits, MOST), 6, -2)), min(float(digits), DIGITS)]:
        parameters, seconds = _parameters(product, epsilon, goal, 1.0)
        if times * seconds < _CHEAP:
            break
    if seconds > MAX_SECONDS:
        raise NoConvergence(f"smoothing: predicted to take {seconds:.3g} s (cap {MAX_SECONDS:.0f})")
    most = max(_CHEAP / 2, 10 * seconds)
    return Plan(times * seconds, lambda: _refined(product, epsilon, goal, parameters, most), goal)


def _refined(
    product: ComposedLoss, epsilon: Fraction, goal: float, parameters: Parameters, most: float
) -> Work:
    """Ever less noise, until δ(ε) has a relative radius of 10^−goal or would take above ``most`` seconds."""
    setup, share = Work("smoothing", product, "delta", parameters), 1.0
    for _ in range(4):
        value = setup.value(epsilon) + product.infinite_mass()
        radius = float(value.rad() / value.mid()) if surely_less(0, value) else 1.0
        if radius <= 10**-goal:
            break
        share *= min(0.5, max(0.01, 0.7 * 10**-goal / radius))
        parameters, seconds = _parameters(product, epsilon, goal, share)
        if seconds > most:
            break
        setup = Work("smoothing", product, "delta", parameters)
    return setup


def _parameters(
    product: ComposedLoss, epsilon: Fraction, digits: float, noise: float
) -> tuple[Parameters, float]:
    """Parameters with ``noise`` times the variance that should be right, and the predicted seconds."""
    whole = math.ceil(digits)
    size = size_of_delta(product, epsilon)
    bare = tilt(product, "delta", epsilon, digits=whole, size=size)
    log_value = bare.log_goal + whole * math.log(10) + 5
    most = min(1.0, max(1e-30, cumulant(product, float(bare.theta))[2]) / 10)
    log_error = math.log(1.4) - digits * math.log(10) + log_value
    if size is not None and (spectrum := densities(product, epsilon)):
        enough = ((eta, log) for eta, log in spectrum if log + 2 * math.log(eta) <= log_error)
        eta, log_density = next(enough, spectrum[-1])
        most = min(most, 2 * eta**2)
    else:
        log_density = min(_log_density(product, float(epsilon), float(bare.theta) * part) for part in _PARTS)
    variance = short(noise * min(most, math.exp(min(600.0, log_error - log_density))))
    found = tilt(
        ComposedLoss((*product.factors, (GaussianLaw(variance), 1))),
        "delta",
        epsilon,
        digits=whole,
        size=size,
    )
    step, v = short(2 * math.pi / found.period), float(variance)
    edge = _edge(v, found.log_goal - found.log_size, log_density - math.log(100) - found.log_size)
    spread = found.log_size + math.log(edge / math.pi)
    log_delta, log_density = found.log_goal - spread, log_density - math.log(100) - spread
    # |φ| has to be below this; an outline may leave a part of it out, another is what lies between points
    room = math.exp(min(0.0, (log_delta + 2 * math.log(edge / 2)) / product.steps))
    with working(BOUND_BITS):
        known = [(outline_of(law, found.theta), law, k) for law, k in product.factors]
        closed = [(outline, k) for outline, _, k in known if outline is not None]
        atoms = [
            (with_atoms(law).tilted_atoms(found.theta), k) for outline, law, k in known if outline is None
        ]
        share, outlines = _outlined([each for each, _ in atoms], 0.4 * room)
    # as far as the first peak of a normal loss reaches, unless atoms are to be told apart
    gap = math.sqrt(
        -2 * product.steps * math.log(room) / max(1e-30, cumulant(product, float(found.theta))[2])
    )
    if outlines:
        gap = 1.1 * room / max(map(_deviation, outlines))
    stride = 2 ** max(0, math.floor(math.log2(min(edge, gap) / float(step))))
    strides = math.ceil(edge / float(step) / stride)
    bits = found.bits(product, stride * strides)
    parameters = Parameters(
        found.kernel.side,
        found.theta,
        found.below,
        found.above,
        variance,
        step,
        stride,
        strides,
        short(share),
        bits,
        short(log_delta),
        short(log_density),
    )
    counts = [k for _, k in atoms]
    full = sum(len(each.without(Fraction(1, 2**bits)).masses) for each, _ in atoms)
    return parameters, _seconds(parameters, list(zip(outlines, counts, strict=True)), closed, full)


def _outlined(atoms: list[TiltedAtoms], share: float) -> tuple[float, list[TiltedAtoms]]:
    """A share of the mass, and the atoms without it: so small that they keep 0.3 of their deviation."""
    outlines = [each.without(short(share)) for each in atoms]
    while atoms and min(map(_deviation, outlines)) < 0.3 * min(map(_deviation, atoms)):
        spend()
        share /= 2
        outlines = [each.without(short(share)) for each in atoms]
    return share, outlines


def _log_density(product: ComposedLoss, epsilon: float, theta: float) -> float:
    """The saddle-point value of the density of the loss at ε; larger, if θ is not the saddle point."""
    value, _, curvature = cumulant(product, theta)
    return value - theta * epsilon - math.log(2 * math.pi * max(1e-30, curvature)) / 2


def _deviation(atoms: TiltedAtoms) -> float:
    """Standard deviation of the loss among the atoms of the list."""
    return max(1e-100, float((atoms.bend().sqrt() / atoms.mass()).mid()))


def _edge(variance: float, log_delta: float, log_density: float) -> float:
    """U beyond which the noise makes the rest of both sums small enough. Raises NoConvergence."""
    if not (-math.inf < log_delta and -math.inf < log_density):  # or NaN: no U would be
        raise NoConvergence(f"smoothing: no cut makes a rest of e^{min(log_delta, log_density):.3g}")
    u = 1 / math.sqrt(variance)
    while True:
        log = -variance * u * u / 2 - math.log(math.pi * u)
        if log + math.log(2) <= log_delta and log - math.log(variance) <= log_density:
            return u
        u *= 1.03


def _seconds(
    parameters: Parameters,
    outlines: list[tuple[TiltedAtoms, int]],
    closed: list[tuple[Outline, int]],
    full: int,
) -> float:
    """Predicted seconds, from a sample of the line: nodes are summed where the transform is not small.

    ``full``: atoms that are summed at every node.
    """
    p, rows = parameters, []
    with working(BOUND_BITS):
        for outline, k in outlines:
            spend()
            pairs = zip(outline.masses, outline.losses, strict=True)
            row = [(float(mass.mid()), float(loss.mid())) for mass, loss in pairs]
            whole = float(outline.mass().mid() + outline.omitted)
            rows.append((row, float(outline.omitted), whole, k))
    points = sum(len(row) for row, *_ in rows) + _BOUND * len(closed)
    points *= p.strides if p.stride > 1 else 0
    large = 0
    for i in range(_SAMPLE):
        u = float(p.step) * p.nodes * ((i + 0.5) * 0.618034 % 1)
        log = -float(p.variance) * u * u / 2
        for row, omitted, whole, k in rows:
            size = abs(sum(mass * cmath.exp(1j * u * loss) for mass, loss in row)) + omitted
            log += k * math.log(min(1.0, size / whole) + 1e-300)
        with working(BOUND_BITS):
            sizes = ((float(each.most(short(u), Fraction(0), 1)[0]), k) for each, k in closed)
            log += sum(k * math.log(size + 1e-300) for size, k in sizes)
        large += log - 2 * math.log(u) > p.log_delta or log > p.log_density
    nodes = min(p.nodes, 100 + p.nodes * large / _SAMPLE)
    if nodes > MAX_NODES:
        return math.inf
    return (
        0.01 + 6e-8 * (points + (full + _VALUE * len(closed)) * nodes) + 1.5e-6 * p.strides + 1.5e-5 * nodes
    )
