"""Faulty parameters: noise, sensitivity and sampling that are not what was asked."""

import math
import struct
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from pldverify.mechanisms import (
    DiscreteGaussian,
    Gaussian,
    Laplace,
    PoissonSubsampled,
    RandomizedResponse,
    SampledWithoutReplacement,
)
from pldverify.mechanisms.mechanism import Mechanism
from pldverify.mechanisms.poisson_subsampled import noise_and_q
from pldverify.mechanisms.query import Query
from pldverify.testing.zoo.mutant import Asked, Cage, each

MUTANTS = Cage()


def _sensitivity(change: Callable[[Fraction], Fraction]) -> Asked:
    def changed(mechanism: Mechanism) -> Mechanism:
        if isinstance(mechanism, Gaussian | Laplace):
            return replace(mechanism, sensitivity=change(mechanism.sensitivity))
        if isinstance(mechanism, PoissonSubsampled) and isinstance(mechanism.base, Gaussian):
            base = replace(mechanism.base, sensitivity=change(mechanism.base.sensitivity))
            return replace(mechanism, base=base)
        return mechanism

    return each(changed)


def _sampling(change: Callable[[Fraction], Fraction]) -> Asked:
    def changed(mechanism: Mechanism) -> Mechanism:
        if isinstance(mechanism, PoissonSubsampled) and mechanism.q < 1:
            return replace(mechanism, q=change(mechanism.q))
        return mechanism

    return each(changed)


@MUTANTS.asked("sensitivity", _sensitivity)
def sensitivity_ignored(s: Fraction) -> Fraction:
    """The sensitivity is taken to be 1."""
    return Fraction(1)


@MUTANTS.asked("sensitivity", _sensitivity)
def sensitivity_halved(s: Fraction) -> Fraction:
    """Half of the sensitivity."""
    return s / 2


@MUTANTS.asked("tight", _sensitivity)
def sensitivity_doubled(s: Fraction) -> Fraction:
    """Twice the sensitivity: sound, and loose."""
    return 2 * s


@MUTANTS.asked("sensitivity", _sensitivity)
def sensitivity_capped(s: Fraction) -> Fraction:
    """A sensitivity above 5 is taken for 5."""
    return min(s, Fraction(5))


@MUTANTS.asked("scaling", _sensitivity)
def sensitivity_squared(s: Fraction) -> Fraction:
    """The square of the sensitivity stands beside σ."""
    return s**2


@MUTANTS.asked("gaussians-add-up", each)
def variance_for_deviation(mechanism: Mechanism) -> Mechanism:
    """σ² is used where σ is meant."""
    return replace(mechanism, sigma=mechanism.sigma**2) if isinstance(mechanism, Gaussian) else mechanism


@MUTANTS.asked("falls-with-noise", each)
def scale_inverted(mechanism: Mechanism) -> Mechanism:
    """b below 1 is taken for its inverse."""
    if isinstance(mechanism, Laplace) and mechanism.noise_multiplier < 1:
        return Laplace(1 / mechanism.noise_multiplier)
    return mechanism


@MUTANTS.asked("large-epsilon", each)
def noise_from_a_table(mechanism: Mechanism) -> Mechanism:
    """σ is looked up in a table of integers, the next above."""
    if isinstance(mechanism, Gaussian):
        return replace(mechanism, sigma=Fraction(math.ceil(mechanism.sigma)))
    return mechanism


@MUTANTS.asked("decimals", each)
def single_precision(mechanism: Mechanism) -> Mechanism:
    """σ has seven digits."""
    if isinstance(mechanism, PoissonSubsampled) and isinstance(mechanism.base, Gaussian):
        return replace(mechanism, base=_seven_digits(mechanism.base))
    return _seven_digits(mechanism) if isinstance(mechanism, Gaussian) else mechanism


def _seven_digits(gaussian: Gaussian) -> Gaussian:
    if not 1e-37 < gaussian.sigma < 1e38:
        return gaussian
    (nearest,) = struct.unpack("f", struct.pack("f", gaussian.sigma))
    return replace(gaussian, sigma=Fraction(nearest))


@MUTANTS.asked("one-step", each)
def deviation_for_scale(mechanism: Mechanism) -> Mechanism:
    """The standard deviation of Laplace noise stands for its scale."""
    if isinstance(mechanism, Laplace):  # the deviation is b√2
        return replace(mechanism, b=mechanism.b * Fraction("1.41421"))
    return mechanism


@MUTANTS.asked("discrete", each)
def discrete_as_continuous(mechanism: Mechanism) -> Mechanism:
    """The discrete Gaussian is taken for the continuous one."""
    if isinstance(mechanism, DiscreteGaussian):
        return Gaussian(mechanism.sigma, mechanism.sensitivity)
    return mechanism


@MUTANTS.asked("categories", each)
def categories_ignored(mechanism: Mechanism) -> Mechanism:
    """Randomised response has two categories."""
    return replace(mechanism, categories=2) if isinstance(mechanism, RandomizedResponse) else mechanism


@MUTANTS.asked("sampled", _sampling)
def batch_not_accumulated(q: Fraction) -> Fraction:
    """q is that of one of eight batches whose gradients are summed."""
    return q / 8


@MUTANTS.asked("sampled", _sampling)
def sampling_squared(q: Fraction) -> Fraction:
    """q² is used where q is meant."""
    return q**2


@MUTANTS.asked("grows-with-sampling", _sampling)
def small_sampling_formula(q: Fraction) -> Fraction:
    """q(1 − q) stands for q."""
    return q * (1 - q)


@MUTANTS.asked("high-sampling", _sampling)
def sampling_capped(q: Fraction) -> Fraction:
    """q above 1/2 is taken for 1/2."""
    return min(q, Fraction(1, 2))


@MUTANTS.answered("full-sample")
def full_sample_infinite(value: float, query: Query) -> float:
    """log(1 − q) at q = 1 makes ε infinite."""
    whole = any(isinstance(m, PoissonSubsampled) and m.q == 1 for m, _ in query.composition.parts)
    if whole:
        return 1.0 if query.quantity == "delta" else math.inf
    return value


@MUTANTS.answered("sampled")
def linear_amplification(value: float, query: Query) -> float:
    """ε of a sample is q times the ε of the whole."""
    (mechanism, count), *others = query.composition.parts
    if others or count > 1 or query.delta is None or not isinstance(mechanism, PoissonSubsampled):
        return value
    return value * float(mechanism.q)  # for log(1 + q(e^ε − 1)), which it is for small ε


@MUTANTS.asked("replace-one")
def shuffled_as_poisson(query: Query) -> Query:
    """Batches of a fixed size are accounted for like a Poisson sample."""

    def changed(mechanism: Mechanism) -> Mechanism:
        if isinstance(mechanism, SampledWithoutReplacement):
            return PoissonSubsampled(mechanism.base, mechanism.q)
        return mechanism

    fixed = any(isinstance(mechanism, SampledWithoutReplacement) for mechanism, _ in query.composition.parts)
    return replace(each(changed)(query), adjacency="add-or-remove") if fixed else query


@MUTANTS.answered("integers")
def integers_take_another_path(value: float, query: Query) -> float:
    """σ that is a multiple of 1/2 is looked up in a table that is 1 % too large."""
    known = [noise_and_q(mechanism) for mechanism, _ in query.composition.parts]
    listed = all(row is not None and row[1] == 1 and (2 * row[0]).denominator == 1 for row in known)
    return min(1.0, value * 1.01) if listed and query.quantity == "delta" else value
