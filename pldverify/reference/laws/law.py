r"""Law: all that the engines ask of one dominating pair in one direction.

S is the privacy loss, a random variable under the first measure of the ordered pair (P‖Q);
:math:`M(z) = E[e^{zS}; S < \infty]`. Everything returns balls, except :meth:`Law.cumulant`, which is float
search code: it may choose parameters and proves nothing.
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol, runtime_checkable

from flint import acb, arb

from pldverify.reference.lemmas.layers import Layers
from pldverify.reference.lemmas.parallel_lines import ParallelLines

_BULK = -0.2
"""log |φ| from which on lines are worth their price."""


@dataclass(frozen=True)
class Decay:
    r"""Bounds on :math:`|\varphi(u)|`, the characteristic function of the loss tilted by θ.

    Attributes:
        layers: boxes under the tilted density; None where :math:`|\varphi| \le 1` is all that is known.
        gauss: :math:`|\varphi(u)| \le e^{-\mathrm{gauss}\, u^2/2}`, where that holds exactly.
        over_u: C with :math:`|\varphi(u)| \le C/u`; None where there is none (atoms).
        lines: builds a bound that falls faster than any power of u; None where there is none. It is
            asked beyond the bulk, where layers are poor: few steps, or few that lose anything.
    """

    layers: Layers | None = None
    gauss: arb | None = None
    over_u: arb | None = None
    lines: Callable[[], ParallelLines] | None = None

    def log_sup(self, u: arb) -> arb:
        """Upper bound of log |φ(v)| over all v ≥ u > 0 (its upper end); at most 0."""
        if self.gauss is not None:
            return -self.gauss * u * u / 2
        if self.layers is None:
            return arb(0)
        bound = (1 - self.layers.deficit(u)).upper()
        if self.over_u is not None:
            bound = bound.min(self.over_u / u)
        log = bound.log() if bound > 0 else arb(0)
        return log if self.lines is None or log > _BULK else log.min(self.lines().log_sup(u))


@dataclass(frozen=True)
class BoundedDecay(Decay):
    """A decay that a function bounds."""

    bound: Callable[[arb], arb] = lambda u: arb(0)

    def log_sup(self, u: arb) -> arb:
        return self.bound(u)


class Law(Hashable, Protocol):
    """One ordered pair."""

    @property
    def infinite_mass(self) -> Fraction:
        """δ_∞ = P(q = 0), exactly."""

    @property
    def highest(self) -> Fraction | arb | None:
        """Supremum of the finite losses: exact if rational, else a ball; None for +∞."""

    def tails(self, s: Fraction) -> tuple[arb, arb]:
        """(P(s ≤ S < ∞), Q(S ≥ s)): both measures of the losses from s on."""

    def cumulant(self, theta: float) -> tuple[float, float, float]:
        """K(θ), K'(θ), K''(θ) in floats; search only."""

    def line(self, theta: Fraction, step: Fraction, count: int) -> list[acb]:
        """M(θ + i j step) for j = 0 … count, at the working precision relative to M(θ)."""

    def decay(self, theta: Fraction) -> Decay:
        """How the characteristic function tilted by θ decays."""


@runtime_checkable
class Measure(Protocol):
    """A law whose finite losses do not have all of 1 − δ_∞: a part of a composition."""

    def mass(self) -> arb:
        """M(0), at the working precision."""
