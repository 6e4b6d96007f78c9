r"""Decay of the transform of a fixed-size batch, without its atom: like :math:`1/u^2`, by a kink at loss 0.

Notation as in ``shifted_gaussian.py``; F is M without the atom, z = θ + iv, v ≥ u. For one component, with
0 < b and cb < π/2, the path of :math:`\int_{c/2}^\infty \varphi w^{z+1}` may go up from c/2 to c/2 + ib
and then along Im x = b, and that of :math:`\int_{c/2}^\infty \varphi w^{-z}` down to c/2 − ib and along
Im x = −b. Both **lines** are bounded in cells as in ``strip_lines.py``.

**The way up and the way down** nearly cancel. With τ = ct let :math:`w(c/2 \pm it) = 1 - q + q e^{\pm i\tau}
= e^{-a \pm i\alpha}`; both together are :math:`i v_\ell \int_0^b (A - B)\, dt`, where

.. math:: |A - B| = \varphi(c/2)\, e^{t^2/2 - v\alpha} |e^X - e^Y|,\quad
          X - Y = -(2\theta+1)a + i(\alpha - \tau - 2va),

Re X = −(θ + 1)a and Re Y = θa. So :math:`|e^X - e^Y| \le e^{a \max(\theta, -1-\theta)}
\min(2, |2\theta+1| a + \tau - \alpha + 2va)` (the exponent taken ≥ 0). For τ in [0, π/2] a, α and τ − α are
≥ 0 and grow, since :math:`|w|^2 = 1 - 4q(1-q)\sin^2(\tau/2)`,
:math:`\alpha' = \mathrm{Re}(qe^{i\tau}/w) \ge 0` and :math:`1 - \alpha' = \mathrm{Re}((1-q)/w) \ge 0`: a
cell of t is bounded by its ends. Where αu < 1, :math:`v e^{-v\alpha} \le 1/(e\alpha)`; otherwise it falls
with v.

Proof: Cauchy's theorem, and |e^X − e^Y| ≤ e^{max(Re X, Re Y)} min(2, |X − Y|), as the path from X to Y is
straight. Assumes: u > 0, 0 < q < 1, c > 0, shares ≥ 0, 0 < ``mass`` ≤ M(θ), pieces as in ``strip_lines.py``,
and an ``omitted`` that bounds what lies beyond them on their lines. Rounds: up; a b outside of (0, π/2c),
or with an angle of unknown sign on its lines, is left out. Poor b's and cells cost size, never truth.
"""

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from pldverify.balls import arb
from pldverify.balls.ball import ball
from pldverify.balls.clock import spend
from pldverify.balls.compare import surely_at_most, surely_less
from pldverify.reference.lemmas.piece import Piece
from pldverify.reference.lemmas.strip_lines import along

_RATIO = Fraction(9, 10)
"""Ratio of an end of a cell of t to the next larger one; any value in (0, 1) is right: it costs size."""
_STEPS = 200
"""Cells of t besides the one at 0; any value is right: few cells cost size."""


@dataclass(frozen=True)
class Corner:
    """One cell of t: length times modulus, inf α, sup of \\|2θ + 1\\| a + τ − α, sup a."""

    weight: arb
    angle: arb
    fixed: arb
    grows: arb

    def bound(self, u: arb) -> arb:
        """Bound of ∫ |A − B| over the cell for all v ≥ u."""
        fall, turn = (-u * self.angle).exp(), u * self.angle
        if not surely_less(0, self.angle):
            return 2 * self.weight * fall
        steep = u * fall if surely_at_most(1, turn) else 1 / (arb(1).exp() * self.angle)
        return self.weight * (2 * fall).min(self.fixed * fall + 2 * self.grows * steep)


Line = tuple[list[Corner], list[arb], list[arb]]
"""Corners, and the weights and angles of the lines, all relative to M(θ)."""


@dataclass(frozen=True)
class KinkedLines:
    """One line for each choice of b."""

    lines: list[Line]

    def log_sup(self, u: arb) -> arb:
        """Upper bound of log |F(θ + iv)|/M(θ) over all v ≥ u (its lower end) > 0; at most 0."""
        u = u.lower()
        best = arb(0)
        for corners, weights, angles in self.lines:
            spend()
            total = sum((corner.bound(u) for corner in corners), arb(0))
            for weight, angle in zip(weights, angles, strict=True):
                total += weight * (-u * angle).exp()
            best = best.min(total.upper().log())
        return best.upper()


def corners(c: arb, q: arb, share: arb, tilt: arb, height: arb) -> list[Corner]:
    """The cells of t in [0, ``height``] of a component of shift c and probability ``share``."""
    ends = [arb(0), *(height * ball(_RATIO) ** j for j in range(_STEPS, -1, -1))]
    scale = share * (-c * c / 8).exp() / (2 * arb.pi()).sqrt()
    power = tilt.max(-1 - tilt).max(arb(0))
    rows = []
    for t in ends:
        tau = c * t
        sine = (tau / 2).sin()
        a = -(-4 * q * (1 - q) * sine * sine).log1p() / 2
        rows.append((t, tau, a, (q * tau.sin() / (1 - q + q * tau.cos())).atan()))
    return [
        Corner(
            scale * (t - before) * (t * t / 2 + power * a).exp(),
            start,
            abs(2 * tilt + 1) * a + tau - angle,
            a,
        )
        for (before, _, _, start), (t, tau, a, angle) in pairwise(rows)
    ]


def kinked_line(
    components: list[tuple[arb, arb, Piece, Piece]],
    q: arb,
    tilt: arb,
    mass: arb,
    omitted: arb,
    part: Fraction,
) -> Line | None:
    """The b with cb = ``part`` for each of ``components``: c, share, upper and lower piece.

    ``omitted`` bounds what lies beyond the pieces on their lines.

    None unless 0 < cb < π/2, and where an angle isn't proved to be ≥ 0.
    """
    cells: list[Corner] = []
    weights, angles = [omitted / mass], [arb(0)]
    for c, share, up, down in components:
        height = ball(part) / c
        if not (surely_less(0, height) and surely_less(c * height, arb.pi() / 2)):
            return None
        cells += corners(c, q, share / mass, tilt, height)
        for piece, side in ((up, height), (down, -height)):
            found = along(piece, tilt, side)
            if found is None:
                return None
            weights += [weight / mass for weight in found[0]]
            angles += found[1]
    return cells, weights, angles
