r"""How fast the transform of a Gaussian mechanism's loss decays: M(θ + iu) for large u.

With μ₀ the density of N(0, σ²), :math:`y(t) = e^{(2t-1)/2\sigma^2}` and w = 1 − q + qy,

.. math:: M(z) = \int \mu_0\, w(t)^{z+1} dt \text{ (remove)}, \quad \int \mu_0\, w(t)^{-z} dt \text{ (add)},
          \quad \int \mu_0\, w(t)^{z+1} w(-t)^{-z} dt \text{ (replace)}.

**Proof of the bounds**, u > 0: move the line to t + ia (``add``: t − ia), φ = a/σ² in (0, π/2], where w has
no zero. Then :math:`|\mu_0(t+ia)| = e^{a^2/2\sigma^2}\mu_0(t)`, and w is p + re^{iφ} with p + r = w(t), so
that :math:`w(t)\cos(\varphi/2) \le |w(t+ia)| \le w(t)`. The power with iu gives :math:`e^{-uA(t)}`, A = arg
w(t + ia) = arctan(r sin φ/(p + r cos φ)) ≥ 0, which rises with t, and for ``replace`` A is the sum of that
at t and at −t. Hence, with n the sum of the negative exponents at z = θ, negated,

.. math:: |M(\theta + iu)| \le e^{a^2/2\sigma^2} \cos(\varphi/2)^{-n} \int g(t)\, e^{-uA(t)}\, dt,
          \qquad \int g = M(\theta).

The integral is cut into cells, w and A at the worse end of each. A(t)/y(t) falls as t rises, since A is a
concave function of y, 0 at y = 0.

Assumes: σ > 0, 0 < q ≤ 1, θ finite; without a proof of these there are no bounds. Rounds: up. Poor cells cost
size, never truth.
"""

from dataclasses import dataclass
from typing import Literal, Protocol

from pldverify.balls import arb
from pldverify.balls.ball import Real, ball
from pldverify.balls.compare import surely_at_most, surely_less
from pldverify.bounds.upper_end import upper

Direction = Literal["remove", "add", "replace"]
Cells = list[tuple[arb, arb]]
"""(bound on the integral of g over a cell, lower bound of A there)."""

CELLS = 100
"""Cells of the outcomes; any value is right: few cells cost size."""
TURNS = 4
"""Angles φ tried, π/2, π/4, …; any value is right: few cost size."""


class Decay(Protocol):
    """Bounds on one loss's transform on the line Re z = θ."""

    def at(self, u: arb) -> arb:
        """Upper bound of |M(θ + iv)| for all |v| ≥ u; falls as u rises. Assumes: u ≥ 0."""
        ...

    def aliases(self, step: arb) -> arb:
        r"""Upper bound of :math:`\sup_{|u| \le \pi/h} \sum_{m \ne 0} |M(\theta + iu + 2\pi i m/h)|`.

        Proof: :math:`|u + 2\pi m/h| \ge (2|m| - 1)\pi/h`. Assumes: h > 0.
        """
        ...


@dataclass(frozen=True)
class GaussianDecay:
    r"""The loss N(1/2s², 1/s²): :math:`|M(\theta+iu)| = e^{\theta(\theta+1)/2s^2} e^{-u^2/2s^2}`, s > 0."""

    s: arb
    theta: arb

    def at(self, u: arb) -> arb:
        """The formula."""
        return upper(((self.theta * (self.theta + 1) - u * u) / (2 * self.s * self.s)).exp())

    def aliases(self, step: arb) -> arb:
        r"""2Σ_{m≥1} at (2m − 1)π/h: the squares (2m − 1)² grow by 8 or more."""
        edge = arb.pi() / step
        ratio = (-4 * edge * edge / (self.s * self.s)).exp()
        return upper(2 * self.at(edge) / (1 - ratio))


@dataclass(frozen=True)
class MixtureDecay:
    """The Gaussian sampled with 0 < q < 1; see the module docstring.

    Attributes:
        turns: for each φ the factor before the integral and the cells.
        first: bound on the integral of g·y⁻¹ over the first cell, and its A/y for each φ; None if A does not
            go to 0 there.
    """

    turns: list[tuple[arb, Cells]]
    first: tuple[arb, list[arb]] | None

    def at(self, u: arb) -> arb:
        """The least of the bounds by φ."""
        found = arb.pos_inf()
        for factor, cells in self.turns:
            total = arb(0)
            for mass, angle in cells:
                total += mass * (-u * angle).exp()
            found = found.min((factor * total).upper())
        return found

    def aliases(self, step: arb) -> arb:
        """Σ_{m≥1} 2e^{−(2m−1)x} = 1/sinh x ≤ 1/x in each cell, x = πA/h; the first may take 1/x inside."""
        turn = arb.pi() / step
        found = arb.pos_inf()
        for i, (factor, cells) in enumerate(self.turns):
            total = arb(0)
            for mass, angle in cells if self.first is None else cells[1:]:
                total += mass / (turn * angle).sinh()
            if self.first is not None:
                total += self.first[0] / (turn * self.first[1][i])
            found = found.min((factor * total).upper())
        return found


