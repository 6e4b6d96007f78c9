r"""Loss of a thresholded histogram: that of its noise, with the losses above s* put together.

ρ is the probability that a key of one record is shown, and δ(s*) = ρ of the noise. Under P the mass of the
noise's losses from s* on goes to +∞ (ρ) and to s* (the rest), their Q-mass to s*; direction ``add`` is the
reverse (:mod:`pldverify.mechanisms.thresholded_histogram`). With c the move and x the margin, in units of
the noise:

* Laplace: :math:`\rho = e^{-x}/2`, :math:`s^* = c + 2\log(1 - \rho)`, as :math:`\delta(s) = 1 - e^{(s-c)/2}`
  for \|s\| ≤ c; where that is not above −c, the histogram has no noise's losses at all.
* Gaussian: :math:`\rho = \Phi(-x)`; s* is between two numbers at which δ is proved to be above and below ρ.

The density of the loss of Laplace noise is :math:`e^{-c/2} e^{s/2}/4` inside of (−c, c), with an atom of
:math:`e^{-c}/2` at −c and one at c; of Gaussian noise it is normal, of mean c²/2 and variance c². So the part
of :math:`E e^{zS}` below s* is, with w = z + 1/2,

.. math:: \frac{e^{-c/2}}{4} \int_{-c}^{s^*} e^{ws}\, ds + \tfrac12 e^{-(z + 1)c}, \qquad
          e^{z(z+1)c^2/2}\, \Phi\Big(\frac{s^*}{c} - wc\Big).

**Direction add**: :math:`M_{Q\|P}(z) = M_{P\|Q}(-1 - z)`, and its tilted loss is the other one's at −1 − θ,
mirrored. Both kinds of noise are symmetric, so its losses above −s* have the noise's own tails.

**Decay**: a tilted density is log-concave, so on a cell at least as large as at one of both ends.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from pldverify.balls import acb, arb, ctx
from pldverify.balls.ball import ball, working
from pldverify.balls.clock import paced
from pldverify.balls.compare import less, surely_less
from pldverify.balls.memory import remembered
from pldverify.balls.normal import normal_tail
from pldverify.errors import NoConvergence
from pldverify.mechanisms.relations import Direction
from pldverify.reference.laws.anchored import just_beyond
from pldverify.reference.laws.atomic import AtomicLaw
from pldverify.reference.laws.blunted_laplace import moment
from pldverify.reference.laws.gaussian import GaussianLaw, gaussian_tails
from pldverify.reference.laws.laplace import LaplaceLaw
from pldverify.reference.laws.law import Decay, Law
from pldverify.reference.laws.outcome import Outcome
from pldverify.reference.lemmas.layers import Layers

_BITS = 256
"""Bits at which noise is told from new keys."""
_CELLS = 200
"""Cells of the density, for the decay; any number is right, few cost size."""
_REACH = 6
"""Standard deviations of a normal density that have cells; any number is right."""
_STEPS = 24
"""Steps of Newton's method towards s*; any number is right."""
_DOUBLINGS = 10_000
"""Cap on those of the distance from where it ends at which two signs are proved."""


class Meeting(NamedTuple):
    """ρ and s*, and the mass under P of the noise's losses from s* on, but for ρ."""

    shown: arb
    top: arb
    rest: arb


@dataclass(frozen=True)
class ThresholdedLaw(ABC):
    """``move`` is c > 0 and ``margin`` is x > 0, exact. Each kind of noise says the rest."""

    move: Fraction
    margin: Fraction
    direction: Direction

    @property
    @abstractmethod
    def noise(self) -> LaplaceLaw | GaussianLaw:
        """The same in both directions."""

    @abstractmethod
    def meeting(self) -> Meeting:
        """At the working precision."""

    @abstractmethod
    def below(self, z: acb) -> acb:
        """E e^{zS} of the noise's losses below s*."""

    @abstractmethod
    def log_density(self, s: arb) -> arb:
        """Of the noise's losses, but for atoms."""

    @abstractmethod
    def bulk(self, tilt: Fraction) -> tuple[arb, arb]:
        """Losses, the second one s* at most, between which the tilted noise has most of its density."""

    @property
    def infinite_mass(self) -> Fraction | arb:
        return self.meeting().shown if self.direction == "remove" else Fraction(0)

    @property
    def largest_finite_loss(self) -> Fraction | arb | None:
        return self.meeting().top if self.direction == "remove" else self.noise.largest_finite_loss

    def tails(self, s: Fraction) -> tuple[arb, arb]:
        """Those of both sides where s can't be told from s* or −s*."""
        (first, second), (shown, top, _) = self.noise.tails(s), self.meeting()
        if self.direction == "remove":
            end, below, above = top, (first - shown, second), (arb(0), arb(0))
        else:
            end, below, above = -top, (arb(1), 1 - shown), (first, second)
        is_above = less(end, ball(s))
        if is_above is None:
            return below[0].union(above[0]), below[1].union(above[1])
        return above if is_above else below

    def on_line(self, theta: Fraction, step: Fraction, count: int) -> list[acb]:
        (_, top, rest), tilt, height = self.meeting(), ball(self._tilt(theta)), ball(step)
        line = (acb(tilt, height * j) for j in paced(range(count + 1)))
        values = [self.below(z) + rest * (z * top).exp() for z in line]
        return values if self.direction == "remove" else [value.conjugate() for value in values]

    def decay(self, theta: Fraction) -> Decay:
        tilt = self._tilt(theta)
        whole, (low, high) = self.on_line(theta, Fraction(0), 0)[0].real, self.bulk(tilt)
        edges = [low + (high - low) * j / _CELLS for j in range(_CELLS + 1)]
        densities = [(self.log_density(s) + ball(tilt) * s).exp() / whole for s in edges]
        return Decay(Layers.under(edges, [a.min(b) for a, b in pairwise(densities)]))

    def _tilt(self, theta: Fraction) -> Fraction:
        """In direction ``remove``."""
        return theta if self.direction == "remove" else -1 - theta


