"""Search for the step and the cut of a contour, in floats."""

import math
from fractions import Fraction

from pldverify.errors import NoConvergence, NotSupported
from pldverify.reference.balls import ball, short, working
from pldverify.reference.contour import BOUND_BITS, Contour, Parameters, decay
from pldverify.reference.laws.law import Decay
from pldverify.reference.product import Product
from pldverify.reference.search import plan

MAX_LINE = 200_000
"""Cap on nodes along the line."""


def build_contour(product: Product, quantity: str, epsilon: Fraction, *, digits: int) -> Contour:
    """A contour that should give ``digits`` digits of δ(ε) or P(S ≥ ε). Raises NoConvergence."""
    found = plan(product, quantity, epsilon, digits=digits)
    step = short(2 * math.pi / found.period)
    decays = [decay(law, found.theta) for law, _ in product.factors]
    if all(d.layers is None and d.gauss is None for d in decays):
        raise NotSupported("contour: nothing makes the integrand decay")
    log_size = found.log_size
    if quantity == "tail":  # one factor is bounded by C/u there, without its decay
        log_size += min((float(d.over_u.log().mid()) for d in decays if d.over_u is not None), default=0.0)
    edge = _edge(product, decays, log_size, found.log_goal, float(step))
    nodes = max(1, math.ceil(edge / float(step)))
    bits = found.bits(product, nodes)
    parameters = Parameters(found.theta, found.below, found.above, step, nodes, bits)
    return Contour(product, found.kernel, parameters)


def _edge(product: Product, decays: list[Decay], log_size: float, log_goal: float, step: float) -> float:
    """U beyond which the proved decay makes the cut small enough."""
    u, factor = step, 1.0
    with working(BOUND_BITS):
        for _ in range(200):
            point = ball(short(u))
            size = math.fsum(
                k * float(d.log_sup(point).mid()) for d, (_, k) in zip(decays, product.factors, strict=True)
            )
            needed = log_size - log_goal - math.log(math.pi * u)
            if -size >= needed:
                return u
            if u > MAX_LINE * step:
                break
            factor = math.sqrt(needed / -size) if size < 0 else 4.0
            u *= min(4.0, max(1.05, factor))
    raise NoConvergence(
        f"contour: the integrand decays too slowly: more than {MAX_LINE} nodes needed "
        f"(few compositions or little noise)"
    )
