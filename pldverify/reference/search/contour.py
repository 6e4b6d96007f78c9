"""Search for the step and the cut of a contour, in floats."""

import math
from fractions import Fraction

from pldverify.balls.ball import BOUND_BITS, ball, short, working
from pldverify.errors import NoConvergence, NotSupported
from pldverify.reference.engines.evaluator import Quantity, Work
from pldverify.reference.engines.inversion.contour import Parameters, decays
from pldverify.reference.laws.composed_loss import ComposedLoss
from pldverify.reference.laws.gaussian_mixture import GaussianMixtureLaw
from pldverify.reference.laws.gaussian_stretches import GaussianStretches
from pldverify.reference.laws.law import Decay, HasFiniteAtoms, Law
from pldverify.reference.search.cumulant import cumulant
from pldverify.reference.search.plan import Plan
from pldverify.reference.search.size import size_of_delta
from pldverify.reference.search.tilt import Tilt, tilt

MAX_LINE = 200_000
"""Cap on nodes along the line."""
_PANELS = 20.0
"""Nodes in x, per bit, of the panels of Gaussian mixtures, on the real axis or off it (observed: 7 to 30)."""
_SHIFTED = 3.0
"""Nodes in x, per bit, of a line off the real axis beyond those on it (observed: 0.5 to 3.3)."""
_SCHEDULE = 100
"""Laws of a schedule whose transforms cost as much as those of all: the others are interpolated."""


def plan_contour(
    product: ComposedLoss,
    quantity: Quantity,
    epsilon: Fraction,
    *,
    digits: int,
    size: float | None = None,
    cut: bool = False,
) -> Plan:
    """A contour that should give ``digits`` digits of δ(ε) or P(S ≥ ε), or of e^size where that is less.

    Where losses are ``cut``, those next to the cut add to the variance and not to the decay, and a tilt
    beyond the saddle point may fail: then the others have their turn.

    Raises NotSupported where nothing makes the integrand decay, NoConvergence.
    """
    if size is None and quantity == "delta":
        size = size_of_delta(product, epsilon)
    found = tilt(product, quantity, epsilon, digits=digits, size=size, beyond=not cut)
    try:
        nodes = _nodes(product, quantity, found)
    except NoConvergence:
        if not (cut and found.steep):
            raise
        found = tilt(product, quantity, epsilon, digits=digits, size=size, steep=False)
        nodes = _nodes(product, quantity, found)
    step = short(2 * math.pi / found.period)
    bits = found.bits(product, nodes, float(epsilon))
    parameters = Parameters(found.kernel.side, found.theta, found.below, found.above, step, nodes, bits)
    some = product.factors[:: 1 + len(product.factors) // _SCHEDULE]
    points = sum(_points(law, float(found.theta), float(step * nodes), bits) for law, _ in some)
    seconds = 0.003 * len(some) + 1e-5 * nodes + 1e-7 * (1 + bits / 150) * nodes * points
    return Plan(seconds, lambda: Work("contour", product, quantity, parameters))


def _points(law: Law, theta: float, reach: float, bits: int) -> float:
    """Estimated number of atoms, or of nodes in x, for a value of M up to θ + i·``reach``: enough to resolve
    e^{iuS}, unless a path off the real axis spares that.
    """
    if isinstance(law, HasFiniteAtoms):
        return len(law.atoms())
    if isinstance(law, GaussianStretches):
        return _PANELS * bits
    turns = 12 * reach * math.sqrt(max(0.0, cumulant(law, theta)[2]))
    off = isinstance(law, GaussianMixtureLaw) and law.power(Fraction(theta)) >= 0
    return 2.0 * bits + (min(turns, _SHIFTED * bits) if off else turns)


def _nodes(product: ComposedLoss, quantity: Quantity, found: Tilt) -> int:
    """Nodes up to where the cut is small enough. Raises NotSupported, NoConvergence."""
    step, falls = float(short(2 * math.pi / found.period)), decays(product, found.theta)
    if all(d.layers is None and d.gauss is None for d, _ in falls):
        raise NotSupported("contour: nothing makes the integrand decay")
    log_size = found.log_size
    if quantity == "tail":  # one factor is bounded by C/u there, without its decay
        log_size += min((float(d.over_u.log().mid()) for d, _ in falls if d.over_u is not None), default=0.0)
    variance = max(1e-300, cumulant(product, float(found.theta))[2])
    normal = math.sqrt(2 * max(0.0, log_size - found.log_goal) / variance)  # as if the loss were normal
    edge = _edge(falls, log_size, found.log_goal, step, max(step, 0.8 * normal))
    return max(1, math.ceil(edge / step))


def _edge(falls: list[tuple[Decay, int]], log_size: float, log_goal: float, step: float, u: float) -> float:
    """U beyond which the proved decay makes the cut small enough, looked for from ``u`` on."""
    last = (0.0, 0.0)
    with working(BOUND_BITS):
        for _ in range(200):
            point = ball(short(u))
            size = -math.fsum(k * float(d.log_sup(point).mid()) for d, k in falls)
            needed = log_size - log_goal - math.log(math.pi * u)
            if size >= needed:
                return u
            if u > MAX_LINE * step:
                break
            rate = math.log(size / last[1]) / math.log(u / last[0]) if size > last[1] > 0 else 2.0
            last = u, size
            factor = (needed / size) ** (1 / max(0.3, min(2.0, rate))) if size > 0 else 4.0
            u *= min(4.0, max(1.05, 1.01 * factor))
    raise NoConvergence(
        f"contour: the integrand decays too slowly: more than {MAX_LINE} nodes needed "
        f"(few compositions or little noise)"
    )
