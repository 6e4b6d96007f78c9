r"""Loss of a thresholded histogram: that of its noise, with the losses above s* put together.

ρ is the probability that a key of one record is shown, and δ(s*) = ρ of the noise. Under P the mass of the
noise's losses from s* on goes to +∞ (ρ) and to s* (the rest), their Q-mass to s*; direction ``add`` is the
reverse (:mod:`pldverify.mechanisms.thresholded_histogram`). With c the move and x the margin, in units of
the noise:

* Laplace: :math:`\rho = e^{-x}/2`, :math:`s^* = c + 2\log(1 - \rho)`, as :math:`\delta(s) = 1 - e^{(s-c)/2}`
  for \|s\| ≤ c; where that is not above −c, the histogram has no noise's losses at all.
* Gaussian: :math:`\rho = \Phi(-x)`; s* is between two numbers at which δ is proved to be above and below ρ.

The density of the loss of Laplace noise is :math:`e^{-c/2} e^{s/2}/4` inside of (−c, c), in both directions,
with atoms of 1/2 at c and :math:`e^{-c}/2` at −c; of Gaussian noise it is normal, of mean c²/2 and variance
c².
"""

from abc import abstractmethod
from dataclasses import dataclass
from fractions import Fraction

from pldverify.balls import acb, arb, ctx
from pldverify.balls.ball import ball, near, working
from pldverify.balls.clock import paced
from pldverify.balls.compare import less, surely_less
from pldverify.balls.memory import remembered
from pldverify.balls.normal import normal_tail
from pldverify.errors import NoConvergence
from pldverify.mechanisms.relations import Direction
from pldverify.reference.laws.anchored import just_beyond
from pldverify.reference.laws.atomic import AtomicLaw
from pldverify.reference.laws.gaussian import gaussian_tails
from pldverify.reference.laws.law import Law
from pldverify.reference.laws.outcome import Outcome
from pldverify.reference.laws.smooth import SmoothLaw
from pldverify.reference.lemmas.piece import Piece

_WIDTH = Fraction(1, 2)
"""Half-width of a panel, in nats or standard deviations of the loss; any value is right."""
_BITS = 256
"""Bits at which noise is told from new keys."""
_SPARE = 16
"""Bits by which what is cut of a normal law is below the last one; any number is right."""
_STEPS = 3
"""Cap on the steps towards s*, as a multiple of the bits: each takes off a quarter of an interval or more."""


@dataclass(frozen=True)
class ThresholdedLaw(SmoothLaw):
    """``move`` is c > 0 and ``margin`` is x > 0, exact. Each kind of noise says the rest."""

    move: Fraction
    margin: Fraction
    direction: Direction

    @abstractmethod
    def shown(self) -> arb:
        """ρ."""

    @abstractmethod
    def top(self) -> arb:
        """s*."""

    @abstractmethod
    def noise(self, s: Fraction, strictly: bool) -> tuple[arb, arb]:
        """P and Q of the noise's losses from s on; ``strictly``: above s."""

    @property
    def infinite_mass(self) -> Fraction | arb:  # type: ignore[override]  # a ball here
        return self.shown() if self.direction == "remove" else Fraction(0)

    def tails(self, s: Fraction) -> tuple[arb, arb]:
        if self.direction == "remove":
            return self._above(s, strictly=False)
        finite, base = self._above(-s, strictly=True)
        return 1 - base, 1 - self.shown() - finite

    def _above(self, s: Fraction, strictly: bool) -> tuple[arb, arb]:
        """P and Q of the finite losses from s on; around s* of both sides."""
        top, nothing = self.top(), (arb(0), arb(0))
        if surely_less(top, ball(s)):
            return nothing
        first, second = self.noise(s, strictly)
        first -= self.shown()
        if surely_less(ball(s), top):
            return first, second
        return first.union(arb(0)), second.union(arb(0))


@dataclass(frozen=True)
class ThresholdedLaplaceLaw(ThresholdedLaw):
    """Of Laplace noise, s* > −c."""

    @property
    def largest_finite_loss(self) -> Fraction | arb:
        return self.top() if self.direction == "remove" else self.move

    def anchor(self) -> Fraction:
        """Just above s*, an atom of about half the mass, where s* > 0."""
        with working(_BITS):
            top = self.top()
            if self.direction == "add" or not surely_less(0, top):
                return Fraction(0)
            return min(self.move, just_beyond(top.upper()))

    def _above(self, s: Fraction, strictly: bool) -> tuple[arb, arb]:
        """s* < c, as ρ > 0, however near it is."""
        return (arb(0), arb(0)) if s >= self.move else super()._above(s, strictly)

    def shown(self) -> arb:
        return ball(-self.margin).exp() / 2

    def top(self) -> arb:
        return ball(self.move) + 2 * (-self.shown()).log1p()

    def noise(self, s: Fraction, strictly: bool) -> tuple[arb, arb]:
        c = self.move
        if s < -c or (s == -c and not strictly):
            return arb(1), arb(1)
        return 1 - (ball(s - c) / 2).exp() / 2, (-ball(s + c) / 2).exp() / 2

    def points(self) -> list[tuple[arb, arb]]:
        c, top = ball(self.move), self.top()
        if self.direction == "remove":
            return [(top, (1 - self.shown()) / 2), (-c, (-c).exp() / 2)]
        return [(c, arb(1) / 2), (-top, (-(top + c) / 2).exp() / 2)]

    def pieces(self, theta: Fraction) -> list[Piece]:
        """From −c or −s* on, in the direction of s."""
        c, top = ball(self.move), self.top()
        low, high = (-c, top) if self.direction == "remove" else (-top, c)
        length = near(high - low)
        scale = (high - low) / ball(length)
        log = scale.log() - c / 2 - arb(4).log()

        def loss(x: acb) -> acb:
            return low + scale * x

        return [
            Piece(
                Fraction(0), length, lambda x: log + loss(x) / 2, loss, lambda x: scale, _WIDTH, Fraction(1)
            )
        ]

    def omitted(self, theta: Fraction, pieces: list[Piece]) -> arb:
        return arb(0)


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
        shown, rest = ball(-self.margin).exp() / 2, 1 - ball(-self.margin).exp() / 2
        if self.direction == "remove":
            return [Outcome(shown, arb(0)), Outcome(rest, arb(1))]
        return [Outcome(arb(0), shown), Outcome(arb(1), rest)]


