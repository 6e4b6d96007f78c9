r"""Loss of the discrete Gaussian mechanism: :math:`(2xs - s^2)/2\sigma^2` at the integer outcome x.

P ∝ :math:`e^{-(x-s)^2/2\sigma^2}`, Q ∝ :math:`e^{-x^2/2\sigma^2}`. Completing the square, with
:math:`T(a, y) = \sum_x e^{-(x-a)^2/2\sigma^2 + 2\pi i(x-a)y}`,

.. math:: M(\theta + iu) = e^{s^2\theta(\theta+1)/2\sigma^2 + i s^2 u (2\theta+1)/2\sigma^2}\,
          T(s(\theta+1), su/2\pi\sigma^2)/T(0, 0),

and by Poisson summation :math:`T(a, y) = \sigma\sqrt{2\pi}\, B(a, y)`, the bells of ``lemmas/bells.py`` at
rate :math:`2\pi^2\sigma^2`: the larger σ, the fewer count. So the transform decays like them until su comes
near a multiple of :math:`2\pi\sigma^2`. For small σ the sum T itself has fewer terms.
"""

import math
from dataclasses import dataclass
from fractions import Fraction

from pldverify.balls import acb, arb, ctx
from pldverify.balls.ball import ball, off_integers, working
from pldverify.balls.clock import paced, spend
from pldverify.balls.compare import surely_at_most, surely_less
from pldverify.errors import NoConvergence
from pldverify.reference.laws.lattice import Lattice
from pldverify.reference.laws.law import Decay
from pldverify.reference.laws.tilted_atoms import TiltedAtoms
from pldverify.reference.lemmas.bells import Bells, both_sides

_LARGE = Fraction(1, 2)
"""σ² from which on the bounds of the bells are better than those of the masses, one by one."""
MAX_TERMS = 400_000
"""Cap on the terms of a sum over outcomes."""
_SPARE = 16
"""Bits by which what a sum leaves out is below the last one; any number is right."""


@dataclass(frozen=True)
class DiscreteGaussianLaw:
    """``variance`` = σ², exact, and integer ``sensitivity`` s ≥ 1."""

    variance: Fraction
    sensitivity: int
    infinite_mass = Fraction(0)

    @property
    def largest_finite_loss(self) -> None:
        return None

    def tails(self, s: Fraction) -> tuple[arb, arb]:
        return self._from(math.ceil(s * self.variance / self.sensitivity + Fraction(self.sensitivity, 2)))

    def beyond(self, s: arb) -> tuple[arb, arb]:
        """The same from a ball on; of both sides of an outcome whose loss can't be told from ``s``."""
        start = s * ball(self.variance / self.sensitivity) + ball(Fraction(self.sensitivity, 2))
        if (whole := start.ceil().unique_fmpz()) is not None:
            return self._from(int(whole))
        near = start.mid().floor().unique_fmpz()
        if near is None or not surely_at_most(start.rad(), 1):
            return arb(0).union(arb(1)), arb(0).union(arb(1))
        (a, b), (c, d) = (self._from(int(near) + shift) for shift in (-1, 2))
        return a.union(c), b.union(d)

    def _from(self, x: int) -> tuple[arb, arb]:
        """P and Q of the outcomes from x on."""
        total = normaliser(self.variance)
        second, first = (upper_sum(self.variance, y) / total for y in (x, x - self.sensitivity))
        return first, second

    def on_line(self, theta: Fraction, step: Fraction, count: int, first: int = 0) -> list[acb]:
        s, v = self.sensitivity, self.variance
        size = ball(s * s * theta * (theta + 1) / (2 * v)).exp() / _sums(v, Fraction(0), [arb(0)])[0].real
        turn, pace = ball(s * s * step * (2 * theta + 1) / (2 * v)), ball(s * step / v) / (2 * arb.pi())
        nodes = range(first, first + count + 1)
        values = _sums(v, s * (theta + 1), [pace * j for j in nodes])
        return [size * acb(0, turn * j).exp() * value for j, value in zip(nodes, values, strict=True)]

    def exact_divergence(self, order: Fraction) -> Fraction | None:
        """D_α = αs²/2σ² where αs is whole: T(αs, 0) = T(0, 0) then, as the sum is moved by whole steps; and
        E[S] = s²/2σ² at α = 1, as P is symmetric around s.
        """
        s = self.sensitivity
        return order * s * s / (2 * self.variance) if (order * s).denominator == 1 else None

    def circle(self, theta: Fraction) -> "Circle | None":
        return Circle(self, theta) if self.variance >= _LARGE else None

    def outline(self, theta: Fraction) -> "Outline | None":
        return _outline(self, theta) if self.variance >= _LARGE else None

    @property
    def place(self) -> tuple[Fraction, Fraction]:
        return self.sensitivity / self.variance, Fraction(-self.sensitivity, 2)

    def decay(self, theta: Fraction) -> Decay:
        return Decay()

    def lattice(self) -> Lattice:
        return self.tilted_lattice(Fraction(0))

    def tilted_atoms(self, theta: Fraction) -> TiltedAtoms:
        return TiltedAtoms.on(self.tilted_lattice(theta), theta)

    def tilted_lattice(self, theta: Fraction) -> Lattice:
        """Masses P(x) e^{θsx/σ²} to the working precision: a bell around s(θ + 1) again."""
        s, v = self.sensitivity, self.variance
        peak = s * (theta + 1)
        centre, far = round(peak), reach(v)
        size = ball((peak * peak - s * s) / (2 * v)).exp() / normaliser(v)
        outcomes = paced(range(centre - far, centre + far + 1))
        masses = [size * ball(-((x - peak) ** 2) / (2 * v)).exp() for x in outcomes]
        omitted = size * both_sides(1 / (2 * ball(v)), ball(far + 1 - abs(centre - peak)))
        return Lattice(*self.place, centre - far, masses, omitted.upper())