@dataclass(frozen=True)
class ThresholdedLaplaceLaw(ThresholdedLaw):
    """Of Laplace noise, s* > −c."""

    @property
    def noise(self) -> LaplaceLaw:
        return LaplaceLaw(self.move)

    def anchor(self) -> Fraction:
        """Just above s*, an atom of about half the mass, where s* > 0."""
        with working(_BITS):
            top = self.meeting().top
            if self.direction == "add" or not surely_less(0, top):
                return Fraction(0)
            return min(self.move, just_beyond(top.upper()))

    def meeting(self) -> Meeting:
        shown = ball(-self.margin).exp() / 2
        return Meeting(shown, ball(self.move) + 2 * (-shown).log1p(), (1 - shown) / 2)

    def tails(self, s: Fraction) -> tuple[arb, arb]:
        """s* < c, as ρ > 0, however near it is."""
        is_beyond = self.direction == "remove" and s >= self.move
        return (arb(0), arb(0)) if is_beyond else super().tails(s)

    def below(self, z: acb) -> acb:
        c, top = ball(self.move), self.meeting().top
        return (moment((c + top, -c, top, -c, (top - c) / 2), z) / 2 + (-(z + 1) * c).exp()) / 2

    def log_density(self, s: arb) -> arb:
        return (s - ball(self.move)) / 2 - arb(4).log()

    def bulk(self, tilt: Fraction) -> tuple[arb, arb]:
        return -ball(self.move), self.meeting().top


@dataclass(frozen=True)
class RevealedKeyLaw(AtomicLaw):
    r"""Of so strong noise, or so low a threshold, that a new key tells more at every ε; ``margin`` is x.

    (ρ, 1 − ρ) against (0, 1): the profile max(ρ, 1 − e^s) exceeds that of the noise where :math:`1 - \rho <
    e^{-c}`, as :math:`e^{(s-c)/2} \ge 1 - \rho` there for s ≥ −c.
    """

    margin: Fraction
    direction: Direction

    @property
    def infinite_mass(self) -> Fraction | arb:
        return ball(-self.margin).exp() / 2 if self.direction == "remove" else Fraction(0)

    def _outcomes(self) -> list[Outcome]:
        shown = ball(-self.margin).exp() / 2
        if self.direction == "remove":
            return [Outcome(shown, arb(0)), Outcome(1 - shown, arb(1))]
        return [Outcome(arb(0), shown), Outcome(arb(1), 1 - shown)]


def thresholded_laplace(move: Fraction, margin: Fraction, direction: Direction) -> Law:
    """The one of both that applies. Raises NoConvergence where nobody can tell."""
    law = ThresholdedLaplaceLaw(move, margin, direction)
    with working(_BITS):
        is_hidden = less(-ball(move), law.meeting().top)
    if is_hidden is None:
        raise NoConvergence(
            f"thresholded histogram: {_BITS} bits can't tell whether noise or new keys tell more"
        )
    return law if is_hidden else RevealedKeyLaw(margin, direction)


@dataclass(frozen=True)
class ThresholdedGaussianLaw(ThresholdedLaw):
    """Of Gaussian noise."""

    @property
    def noise(self) -> GaussianLaw:
        return GaussianLaw(self.move**2)

    def meeting(self) -> Meeting:
        return _meeting(self.move, self.margin, ctx.prec)

    def below(self, z: acb) -> acb:
        c = ball(self.move)
        return (z * (z + 1) * c * c / 2).exp() * normal_tail((z + arb(1) / 2) * c - self.meeting().top / c)

    def log_density(self, s: arb) -> arb:
        c = ball(self.move)
        return -((s / c - c / 2) ** 2) / 2 - (2 * arb.pi()).log() / 2 - c.log()

    def bulk(self, tilt: Fraction) -> tuple[arb, arb]:
        c, top = ball(self.move), self.meeting().top
        middle = (ball(tilt + Fraction(1, 2)) * c * c).min(top)
        return middle - _REACH * c, (middle + _REACH * c).min(top)


@remembered(64)
def _meeting(move: Fraction, margin: Fraction, prec: int) -> Meeting:
    """Of Gaussian noise at a precision: every cell of a grid asks for it. s* is between two numbers where δ,
    which falls, is proved to be above and below ρ.

    In standard deviations from the mean of the loss it is at most x, as ρ = δ(s*) ≤ P(S ≥ s*). log δ is
    concave, so Newton's method goes down from there. Where it ends is a guess.
    """
    c, shown, x = ball(move), normal_tail(ball(margin)), ball(margin)

    def at(x: arb) -> tuple[arb, arb, arb]:
        """s, and under P and, times e^s, under Q the mass of losses from it on."""
        s = c * c / 2 + c * x
        first, second = gaussian_tails(c, s)
        return s, first, s.exp() * second

    for _ in range(_STEPS):
        _, first, second = at(x)
        step = (first - second) * ((first - second) / shown).log() / (c * second)
        if not step.is_finite():  # at a low precision
            break
        x = (x + step).mid()
    reach = (1 + abs(x)) * arb(2) ** -prec
    for _ in paced(range(_DOUBLINGS)):
        (low, first, second), (high, *beyond) = at(x - reach), at(x + reach)
        if surely_less(shown, first - second) and surely_less(beyond[0] - beyond[1], shown):
            top = low.union(high)
            return Meeting(shown, top, gaussian_tails(c, top)[0] - shown)
        reach *= 2
    raise NoConvergence("thresholded histogram: no two numbers around s* are proved")
