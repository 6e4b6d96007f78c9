r"""Inversion sums: what the engines share that sum the inversion integral at the nodes of a line.

A trapezoidal sum T along Re z = θ, of period R, is :math:`\sum_m e^{\theta m R} f(\epsilon + mR)`, all terms
≥ 0, with the f of ``lemmas/kernel.py``. So, where nodes are left out of it, the true f(ε) lies in
[T − cut − alias, T + cut]:

* **alias** ≥ 0: the terms m ≠ 0, bounded with M(λ) at a λ on each side of θ;
* **cut**: what the other nodes could add.

Left of −1, where e^ε M(−1) is taken away, δ is small beside what is summed: that costs bits. Nothing is
assumed of θ and λ: poor values cost width, never truth.
"""

import math
from abc import abstractmethod
from fractions import Fraction
from typing import Any

from pldverify.balls import acb, acb_mat, arb
from pldverify.balls.ball import BOUND_BITS, ball, clamped, working
from pldverify.balls.line_sums import powers
from pldverify.reference.engines.evaluator import Evaluator, Quantity
from pldverify.reference.laws.composed_loss import ComposedLoss
from pldverify.reference.lemmas.kernel import Kernel


class Run:
    """Nodes ``first`` + i, i < ``count``, with their terms, folded into a matrix that is read row by row."""

    def __init__(self, first: int, terms: list[acb]) -> None:
        self.first, self.count = first, len(terms)
        self._width = math.isqrt(self.count) + 1
        rows = [terms[i : i + self._width] for i in range(0, self.count, self._width)]
        rows[-1] = rows[-1] + [acb(0)] * (self._width - len(rows[-1]))
        self._height, self._matrix = len(rows), acb_mat(rows)

    def sum(self, angle: arb) -> acb:
        """Σ_i term_i e^{i · angle · (first + i)}, i the imaginary unit in the exponent."""
        unit = acb(0, angle).exp()
        steps = powers([unit], self._width)
        giants = powers([acb(0, angle * self._width).exp()], self._height)
        total = (acb_mat(giants).transpose() * (self._matrix * acb_mat(steps))).entries()[0]
        return total * acb(0, angle * self.first).exp()


class InversionSum(Evaluator):
    """A line Re z = θ with M evaluated at its nodes; ``bits`` of precision, λ ``below`` and ``above`` θ."""

    def __init__(self, loss: ComposedLoss, quantity: Quantity, parameters: Any) -> None:
        super().__init__(loss, quantity, parameters)
        p, self.kernel = parameters, Kernel(quantity, parameters.side)
        with working(p.bits):
            self._mass = loss.finite_mass()
            self._second = loss.log_moment(Fraction(-1)).exp() if p.side == "beyond" else arb(0)
        self._last: tuple[Fraction, arb, arb, arb] | None = None

    def _bound_aliases(self, loss: ComposedLoss, period: arb) -> None:
        """For the transform of ``loss`` and sums of this period."""
        p = self.parameters
        with working(BOUND_BITS):
            chernoffs = [(lam, _log_moment(loss, lam)) for lam in (p.below, p.above)]
            self._aliases = self.kernel.aliases(p.theta, period, chernoffs)

    @abstractmethod
    def _central(self, epsilon: Fraction) -> arb:
        """T; its radius is what the transforms and the rounding err by."""

    @abstractmethod
    def _cut(self, epsilon: Fraction) -> arb:
        """Upper bound of what the nodes that are left out of T could add."""

    def value(self, epsilon: Fraction) -> arb:
        with working(self.parameters.bits):
            central, cut, alias = self._parts(epsilon)
            found: arb = (central - cut - alias).lower().union((central + cut).upper())
            return clamped(self._truth(found, epsilon), self._mass)

    def _truth(self, found: arb, epsilon: Fraction) -> arb:
        """The quantity from f, as the table of ``lemmas/kernel.py`` has it."""
        if self.kernel.side == "beyond":
            return found + self._mass - ball(epsilon).exp() * self._second
        return self._mass - found if self.kernel.side == "lower" else found

    def _parts(self, epsilon: Fraction) -> tuple[arb, arb, arb]:
        """(T, cut, alias) at the precision of the sum; those of the last ε are at hand."""
        if self._last is None or self._last[0] != epsilon:
            self._last = epsilon, self._central(epsilon), *self._errors(epsilon)
        return self._last[1:]

    def _errors(self, epsilon: Fraction) -> tuple[arb, arb]:
        """Proved bounds (cut, alias), both ≥ 0."""
        with working(BOUND_BITS):
            aliases = (size * (-lam * ball(epsilon)).exp() for lam, size in self._aliases)
            return self._cut(epsilon).upper(), sum(aliases, arb(0)).upper()

    def errors(self, epsilon: Fraction) -> dict[str, arb]:
        with working(self.parameters.bits):
            central, cut, alias = self._parts(epsilon)
        return {"cut": cut, "alias": alias, "transform and rounding": central.rad()}


def _log_moment(loss: ComposedLoss, lam: Fraction) -> arb:
    """log M(λ), or 0 where M(λ) ≤ 1 is known: M(0) is a probability, M(−1) one under the second measure."""
    return arb(0) if lam in (0, -1) else loss.log_moment(lam)
