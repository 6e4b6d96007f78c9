r"""Atoms and one: finitely many losses beside others that have a closed form.

With A the sum of the losses with finitely many values and B that of the others, g the finite part of δ or of
the tail, :math:`g(\epsilon) = \sum_a P(A = a)\, g_B(\epsilon - a)`. The sums a are listed as in
``atoms.py``; :math:`g_B` is a threshold (one loss; Gaussian losses are one) or comes by residues (Laplace).
Where a is a ball, as :math:`g_B` falls, it is between its values at both ends.
"""

from dataclasses import dataclass
from fractions import Fraction

from pldverify.balls import arb
from pldverify.balls.ball import clamped, lower, upper, working
from pldverify.balls.clock import spend
from pldverify.errors import NoConvergence
from pldverify.reference.engines.closed.atoms import Half
from pldverify.reference.engines.evaluator import Evaluator, Quantity, Work
from pldverify.reference.laws.composed_loss import ComposedLoss, Factors


@dataclass(frozen=True)
class Parameters:
    """The losses with finitely many values, how those of the ``given`` others are enclosed, and precision."""

    finite: Factors
    given: Work
    bits: int


class AtomsAndOne(Evaluator):
    """δ or the tail, one term for every sum of the ``finite`` losses."""

    engine = "atoms and one"
    parameters: Parameters

    def __init__(self, loss: ComposedLoss, quantity: Quantity, parameters: Parameters) -> None:
        super().__init__(loss, quantity, parameters)
        p = parameters
        if (
            ComposedLoss(p.finite + p.given.loss.factors).counts() != loss.counts()
            or p.given.quantity != quantity
        ):
            raise NoConvergence("atoms and one: the two parts are not the composition")
        with working(p.bits):
            self._sums = Half(p.finite).sums

    def value(self, epsilon: Fraction) -> arb:
        with working(self.parameters.bits):
            return clamped(self._value(epsilon))

    def _value(self, epsilon: Fraction) -> arb:
        total = arb(0)
        for loss, mass, exact in self._sums:
            spend()
            if exact is not None:
                total += mass * self.parameters.given.value(epsilon - exact)
                continue
            low, high = (
                self.parameters.given.value(epsilon - Fraction(end)) for end in (lower(loss), upper(loss))
            )
            total += mass * low.lower().union(high.upper())
        return total

    def errors(self, epsilon: Fraction) -> dict[str, arb]:
        return {"rounding": self.value(epsilon).rad()}
