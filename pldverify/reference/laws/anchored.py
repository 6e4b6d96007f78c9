"""A law seen from a point near which its mass piles up, so that the point is an edge of every grid."""

from dataclasses import dataclass
from fractions import Fraction

from pldverify.balls import acb, arb, ctx
from pldverify.balls.ball import ball, dyadic, rounded, working
from pldverify.balls.clock import paced
from pldverify.balls.memory import remembered
from pldverify.mechanisms.relations import Direction
from pldverify.reference.laws.law import Decay, Law, with_tails
from pldverify.reference.laws.together import decays, on_lines

_PREC = 160
"""Working precision, in bits, of the end of the losses: more than the bits of the anchor."""
_BITS = 100
"""Bits of the anchor: more than 90, so that rounding keeps it beyond the end of the losses."""
_BEYOND = 1 + Fraction(1, 2**90)
"""Factor from the end of the losses to the anchor."""


@dataclass(frozen=True)
class Anchored:
    """S − ``anchor``; the second measure is multiplied by e^anchor, so that δ is the same at ε − anchor."""

    law: Law
    anchor: Fraction

    @property
    def infinite_mass(self) -> Fraction | arb:
        return self.law.infinite_mass

    @property
    def largest_finite_loss(self) -> Fraction | arb | None:
        top = self.law.largest_finite_loss
        if top is None or isinstance(top, Fraction):
            return None if top is None else top - self.anchor
        return top - ball(self.anchor)

    def tails(self, s: Fraction) -> tuple[arb, arb]:
        first, second = with_tails(self.law).tails(s + self.anchor)
        return first, second * second_mass(self)

    def on_line(self, theta: Fraction, step: Fraction, count: int) -> list[acb]:
        turn = [
            (-ball(self.anchor) * acb(ball(theta), ball(j * step))).exp() for j in paced(range(count + 1))
        ]
        return [m * t for m, t in zip(on_lines([self.law], theta, step, count)[0], turn, strict=True)]

    def decay(self, theta: Fraction) -> Decay:
        return decays([(self.law, 1)], theta)[0][0]


def anchored(law: Law) -> Anchored:
    """A law as its ``anchor`` sees it, the point next to which most losses lie or one just beyond; a law
    without one stays where it is.
    """
    return Anchored(law, law.anchor() if hasattr(law, "anchor") else Fraction(0))


def anchor_of_mixture(q: Fraction, direction: Direction) -> Fraction:
    """Poisson sampling with a small q leaves most losses near ∓log(1 − q), and beyond it none."""
    with working(_PREC):
        bottom = just_beyond(ball(1 - q).log().lower())
    return bottom if direction == "remove" else -bottom


def just_beyond(end: arb) -> Fraction:
    """A point that balls can tell from the end of the losses."""
    return rounded(dyadic(end) * _BEYOND, _BITS)


def second_mass(law: Law) -> arb:
    """Total of the second measure."""
    return _growth(law.anchor, ctx.prec) if isinstance(law, Anchored) else arb(1)


@remembered(64)
def _growth(anchor: Fraction, bits: int) -> arb:
    with working(bits):
        return ball(anchor).exp()
