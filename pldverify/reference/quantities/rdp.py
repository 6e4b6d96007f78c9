r"""Rényi divergence of every order α in (0, ∞]: Kullback–Leibler at 1, the largest loss at ∞."""

from pldverify.mechanisms.as_composition import as_composition
from pldverify.mechanisms.mechanism import Composition, Mechanism
from pldverify.mechanisms.relations import Adjacency, Direction
from pldverify.numbers.enclosure import Bound, Enclosure
from pldverify.numbers.exact import count
from pldverify.numbers.order import renyi_order
from pldverify.reference.engines.derived.transform import RenyiDivergence
from pldverify.reference.laws.composed_loss import product
from pldverify.reference.quantities.directions import MAX_DIGITS, Found, extreme
from pldverify.reference.quantities.looks import COARSE
from pldverify.reference.quantities.rising import rising
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
    whole, wanted = as_composition(mechanism), count(digits, "digits", cap=MAX_DIGITS)

    def divergence(way: Direction, digits: int) -> Found:
        loss = product(whole, way)
        if alpha == 1 and not any(law.infinite_mass for law, _ in loss.factors):
            return rising(lambda bits: RenyiDivergence(loss, alpha, 2 * bits, secant(loss, bits)), digits)
        return rising(lambda bits: RenyiDivergence(loss, alpha, bits), digits)

    def evaluate(way: Direction, bound: Bound | None) -> Found:
        if bound is not None and (coarse := divergence(way, COARSE))[0].upper <= bound:
            return coarse
        return divergence(way, wanted)

    return extreme("largest", whole, adjacency, ("rdp", alpha), evaluate)
