r"""Rényi divergence :math:`D_\alpha(P\|Q) = \log M(\alpha - 1)/(\alpha - 1)` of any real order α > 1."""

import math

from pldverify.balls.ball import ball, enclose
from pldverify.balls.clock import budget
from pldverify.errors import InvalidInput
from pldverify.mechanisms.composition import Composition
from pldverify.mechanisms.mechanism import Adjacency, Direction, Mechanism
from pldverify.numbers.enclosure import Enclosure
from pldverify.numbers.exact import rational, show
from pldverify.reference.laws.composed_loss import product
from pldverify.reference.quantities.delta import maximum
from pldverify.reference.search.float_range import float_range


def rdp(
    mechanism: Mechanism | Composition,
    *,
    order: object,
    adjacency: Adjacency | None = None,
    digits: int = 30,
) -> Enclosure:
    """The true Rényi divergence of order ``order`` in nats, the larger of the directions asked for.

    +∞ where the loss is infinite with positive probability. Raises InvalidInput unless order > 1;
    NoConvergence where the transform needs too many nodes.
    """
    alpha = rational(order, "order")
    if alpha <= 1:
        raise InvalidInput(f"order must be > 1, got order={show(alpha)}")

    def divergence(composition: Composition, direction: Direction, wanted: int) -> Enclosure:
        law = product(composition, direction)
        if any(factor.infinite_mass for factor, _ in law.factors):
            return Enclosure(math.inf, math.inf, "transform")
        return enclose(
            lambda: law.log_moment(alpha - 1) / ball(alpha - 1), digits=wanted, engine="transform", low=0
        )

    with budget(), float_range("rdp"):
        return maximum(mechanism, adjacency, digits, divergence)
