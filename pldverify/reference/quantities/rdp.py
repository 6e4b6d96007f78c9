r"""Rényi divergence of every order α in (0, ∞]: Kullback–Leibler at 1, the largest loss at ∞."""

from pldverify.mechanisms.mechanism import Composition, Mechanism
from pldverify.mechanisms.relations import Adjacency, Direction
from pldverify.numbers.enclosure import Enclosure
from pldverify.numbers.order import renyi_order
from pldverify.reference.engines.derived.transform import RenyiDivergence
from pldverify.reference.laws.composed_loss import product
from pldverify.reference.quantities.delta import Found, maximum
from pldverify.reference.quantities.rising import rising
from pldverify.reference.search.secant import secant


def rdp(
    mechanism: Mechanism | Composition,
    *,
    order: object,
    adjacency: Adjacency | None = None,
    digits: int = 30,
) -> Enclosure:
    """The true Rényi divergence of order ``order`` in nats, the larger of the directions asked for.

    Args:
        mechanism: a mechanism or a composition of mechanisms.
        order: α > 0, or infinity (``math.inf`` or ``"inf"``). At 1 the Kullback–Leibler divergence, at
            infinity the largest loss, or max divergence: the ε of pure DP.
        adjacency: as for :func:`pldverify.delta`.
        digits: 1 to 1000.

    +∞ at an order ≥ 1 where the loss is infinite with positive probability, and at infinity where it is
    unbounded. Raises InvalidInput unless order > 0; NotSupported; NoConvergence where the transform needs too
    many nodes.

    α/(2σ²) for Gaussian noise; at ∞ the ε of pure differential privacy:

    >>> float(pv.rdp(10 * pv.Gaussian(sigma=2), order=4))
    5.0
    >>> float(pv.rdp(pv.Laplace(b=4), order="inf"))
    0.25
    """
    alpha = renyi_order(order)

    def divergence(composition: Composition, direction: Direction, wanted: int) -> Found:
        loss = product(composition, direction)
        if alpha == 1 and not any(law.infinite_mass for law, _ in loss.factors):
            return rising(lambda bits: RenyiDivergence(loss, alpha, 2 * bits, secant(loss, bits)), wanted)
        return rising(lambda bits: RenyiDivergence(loss, alpha, bits), wanted)

    return maximum(mechanism, adjacency, digits, divergence, name="rdp")
