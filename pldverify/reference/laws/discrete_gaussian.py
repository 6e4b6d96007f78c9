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

from flint import acb, arb, ctx

from pldverify.balls.ball import ball, working
from pldverify.balls.clock import spend
from pldverify.errors import NoConvergence
from pldverify.reference.laws.lattice import Lattice
from pldverify.reference.laws.law import Decay

MAX_TERMS = 400_000
"""Cap on the terms of a sum over outcomes."""


@dataclass(frozen=True)
class DiscreteGaussianLaw:
    """``variance`` = σ², exact, and integer ``sensitivity`` s ≥ 1."""

    variance: Fraction
    sensitivity: int
    infinite_mass = Fraction(0)

    @property
    def highest(self) -> None:
        return None

    def tails(self, s: Fraction) -> tuple[arb, arb]:
        x = math.ceil(s * self.variance / self.sensitivity + Fraction(self.sensitivity, 2))
        total = normaliser(self.variance)
        second, first = (upper_sum(self.variance, y) / total for y in (x, x - self.sensitivity))
        return first, second

    def cumulant(self, theta: float) -> tuple[float, float, float]:
        s, v = self.sensitivity, float(self.variance)
        centre = s * (theta + 1)
        total, mean, variance = _bell(centre, v)
        base = _bell(0.0, v)[0]
        value = s * s * theta * (theta + 1) / (2 * v) + math.log(total / base)
        return value, (2 * s * mean - s * s) / (2 * v), (s / v) ** 2 * variance

    def line(self, theta: Fraction, step: Fraction, count: int) -> list[acb]:
        s, v = self.sensitivity, self.variance
        size = ball(s * s * theta * (theta + 1) / (2 * v)).exp() / normaliser(v)
        turn = s * s * step * (2 * theta + 1) / (2 * v)
        return [
            size * acb(0, ball(turn * j)).exp() * bells(v, s * (theta + 1), s * step * j)
            for j in range(count + 1)
        ]

    def decay(self, theta: Fraction) -> Decay:
        return Decay()

    def lattice(self, theta: Fraction = Fraction(0)) -> Lattice:
        """Masses P(x) e^{θsx/σ²} to the working precision: a bell around s(θ + 1) again."""
        s, v = self.sensitivity, self.variance
        reach, peak = _reach(1 / (2 * float(v))), s * (theta + 1)
        centre = round(peak)
        size = ball((peak * peak - s * s) / (2 * v)).exp() / normaliser(v)
        masses = [
            size * ball(-((x - peak) ** 2) / (2 * v)).exp() for x in range(centre - reach, centre + reach + 1)
        ]
        omitted = size * _beyond(1 / (2 * ball(v)), ball(reach + 1 - abs(centre - peak)))
        return Lattice(s / v, Fraction(-s, 2), centre - reach, masses, omitted.upper())


def normaliser(variance: Fraction) -> arb:
    """T(0, 0)."""
    return bells(variance, Fraction(0), Fraction(0)).real


def bells(variance: Fraction, a: Fraction, b: Fraction) -> acb:
    """T(a, b), by whichever sum has fewer terms; asked at every node of a line."""
    spend()
    if variance < Fraction(1, 6):
        return _direct(variance, a, b)
    v, two_pi = ball(variance), 2 * arb.pi()
    peak = float(b) / (2 * math.pi * float(variance))
    rate = 2 * math.pi**2 * float(variance)
    reach = _reach(rate)
    centre = round(peak)
    total = acb(0)
    distance = ball(b) / (two_pi * v)
    for m in range(centre - reach, centre + reach + 1):
        gap = m - distance
        total += acb(-(two_pi * two_pi) * v * gap * gap / 2, -two_pi * ball(a * m)).exp()
    nearest = (arb(reach + 1) - abs(centre - distance)).lower()
    rest = arb(0, _beyond(two_pi * two_pi * v / 2, nearest).upper())
    return (v * two_pi).sqrt() * (total + acb(rest, rest if b or a else 0))


def _direct(variance: Fraction, a: Fraction, b: Fraction) -> acb:
    reach, centre = _reach(1 / (2 * float(variance))), round(a)
    total = acb(0)
    for x in range(centre - reach, centre + reach + 1):
        gap = x - a
        total += acb(ball(-gap * gap / (2 * variance)), ball(gap * b / variance)).exp()
    nearest = ball(reach + 1 - abs(centre - a))
    rest = arb(0, _beyond(1 / (2 * ball(variance)), nearest).upper())
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
            if term < goal * first:
                break
            ratio *= shrink
        else:
            raise NoConvergence(f"discrete gaussian: more than {MAX_TERMS} outcomes count")
        rest = (term / (1 - ratio)).upper()  # the ratios keep falling
        total += arb(0).union(rest)
    return +total


def _reach(rate: float) -> int:
    """Terms on each side of the peak of e^{−rate x²} for the working precision."""
    reach = math.ceil(math.sqrt((ctx.prec + 16) * math.log(2) / rate)) + 1
    if reach > MAX_TERMS:
        raise NoConvergence(f"discrete gaussian: more than {MAX_TERMS} outcomes count")
    return reach


def _beyond(rate: arb, distance: arb) -> arb:
    """Σ e^{−rate x²} over unit-spaced |x| ≥ ``distance``, at most; +∞ unless distance > 0."""
    if not distance > 0:
        return arb.pos_inf()
    return 2 * (-rate * distance * distance).exp() / -(-2 * rate * distance).expm1()


def _bell(centre: float, v: float) -> tuple[float, float, float]:
    """Sum, mean and variance of exp(−(x − centre)²/2v) over the integers, in floats."""
    if v > 9:
        return math.sqrt(2 * math.pi * v), centre, v
    reach = math.ceil(9 * math.sqrt(v)) + 1
    points = range(round(centre) - reach, round(centre) + reach + 1)
    logs = [-((x - centre) ** 2) / (2 * v) for x in points]
    peak = max(logs)
    weights = [math.exp(value - peak) for value in logs]
    total = math.fsum(weights)
    mean = math.fsum(w * x for w, x in zip(weights, points, strict=True)) / total
    variance = math.fsum(w * (x - mean) ** 2 for w, x in zip(weights, points, strict=True)) / total
    return total * math.exp(peak), mean, variance
