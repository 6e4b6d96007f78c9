r"""Rényi divergence :math:`D_\alpha(P\|Q) = \log M(\alpha - 1)/(\alpha - 1)` of any real order α > 1."""

import math

from pldverify.errors import InvalidInput
from pldverify.mechanisms.composition import Composition, as_composition
from pldverify.mechanisms.mechanism import Adjacency, Mechanism
from pldverify.numbers.enclosure import Enclosure
from pldverify.numbers.exact import count, rational, show
from pldverify.reference.balls import ball, enclose
from pldverify.reference.budget import budget
from pldverify.reference.delta import MAX_DIGITS, distinct, largest
from pldverify.reference.product import Product, product


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
    whole = as_composition(mechanism)
    wanted = count(digits, "digits", cap=MAX_DIGITS)
    laws = [product(whole, direction) for direction in distinct(whole, whole.directions(adjacency))]
    if any(factor.infinite_mass for law in laws for factor, _ in law.factors):
        return Enclosure(math.inf, math.inf, "transform")

    def divergence(law: Product) -> Enclosure:
        return enclose(
            lambda: law.log_moment(alpha - 1) / ball(alpha - 1), digits=wanted, engine="transform", low=0
        )

    with budget():
        return largest([divergence(law) for law in laws])
