r"""Rényi divergence :math:`D_\alpha(P\|Q) = \log M(\alpha - 1)/(\alpha - 1)` of any real order α > 1."""

from pldverify.balls.clock import clock
from pldverify.errors import InvalidInput
from pldverify.mechanisms.mechanism import Composition, Mechanism
from pldverify.mechanisms.relations import Adjacency, Direction
from pldverify.numbers.enclosure import Enclosure
from pldverify.numbers.exact import rational, show
from pldverify.reference.engines.derived.transform import RenyiDivergence
from pldverify.reference.laws.composed_loss import product
from pldverify.reference.quantities.delta import Found, maximum
from pldverify.reference.quantities.rising import rising
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

    def divergence(composition: Composition, direction: Direction, wanted: int) -> Found:
        loss = product(composition, direction)
        return rising(lambda bits: RenyiDivergence(loss, alpha, bits), wanted)

    with clock(), float_range("rdp"):
        return maximum(mechanism, adjacency, digits, divergence)
