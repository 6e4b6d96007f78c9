r"""Law: one dominating pair in one direction, and what the engines may ask of it.

S is the privacy loss, a random variable under the first measure of the ordered pair (P‖Q);
:math:`M(z) = E[e^{zS}; S < \infty]`. Every value is a ball at the working precision. What a law can tell
beyond its ends is a capability: a law that lacks one has no such method.
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol, cast, runtime_checkable

from pldverify.balls import acb, arb
from pldverify.balls.compare import surely_less
from pldverify.errors import NotSupported
from pldverify.reference.laws.outcome import Atom, Outcome
from pldverify.reference.laws.tilted_atoms import TiltedAtoms
from pldverify.reference.lemmas.layers import Layers

_BULK = arb(-205) / 1024  # exact at any precision
"""log |φ| below which the bound from layers is poor, and lines are asked too."""


class Lines(Protocol):
    """A bound from lines in the complex plane."""

    def log_sup(self, u: arb) -> arb:
        """Upper bound of log |φ(v)| over all v ≥ u."""


@dataclass(frozen=True)
class Decay:
    r"""Bounds on :math:`|\varphi(u)|`, the characteristic function of the loss tilted by θ.

    Attributes:
        layers: boxes under the tilted density; None where :math:`|\varphi| \le 1` is all that is known.
        gauss: :math:`|\varphi(u)| \le e^{-\mathrm{gauss}\, u^2/2}`, where that holds exactly.
        over_u: C with :math:`|\varphi(u)| \le C/u`; None where there is none (atoms).
        lines: builds a bound that falls faster than any power of u; None where there is none. It takes
            milliseconds, and is asked only where the layers leave little: for few steps, or few that lose
            anything.
    """

    layers: Layers | None = None
    gauss: arb | None = None
    over_u: arb | None = None
    lines: Callable[[], Lines] | None = None

    def log_sup(self, u: arb) -> arb:
        """Upper bound of log |φ(v)| over all v ≥ u > 0 (its upper end); at most 0."""
        if self.gauss is not None:
            return -self.gauss * u * u / 2
        if self.layers is None:
            return arb(0)
        bound = (1 - self.layers.deficit(u)).upper()
        if self.over_u is not None:
            bound = bound.min(self.over_u / u)
        log = bound.log() if surely_less(0, bound) else arb(0)
        if self.lines is None or surely_less(_BULK, log):
            return log
        other = self.lines().log_sup(u)
        return log.min(other) if other.is_finite() else log


@dataclass(frozen=True)
class BoundedDecay(Decay):
    """A decay that a function bounds."""

    bound: Callable[[arb], arb] = lambda u: arb(0)

    def log_sup(self, u: arb) -> arb:
        return self.bound(u)


class Law(Hashable, Protocol):
    """One ordered pair, or a part of its first measure. What else is known of it, its capabilities tell."""

    @property
    def infinite_mass(self) -> Fraction | arb:
        """δ_∞ = P(q = 0): exact if rational, else a ball around a number > 0."""

    @property
    def largest_finite_loss(self) -> Fraction | arb | None:
        """Supremum of the finite losses: exact if rational, else a finite ball; None for +∞."""


@runtime_checkable
class HasTails(Protocol):
    """A law with distribution functions."""

    def tails(self, s: Fraction) -> tuple[arb, arb]:
        """(P(s ≤ S < ∞), Q(S ≥ s)): both measures of the losses from s on."""


@runtime_checkable
class HasTransform(Protocol):
    """A law with a transform on a line, and with bounds of it."""

    def on_line(self, theta: Fraction, step: Fraction, count: int) -> list[acb]:
        """M(θ + i j step) for j = 0 … count, at the working precision relative to M(θ)."""

    def decay(self, theta: Fraction) -> Decay:
        """How the characteristic function tilted by θ decays."""


class Outline(Protocol):
    """How large a transform is, interval by interval."""

    def most(self, start: Fraction, width: Fraction, count: int) -> list[arb]:
        """Upper bounds of |M(θ + iu)|/M(θ) on the intervals from u = start + j·width ≥ 0 on, j < count."""


@runtime_checkable
class HasOutline(Protocol):
    """A law with a closed transform that needn't decay."""

    def outline(self, theta: Fraction) -> Outline | None:
        """None where that of the atoms is better."""

    def on_line(self, theta: Fraction, step: Fraction, count: int, first: int = 0) -> list[acb]:
        """As of :class:`HasTransform`, from the node ``first`` on."""


@runtime_checkable
class Measure(Protocol):
    """A law that is a part of a composition: its losses are finite and have less than all of the mass."""

    def mass(self) -> arb:
        """M(0), at the working precision."""


@runtime_checkable
class HasAtoms(Protocol):
    """A law all of whose finite losses are atoms."""

    def tilted_atoms(self, theta: Fraction) -> TiltedAtoms:
        """The atoms that count at θ, at the working precision."""


@runtime_checkable
class HasFiniteAtoms(HasAtoms, Protocol):
    """A law with finitely many losses."""

    def outcomes(self) -> list[Outcome]:
        """All outcomes, at the working precision, each mass zero or positive."""

    def atoms(self) -> list[Atom]:
        """The finite losses in increasing order (of midpoints), at the working precision."""


class HasMasses(Protocol):
    """A law of finitely many outcomes whose masses are rational."""

    def masses(self) -> list[tuple[Fraction, Fraction]]:
        """P and Q of every outcome, exactly."""


class HasDivergence(Protocol):
    """A law with rational Rényi divergences."""

    def exact_divergence(self, order: Fraction) -> Fraction | None:
        """D_α of a rational order α > 0, exactly; None where it is not known to be rational."""


def with_tails(law: object) -> HasTails:
    """The law, if it has distribution functions. Raises NotSupported."""
    if not hasattr(law, "tails"):
        raise NotSupported(f"no distribution functions of {type(law).__name__}")
    return cast(HasTails, law)


def with_transform(law: object) -> HasTransform:
    """The law, if it has a transform on a line. Raises NotSupported."""
    if not (hasattr(law, "on_line") and hasattr(law, "decay")):
        raise NotSupported(f"no transform of {type(law).__name__} on a line")
    return cast(HasTransform, law)


def outline_of(law: object, theta: Fraction) -> Outline | None:
    """The outline of a closed transform, if there is one."""
    return law.outline(theta) if isinstance(law, HasOutline) else None


def with_atoms(law: object) -> HasAtoms:
    """The law, if its finite losses are atoms. Raises NotSupported."""
    if not hasattr(law, "tilted_atoms"):
        raise NotSupported(f"not all losses of {type(law).__name__} are discrete")
    return cast(HasAtoms, law)
