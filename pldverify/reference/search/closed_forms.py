"""Plans of the engines without a search: whether they apply, their precision and their price."""

import math
from collections.abc import Callable
from fractions import Fraction

from pldverify.balls.ball import LOG2_10, working
from pldverify.errors import NoConvergence, NotSupported
from pldverify.reference.engines.closed import atoms, residues, threshold
from pldverify.reference.engines.evaluator import Quantity, Work
from pldverify.reference.laws.composed_loss import ComposedLoss, Factors
from pldverify.reference.laws.discrete_gaussian import DiscreteGaussianLaw
from pldverify.reference.laws.law import with_tails
from pldverify.reference.search.plan import Plan
from pldverify.reference.search.sums import NOTHING, size_of

_FEW = 3000
"""Outcomes up to which a sum is priced at 0 seconds."""
_MAX_BITS = 60_000
"""Precision, in bits, beyond which it is not doubled again."""
_TELLS = 10
"""If 10 times the precision does not separate ε from an atom, treat ε as an irrational atom and give up."""


def plan_threshold(loss: ComposedLoss, quantity: Quantity, epsilon: Fraction, *, digits: int) -> Plan:
    """Plan for exactly one loss with distribution functions; raises NotSupported otherwise."""
    if loss.steps != 1:
        raise NotSupported(f"threshold: {loss.steps} losses are not one")
    with_tails(loss.factors[0][0])
    bits = int(digits * LOG2_10) + 64
    work = Work("threshold", loss, quantity, threshold.Parameters(bits))
    law, seconds = loss.factors[0][0], 0.0
    if isinstance(law, DiscreteGaussianLaw):  # outcomes of a tail are summed one by one
        outcomes = math.sqrt(2 * bits * math.log(2) * float(law.variance))
        seconds = 0.0 if outcomes < _FEW else 2e-6 * outcomes
    return Plan(seconds, lambda: work)


def plan_residues(loss: ComposedLoss, quantity: Quantity, epsilon: Fraction, *, digits: int) -> Plan:
    """Plan for losses of Laplace mechanisms; raises NotSupported for others, NoConvergence for too many."""
    size = math.prod(k + 1 for _, k in residues.scales(loss))
    seconds = 2e-5 + 1e-7 * (1 + (digits * LOG2_10 + 3 * loss.steps + 64) / 500) * loss.steps * (
        loss.steps + size
    )
    start = int(digits * LOG2_10) + 8 + 2 * loss.steps + 64

    def work(bits: int) -> Work:
        return Work("residues", loss, quantity, residues.Parameters(bits))

    return Plan(seconds, lambda: precise(work, start, epsilon, digits))


def plan_atoms(loss: ComposedLoss, quantity: Quantity, epsilon: Fraction, *, digits: int) -> Plan:
    """Plan for laws with finitely many losses; NotSupported for others, NoConvergence for too many sums."""
    with working(64):
        parts = [(size_of(law, k), (law, k)) for law, k in loss.factors]
    parts.sort(key=lambda part: -part[0].sums)
    sizes = [NOTHING] * 2
    halves: list[Factors] = [(), ()]
    pairs = 0
    for size, factor in parts:
        side = int(sizes[1].sums < sizes[0].sums)
        pairs += size.sums * sizes[side].sums
        sizes[side], halves[side] = sizes[side].plus(size), (*halves[side], factor)
        if max(size.sums, sizes[side].sums) > atoms.MAX_SUMS or pairs > 10 * atoms.MAX_SUMS:
            raise NoConvergence(f"atoms: more than {atoms.MAX_SUMS} sums of one half of the losses")
    if sizes[0].sums > sizes[1].sums:
        halves.reverse()
    outer = min(size.sums for size in sizes)
    seconds = 5e-5 + 5e-6 * pairs + 1.5e-5 * max(size.sums for size in sizes) + 1e-5 * outer

    def work(bits: int) -> Work:
        return Work("atoms", loss, quantity, atoms.Parameters(halves[0], halves[1], bits))

    return Plan(seconds, lambda: precise(work, int(digits * LOG2_10) + 72, epsilon, digits))


def precise(work: Callable[[int], Work], bits: int, epsilon: Fraction, digits: int) -> Work:
    """The work at rising precision, until its value has ``digits`` digits: sums of many terms cancel.

    Raises NoConvergence for a tail at an irrational atom.
    """
    goal = int(digits * LOG2_10) + 8
    while True:
        found = work(bits)
        if found.value(epsilon).rel_accuracy_bits() >= goal or bits > _MAX_BITS:
            return found
        if found.quantity == "tail" and bits > _TELLS * goal + 1000:
            raise NoConvergence(
                f"{found.engine}: {bits} bits can't tell ε={float(epsilon):.10g} from an atom"
            )
        bits *= 2