def transform_decay(sigma: Real, q: Real, direction: Direction, theta: Real) -> Decay | None:
    """The bounds for one loss at θ; None unless σ > 0, 0 < q < 1 or q = 1, and θ is finite."""
    s, p, tilt = ball(sigma), ball(q), ball(theta)
    if not (surely_less(0, s) and surely_less(0, p) and surely_at_most(p, 1) and tilt.is_finite()):
        return None
    if surely_at_most(1, p):
        return GaussianDecay(s / 2 if direction == "replace" else s, tilt)
    if not surely_less(p, 1):
        return None
    up = {"remove": tilt + 1, "add": -tilt, "replace": tilt + 1}[direction]  # exponent of w(t)
    down = -tilt if direction == "replace" else arb(0)  # exponent of w(−t)
    ends = _ends(s, up, down)
    masses = _masses(s, p, up, down, ends)
    negative = (-up).max(arb(0)) + (-down).max(arb(0))
    turns, slopes = [], []
    for i in range(TURNS):
        phi = arb.pi() / 2 ** (i + 1)
        angles = [_angle(s, p, phi, end) for end in ends]
        if direction == "replace":
            back = [_angle(s, p, phi, -end) for end in ends]
            # in a cell A(t) is at least its value at the left end plus A(−t)'s at the right end
            lows = [back[0], *(a + b for a, b in zip(angles, back[1:], strict=False)), angles[-1]]
        else:
            lows = [arb(0), *angles]
        factor = ((phi * s) ** 2 / 2).exp() * (phi / 2).cos() ** -negative
        turns.append((factor, list(zip(masses, lows, strict=True))))
        slopes.append((angles[0] / _odds(s, ends[0])).lower())
    if direction == "replace":
        return MixtureDecay(turns, None)
    edge = (1 - p + p * _odds(s, ends[0])) ** up
    left = edge.max((1 - p) ** up) * (1 / (s * s)).exp() * _normal((ends[0] + 1) / s)
    return MixtureDecay(turns, (left.upper(), slopes))


def _odds(s: arb, t: arb) -> arb:
    return ((2 * t - 1) / (2 * s * s)).exp()


def _normal(x: arb) -> arb:
    """Φ."""
    return (-x / arb(2).sqrt()).erfc() / 2


def _angle(s: arb, p: arb, phi: arb, t: arb) -> arb:
    r = p * _odds(s, t)
    return (r * phi.sin() / (1 - p + r * phi.cos())).atan()


def _ends(s: arb, up: arb, down: arb) -> list[arb]:
    """The ends of the cells: g is near 0 beyond them. Any ends are right."""
    reach = 11 * float(s.mid())
    high = max(float(up.mid()), 0.0) + reach
    low = -max(float(down.mid()), 0.0) - reach
    return [arb(low + (high - low) * i / CELLS) for i in range(CELLS + 1)]


def _masses(s: arb, p: arb, up: arb, down: arb, ends: list[arb]) -> list[arb]:
    """Upper bounds on ∫g over (−∞, e₀], [e₀, e₁], …, [e_n, ∞)."""
    right = [(1 - p + p * _odds(s, t)) for t in ends]
    left = [(1 - p + p * _odds(s, -t)) for t in ends]
    below = [_normal(t / s) for t in ends]
    above = [_normal(-t / s) for t in ends]
    masses = [_outer(s, p, down, up, -ends[0], left[0], right[0])]
    for i in range(len(ends) - 1):
        weight = (below[i + 1] - below[i]).min(above[i] - above[i + 1]).max(arb(0))
        height = (right[i] ** up).max(right[i + 1] ** up) * (left[i] ** down).max(left[i + 1] ** down)
        masses.append((weight * height).upper())
    masses.append(_outer(s, p, up, down, ends[-1], right[-1], left[-1]))
    return masses


def _outer(s: arb, p: arb, rising: arb, falling: arb, t: arb, rise: arb, fall: arb) -> arb:
    """∫ μ₀ w(t)^``rising`` w(−t)^``falling`` over [t, ∞); ``rise`` and ``fall`` are w(t) and w(−t).

    There w ≤ Cy, C = w(t)/y(t), and μ₀y^m = e^{m(m−1)/2σ²} N(m, σ²).
    """
    m = rising.max(arb(0))
    grown = (rise / _odds(s, t)) ** m * (m * (m - 1) / (2 * s * s)).exp() * _normal((m - t) / s)
    grown *= rise ** -(-rising).max(arb(0))  # a negative power is largest at t
    other = (fall**falling).max((1 - p) ** falling)
    return (grown * other).upper()
