r"""Rényi divergence of every order α in (0, ∞]: Kullback–Leibler at 1, the largest loss at ∞."""

from pldverify.mechanisms.mechanism import Composition, Mechanism
from pldverify.mechanisms.relations import Adjacency, Direction
from pldverify.numbers.enclosure import Enclosure
from pldverify.numbers.order import renyi_order
from pldverify.reference.engines.derived.transform import RenyiDivergence
from pldverify.reference.laws.composed_loss import product
from pldverify.reference.quantities.delta import maximum
from pldverify.reference.quantities.rising import rising
from pldverify.reference.quantities.told import Found
from pldverify.reference.search.secant import secant


def rdp(
    mechanism: Mechanism | Composition,
    *,
    order: object,
    adjacency: Adjacency | None = None,
    digits: int = 30,
) -> Enclosure:
    """The true Rényi divergence of a mechanism in rational numbers, of a rational order or infinity.

    Arguments and errors as of :func:`pldverify.reference.quantities.questions.rdp`.
    """
    alpha = renyi_order(order)

    def divergence(composition: Composition, direction: Direction, wanted: int) -> Found:
        loss = product(composition, direction)
        if alpha == 1 and not any(law.infinite_mass for law, _ in loss.factors):
            return rising(lambda bits: RenyiDivergence(loss, alpha, 2 * bits, secant(loss, bits)), wanted)
        return rising(lambda bits: RenyiDivergence(loss, alpha, bits), wanted)

    return maximum(mechanism, adjacency, digits, divergence, question=("rdp", alpha))
