"""Product: the law of the composed loss in one direction, as a multiset of single-step laws."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from pldverify.errors import NotSupported
from pldverify.mechanisms import (
    Composition,
    Gaussian,
    Laplace,
    PoissonSubsampled,
    RandomizedResponse,
)
from pldverify.mechanisms.mechanism import Direction, Mechanism
from pldverify.reference.balls import ball
from pldverify.reference.laws.gaussian import GaussianLaw
from pldverify.reference.laws.gaussian_mixture import GaussianMixtureLaw
from pldverify.reference.laws.laplace import LaplaceLaw
from pldverify.reference.laws.law import Law
from pldverify.reference.laws.randomized_response import RandomizedResponseLaw


@dataclass(frozen=True)
class Product:
    """Independent losses: ``factors`` are (law, count) with distinct laws and finite-mass 1 − δ_∞ > 0
    each."""

    factors: tuple[tuple[Law, int], ...]

    @property
    def steps(self) -> int:
        """Number of losses, with multiplicity."""
        return sum(k for _, k in self.factors)

    def finite_mass(self) -> arb:
        """M(0) = 1 − δ_∞ = Π (1 − δ_∞,i)^{k_i}."""
        mass = arb(1)
        for law, k in self.factors:
            if law.infinite_mass:
                mass *= ball(1 - law.infinite_mass) ** k
        return mass

    def ends_by(self, epsilon: Fraction) -> bool:
        """Whether no finite loss exceeds ``epsilon``, proved; exact where the supremum is rational."""
        exact, irrational = -epsilon, arb(0)
        for law, k in self.factors:
            top = law.highest
            if top is None:
                return False
            if isinstance(top, Fraction):
                exact += k * top
            else:
                irrational += k * top
        return exact <= 0 if irrational.is_zero() else bool(irrational + ball(exact) <= 0)

    def highest(self) -> arb | None:
        """Ball around the supremum of the finite losses; None for +∞."""
        total = arb(0)
        for law, k in self.factors:
            top = law.highest
            if top is None:
                return None
            total += k * (ball(top) if isinstance(top, Fraction) else top)
        return total

    def cumulant(self, theta: float) -> tuple[float, float, float]:
        """Σ k_i (K_i, K_i', K_i'') in floats; search only."""
        terms = [tuple(k * x for x in law.cumulant(theta)) for law, k in self.factors]
        value, slope, curvature = (math.fsum(column) for column in zip(*terms, strict=True))
        return value, slope, curvature

    def log_moment(self, lam: Fraction) -> arb:
        """log M(λ), proved, for real λ."""
        total = arb(0)
        for law, k in self.factors:
            total += k * law.line(lam, Fraction(0), 0)[0].real.log()
        return total


def product(composition: Composition, direction: Direction) -> Product:
    """The laws behind a composition, Gaussian parts merged into one. Raises NotSupported."""
    variance = Fraction(0)
    counts: dict[Law, int] = {}
    for mechanism, k in composition.parts:
        law = _law(mechanism, direction)
        if isinstance(law, GaussianLaw):
            variance += k * law.variance
        elif law is not None:
            counts[law] = counts.get(law, 0) + k
    if variance:
        counts[GaussianLaw(variance)] = 1
    return Product(tuple(counts.items()))


def _gaussian(mechanism: Gaussian, direction: Direction) -> Law:
    return GaussianLaw(1 / mechanism.noise_multiplier**2)


def _poisson(mechanism: PoissonSubsampled, direction: Direction) -> Law:
    if mechanism.q == 1:
        return _gaussian(mechanism.base, direction)
    return GaussianMixtureLaw(mechanism.base.noise_multiplier, mechanism.q, direction)


def _laplace(mechanism: Laplace, direction: Direction) -> Law:
    return LaplaceLaw(1 / mechanism.noise_multiplier)


def _randomized_response(mechanism: RandomizedResponse, direction: Direction) -> Law | None:
    p = max(mechanism.p, 1 - mechanism.p)
    return None if p == Fraction(1, 2) else RandomizedResponseLaw(p)


_LAWS: dict[type[Mechanism], Callable[..., Law | None]] = {
    Gaussian: _gaussian,
    Laplace: _laplace,
    PoissonSubsampled: _poisson,
    RandomizedResponse: _randomized_response,
}


def _law(mechanism: Mechanism, direction: Direction) -> Law | None:
    """The law of one mechanism; None where the loss is 0 and drops out of every product."""
    if type(mechanism) not in _LAWS:
        raise NotSupported(f"the reference has no law for {mechanism}")
    return _LAWS[type(mechanism)](mechanism, direction)
