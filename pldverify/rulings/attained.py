r"""What some neighbours have in every step, where the dominating pair is attained by none: a lower end.

**Batches of a fixed size.** All other records contribute −C, the record C, and −C in its place: up to a shift
the outputs are (1 − q) N(0) + q N(2C) against N(0), at every step, so a composition of these is attained: the
pair of Poisson sampling with twice the sensitivity. With m draws from n records the record is drawn
ℓ ~ Bin(m, 1/n) times: the mixture of N(2Cℓ) against N(0). Either data set may be the first one, so both
directions are.
"""

from fractions import Fraction
from math import comb

from pldverify.mechanisms import (
    Composition,
    Gaussian,
    MixtureOfGaussians,
    PoissonSubsampled,
    SampledWithoutReplacement,
    SampledWithReplacement,
)
from pldverify.mechanisms.mechanism import Mechanism

_MOST = 30
"""Draws of a batch with replacement; more are not looked at."""


def attained(composition: Composition) -> Composition | None:
    """A composition whose pairs, both directions of add-or-remove, neighbours of ``composition`` have that
    differ in one record; None where it is not known, and where nothing is gained.

    >>> from pldverify.rulings.attained import attained
    >>> print(attained(5 * pv.SampledWithoutReplacement(pv.Gaussian(sigma=1), q="0.1")))
    5 * poisson(gaussian(sigma=1, sensitivity=2), q=0.1)
    """
    if composition.attained or not composition.is_exact:
        return None
    parts = [(_attained(mechanism), k) for mechanism, k in composition.parts]
    known = [(mechanism, k) for mechanism, k in parts if mechanism is not None]
    return Composition.of(*known) if len(known) == len(parts) else None


def _attained(mechanism: Mechanism) -> Mechanism | None:
    match mechanism:
        case Gaussian():
            return _moved(mechanism)
        case SampledWithoutReplacement():
            moved = _moved(mechanism.base)
            return PoissonSubsampled(moved, mechanism.q) if mechanism.q < 1 else moved
        case SampledWithReplacement() if mechanism.m <= _MOST:
            (base, m, n), draws = (mechanism.base, mechanism.m, mechanism.n), range(mechanism.m + 1)
            chances = [comb(m, k) * Fraction(n - 1) ** (m - k) / Fraction(n) ** m for k in draws]
            return MixtureOfGaussians(base.sigma, [2 * k * base.sensitivity for k in draws], chances)
    return None


def _moved(base: Gaussian) -> Gaussian:
    return Gaussian(base.sigma, 2 * base.sensitivity)
