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
from pldverify.testing.zoo.mutant import Asked, each, spoiled


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


def _variance(mechanism: Mechanism) -> Mechanism:
    return replace(mechanism, sigma=mechanism.sigma**2) if isinstance(mechanism, Gaussian) else mechanism


def _inverted(mechanism: Mechanism) -> Mechanism:
    if isinstance(mechanism, Laplace) and mechanism.noise_multiplier < 1:
        return Laplace(1 / mechanism.noise_multiplier)
    return mechanism


def _rounded_up(mechanism: Mechanism) -> Mechanism:
    return (
        replace(mechanism, sigma=Fraction(math.ceil(mechanism.sigma)))
        if isinstance(mechanism, Gaussian)
        else mechanism
    )


def _single(mechanism: Mechanism) -> Mechanism:
    if isinstance(mechanism, PoissonSubsampled) and isinstance(mechanism.base, Gaussian):
        return replace(mechanism, base=_seven_digits(mechanism.base))
    return _seven_digits(mechanism) if isinstance(mechanism, Gaussian) else mechanism


def _seven_digits(gaussian: Gaussian) -> Gaussian:
    if not 1e-37 < gaussian.sigma < 1e38:
        return gaussian
    (nearest,) = struct.unpack("f", struct.pack("f", gaussian.sigma))
    return replace(gaussian, sigma=Fraction(nearest))


def _continuous(mechanism: Mechanism) -> Mechanism:
    if isinstance(mechanism, DiscreteGaussian):
        return Gaussian(mechanism.sigma, mechanism.sensitivity)
    return mechanism


def _coin(mechanism: Mechanism) -> Mechanism:
    return replace(mechanism, categories=2) if isinstance(mechanism, RandomizedResponse) else mechanism


def _exponential(mechanism: Mechanism) -> Mechanism:
    """The standard deviation of Laplace noise, b√2, is taken for b."""
    if isinstance(mechanism, Laplace):
        return replace(mechanism, b=mechanism.b * Fraction("1.41421"))
    return mechanism


def _shuffled(query: Query) -> Query:
    """A batch of a fixed size is taken for a Poisson sample, a replaced record for a removed one."""

    def changed(mechanism: Mechanism) -> Mechanism:
        if isinstance(mechanism, SampledWithoutReplacement):
            return PoissonSubsampled(mechanism.base, mechanism.q)
        return mechanism

    fixed = any(isinstance(mechanism, SampledWithoutReplacement) for mechanism, _ in query.composition.parts)
    return replace(each(changed)(query), adjacency="add-or-remove") if fixed else query


def _infinite_at_one(value: float, query: Query) -> float:
    whole = any(isinstance(m, PoissonSubsampled) and m.q == 1 for m, _ in query.composition.parts)
    if whole:
        return 1.0 if query.quantity == "delta" else math.inf
    return value


def _linear(value: float, query: Query) -> float:
    """q ε for log(1 + q(e^ε − 1)): the amplification of small ε."""
    (mechanism, count), *others = query.composition.parts
    if others or count > 1 or query.delta is None or not isinstance(mechanism, PoissonSubsampled):
        return value
    return value * float(mechanism.q)


def _halves(value: float, query: Query) -> float:
    known = [noise_and_q(mechanism) for mechanism, _ in query.composition.parts]
    listed = all(row is not None and row[1] == 1 and (2 * row[0]).denominator == 1 for row in known)
    return min(1.0, value * 1.01) if listed and query.quantity == "delta" else value


MUTANTS = (
    spoiled(
        "sensitivity-ignored",
        "sensitivity",
        "The sensitivity is taken to be 1.",
        asked=_sensitivity(lambda s: Fraction(1)),
    ),
    spoiled(
        "sensitivity-halved", "sensitivity", "Half of the sensitivity.", asked=_sensitivity(lambda s: s / 2)
    ),
    spoiled(
        "sensitivity-doubled",
        "tight",
        "Twice the sensitivity: sound, and loose.",
        asked=_sensitivity(lambda s: 2 * s),
    ),
    spoiled(
        "sensitivity-capped",
        "sensitivity",
        "A sensitivity above 5 is taken for 5.",
        asked=_sensitivity(lambda s: s if s < 5 else Fraction(5)),
    ),
    spoiled(
        "sensitivity-squared",
        "scaling",
        "The square of the sensitivity stands beside σ.",
        asked=_sensitivity(lambda s: s**2),
    ),
    spoiled(
        "variance-for-deviation", "gaussians-add-up", "σ² is used where σ is meant.", asked=each(_variance)
    ),
    spoiled(
        "scale-inverted", "falls-with-noise", "b below 1 is taken for its inverse.", asked=each(_inverted)
    ),
    spoiled(
        "noise-from-a-table",
        "large-epsilon",
        "σ is looked up in a table of integers, the next above.",
        asked=each(_rounded_up),
    ),
    spoiled("single-precision", "decimals", "σ has seven digits.", asked=each(_single)),
    spoiled(
        "deviation-for-scale",
        "one-step",
        "The standard deviation of Laplace noise stands for its scale.",
        asked=each(_exponential),
    ),
    spoiled(
        "discrete-as-continuous",
        "discrete",
        "The discrete Gaussian is taken for the continuous one.",
        asked=each(_continuous),
    ),
    spoiled("categories-ignored", "categories", "Randomised response has two categories.", asked=each(_coin)),
    spoiled(
        "batch-not-accumulated",
        "sampled",
        "q is that of one of eight batches whose gradients are summed.",
        asked=_sampling(lambda q: q / 8),
    ),
    spoiled("sampling-squared", "sampled", "q² is used where q is meant.", asked=_sampling(lambda q: q**2)),
    spoiled(
        "small-sampling-formula",
        "grows-with-sampling",
        "q(1 − q) stands for q.",
        asked=_sampling(lambda q: q * (1 - q)),
    ),
    spoiled(
        "sampling-capped",
        "high-sampling",
        "q above 1/2 is taken for 1/2.",
        asked=_sampling(lambda q: min(q, Fraction(1, 2))),
    ),
    spoiled(
        "full-sample-infinite",
        "full-sample",
        "log(1 − q) at q = 1 makes ε infinite.",
        answered=_infinite_at_one,
    ),
    spoiled(
        "linear-amplification", "sampled", "ε of a sample is q times the ε of the whole.", answered=_linear
    ),
    spoiled(
        "shuffled-as-poisson",
        "replace-one",
        "Batches of a fixed size are accounted for like a Poisson sample.",
        asked=_shuffled,
    ),
    spoiled(
        "integers-take-another-path",
        "integers",
        "σ that is a multiple of 1/2 is looked up in a table that is 1 % too large.",
        answered=_halves,
    ),
)
