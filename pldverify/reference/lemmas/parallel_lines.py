r"""Decay of a characteristic function from lines parallel to the real axis.

A tilted integral may be taken along Im x = b instead of the real axis. If there each cell of the line adds at
most its weight times :math:`e^{-v\alpha}`, α ≥ 0 being its angle,

.. math:: |\varphi(v)| \le \sum_i \text{weight}_i\, e^{-u\alpha_i} \quad\text{for all } v \ge u ,

a bound that falls faster than any power of u, for every single b, down to the weights of cells of angle 0.

Proof: Cauchy's theorem; each term falls with u. Assumes: u ≥ 0, and that a law has proved its weights and
angles. Rounds: up.
"""

from dataclasses import dataclass
from fractions import Fraction

from pldverify.balls import arb

_TALLEST = Fraction(10)
"""Height of a line at most: the modulus of φ grows by e^{b²/2} there."""


@dataclass(frozen=True)
class ParallelLines:
    """Per line: the weights of the cells, relative to M(θ), and the angles at their left ends."""

    lines: list[tuple[list[arb], list[arb]]]

    def log_sup(self, u: arb) -> arb:
        """Upper bound of log |φ(v)| over all v ≥ u (its lower end)."""
        u = u.lower()
        best = arb(0)
        for weights, angles in self.lines:
            total = arb(0)
            for weight, angle in zip(weights, angles, strict=True):
                total += weight * (-u * angle).exp()
            best = best.min(total.upper().log())
        return best.upper()


def heights(turn: Fraction, angle: Fraction, count: int) -> list[Fraction]:
    """``count`` heights b, each half of the one before; b·``turn`` is at most ``angle``."""
    highest = min(_TALLEST, angle / turn)
    return [highest / 2**j for j in range(count)]
