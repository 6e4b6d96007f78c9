r"""k losses of a fixed-size batch of which at least three are not 0: a measure, as a law of one loss.

With m the atom at 0 and F the transform of the rest, the measure has the transform
:math:`\sum_{i=3}^k \binom ki m^{k-i} F(z)^i`, so it decays like :math:`u^{-6}`; its bound at u is the same
sum with the bound of |F| (``kinked_lines.py``). It is a measure, as a part of the k-fold composition.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

from pldverify.balls import acb, arb, ctx
from pldverify.balls.ball import working
from pldverify.errors import InvalidInput
from pldverify.reference.laws.law import BoundedDecay, Decay
from pldverify.reference.laws.shifted_gaussian import ShiftedGaussianLaw
from pldverify.reference.lemmas.kinked_lines import KinkedLines
from pldverify.reference.lemmas.layers import Layers

LEAST = 3
"""So many losses differ from 0."""
_BITS = 128
"""Precision of the bound: cut tails of the transform are of that relative size."""
Number = TypeVar("Number", arb, acb)


def terms(law: ShiftedGaussianLaw, steps: int) -> list[tuple[int, arb]]:
    """(i, C(k, i) m^{k − i}) for i = 0 … k."""
    atom = _atom(law)
    return [(i, math.comb(steps, i) * atom ** (steps - i)) for i in range(steps + 1)]


def _atom(law: ShiftedGaussianLaw) -> arb:
    """m, with what the law's list of components leaves out."""
    ((_, atom),), (_, rest) = law.points(), law.components()
    return atom + arb(0).union(rest)


@dataclass(frozen=True)
class NonzeroLosses:
    """``steps`` = k losses of ``law``. Raises InvalidInput unless k ≥ 3."""

    law: ShiftedGaussianLaw
    steps: int
    infinite_mass = Fraction(0)

    def __post_init__(self) -> None:
        if self.steps < LEAST:
            raise InvalidInput(f"steps must be >= {LEAST}, got steps={self.steps}")

    @property
    def largest_finite_loss(self) -> None:
        return None

    def mass(self) -> arb:
        """M(0): that at least :data:`LEAST` losses are not 0."""
        atom = _atom(self.law)
        few = terms(self.law, self.steps)[:LEAST]
        return 1 - sum((factor * (1 - atom) ** i for i, factor in few), arb(0))

    def on_line(self, theta: Fraction, step: Fraction, count: int) -> list[acb]:
        atom, many = _atom(self.law), terms(self.law, self.steps)[LEAST:]
        return [self._sum(many, value - atom) for value in self.law.on_line(theta, step, count)]

    def _sum(self, terms: list[tuple[int, arb]], value: Number) -> Number:
        """Σ C(k, i) m^{k − i} value^i over ``terms``."""
        total = value * 0
        for _, factor in reversed(terms):
            total = total * value + factor
        return total * value ** terms[0][0]

    def decay(self, theta: Fraction) -> Decay:
        with working(max(_BITS, ctx.prec)):
            lines: KinkedLines = self.law.kinked_lines(theta)
            whole = self.law.on_line(theta, Fraction(0), 0)[0].real
            mass = self.on_line(theta, Fraction(0), 0)[0].real
            many = terms(self.law, self.steps)[LEAST:]

        def bound(u: arb) -> arb:
            value = self._sum(many, whole * lines.log_sup(u).exp()) / mass
            return value.upper().log().min(arb(0)).upper() if value.is_finite() else arb(0)

        return BoundedDecay(Layers([], []), bound=bound)
