r"""Losses of fixed-size batches under replace-one, for other bases than Gaussian noise.

Given ℓ, with probability :math:`v_\ell`, the profile for α ≥ 1 is that of :math:`(1-q) Q_\ell + q P_\ell`
against :math:`Q_\ell`, a symmetric pair, and for α ≤ 1 that of the reverse. So an outcome of masses a > b
under P and Q is one of (1 − q)b + qa and b, and one of b and (1 − q)b + qa; those with a ≤ b add nothing to
δ(ε ≥ 0). The rest has the loss 0: as the a > b and the a < b are alike, :math:`1 - \sum_{a > b} (2 - q) b +
q a = \sum_{a > b} (1-q)(a - b) + \sum_{a = b} a`. What is ``lost`` has the loss ±∞.

A promise: a = (1 − δ)e^ε/(1 + e^ε) against b = (1 − δ)/(1 + e^ε), and δ against 0, for ℓ records with ℓε
and min(1, δ(e^{ℓε} − 1)/(e^ε − 1)). Laplace noise: that of :mod:`pldverify.reference.laws.poisson_laplace`
with ℓc, above 0.
"""

from dataclasses import dataclass, replace
from fractions import Fraction

from pldverify.balls import arb
from pldverify.balls.ball import ball
from pldverify.mechanisms.fixed_batch import Draws
from pldverify.mechanisms.relations import Direction
from pldverify.reference.laws.atomic import AtomicLaw
from pldverify.reference.laws.outcome import Outcome
from pldverify.reference.laws.poisson_laplace import PoissonLaplaceLaw
from pldverify.reference.laws.smooth import SmoothLaw
from pldverify.reference.lemmas.piece import Piece


@dataclass(frozen=True)
class PromiseBatchLaw(AtomicLaw):
    """Of an (``epsilon``, ``delta``)-DP base, ε > 0 or δ > 0."""

    epsilon: Fraction
    delta: Fraction
    draws: Draws

    @property
    def infinite_mass(self) -> Fraction | arb:
        if not self.delta:
            return self.draws.lost
        shares = (ball(share * self.draws.q) * self._lost(level) for level, share in self.draws.levels)
        return sum(shares, ball(self.draws.lost))

    def _lost(self, level: int) -> arb:
        growth = ball(self.epsilon)
        times = (level * growth).expm1() / growth.expm1() if self.epsilon else arb(level)
        return (ball(self.delta) * times).min(arb(1))

    def _outcomes(self) -> list[Outcome]:
        q, stay = ball(self.draws.q), ball(1 - self.draws.q)
        rows, rest = [], arb(0)
        for level, share in self.draws.levels:
            v, lost, odds = ball(share), self._lost(level), (level * ball(self.epsilon)).exp()
            high, low = (v * (1 - lost) * mass / (1 + odds) for mass in (odds, arb(1)))
            rest += stay * v * lost
            if not self.epsilon:
                rest += v * (1 - lost)
            elif not high.is_zero():
                mixed = stay * low + q * high
                rows += [Outcome(mixed, low), Outcome(low, mixed)]
                rest += stay * (high - low)
        gone = ball(self.infinite_mass)
        return [*rows, Outcome(rest, rest, Fraction(0)), Outcome(gone, arb(0)), Outcome(arb(0), gone)]


@dataclass(frozen=True)
class LaplaceBatchLaw(SmoothLaw):
    """Of a Laplace base; ``loss`` is c = sensitivity/b of one record, moved."""

    loss: Fraction
    draws: Draws

    @property
    def infinite_mass(self) -> Fraction:  # type: ignore[override]  # a property of some laws
        return self.draws.lost

    @property
    def largest_finite_loss(self) -> arb:
        return self._sampled(self.draws.levels[-1][0]).largest_finite_loss

    def _sampled(self, level: int, direction: Direction = "remove") -> PoissonLaplaceLaw:
        return PoissonLaplaceLaw(level * self.loss, self.draws.q, direction)

    def tails(self, s: Fraction) -> tuple[arb, arb]:
        first = second = arb(0)  # P and Q of the losses beyond |s|, away from 0
        for level, share in self.draws.levels:
            p, q = self._sampled(level).tails(abs(s))
            first, second = first + ball(share) * p, second + ball(share) * q
        lost = ball(self.draws.lost)
        return (first, second) if s > 0 else (1 - lost - second, 1 - first - lost)

    def points(self) -> list[tuple[arb, arb]]:
        rows, rest, stay = [], arb(0), ball(1 - self.draws.q)
        for level, share in self.draws.levels:
            v, c = ball(share), ball(level * self.loss)
            (top, mass), *_ = self._sampled(level).points()
            rows += [(top, v * mass), (-top, v * (-c).exp() / 2)]
            rest -= v * stay * (-c / 2).expm1()
        return [*rows, (arb(0), rest)]

    def densest(self, theta: Fraction) -> list[Piece]:
        level, share = self.draws.levels[0]
        up, down = self._sides(level, share)
        return [down, up]

    def pieces(self, theta: Fraction) -> list[Piece]:
        return [piece for level, share in self.draws.levels for piece in self._sides(level, share)]

    def _sides(self, level: int, share: Fraction) -> tuple[Piece, Piece]:
        """Above 0, as the mixture has them, and below 0 with the masses of Q."""
        log_share = ball(share).log()

        def half(direction: Direction) -> Piece:
            (piece,) = self._sampled(level, direction).pieces(Fraction(0))
            return replace(piece, low=Fraction(0), log_weight=lambda x: log_share + piece.log_weight(x))

        return half("remove"), half("add")

    def omitted(self, theta: Fraction, pieces: list[Piece]) -> arb:
        return arb(0)
