r"""The atoms of one loss, tilted: all that a transform on the line Re z = θ needs.

.. math:: M(\theta + iu) = \sum_i m_i e^{iux_i} + r(u), \qquad m_i = P(S = x_i) e^{\theta x_i},
          \quad |r(u)| \le \omega,

where ω bounds the tilted mass of the atoms that the list leaves out.
"""

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from pldverify.balls import acb, arb, ctx
from pldverify.balls.ball import ball
from pldverify.balls.compare import by_points, surely_at_most, surely_less
from pldverify.balls.line_sums import line_sums
from pldverify.errors import NoConvergence
from pldverify.reference.laws.lattice import Lattice, may_be_mass


@dataclass(frozen=True)
class TiltedAtoms:
    """``masses`` m_i ≥ 0 at ``losses`` x_i; ``omitted`` is ω ≥ 0."""

    masses: list[arb]
    losses: list[arb]
    omitted: arb

    def __post_init__(self) -> None:
        """Raises NoConvergence unless every loss is finite, and for a mass that can't be one."""
        finite = all(loss.is_finite() for loss in self.losses)
        if not (finite and all(map(may_be_mass, self.masses)) and surely_at_most(0, self.omitted)):
            raise NoConvergence(f"{ctx.prec} bits do not enclose the mass or the loss of an atom")

    @staticmethod
    def on(lattice: Lattice, theta: Fraction) -> "TiltedAtoms":
        """The atoms of a lattice whose masses are tilted by e^{θ d j}: those at θ lack e^{θ d · offset}."""
        spacing, offset = (
            ball(x) if isinstance(x, Fraction) else x for x in (lattice.spacing, lattice.offset)
        )
        turn = (ball(theta) * spacing * offset).exp()
        rows = [(mass, lattice.first + i) for i, mass in enumerate(lattice.masses) if not mass.is_zero()]
        return TiltedAtoms(
            [mass * turn for mass, _ in rows],
            [(offset + place) * spacing for _, place in rows],
            (lattice.omitted * turn).upper(),
        )

    def over(self, whole: arb) -> "TiltedAtoms":
        """All masses divided by ``whole`` > 0."""
        return TiltedAtoms(
            [mass / whole for mass in self.masses], self.losses, (self.omitted / whole).upper()
        )

    def without(self, share: Fraction) -> "TiltedAtoms":
        """The smallest masses, up to ``share`` of all, are omitted."""
        order = by_points(range(len(self.masses)), lambda i: self.masses[i].mid())
        room, left = self.mass().mid() * ball(share), set(range(len(order)))
        omitted = self.omitted
        for i in order:
            room -= self.masses[i].mid()
            if not surely_less(0, room):
                break
            omitted += self.masses[i]
            left.remove(i)
        kept = sorted(left)
        return TiltedAtoms(
            [self.masses[i] for i in kept], [self.losses[i] for i in kept], arb(omitted).upper()
        )

    def mass(self) -> arb:
        """Σ m_i."""
        return sum(self.masses, arb(0))

    def transform(self) -> arb:
        """M(θ): between the mass of the list and that with what was omitted."""
        mass = self.mass()
        return mass.union(mass + self.omitted)

    def bend(self) -> arb:
        """Upper bound of half the second derivative of |Σ m_i e^{iux_i}|² for every u.

        It is −½ Σ m_i m_j (x_i − x_j)² cos u(x_i − x_j), at most Σ m Σ mx² − (Σ mx)².
        """
        centre = self.losses[len(self.losses) // 2].mid()
        places = [loss - centre for loss in self.losses]
        slope = sum((m * x for m, x in zip(self.masses, places, strict=True)), arb(0))
        square = sum((m * x * x for m, x in zip(self.masses, places, strict=True)), arb(0))
        return (self.mass() * square - slope * slope).upper().max(arb(0))

    def most(self, start: Fraction, width: Fraction, count: int) -> list[arb]:
        """Upper bounds of |M| on the intervals from u = start + j·width on, j < ``count``.

        ψ = |Σ m_i e^{iux_i}|² is between two points at a distance Δ at most the larger of its values there
        plus Δ²/8 sup|ψ''|.
        """
        ends = [value.abs_upper() for value in self.sums(start, width, count)]
        rise = (self.bend() * ball(width) ** 2 / 4).upper()
        return [(left.max(right) ** 2 + rise).sqrt() + self.omitted for left, right in pairwise(ends)]

    def sums(self, start: Fraction, step: Fraction, count: int) -> list[acb]:
        """The sum over the list at u = start + j·step, j = 0 … count."""
        first = ball(start)
        turned = [m * acb(0, first * x).exp() for m, x in zip(self.masses, self.losses, strict=True)]
        return line_sums(turned if start else self.masses, self.losses, ball(step), count)

    def on_line(self, start: Fraction, step: Fraction, count: int) -> list[acb]:
        """M at u = start + j·step, j = 0 … count."""
        values = self.sums(start, step, count)
        if self.omitted.is_zero():
            return values
        rest = arb(0, self.omitted)
        # M is real at u = 0
        return [value + acb(rest, rest if start or j else 0) for j, value in enumerate(values)]
