r"""Losses of fixed-size batches under replace-one, for other bases than Gaussian noise: folded sampled ones.

The profile for α ≥ 1 is that of :math:`(1-q) Q + q P` against Q, a symmetric pair, and for α ≤ 1 that of the
reverse. So an outcome of masses a > b under P and Q is one of (1 − q)b + qa and b, and one of b and (1 − q)b
+ qa; those with a ≤ b add nothing to δ(ε ≥ 0). The rest has the loss 0: as the a > b and the a < b are alike,
:math:`1 - \sum_{a > b} (2 - q) b + q a = \sum_{a > b} (1-q)(a - b) + \sum_{a = b} a`.
"""

from dataclasses import dataclass, replace
from fractions import Fraction

from pldverify.balls import arb
from pldverify.balls.ball import ball
from pldverify.mechanisms.relations import Direction
from pldverify.reference.laws.approximate_dp import ApproximateDPLaw
from pldverify.reference.laws.atomic import AtomicLaw
from pldverify.reference.laws.outcome import Outcome
from pldverify.reference.laws.poisson_laplace import PoissonLaplaceLaw
from pldverify.reference.laws.smooth import SmoothLaw
from pldverify.reference.lemmas.piece import Piece


@dataclass(frozen=True)
class PromiseBatchLaw(AtomicLaw):
    """Of an (ε, δ)-DP ``base``, δ < 1, and 0 < ``q`` < 1."""

    base: ApproximateDPLaw
    q: Fraction

    @property
    def infinite_mass(self) -> Fraction:
        return self.q * self.base.delta

    def _outcomes(self) -> list[Outcome]:
        q, stay, rest = ball(self.q), ball(1 - self.q), arb(0)
        rows = []
        for a, b, loss in self.base.outcomes():
            if loss == 0:
                rest += a
            elif b.is_zero() or (loss is not None and loss > 0):
                rows += [Outcome(stay * b + q * a, b), Outcome(b, stay * b + q * a)]
                rest += stay * (a - b)
        return [*rows, Outcome(rest, rest, Fraction(0))]


@dataclass(frozen=True)
class LaplaceBatchLaw(SmoothLaw):
    """Of a Laplace base; ``loss`` is c = sensitivity/b of a record that is replaced; 0 < ``q`` < 1."""

    loss: Fraction
    q: Fraction

    @property
    def largest_finite_loss(self) -> arb:
        return self._sampled("remove").largest_finite_loss

    def _sampled(self, direction: Direction) -> PoissonLaplaceLaw:
        return PoissonLaplaceLaw(self.loss, self.q, direction)

    def tails(self, s: Fraction) -> tuple[arb, arb]:
        first, second = self._sampled("remove").tails(abs(s))  # of the losses beyond |s|, away from 0
        return (first, second) if s > 0 else (1 - second, 1 - first)

    def points(self) -> list[tuple[arb, arb]]:
        (top, mass), *_ = self._sampled("remove").points()
        c = ball(self.loss)
        return [(top, mass), (-top, (-c).exp() / 2), (arb(0), ball(self.q - 1) * (-c / 2).expm1())]

    def densest(self, theta: Fraction) -> list[Piece]:
        return self.pieces(theta)[::-1]

    def pieces(self, theta: Fraction) -> list[Piece]:
        """Above 0, as the mixture has them, and below 0 with the masses of Q."""
        ways: tuple[Direction, ...] = ("remove", "add")
        return [replace(self._sampled(way).pieces(theta)[0], low=Fraction(0)) for way in ways]

    def omitted(self, theta: Fraction, pieces: list[Piece]) -> arb:
        return arb(0)