@dataclass(frozen=True)
class Outline:
    """Where the modulus of M(θ + iu)/M(θ) returns to 1: near the multiples of 2πσ²/s.

    ``bells`` are above it over ``whole``, at most their modulus at u = 0; ``pace`` is s/2πσ².
    """

    bells: Bells
    whole: arb
    pace: arb

    def most(self, start: Fraction, width: Fraction, count: int) -> list[arb]:
        """Upper bounds on the intervals from start + j·width on, j < count."""
        half, first = self.pace * ball(width) / 2, self.pace * ball(start + width / 2)
        return [self.beyond(off_integers(first + 2 * half * j) - half) for j in paced(range(count))]

    def beyond(self, distance: arb) -> arb:
        """Upper bound where su/2πσ² is at least so far from the integers."""
        return (self.bells.bound(distance) / self.whole).min(arb(1)).upper()


@dataclass(frozen=True)
class Circle:
    """The sum of the masses P(x) e^{θsx/σ²} on the circle, in closed form."""

    law: DiscreteGaussianLaw
    theta: Fraction

    def values(self, period: int, count: int) -> list[acb]:
        s, v = self.law.sensitivity, self.law.variance
        peak = s * (self.theta + 1)
        size = ball((peak * peak - s * s) / (2 * v)).exp() / _sums(v, Fraction(0), [arb(0)])[0].real
        places = [Fraction(j, period) for j in paced(range(count + 1))]
        values = _sums(v, peak, [ball(y) for y in paced(places)])
        turns = [acb(0, 2 * arb.pi() * ball(peak * y % 1)).exp() for y in paced(places)]
        return [size * turn * value for turn, value in zip(turns, values, strict=True)]

    def log_sup(self, place: Fraction) -> arb:
        return _outline(self.law, self.theta).beyond(ball(place)).log()


def _outline(law: DiscreteGaussianLaw, theta: Fraction) -> Outline:
    s, v = law.sensitivity, law.variance
    whole = _sums(v, s * (theta + 1), [arb(0)])[0].real.lower()
    return Outline(_dual(v, s * (theta + 1)), whole, ball(s / v) / (2 * arb.pi()))


def _dual(variance: Fraction, a: Fraction) -> Bells:
    return Bells(2 * arb.pi() ** 2 * ball(variance), a)


def normaliser(variance: Fraction) -> arb:
    """T(0, 0)."""
    return _scale(variance) * _sums(variance, Fraction(0), [arb(0)])[0].real


def _sums(variance: Fraction, a: Fraction, places: list[arb]) -> list[acb]:
    """T(a, y)/σ√2π at each y, by whichever sum has fewer terms."""
    if variance < Fraction(1, 6):
        return [_direct(variance, a, y) / _scale(variance) for y in places]
    return _dual(variance, a).values(places, dual_reach(variance))


def reach(variance: Fraction) -> int:
    """Terms on each side of the peak of e^{−x²/2σ²} that count, as log 2 < 7/10. Raises NoConvergence."""
    found = math.isqrt(math.ceil(variance * (ctx.prec + _SPARE) * 7 / 5)) + 2
    if found > MAX_TERMS:
        raise NoConvergence(f"discrete gaussian: more than {MAX_TERMS} outcomes count")
    return found


def dual_reach(variance: Fraction) -> int:
    """The same for the bells of Poisson's other sum, of rate 2π²σ², whose peak is at most some 1/2 away, as
    log 2/2π² < 1/28.
    """
    return (math.isqrt(math.ceil((ctx.prec + _SPARE) / (7 * variance)) - 1) + 1) // 2


def _scale(variance: Fraction) -> arb:
    return (2 * arb.pi() * ball(variance)).sqrt()


def _direct(variance: Fraction, a: Fraction, y: arb) -> acb:
    spend()
    far, centre = reach(variance), round(a)
    total = acb(0)
    for x in range(centre - far, centre + far + 1):
        gap = x - a
        total += acb(ball(-gap * gap / (2 * variance)), 2 * arb.pi() * ball(gap) * y).exp()
    nearest = ball(far + 1 - abs(centre - a))
    rest = arb(0, both_sides(1 / (2 * ball(variance)), nearest).upper())
    return total + acb(rest, rest if y else 0)


def upper_sum(variance: Fraction, x: int) -> arb:
    """Σ_{y ≥ x} exp(−y²/2σ²), relative to itself at the working precision."""
    if x <= 0:  # the bell is even
        return normaliser(variance) - (upper_sum(variance, 1 - x) if x < 0 else upper_sum(variance, 1))
    with working(ctx.prec + 40):
        term = ball(-Fraction(x * x) / (2 * variance)).exp()
        ratio, shrink = ball(-(2 * x + 1) / (2 * variance)).exp(), ball(-1 / variance).exp()
        goal = arb(2) ** -ctx.prec
        total, first = arb(0), term
        for _ in paced(range(MAX_TERMS)):
            total += term
            term *= ratio
            if surely_less(term, goal * first):
                break
            ratio *= shrink
        else:
            raise NoConvergence(f"discrete gaussian: more than {MAX_TERMS} outcomes count")
        rest = (term / (1 - ratio)).upper()  # the ratios keep falling
        total += arb(0).union(rest)
    return +total
