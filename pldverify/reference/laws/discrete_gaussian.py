r"""Loss of the discrete Gaussian mechanism: :math:`(2xs - s^2)/2\sigma^2` at the integer outcome x.

P ∝ :math:`e^{-(x-s)^2/2\sigma^2}`, Q ∝ :math:`e^{-x^2/2\sigma^2}`. Completing the square, with
:math:`T(a, b) = \sum_x e^{-(x-a)^2/2\sigma^2 + i(x-a)b/\sigma^2}`,

.. math:: M(\theta + iu) = e^{s^2\theta(\theta+1)/2\sigma^2 + i s^2 u (2\theta+1)/2\sigma^2}\,
          T(s(\theta+1), su)/T(0, 0),

and by Poisson summation :math:`T(a, b) = \sigma\sqrt{2\pi} \sum_m e^{-2\pi i m a - 2\pi^2\sigma^2(m -
b/2\pi\sigma^2)^2}`. Either sum is a sum of normal bells, and what lies at a distance ≥ d > 0 from the peak of
:math:`e^{-r x^2}` sums to at most :math:`2 e^{-rd^2}/(1 - e^{-2rd})`.
"""

import math
from dataclasses import dataclass
from fractions import Fraction

from pldverify.balls import acb, arb, ctx
from pldverify.balls.ball import ball, working
from pldverify.balls.clock import spend
from pldverify.balls.compare import surely_less
from pldverify.errors import NoConvergence
from pldverify.reference.laws.hints.discrete_gaussian import MAX_TERMS, peak_of_dual, reach
from pldverify.reference.laws.lattice import Lattice
from pldverify.reference.laws.law import Decay
from pldverify.reference.laws.tilted_atoms import TiltedAtoms


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
        x = math.ceil(s * self.variance / self.sensitivity + Fraction(self.sensitivity, 2))
        total = normaliser(self.variance)
        second, first = (upper_sum(self.variance, y) / total for y in (x, x - self.sensitivity))
        return first, second

    def on_line(self, theta: Fraction, step: Fraction, count: int) -> list[acb]:
        s, v = self.sensitivity, self.variance
        size = ball(s * s * theta * (theta + 1) / (2 * v)).exp() / normaliser(v)
        turn = s * s * step * (2 * theta + 1) / (2 * v)
        return [
            size * acb(0, ball(turn * j)).exp() * bells(v, s * (theta + 1), s * step * j)
            for j in range(count + 1)
        ]

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
        centre, far = round(peak), reach(1 / (2 * float(v)))
        size = ball((peak * peak - s * s) / (2 * v)).exp() / normaliser(v)
        masses = []
        for x in range(centre - far, centre + far + 1):
            if x % 100 == 0:
                spend()
            masses.append(size * ball(-((x - peak) ** 2) / (2 * v)).exp())
        omitted = size * _both_sides(1 / (2 * ball(v)), ball(far + 1 - abs(centre - peak)))
        return Lattice(s / v, Fraction(-s, 2), centre - far, masses, omitted.upper())


def normaliser(variance: Fraction) -> arb:
    """T(0, 0)."""
    return bells(variance, Fraction(0), Fraction(0)).real


def bells(variance: Fraction, a: Fraction, b: Fraction) -> acb:
    """T(a, b), by whichever sum has fewer terms; asked at every node of a line."""
    spend()
    if variance < Fraction(1, 6):
        return _direct(variance, a, b)
    v, two_pi = ball(variance), 2 * arb.pi()
    centre, far = peak_of_dual(variance, b)
    total = acb(0)
    distance = ball(b) / (two_pi * v)
    for m in range(centre - far, centre + far + 1):
        gap = m - distance
        total += acb(-(two_pi * two_pi) * v * gap * gap / 2, -two_pi * ball(a * m)).exp()
    nearest = (arb(far + 1) - abs(centre - distance)).lower()
    rest = arb(0, _both_sides(two_pi * two_pi * v / 2, nearest).upper())
    return (v * two_pi).sqrt() * (total + acb(rest, rest if b or a else 0))


def _direct(variance: Fraction, a: Fraction, b: Fraction) -> acb:
    far, centre = reach(1 / (2 * float(variance))), round(a)
    total = acb(0)
    for x in range(centre - far, centre + far + 1):
        gap = x - a
        total += acb(ball(-gap * gap / (2 * variance)), ball(gap * b / variance)).exp()
    nearest = ball(far + 1 - abs(centre - a))
    rest = arb(0, _both_sides(1 / (2 * ball(variance)), nearest).upper())
    return total + acb(rest, rest if b else 0)


def upper_sum(variance: Fraction, x: int) -> arb:
    """Σ_{y ≥ x} exp(−y²/2σ²), relative to itself at the working precision."""
    if x <= 0:  # the bell is even
        return normaliser(variance) - (upper_sum(variance, 1 - x) if x < 0 else upper_sum(variance, 1))
    with working(ctx.prec + 40):
        term = ball(-Fraction(x * x) / (2 * variance)).exp()
        ratio, shrink = ball(-(2 * x + 1) / (2 * variance)).exp(), ball(-1 / variance).exp()
        goal = arb(2) ** -ctx.prec
        total, first = arb(0), term
        for i in range(MAX_TERMS):
            if i % 1000 == 0:
                spend()
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


def _both_sides(rate: arb, distance: arb) -> arb:
    """Σ e^{−rate x²} over unit-spaced |x| ≥ ``distance``, at most; +∞ unless distance > 0."""
    if not surely_less(0, distance):
        return arb.pos_inf()
    return 2 * (-rate * distance * distance).exp() / -(-2 * rate * distance).expm1()
