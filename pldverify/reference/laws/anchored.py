"""A law seen from a point near which its mass piles up, so that the point is an edge of every grid."""

from dataclasses import dataclass
from fractions import Fraction

from flint import acb, arb

from pldverify.balls.ball import ball, dyadic, rounded, working
from pldverify.reference.laws.gaussian_mixture import GaussianMixtureLaw
from pldverify.reference.laws.law import Decay, Law
from pldverify.reference.laws.poisson_discrete_gaussian import PoissonDiscreteGaussianLaw

_PREC = 160
_BITS = 100
_BEYOND = 1 + Fraction(1, 2**90)
"""The anchor is that factor beyond the end of the losses: a point that balls can tell from the end."""


@dataclass(frozen=True)
class Anchored:
    """S − ``anchor``; the second measure is multiplied by e^anchor, so that δ is the same at ε − anchor."""

    law: Law
    anchor: Fraction

    @property
    def infinite_mass(self) -> Fraction:
        return self.law.infinite_mass

    @property
    def highest(self) -> Fraction | arb | None:
        top = self.law.highest
        if top is None or isinstance(top, Fraction):
            return None if top is None else top - self.anchor
        return top - ball(self.anchor)

    def tails(self, s: Fraction) -> tuple[arb, arb]:
        first, second = self.law.tails(s + self.anchor)
        return first, second * second_mass(self)

    def cumulant(self, theta: float) -> tuple[float, float, float]:
        value, slope, curvature = self.law.cumulant(theta)
        return value - theta * float(self.anchor), slope - float(self.anchor), curvature

    def line(self, theta: Fraction, step: Fraction, count: int) -> list[acb]:
        turn = [(-ball(self.anchor) * acb(ball(theta), ball(j * step))).exp() for j in range(count + 1)]
        return [m * t for m, t in zip(self.law.line(theta, step, count), turn, strict=True)]

    def decay(self, theta: Fraction) -> Decay:
        return self.law.decay(theta)


def anchored(law: Law) -> Anchored:
    """Poisson sampling with a small q leaves most losses near ∓log(1 − q); other laws stay where they are."""
    if not isinstance(law, GaussianMixtureLaw | PoissonDiscreteGaussianLaw):
        return Anchored(law, Fraction(0))
    with working(_PREC):
        bottom = rounded(dyadic(ball(1 - law.q).log().lower()) * _BEYOND, _BITS)
    return Anchored(law, bottom if law.direction == "remove" else -bottom)


def second_mass(law: Law) -> arb:
    """Total of the second measure."""
    return ball(law.anchor).exp() if isinstance(law, Anchored) else arb(1)
