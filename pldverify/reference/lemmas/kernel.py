r"""Kernels: which expectation of the loss a contour integral inverts, and how its aliases are bounded.

For Re z = θ inside the strip, :math:`\frac{1}{2\pi i}\int M(z) e^{-z\epsilon}\kappa(z) dz` is f(ε), where

====== ======== =================== ==================================== ===========================
name   strip    κ(z)                f(ε)                                 truth from f
====== ======== =================== ==================================== ===========================
delta  (0, ∞)   +1/(z(z+1))         E[(1 − e^{ε−S})_+]                   f
delta  (−1, 0)  −1/(z(z+1))         E[min(1, e^{ε−S})]                   M(0) − f
delta  (−∞, −1) +1/(z(z+1))         E[(e^{ε−S} − 1)_+]                   M(0) − e^ε M(−1) + f
tail   (0, ∞)   +1/z                P(S > ε)                             f
tail   (−∞, 0)  −1/z                P(S < ε)                             M(0) − f
====== ======== =================== ==================================== ===========================

(all over finite S). By Poisson summation the trapezoidal sum with step h and period R = 2π/h is
:math:`\sum_{m \in Z} e^{\theta m R} f(\epsilon + mR)`, all terms ≥ 0. A Chernoff bound
:math:`f(\epsilon) \le c(\lambda) M(\lambda) e^{-\lambda\epsilon}` with λ > θ sums the aliases m ≥ 1 and one
with λ < θ those with m ≤ −1, each a geometric series of ratio :math:`e^{-|\lambda - \theta| R}`. The table
below says which λ are allowed with which constant c:

* delta, θ > 0: above λ > 0 with
  :math:`c = \lambda^\lambda/(1+\lambda)^{1+\lambda} = \sup_x (1-e^{-x})e^{-\lambda x}`; below λ = 0, c = 1.
* delta, −1 < θ < 0: :math:`\min(1, e^{-x}) \le e^{\lambda x}` for −1 ≤ λ ≤ 0: above λ = 0, below λ = −1,
  c = 1.
* delta, θ < −1: above λ = −1, c = 1; below λ < −1, with the first c at −1 − λ:
  :math:`\sup_{y>0} (e^y - 1)e^{\lambda y} = \sup_{y>0} (1 - e^{-y})e^{-(-1-\lambda)y}`.
* tail: the indicator is at most :math:`e^{\pm\lambda x}`: for θ > 0 above any λ and below 0; for θ < 0
  above 0 and below any λ.

Proof: with f(ε) = E[g(S − ε)] as in the table, :math:`\kappa(z) = \int g(x) e^{-zx} dx` on the strip, and the
Laplace transform is inverted; c(λ) is the supremum of g(x) e^{−λx}, so that g(x) ≤ c(λ) e^{λx}.
Assumes: log moments that enclose log M(λ). Rounds: up; +∞ unless all λ's are allowed and they lie on both
sides of θ, which puts θ into the strip. Poor λ's cost size, never truth.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from pldverify.balls import acb, arb
from pldverify.balls.ball import ball
from pldverify.balls.compare import surely_less
from pldverify.errors import NotSupported

Side = Literal["upper", "lower", "beyond"]
"""Right or left of the pole at 0, or left of that at −1 too."""


_ROWS = {("delta", "upper"), ("delta", "lower"), ("delta", "beyond"), ("tail", "upper"), ("tail", "lower")}


@dataclass(frozen=True)
class Kernel:
    """One row of the table."""

    name: Literal["delta", "tail"]
    side: Side

    def __post_init__(self) -> None:
        if (self.name, self.side) not in _ROWS:
            raise NotSupported(f"no kernel inverts {self.name} on side {self.side}")

    def value(self, z: acb) -> acb:
        """κ(z)."""
        size = 1 / (z * (z + 1)) if self.name == "delta" else 1 / z
        return -size if self.side == "lower" else size

    def chernoff(self, lam: Fraction) -> arb:
        """c(λ) of the alias bound; +∞ where λ is not allowed."""
        if self.side == "upper":
            if lam < 0:
                return arb.pos_inf()
            if self.name == "delta" and lam > 0:
                x = ball(lam)
                return x**x / (1 + x) ** (1 + x)
            return arb(1)
        if self.side == "beyond":
            return Kernel("delta", "upper").chernoff(-1 - lam)
        allowed = lam <= 0 and (self.name == "tail" or lam >= -1)
        return arb(1) if allowed else arb.pos_inf()

    def aliases(
        self, theta: Fraction, period: arb, chernoffs: Sequence[tuple[Fraction, arb]]
    ) -> list[tuple[arb, arb]]:
        """(λ, size), from (λ, log M(λ)): the sum of all size · e^{−λε} bounds all aliases m ≠ 0, for every ε;
        +∞ unless allowed λ's lie below and above θ.
        """
        if not min(lam for lam, _ in chernoffs) < theta < max(lam for lam, _ in chernoffs):
            return [(arb(0), arb.pos_inf())]
        ratios = [(-abs(ball(lam - theta)) * period).exp() for lam, _ in chernoffs]
        if not all(surely_less(ratio, 1) for ratio in ratios):
            return [(arb(0), arb.pos_inf())]
        return [
            (ball(lam), self.chernoff(lam) * log_moment.exp() * ratio / (1 - ratio))
            for (lam, log_moment), ratio in zip(chernoffs, ratios, strict=True)
        ]