def thresholded_laplace(move: Fraction, margin: Fraction, direction: Direction) -> Law:
    """The one of both that applies. Raises NoConvergence where nobody can tell."""
    law = ThresholdedLaplaceLaw(move, margin, direction)
    with working(_BITS):
        hidden = (-law.shown()).log1p() + ball(move)
    if surely_less(0, hidden):
        return law
    if surely_less(hidden, 0):
        return RevealedKeyLaw(margin, direction)
    raise NoConvergence(f"thresholded histogram: {_BITS} bits can't tell whether noise or new keys tell more")


@dataclass(frozen=True)
class ThresholdedGaussianLaw(ThresholdedLaw):
    """Of Gaussian noise."""

    @property
    def largest_finite_loss(self) -> arb | None:
        return self.top() if self.direction == "remove" else None

    def shown(self) -> arb:
        return _normal_shown(self.margin, ctx.prec)

    def top(self) -> arb:
        return _root(self.move, self.margin, ctx.prec)

    def noise(self, s: Fraction, strictly: bool) -> tuple[arb, arb]:
        return gaussian_tails(ball(self.move), ball(s))

    def points(self) -> list[tuple[arb, arb]]:
        top = self.top()
        first, second = gaussian_tails(ball(self.move), top)
        return [(top, first - self.shown())] if self.direction == "remove" else [(-top, second)]

    def pieces(self, theta: Fraction) -> list[Piece]:
        """In standard deviations away from s* or −s*, over those that count."""
        c, end, turn = ball(self.move), self._end(), self._turn
        bulk, reach = near(self._bulk(theta).max(arb(0))), self._reach()

        def deviations(x: acb) -> acb:
            return end + turn * x

        def log_weight(x: acb) -> acb:
            return -(deviations(x) ** 2) / 2 - (2 * arb.pi()).log() / 2

        def loss(x: acb) -> acb:
            return c * c / 2 + c * deviations(x)

        width = min(_WIDTH, 1 / self.move)
        return [
            Piece(
                max(Fraction(0), bulk - reach), bulk + reach, log_weight, loss, lambda x: c, width, self.move
            )
        ]

    @property
    def _turn(self) -> int:
        return -1 if self.direction == "remove" else 1

    def _bulk(self, theta: Fraction) -> arb:
        """How far from the end the middle of the tilted loss is, θc standard deviations above its mean."""
        return self._turn * (ball(theta * self.move) - self._end())

    def _end(self) -> arb:
        """s* or −s* in standard deviations of the loss from its mean."""
        c = ball(self.move)
        return ((self.top() if self.direction == "remove" else -self.top()) - c * c / 2) / c

    @staticmethod
    def _reach() -> Fraction:
        """Standard deviations beyond which a normal law has less than counts."""
        return near((2 * (ctx.prec + _SPARE) * arb(2).log()).sqrt()) + 1

    def omitted(self, theta: Fraction, pieces: list[Piece]) -> arb:
        """Both tails of the tilted normal law, or the one that has no end."""
        c, tilt, (piece,), bulk = ball(self.move), ball(theta), pieces, self._bulk(theta)
        mass = normal_tail(ball(piece.high) - bulk)
        mass += normal_tail(bulk - ball(piece.low)) if piece.low > 0 else 0
        return (tilt * (tilt + 1) * c * c / 2).exp() * mass


@remembered(64)
def _normal_shown(margin: Fraction, prec: int) -> arb:
    """ρ at a precision: every cell of a grid asks for it."""
    return normal_tail(ball(margin))


@remembered(64)
def _root(move: Fraction, margin: Fraction, prec: int) -> arb:
    """s* of Gaussian noise: between two numbers where δ, which falls, is proved to be above and below ρ.

    In standard deviations from the mean of the loss it is at most x, as ρ = δ(s*) ≤ P(S ≥ s*).
    """
    c, shown = ball(move), _normal_shown(margin, prec)
    mean, high, reach = c * c / 2, ball(margin), arb(1)

    def is_above(x: arb) -> bool | None:
        s = mean + c * x
        first, second = gaussian_tails(c, s)
        return less(shown, first - s.exp() * second)

    while not is_above(high - reach):
        reach *= 2
    low = high - reach
    for _ in paced(range(_STEPS * prec)):
        points = ((low + (high - low) * part / 4).mid() for part in (2, 1, 3))
        told = next(((x, above) for x in points if (above := is_above(x)) is not None), None)
        if told is None:
            break
        low, high = (told[0], high) if told[1] else (low, told[0])
    return (mean + c * low).union(mean + c * high)
