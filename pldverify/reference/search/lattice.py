"""Search for the period and the cut of a lattice sum, in floats."""

import math
from collections.abc import Callable
from fractions import Fraction

from pldverify.balls import arb
from pldverify.balls.ball import BOUND_BITS, working
from pldverify.balls.clock import spend
from pldverify.reference.engines.evaluator import Quantity, Work
from pldverify.reference.engines.inversion.lattice import Parameters, boxes, exact_or_ball, origin
from pldverify.reference.laws.composed_loss import ComposedLoss
from pldverify.reference.laws.lattice import Circle, Lattice, circle_of, tilted
from pldverify.reference.search.plan import Plan
from pldverify.reference.search.tilt import Tilt, tilt

_CLOSED = 100
"""Masses whose sum takes as long as one value of a transform in closed form (for the price)."""


def plan_lattice(product: ComposedLoss, quantity: Quantity, epsilon: Fraction, *, digits: int) -> Plan:
    """Plan for ``digits`` digits. Raises NotSupported off a lattice, NoConvergence."""
    with working(BOUND_BITS):
        spacing = float(exact_or_ball(origin(product)[1]).mid())
        found = tilt(product, quantity, epsilon, digits=digits)
        half = max(1, math.ceil(found.period / spacing / 2))
        steps = [circle_of(law, found.theta) or tilted(law, found.theta) for law, _ in product.factors]
        nodes = _nodes(product, found, steps, half, spacing)
    bits = found.bits(product, nodes)
    masses = sum(len(step.masses) if isinstance(step, Lattice) else _CLOSED for step in steps)
    seconds = 0.001 + 2e-5 * nodes + 1e-7 * (1 + bits / 150) * nodes * masses
    parameters = Parameters(
        found.kernel.side, found.theta, found.below, found.above, 2 * half + 1, nodes, bits
    )
    return Plan(seconds, lambda: Work("lattice", product, quantity, parameters))


def _nodes(
    product: ComposedLoss, found: Tilt, steps: list[Lattice | Circle], half: int, spacing: float
) -> int:
    """J that makes the cut small enough, at most N/2 (search only)."""
    period = 2 * half + 1
    profiles = [_profile(step, period) for step in steps]
    size = found.log_size + math.log(1 / min(1.0, abs(float(found.theta)) * spacing) + 1) - found.log_goal
    nodes = 1
    while nodes < half:
        spend()
        logs = ((k, profile(nodes).mid()) for profile, (_, k) in zip(profiles, product.factors, strict=True))
        decay = math.fsum(k * float(log) for k, log in logs)
        if -decay >= size:
            return nodes
        factor = math.sqrt(size / -decay) if decay < 0 else 4.0
        nodes = math.ceil(nodes * min(4.0, max(1.1, factor)))
    return half


def _profile(step: Lattice | Circle, period: int) -> Callable[[int], arb]:
    """How the sum over the masses of one step decays beyond a node."""
    if not isinstance(step, Lattice):
        return lambda nodes: step.log_sup(Fraction(nodes, period))
    profile = boxes(step)
    return lambda nodes: profile.log_sup(2 * arb.pi() * nodes / period)
