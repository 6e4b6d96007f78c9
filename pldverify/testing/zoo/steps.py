"""Faulty compositions: steps that are lost, and mechanisms that are mixed up."""

import math
from dataclasses import replace

from pldverify.mechanisms import Gaussian, PoissonSubsampled
from pldverify.mechanisms.mechanism import Composition, Mechanism
from pldverify.mechanisms.poisson_subsampled import noise_and_q
from pldverify.mechanisms.query import Query
from pldverify.testing.oracle import end
from pldverify.testing.zoo.mutant import Asked, counts, parts, spoiled


def _samples(mechanism: Mechanism) -> bool:
    return isinstance(mechanism, PoissonSubsampled) and mechanism.q < 1


def _wrapped(mechanism: Mechanism, count: int) -> tuple[Mechanism, int]:
    return mechanism, max(1, count % 64) if _samples(mechanism) else count


def _fewer_batches(mechanism: Mechanism, count: int) -> tuple[Mechanism, int]:
    return mechanism, max(1, count - 1) if _samples(mechanism) else count


def _average(query: Query) -> Query:
    """All Gaussians with the mean of their noise multipliers."""
    known = [(noise_and_q(mechanism), count) for mechanism, count in query.composition.parts]
    noises = [(row[0], count) for row, count in known if row is not None and row[1] == 1]
    if len(noises) < max(2, len(known)):
        return query
    steps = query.composition.steps
    return replace(query, composition=steps * Gaussian(sum(noise * k for noise, k in noises) / steps))


def _first_parts(most: int) -> Asked:
    return lambda query: replace(query, composition=Composition.of(*query.composition.parts[:most]))


def _root(value: float, query: Query) -> float:
    """√k times the ε of one step, and no more."""
    if query.delta is None or query.composition.steps == 1:
        return value
    mechanism, count = query.composition.parts[0]
    return math.sqrt(count) * end(replace(query, composition=1 * mechanism), "upper")


MUTANTS = (
    spoiled(
        "steps-written-down",
        "many-steps",
        "The number of steps is a constant of the code, 100.",
        asked=counts(lambda k: 100),
    ),
    spoiled(
        "one-step-lost", "many-steps", "Off by one in the number of steps.", asked=counts(lambda k: k - 1)
    ),
    spoiled("count-ignored", "gaussians-add-up", "Every mechanism counts once.", asked=counts(lambda k: 1)),
    spoiled(
        "steps-of-epochs",
        "many-steps",
        "Three epochs of 75 batches are int(3 / (1 / 75)) = 224 steps.",
        asked=counts(lambda k: int((k / 75) / (1 / 75))),
    ),
    spoiled(
        "steps-wrapped",
        "grows-with-steps",
        "The number of sampled batches is kept in six bits.",
        asked=parts(_wrapped),
    ),
    spoiled(
        "budget-checked-after-the-step",
        "sampled",
        "Training runs one batch more than is accounted for.",
        asked=parts(_fewer_batches),
    ),
    spoiled(
        "few-steps-are-one",
        "few-steps",
        "Two and three steps take the path of one.",
        asked=counts(lambda k: 1 if k <= 3 else k),
    ),
    spoiled(
        "noise-averaged",
        "grows-with-parts",
        "Gaussians of different noise are composed with their mean noise.",
        asked=_average,
    ),
    spoiled(
        "first-mechanism-only", "mixed", "All but the first mechanism is forgotten.", asked=_first_parts(1)
    ),
    spoiled(
        "third-mechanism-lost", "mixed", "Two mechanisms are composed, others lost.", asked=_first_parts(2)
    ),
    spoiled(
        "square-root-of-steps",
        "many-steps",
        "ε is taken to grow with √k, the term in k is left out.",
        answered=_root,
    ),
    spoiled(
        "half-of-the-steps",
        "many-steps",
        "Steps of local clients are counted for half of them.",
        asked=counts(lambda k: k // 2),
    ),
    spoiled(
        "large-counts-capped",
        "many-steps",
        "A grid that was made for 500 steps is asked for more.",
        asked=counts(lambda k: min(k, 500)),
    ),
)
